// Writes a daily account statement in USDC (UTC): deposits and withdrawals, cash flows of spot
// trades, realised profit, fees and funding, and the balance after each day. At the end the totals
// of the account's whole life are compared with the venue: exit code 1 if they differ.
//
//   source .env.bot                                          # from register.ts
//   npx node examples/statement.ts --from 2026-11-01 --to 2026-11-30
//   npx node examples/statement.ts --csv > statement.csv     # everything
//
// The balance is the total at both engines without unrealised profit. The API lists the newest 500
// funding payments: the totals lack any older ones.
import { parseArgs } from 'node:util'
import { fromRaw, pages, Rest, type shapes, toRaw } from 'openvenue'

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '0000-00-00' },
    to: { type: 'string', default: '9999-99-99' },
    csv: { type: 'boolean', default: false },
  },
})
const { env } = process
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000' } = env
const apiKey = { key: env.OPENVENUE_API_KEY ?? '', secret: env.OPENVENUE_API_SECRET ?? '' }
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const patience = { retries: 5, waitMsMax: 60_000 }
const rest = new Rest({ url, apiKey, patience, signal: stop.signal })
const ASSET = 'USDC'
const MOVES = ['deposit', 'withdraw', 'receive', 'send'] as const
const KINDS = [...MOVES, 'spot', 'realised', 'fees', 'funding'] as const
type MovementKind = (typeof KINDS)[number]

const raw = (decimal: string) => toRaw(decimal, 18)
const text = (number: bigint) => fromRaw(number, 18)
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
const days = new Map<string, Record<MovementKind, bigint>>()
function enter(timestampNs: string, kind: MovementKind, amount: bigint): void {
  const day = new Date(Number(BigInt(timestampNs) / 1_000_000n)).toISOString().slice(0, 10)
  const none = Object.fromEntries(KINDS.map((kind) => [kind, 0n])) as Record<MovementKind, bigint>
  const sums = days.get(day) ?? none
  days.set(day, { ...sums, [kind]: sums[kind] + amount })
}

/** Enters the transactions up to a block. */
async function enterTransactions(block: number): Promise<void> {
  for (let offset = 0, count = 1; count > 0; offset += count) {
    const query = { limit: 1_000, offset, sort_order: 'ASC', min_block: block }
    const { transaction_history: rows } = await rest.call('GET /transaction-history', { query })
    for (const { tx_type: kind, amount, ...row } of rows) {
      if (row.collateral_asset !== ASSET || row.block_number > block) continue
      const isIn = kind === 'deposit' || kind === 'receive'
      enter(row.finalized_timestamp, kind, isIn ? raw(amount) : -raw(amount))
    }
    count = rows.length
  }
}
function enterFill(fill: shapes.Fill): void {
  const { created_timestamp: time, instrument_type, asset, fee_asset } = fill
  const sign = fill.side === 'buy' ? -1n : 1n
  if (instrument_type === 'PERPETUAL') {
    enter(time, 'realised', raw(fill.pnl ?? '0'))
    enter(time, 'fees', -raw(fill.fees) - raw(fill.liquidation_fee ?? '0'))
  } else if (asset === ASSET) enter(time, 'spot', -sign * raw(fill.amount))
  else if (fee_asset === ASSET) enter(time, 'spot', sign * raw(fill.quote_amount))
}
async function enterFills(block: number): Promise<void> {
  const query = { limit: 1_000, sort_order: 'asc', min_block: block } as const
  for await (const { trade_history } of pages(rest, 'GET /trade-history', { query }))
    for (const row of trade_history)
      if (row.trade_type !== 'funding' && row.block_number <= block) enterFill(row)
}
/** Returns the funding of open positions that has accrued but is not settled yet. */
async function enterFunding(block: number, positions: readonly shapes.Position[]): Promise<bigint> {
  const query = { trade_types: 'funding', limit: 1_000, min_block: block }
  const { trade_history } = await rest.call('GET /trade-history', { query })
  const paid = (trade_history as shapes.FundingPayment[]).filter(
    ({ trade_id }) => Number.parseInt(trade_id, 10) <= block,
  )
  for (const row of paid) enter(row.created_timestamp, 'funding', raw(row.funding_payment))
  const accrued = positions.map((position) => {
    if (position.instrument_type !== 'PERPETUAL') return 0n
    const settled = paid.filter(
      ({ instrument_id: id, created_timestamp: time }) =>
        id === position.instrument_id && BigInt(time) > BigInt(position.opened_timestamp),
    )
    return (
      raw(position.accumulated_funding) +
      raw(position.pending_funding_fee) -
      total(settled.map(({ funding_payment }) => raw(funding_payment)))
    )
  })
  return total(accrued)
}

const { body: account, blockNumber = 0 } = await rest.ask('GET /account')
await Promise.all([enterTransactions(blockNumber), enterFills(blockNumber)])
const accrued = await enterFunding(blockNumber, account.positions)

let balance = 0n
const width = values.csv ? 0 : 24
const line = (cells: string[]) =>
  `${cells.map((cell) => cell.padStart(width)).join(values.csv ? ',' : ' ')}\n`
process.stdout.write(line(['day', ...KINDS, 'balance']))
for (const [day, sums] of [...days].sort()) {
  balance += total(Object.values(sums))
  if (day >= values.from && day <= values.to)
    process.stdout.write(line([day, ...KINDS.map((kind) => text(sums[kind])), text(balance)]))
}

const { collaterals, equity, unrealized_pnl } = account
const spot = collaterals.find(
  (balance) => balance.instrument_type === 'SPOT' && balance.collateral_asset === ASSET,
)
const reported = raw(equity ?? '0') - raw(unrealized_pnl ?? '0') + raw(spot?.balance ?? '0')
process.stderr.write(
  `sum ${text(balance)}, funding to come ${text(accrued)}, venue ${text(reported)}\n`,
)
if (balance + accrued !== reported) process.exitCode = 1
