// Measures the activity of the market of `npm start` from outside, and its cost to the chain. A
// busy machine may affect some seconds, but not a whole minute.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { MARKETS } from '@openvenue/devnet/markets'
import { rpcAt } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { type AbiEvent, getAbiItem } from 'viem'
import { toEventSelector } from 'viem/utils'
import { type FeedFrame, SocketProbe } from './probe.ts'
import { copyDeployed, newDataDir } from './venue.ts'
import { startProcess, type VenueProcess } from './venue-process.ts'

const WINDOW_SECONDS = 10
const WINDOW_MS = WINDOW_SECONDS * 1_000
const WITHIN_MS = 90_000
const LOOK_MS = 250
/** Promised activity of every market. */
const BOOK_CHANGES_A_SECOND = 1
const SECONDS_A_TRADE = 3
/** A block per second for prices, and one for each round of the traders. */
const BLOCKS_A_SECOND_MAX = 3
const ORDERS_A_SECOND_MAX = 15

const dataDir = newDataDir()
let venue: VenueProcess
before(async () => {
  await copyDeployed(dataDir)
  venue = await startProcess(dataDir, { env: { TRADERS: 'on' } })
})
after(async () => {
  venue?.process.kill('SIGINT')
  await venue?.ended
  rmSync(dataDir, { recursive: true, force: true })
})

/** Times of received messages of a market, milliseconds. */
type Heard = Readonly<{ books: number[]; trades: number[] }>

test('every book changes at least once a second, and every market trades every three seconds', async () => {
  const frames = new Map<string, Heard>(
    MARKETS.map(({ name }) => [name, { books: [], trades: [] }]),
  )
  const socket = await SocketProbe.open(venue.apiUrl)
  socket.onFrame((frame) => hear(frames, frame))
  await socket.ask('subscribe', channels())
  const deadlineMs = performance.now() + WITHIN_MS
  const heads: Head[] = []
  for (let said = 'nothing'; ; ) {
    assert.ok(performance.now() < deadlineMs, said)
    await sleep(LOOK_MS)
    heads.push({ ms: performance.now(), block: await headBlock() })
    const fromMs = performance.now() - WINDOW_MS
    const of = [...frames].map(([name, times]) => `${name}: ${counts(times, fromMs)}`)
    const cost = await costSince(heads, fromMs)
    said = `${of.join(', ')}, ${JSON.stringify(cost)}`
    const isLow = cost.blocks < BLOCKS_A_SECOND_MAX && cost.orders < ORDERS_A_SECOND_MAX
    if (isLow && [...frames.values()].every((times) => isAlive(times, fromMs))) break
  }
  socket.close()
})

/** The newest block at a time, milliseconds. */
type Head = Readonly<{ ms: number; block: number }>

/** Returns the blocks and the orders a second since `fromMs`. */
async function costSince(heads: readonly Head[], fromMs: number) {
  const [first, last] = [heads.findLast(({ ms }) => ms <= fromMs), heads.at(-1)]
  if (first === undefined || last === undefined) return { blocks: Infinity, orders: Infinity }
  const seconds = (last.ms - first.ms) / 1_000
  const orders = (await countOrders(first.block, last.block)) / seconds
  return { blocks: (last.block - first.block) / seconds, orders }
}

const since = (times: readonly number[], fromMs: number) =>
  times.filter((ms) => ms >= fromMs).length

const counts = ({ books, trades }: Heard, fromMs: number) =>
  `${since(books, fromMs)} changes and ${since(trades, fromMs)} trades`

const isAlive = ({ books, trades }: Heard, fromMs: number) =>
  since(books, fromMs) >= WINDOW_SECONDS * BOOK_CHANGES_A_SECOND &&
  since(trades, fromMs) >= WINDOW_SECONDS / SECONDS_A_TRADE

const channels = () =>
  MARKETS.flatMap(({ name }) => [
    { channel: `orderbook:${name}`, snapshot: false },
    { channel: `trades:${name}`, snapshot: false },
  ])

/** Channels are named after their market; undone messages do not count. */
function hear(frames: ReadonlyMap<string, Heard>, { channel, type }: FeedFrame): void {
  const [kind, name = ''] = channel.split(':')
  if (type !== 'update') return
  if (kind === 'trades') frames.get(name)?.trades.push(performance.now())
  if (kind === 'orderbook') frames.get(name)?.books.push(performance.now())
}

const headBlock = async () => Number(await rpcAt(venue.rpcUrl).call('eth_blockNumber'))

/** Orders accepted by the engines between two blocks, each of which is stored permanently. */
async function countOrders(from: number, to: number): Promise<number> {
  const { spot, perps } = venue.deployment
  const logs = await rpcAt(venue.rpcUrl).call('eth_getLogs', {
    address: [spot, perps],
    topics: [PLACED],
    fromBlock: quantity(from + 1),
    toBlock: quantity(to),
  })
  return (logs as unknown[]).length
}

const PLACED = toEventSelector(getAbiItem({ abi: spotAbi, name: 'Placed' }) as AbiEvent)
