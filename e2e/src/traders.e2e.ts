// The traders of a devnet trade only through the venue: they continue with their orders after a
// restart, and wait while the venue is down.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { freePort } from '@openvenue/devnet/anvil'
import { MARKETS } from '@openvenue/devnet/markets'
import { PACES } from '@openvenue/devnet/pace'
import { ROLES } from '@openvenue/devnet/roles'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { startTraders, type Traders } from '@openvenue/devnet/traders'
import { type OrderBook, read } from './probe.ts'
import { copyDeployed, newDataDir } from './venue.ts'
import { startProcess, type VenueProcess } from './venue-process.ts'

const FILLED_WITHIN_MS = 60_000
/** Traders fill 20 levels a side and cancel orders more than 24 away. */
const LEVELS_MIN = 15
const ORDERS_MAX = 60

const dataDir = newDataDir()
const [apiPort, chainPort] = [await freePort(), await freePort()]
const env = { TRADERS: 'off', PORT: String(apiPort), ANVIL_PORT: String(chainPort) }
const ends: string[] = []
let venue: VenueProcess
let traders: Traders
let rpc: ChainRpc
before(async () => {
  await copyDeployed(dataDir)
  venue = await startProcess(dataDir, { env })
  rpc = rpcAt(venue.rpcUrl)
  const { apiUrl, rpcUrl } = venue
  traders = startTraders(
    {
      rpcUrl,
      dataDir,
      seed: 1,
      pace: PACES.on,
      apiUrl,
    },
    (reason) => ends.push(reason),
  )
})
after(async () => {
  await traders?.stop()
  venue?.process.kill('SIGINT')
  await venue?.ended
  rmSync(dataDir, { recursive: true, force: true })
})

test('traders fill every book and trade, only through the venue', async () => {
  await untilAlive('at first')
  const wallets = (await rpc.call('eth_accounts')) as string[]
  for (const index of ROLES.traders) {
    const sent = Number(await rpc.call('eth_getTransactionCount', wallets[index], 'latest'))
    assert.ok(sent <= SENT_MAX, `trader ${index} sent ${sent} transactions of its own`)
  }
})

/** Transactions of initial deposits and a few movements. */
const SENT_MAX = 14 + 4

test('killed traders continue with their orders, and none pile up', async () => {
  const pid = traders.pid()
  assert.ok(pid !== undefined)
  process.kill(pid, 'SIGKILL')
  await until(
    'the traders are started again',
    () => traders.pid() !== undefined && traders.pid() !== pid,
    FILLED_WITHIN_MS,
  )
  await untilAlive('after they were killed')
})

test('traders wait while the venue is down, and continue when it is back', async () => {
  const pid = traders.pid()
  venue.process.kill('SIGINT')
  await venue.ended
  venue = await startProcess(dataDir, { env })
  await untilAlive('after the venue was away')
  assert.equal(traders.pid(), pid, 'their process lived on')
  assert.deepEqual(ends, ['SIGKILL'], 'and ended only when it was killed')
})

/** Waits until every book is full but not overfull, and every market trades. */
async function untilAlive(when: string): Promise<void> {
  const before = await tradeCounts()
  const areFull = async () =>
    (await books()).every(({ bids, asks }) => Math.min(bids.length, asks.length) >= LEVELS_MIN)
  await until(`every book is full ${when}`, areFull, FILLED_WITHIN_MS)
  const haveTraded = async () =>
    (await tradeCounts()).every((count, index) => count > (before[index] ?? 0))
  await until(`every market trades ${when}`, haveTraded, FILLED_WITHIN_MS)
  for (const [index, book] of (await books()).entries()) {
    const orders = [...book.bids, ...book.asks].reduce((sum, level) => sum + level.orders, 0)
    assert.ok(orders <= ORDERS_MAX, `${orders} orders in ${MARKETS[index]?.name} ${when}`)
  }
}

const ask = <T>(path: string) => read<T>(venue.apiUrl, path)

const books = () =>
  Promise.all(
    MARKETS.map(({ name }) =>
      ask<OrderBook & { bids: { orders: number }[]; asks: { orders: number }[] }>(
        `/orderbook/${name}`,
      ),
    ),
  )

const tradeCounts = () =>
  Promise.all(
    MARKETS.map(async ({ name }) => {
      const path = `/statistics?instrument_name=${name}`
      return (await ask<{ daily_trades: number }>(path)).daily_trades
    }),
  )
