// Compares the API's account data with the contracts and their logs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { until } from '@openvenue/core/test/until'
import { numberInId } from '@openvenue/devnet/deployment'
import { readBooks } from '@openvenue/devnet/read-book'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { readViews } from '@openvenue/runtime/views'
import { formatUnits, type Log, parseEventLogs, parseUnits } from 'viem'
import { type AccountClient, type AccountRow, openAccount } from './account-client.ts'
import { left } from './compare.ts'
import { compared } from './compare-pools.ts'
import { type EngineEvent, fillsIn, readEvents } from './fill-log.ts'
import { read } from './probe.ts'
import { startVenue, type TestVenue } from './venue.ts'

const BLOCKS_MIN = 15
const DECIMALS = 18

let venue: TestVenue
let clients: readonly AccountClient[]
let markets: readonly ListedMarket[]
before(async () => {
  venue = await startVenue({ privateRate: undefined, registerRate: undefined })
  clients = await Promise.all(ROLES.traders.map((index) => openAccount(venue.devnet, index)))
  markets = await readMarkets()
})
after(() => venue?.remove())

const rpc = () => rpcAt(venue.devnet.rpcUrl)

test(`equity, margins, positions, accrued funding and open orders equal the contracts' at ${BLOCKS_MIN} blocks of live trading`, async () => {
  await compared(BLOCKS_MIN, (done) =>
    compareHoldings(clients[done % clients.length] as AccountClient),
  )
})

/** Returns the block; undefined when the venue moved on meanwhile. */
async function compareHoldings(client: AccountClient): Promise<number | undefined> {
  const number = await accountNumber(client)
  const [account, orders] = await Promise.all([
    client.ask('/account'),
    client.ask('/open-orders?limit=1000'),
  ])
  const { block } = account
  if (orders.block !== block) return undefined
  await left(rpc(), block)
  // All at once: the node keeps the state of few blocks.
  const [chain, ordersThere] = await Promise.all([
    holdingsOnChain(number, block),
    ordersOnChain(number, block),
  ])
  assert.deepEqual(pickMargins(account.body), marginsOf(chain))
  assert.deepEqual(pickPositions(account.body), positionsOf(chain))
  assert.deepEqual(pickPending(account.body), pendingOf(chain, account.body))
  const listed = (orders.body as { orders: readonly AccountRow[] }).orders
  // Orders that wait for their transaction are not on chain.
  const there = listed.filter(({ order_status }) => order_status !== 'pending')
  const ids = there.map(({ chain_order_id }) => String(chain_order_id)).sort()
  assert.deepEqual(ids, ordersThere.sort(), `orders at ${block}`)
  return block
}

const numbers = new Map<AccountClient, number>()

async function accountNumber(client: AccountClient): Promise<number> {
  const number = numbers.get(client)
  if (number !== undefined) return number
  const args = [client.registered.account]
  const to = venue.devnet.deployment.accounts
  const view = { to, abi: accountsAbi, functionName: 'accountOf', args }
  const [answer] = (await readViews(rpc(), [view])) as [number]
  numbers.set(client, Number(answer))
  return Number(answer)
}

type FundingState = Readonly<{ settledTime: bigint; cumulative: bigint; fundingIndex: bigint }>
type ChainPosition = Readonly<{ lots: bigint; fundingIndex: bigint }>
/** An account's holdings in the contracts; positions and funding are those of `perpMarkets`. */
type Holdings = Readonly<{
  margins: Record<string, bigint>
  positions: readonly ChainPosition[]
  funding: readonly FundingState[]
}>

async function holdingsOnChain(number: number, block: number): Promise<Holdings> {
  const { lens: to, perps } = venue.devnet.deployment
  const markets = perpMarkets().map(numberOf)
  const views = [
    { to, abi: lensAbi, functionName: 'perpAccount', args: [perps, number] },
    { to, abi: lensAbi, functionName: 'positions', args: [perps, [number], markets] },
    ...markets.map((market) => {
      return { to, abi: lensAbi, functionName: 'funding', args: [perps, market] }
    }),
  ]
  const [margins, [positions = []], ...funding] = (await readViews(
    rpc(),
    views,
    quantity(block),
  )) as [Record<string, bigint>, readonly ChainPosition[][], ...FundingState[]]
  return { margins, positions, funding }
}

const pickMargins = (body: unknown) => {
  const account = body as AccountRow
  return {
    equity: account.equity,
    initial: account.initial_margin,
    maintenance: account.maintenance_margin,
    available: account.available_balance,
    liquidatable: account.liquidatable,
  }
}

function marginsOf({ margins }: Holdings) {
  const text = (name: string) => formatUnits(margins[name] ?? 0n, DECIMALS)
  return {
    equity: text('equity'),
    initial: text('initialMargin'),
    maintenance: text('maintenanceMargin'),
    available: text('available'),
    // Only positions have a maintenance margin.
    liquidatable: (margins.equity ?? 0n) < (margins.maintenanceMargin ?? 0n),
  }
}

/** Signed sizes by number of the market. */
function pickPositions(body: unknown): ReadonlyMap<number, string> {
  const { positions } = body as { positions: readonly AccountRow[] }
  return new Map(
    positions
      .filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
      .map(({ instrument_id, amount, side }) => [
        numberInId(String(instrument_id)),
        side === 'buy' ? String(amount) : `-${amount}`,
      ]),
  )
}

const positionsOf = ({ positions }: Holdings) =>
  new Map(
    perpMarkets()
      .map((market, index) => {
        const step = parseUnits(market.amount_step, DECIMALS)
        return [numberOf(market), BigInt(positions[index]?.lots ?? 0) * step] as const
      })
      .filter(([, amount]) => amount !== 0n)
      .map(([market, amount]) => [market, formatUnits(amount, DECIMALS)]),
  )

const openPerps = (body: unknown) =>
  (body as { positions: readonly AccountRow[] }).positions.filter(
    ({ instrument_type }) => instrument_type === 'PERPETUAL',
  )

/** Accrued funding that is not settled yet, by number of the market. */
const pickPending = (body: unknown) =>
  new Map(
    openPerps(body).map((row) => [
      numberInId(String(row.instrument_id)),
      String(row.pending_funding_fee),
    ]),
  )

/** It accrues from the last fill, or from the last settled hour, which included it. */
function pendingOf(chain: Holdings, body: unknown) {
  const pending = new Map<number, string>()
  for (const row of openPerps(body)) {
    const market = numberInId(String(row.instrument_id))
    const index = perpMarkets().findIndex((listed) => numberOf(listed) === market)
    const [position, funding] = [chain.positions[index], chain.funding[index]]
    assert.ok(position !== undefined && funding !== undefined, `market ${market} is listed`)
    const filledSeconds = BigInt(String(row.updated_timestamp)) / 1_000_000_000n
    const from = filledSeconds < funding.settledTime ? funding.cumulative : position.fundingIndex
    pending.set(
      market,
      formatUnits(-BigInt(position.lots) * (funding.fundingIndex - from), DECIMALS),
    )
  }
  return pending
}

type ListedMarket = Readonly<{
  instrument_id: string
  instrument_type: string
  amount_step: string
}>

const readMarkets = () => read<readonly ListedMarket[]>(venue.devnet.apiUrl, '/markets')
const perpMarkets = () => markets.filter(({ instrument_type: type }) => type === 'PERPETUAL')
const numberOf = ({ instrument_id }: ListedMarket) => numberInId(instrument_id)

async function ordersOnChain(number: number, block: number): Promise<string[]> {
  const { lens } = venue.devnet.deployment
  const ids = markets.map(({ instrument_id }) => instrument_id)
  const places = ids.map((id) => ({ engine: id.slice(0, 42), number: numberInId(id) }))
  const books = await readBooks(rpc(), lens, places, quantity(block))
  return books.flatMap((orders, index) =>
    orders
      .filter(({ account }) => account === number)
      .map((order) => `${ids[index]}${order.number.toString(16).padStart(16, '0')}`),
  )
}

test('fills, transfers and cancelled orders equal the logs, without gaps or duplicates', async () => {
  stopTraders()
  await quiet()
  const logged = await readEvents(rpc(), venue.devnet.deployment)
  for (const client of clients) {
    const number = await accountNumber(client)
    const fills = await client.all('/trade-history', 'trade_history')
    assert.ok(fills.length > 0, `account ${number} has traded`)
    assert.deepEqual(sorted(fills, 'trade_id'), fillsIn(logged, number), `fills of ${number}`)
    const transfers = (await client.ask('/transaction-history?limit=1000')).body as {
      transaction_history: readonly AccountRow[]
    }
    assert.equal(transfers.transaction_history.length, transfersIn(logged, number).length)
    const orders = await client.all('/order-history', 'order_history')
    const cancelled = orders.filter(({ order_status }) => order_status === 'cancelled')
    assert.equal(cancelled.length, cancelledIn(logged, number).length, `cancelled of ${number}`)
  }
})

const sorted = (rows: readonly AccountRow[], field: string) =>
  rows.map((row) => String(row[field])).sort()

/** Stops the traders for good: only prices follow. */
function stopTraders(): void {
  const { traders } = venue.devnet.pids()
  if (traders !== undefined) process.kill(traders, 'SIGSTOP')
}

type RelayState = Readonly<{
  lanes: readonly Readonly<{ queued: number; sent: number }>[]
  status: Readonly<{ updated_ms: number }> | null
}>

/** Waits until everything sent has been mined and served. */
async function quiet(): Promise<void> {
  // Orders accepted while the traders stopped are in the relayer's queue by then.
  const fromMs = Date.now() + 1_000
  await until('the relayer has nothing left to send', async () => {
    const { lanes, status } = await read<RelayState>(venue.devnet.apiUrl, '/relay')
    const isIdle = lanes.every(({ queued, sent }) => queued + sent === 0)
    return isIdle && status !== null && status.updated_ms > fromMs
  })
  const head = Number(await rpc().call('eth_blockNumber'))
  const isServed = async ({ ask }: AccountClient) => (await ask('/account')).block > head
  await until('the block after the last is served', () => isServed(clients[0] as AccountClient))
}

const transfersIn = (logged: readonly EngineEvent[], number: number) =>
  logged.flatMap(({ name, args }) => {
    if (name === 'Deposited' || name === 'Withdrawn')
      return Number(args.account) === number ? [name] : []
    if (name !== 'Transferred') return []
    return [args.from, args.to].filter((account) => Number(account) === number)
  })

const cancelledIn = (logged: readonly EngineEvent[], number: number) =>
  logged.filter(({ name, args }) => name === 'Cancelled' && Number(args.account) === number)

test('equity equals transfers plus profit less fees plus funding, to the last unit', async () => {
  for (const client of clients) {
    const account = (await client.ask('/account')).body as AccountRow & {
      positions: readonly AccountRow[]
    }
    const perps = (rows: readonly AccountRow[]) =>
      rows.filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
    const fills = perps(await client.all('/trade-history', 'trade_history'))
    assert.ok(fills.length > 0, 'the account has traded perpetuals')
    const cycles = await client.all('/position-history', 'position_history')
    const open = perps(account.positions)
    const total =
      (await collateralMoved(client)) +
      sum(fills, 'pnl') -
      sum(fills, 'fees') -
      sum(fills, 'liquidation_fee') +
      sum(cycles, 'funding') +
      sum(open, 'accumulated_funding') +
      sum(open, 'pending_funding_fee') +
      sum(open, 'unrealized_pnl')
    assert.equal(formatUnits(total, DECIMALS), account.equity)
  }
})

const sum = (rows: readonly AccountRow[], field: string) =>
  rows.reduce((total, row) => total + parseUnits(String(row[field] ?? '0'), DECIMALS), 0n)

const MOVES = [
  ['Deposited', 'account', 1n],
  ['Withdrawn', 'account', -1n],
  ['Transferred', 'from', -1n],
  ['Transferred', 'to', 1n],
] as const

/** Returns net transfers to the perpetual engine, liquidation rewards included; 18 decimals. */
async function collateralMoved(client: AccountClient): Promise<bigint> {
  const number = await accountNumber(client)
  const { perps, startBlock } = venue.devnet.deployment
  const range = { fromBlock: quantity(startBlock), toBlock: 'latest' }
  const logs = (await rpc().call('eth_getLogs', { address: perps, ...range })) as Log[]
  let [raw, rewards] = [0n, 0n]
  for (const { eventName, args } of parseEventLogs({ abi: perpsAbi, logs })) {
    const values = args as unknown as Record<string, bigint | number>
    const amount = BigInt(values.amount ?? 0)
    for (const [name, account, sign] of MOVES)
      if (eventName === name && Number(values[account]) === number) raw += sign * amount
    if (eventName === 'Liquidated' && Number(values.keeper) === number)
      rewards += BigInt(values.fee ?? 0) / 2n
  }
  return raw * 10n ** 12n + rewards
}
