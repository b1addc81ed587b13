// Measures from outside how busy the market of `npm start` is, and what that costs its chain.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { MARKETS } from '@openvenue/devnet/markets'
import { quantity, rpcAt } from '@openvenue/devnet/rpc'
import { type AbiEvent, getAbiItem } from 'viem'
import { toEventSelector } from 'viem/utils'
import { type Frame, SocketClient } from './socket-client.ts'
import { newDataDir } from './venue.ts'
import { startProcess, type VenueProcess } from './venue-process.ts'

const WARM_UP_MS = 5_000
const MEASURED_SECONDS = 45
/** What is promised of every market. */
const BOOK_CHANGES_A_SECOND = 1
const SECONDS_A_TRADE = 3
/** A pulse a second for prices, and a block for each look of the traders. */
const BLOCKS_A_SECOND_MAX = 3
const ORDERS_A_SECOND_MAX = 15

const dataDir = newDataDir()
let venue: VenueProcess
before(async () => {
  venue = await startProcess(dataDir, { env: { TRADERS: 'on' } })
})
after(async () => {
  venue?.process.kill('SIGINT')
  await venue?.ended
  rmSync(dataDir, { recursive: true, force: true })
})

type Counts = { books: number; trades: number; longestMs: number; lastMs: number }

test('every book changes at least once a second, and every market trades every three', async () => {
  const counts = new Map<string, Counts>()
  const socket = await SocketClient.open(venue.apiUrl)
  await sleep(WARM_UP_MS)
  const from = await headBlock()
  for (const { name } of MARKETS)
    counts.set(name, { books: 0, trades: 0, longestMs: 0, lastMs: performance.now() })
  socket.onFrame((frame) => count(counts, frame))
  await socket.ask('subscribe', channels())
  await sleep(MEASURED_SECONDS * 1_000)
  socket.close()
  const to = await headBlock()
  for (const [name, { books, trades, longestMs }] of counts) {
    const said = `${name}: ${books} changes, the longest pause ${longestMs} ms, ${trades} trades`
    assert.ok(books >= MEASURED_SECONDS * BOOK_CHANGES_A_SECOND, said)
    assert.ok(trades >= MEASURED_SECONDS / SECONDS_A_TRADE, said)
  }
  const blocks = (to - from) / MEASURED_SECONDS
  assert.ok(blocks < BLOCKS_A_SECOND_MAX, `${blocks} blocks a second`)
  const orders = (await countOrders(from, to)) / MEASURED_SECONDS
  assert.ok(orders < ORDERS_A_SECOND_MAX, `${orders} orders a second`)
})

const channels = () =>
  MARKETS.flatMap(({ name }) => [
    { channel: `orderbook:${name}`, snapshot: false },
    { channel: `trades:${name}`, snapshot: false },
  ])

/** Channels are named after their market; what an undo takes back counts for nothing. */
function count(counts: Map<string, Counts>, { channel, type }: Frame): void {
  const [kind, name = ''] = channel.split(':')
  const of = counts.get(name)
  if (of === undefined || type !== 'update') return
  if (kind === 'trades') of.trades++
  if (kind !== 'orderbook') return
  const nowMs = performance.now()
  of.books++
  of.longestMs = Math.max(of.longestMs, Math.round(nowMs - of.lastMs))
  of.lastMs = nowMs
}

const headBlock = async () => Number(await rpcAt(venue.rpcUrl).call('eth_blockNumber'))

/** Orders that the engines took between two blocks: each of them is kept for good. */
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
