// Messages that the venue no longer has are read over REST or reported, against a whole venue. The
// tests resume at a position that the venue does not have, as after a long absence.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { NetworkError, type Trade } from 'ccxt'
import type { openvenue } from '../src/openvenue.ts'
import { checkTrade } from './structures.ts'
import { startTrader, type TestTrader } from './trader.ts'

const PERP = 'ETH/USDC:USDC'
const TIMEOUT_MS = 300_000
/** Far beyond the newest entry of the feed. */
const NOWHERE = 2_000_000_000

let trader: TestTrader
before(async () => {
  trader = await startTrader()
})
after(() => trader?.close())

const idsOf = (rows: readonly Trade[]) => rows.map(({ id }) => String(id))

/** Cuts the connection and makes the next subscription resume where the venue has nothing. */
async function lose(exchange: openvenue, watching: Promise<unknown>): Promise<void> {
  const begins = exchange.beginning.bind(exchange)
  exchange.beginning = (channel) => {
    const from = begins(channel)
    return typeof from === 'string' ? from : { ...from, from_seq: NOWHERE }
  }
  exchange.client(exchange.socketUrl()).connection.terminate()
  await assert.rejects(watching, NetworkError)
}

/** Starts to watch own trades; returns the pending call once the subscription has started. */
async function watchFills(exchange: openvenue) {
  const url = await exchange.readySocketUrl()
  const nextFills = exchange.watchMyTrades(PERP)
  await until('own trades are watched', () => 'fills' in exchange.client(url).futures)
  // A channel without a position starts over; with one, the venue has confirmed its start.
  await until('the venue has begun', () => typeof exchange.beginning('fills') !== 'string')
  return { nextFills }
}

/** Watches until a row with that id arrives; returns the rows that arrived. */
async function watchTo(watch: () => Promise<Trade[]>, id: string): Promise<Trade[]> {
  const rows: Trade[] = []
  while (!idsOf(rows).includes(id)) rows.push(...(await watch()))
  return rows
}

/** Returns the ids of the REST trades between the first and last of these rows. */
async function tradesLike(rows: readonly Trade[]): Promise<readonly string[]> {
  const [ids, from] = [idsOf(rows).sort(), Math.min(...rows.map(({ timestamp }) => timestamp ?? 0))]
  const all = idsOf(await trader.exchange.fetchTrades(PERP, from, 1_000))
  return all.filter((id) => id >= String(ids[0]) && id <= String(ids.at(-1)))
}

describe('a gap', { timeout: TIMEOUT_MS }, () => {
  test('a gap of trades is read over REST without missing or duplicate rows', async () => {
    const exchange = trader.another()
    const watch = () => exchange.watchTrades(PERP)
    const seen = await watch()
    const last = String(idsOf(seen).at(-1))
    await lose(exchange, watch())
    const missed = await until('trades were missed', async () => {
      const newest = idsOf(await trader.exchange.fetchTrades(PERP)).filter((id) => id > last)
      return newest.length > 1 && newest
    })
    seen.push(...(await watchTo(watch, String(missed.at(-1)))))
    // Rows that arrive over the socket meanwhile are not delivered again either.
    for (let more = 0; more < 3; more++) seen.push(...(await watch()))
    for (const trade of seen) checkTrade(exchange, trade)
    assert.deepEqual(idsOf(seen).sort(), await tradesLike(seen))
    for (const id of missed) assert.ok(idsOf(seen).includes(id), id)
  })

  test('a gap of own trades is read over REST without missing or duplicate rows', async () => {
    const exchange = trader.another()
    const watch = () => exchange.watchMyTrades(PERP)
    const buy = async () => {
      const order = await trader.exchange.createOrder(PERP, 'market', 'buy', 0.02)
      return idsOf(await trader.exchange.fetchOrderTrades(String(order.id), PERP))
    }
    const watching = await watchFills(exchange)
    const first = await buy()
    const seen = await watching.nextFills
    while (seen.length < first.length) seen.push(...(await watch()))
    await lose(exchange, watch())
    const missed = await buy()
    while (seen.length < first.length + missed.length) seen.push(...(await watch()))
    const next = await buy()
    seen.push(...(await watchTo(watch, String(next.at(-1)))))
    assert.deepEqual(idsOf(seen).sort(), [...first, ...missed, ...next].sort())
  })

  test('a gap before the first row raises an error that names it, and later trades arrive', async () => {
    const exchange = trader.another()
    const watch = () => exchange.watchMyTrades(PERP)
    const { nextFills } = await watchFills(exchange)
    await lose(exchange, nextFills)
    await assert.rejects(watch(), (error) => {
      assert.ok(error instanceof NetworkError)
      assert.match(error.message, /fills: messages 2000000000 to \d+ were missed: .*no previous/)
      return true
    })
    const watched = watch()
    const order = await trader.exchange.createOrder(PERP, 'market', 'buy', 0.02)
    const made = idsOf(await trader.exchange.fetchOrderTrades(String(order.id), PERP))
    const seen = await watched
    while (seen.length < made.length) seen.push(...(await watch()))
    assert.deepEqual(idsOf(seen), made)
  })

  test('a gap raises an error, also for later callers, if REST does not answer', async () => {
    const exchange = trader.another()
    const watch = () => exchange.watchTrades(PERP)
    await watch()
    await lose(exchange, watch())
    const { urls } = exchange
    const { rest } = urls.api
    urls.api.ws = exchange.socketUrl()
    urls.api.rest = 'http://127.0.0.1:1'
    await assert.rejects(async () => {
      for (;;) await watch()
    }, /trades:ETH-PERP: messages 2000000000 to \d+ were missed/)
    urls.api.rest = rest
    assert.ok((await watch()).length > 0)
  })

  test('a gap of orders raises an error that names fetchClosedOrders, and open orders continue', async () => {
    const exchange = trader.another()
    const { bid } = await trader.exchange.fetchTicker(PERP)
    const low = Number(bid) * 0.9
    const placeOrder = () =>
      trader.exchange.createOrder(PERP, 'limit', 'buy', 0.02, low, { wait: 'included' })
    const watch = () => exchange.watchOrders(PERP)
    const order = await placeOrder()
    await watch()
    await lose(exchange, watch())
    const placed = await placeOrder()
    const seen: string[] = []
    await assert.rejects(async () => {
      for (;;) seen.push(...(await watch()).map(({ id }) => String(id)))
    }, /orders: messages .* were missed: .*use fetchClosedOrders for/)
    while (!seen.includes(String(placed.id)))
      seen.push(...(await watch()).map(({ id }) => String(id)))
    for (const { id } of [order, placed]) await trader.exchange.cancelOrder(String(id))
  })
})
