// Shows liquidations and the accounts closest to one. The API reports an account's risk only to its
// owner; the chain has it for all accounts: this reads the logs of the perpetual engine and the
// health of every account from any node, and uses the venue only for the names of its markets.
//
//   npx node examples/liquidations.ts --every 10           # until Ctrl-C
//   npx node examples/liquidations.ts --once --top 5       # the five closest accounts
//
// The node is RPC_URL, by default the one that the venue publishes.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fromRaw, Rest, toRaw } from 'openvenue'
import { type Address, loadVenue } from 'openvenue/signing'
import { createPublicClient, http, parseAbi } from 'viem'

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '10' },
    top: { type: 'string', default: '3' },
    from: { type: 'string' },
    once: { type: 'boolean', default: false },
  },
})
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000', RPC_URL } = process.env
const ENGINE = parseAbi([
  'event Liquidated(uint32 indexed market, uint40 indexed account, uint64 lots, uint256 fee, uint40 keeper)',
  'event Absorbed(uint32 indexed market, uint40 indexed account, int64 lots, uint256 unit, int256 collateral)',
  'event Deleveraged(uint32 indexed market, uint40 indexed loser, uint40 indexed winner, int64 lots, int256 unit)',
])
const ACCOUNTS = parseAbi([
  'function accounts() view returns (uint40)',
  'function walletOf(uint40 account) view returns (address)',
])
const LENS = parseAbi([
  'struct Health { int256 equity; uint256 initialMargin; uint256 maintenanceMargin; uint256 notional; bytes32 staleAsset; uint256 staleTime; }',
  'function healths(address engine, uint40[] accounts) view returns (Health[] rows)',
])
/** Number of accounts per call. */
const PAGE = 200
/** The first accounts are the venue's own: insurance and fees. */
const FIRST = 3

const rest = new Rest({ url, patience: { retries: 5, waitMsMax: 60_000 } })
const venue = await loadVenue(rest)
const { info, accounts } = venue
const engine = venue.contracts.perps as Address
const lens = info.contracts.lens?.address as Address
const client = createPublicClient({ transport: http(RPC_URL ?? info.network.rpc_urls[0]) })
const perps = (await rest.call('GET /markets', { query: { instrument_type: 'PERPETUAL' } })).map(
  ({ instrument_name, amount_step }) => ({
    name: instrument_name,
    step: toRaw(amount_step, 18),
    number: venue.market(instrument_name).number,
  }),
)
const print = (line: string) => process.stdout.write(`${line}\n`)
const money = (amount: bigint) => fromRaw(amount, 18).replace(/(\.\d\d)\d+$/, '$1')
const walletOf = (account: number) =>
  client.readContract({
    address: accounts,
    abi: ACCOUNTS,
    functionName: 'walletOf',
    args: [account],
  })

/** Prints the forced closes in a range of blocks. */
async function showCloses(fromBlock: bigint, toBlock: bigint): Promise<void> {
  const logs = await client.getContractEvents({ address: engine, abi: ENGINE, fromBlock, toBlock })
  for (const { eventName, args, blockNumber } of logs) {
    if (args.market === undefined || args.lots === undefined) continue
    const { name = '?', step = 0n } = perps.find(({ number }) => number === args.market) ?? {}
    const account = 'loser' in args ? args.loser : 'account' in args ? args.account : undefined
    const amount = fromRaw((args.lots < 0n ? -args.lots : args.lots) * step, 18)
    print(`block ${blockNumber}: ${eventName} ${amount} ${name} of ${await walletOf(account ?? 0)}`)
  }
}

/** Prints the accounts with the least equity relative to their maintenance margin. */
async function showNearest(): Promise<void> {
  const count = await client.readContract({
    address: accounts,
    abi: ACCOUNTS,
    functionName: 'accounts',
  })
  const numbers = Array.from(
    { length: Math.max(0, count - FIRST + 1) },
    (_, index) => index + FIRST,
  )
  const rows: { account: number; equity: bigint; margin: bigint }[] = []
  for (let at = 0; at < numbers.length; at += PAGE) {
    const some = numbers.slice(at, at + PAGE)
    const healths = await client.readContract({
      address: lens,
      abi: LENS,
      functionName: 'healths',
      args: [engine, some],
    })
    for (const [index, { equity, maintenanceMargin: margin }] of healths.entries())
      if (margin > 0n) rows.push({ account: some[index] ?? 0, equity, margin })
  }
  // Liquidated below a ratio of 1. Cross-multiplied, since a ratio would be a fraction.
  rows.sort((a, b) => (a.equity * b.margin < b.equity * a.margin ? -1 : 1))
  for (const { account, equity, margin } of rows.slice(0, Number(values.top)))
    print(
      `${await walletOf(account)}  equity ${money(equity)}  maintenance margin ${money(margin)}  ratio ${money((equity * 10n ** 18n) / margin)}`,
    )
}

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
let next = BigInt(values.from ?? (await client.getBlockNumber()))
while (!stop.signal.aborted) {
  const head = await client.getBlockNumber()
  if (head >= next) await showCloses(next, head)
  next = head + 1n
  await showNearest()
  if (values.once) break
  await sleep(Number(values.every) * 1000, undefined, stop).catch(() => {})
}
