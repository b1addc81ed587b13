// The adapter against a whole venue: its answers have ccxt's structures, and orders are executed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import {
  AuthenticationError,
  BadSymbol,
  DuplicateOrderId,
  ExchangeClosedByUser,
  InsufficientFunds,
  InvalidOrder,
  NetworkError,
  NotSupported,
  type Order,
  OrderImmediatelyFillable,
  OrderNotFound,
  type Position,
  Precise,
} from 'ccxt'
import { CancelSignatureRequired } from '../src/exceptions.ts'
import type { openvenue } from '../src/openvenue.ts'
import {
  checkBalance,
  checkCandle,
  checkCurrency,
  checkFundingRate,
  checkFundingRateHistory,
  checkLeverageTier,
  checkMarket,
  checkOrder,
  checkOrderBook,
  checkPosition,
  checkTicker,
  checkTrade,
} from './structures.ts'
import { startTrader, type TestTrader } from './trader.ts'

const PERP = 'ETH/USDC:USDC'
const SPOT = 'ETH/USDC'
const HOUR_MS = 3_600_000

let trader: TestTrader
let exchange: openvenue
/** A price without sell orders. */
let low: number

before(async () => {
  trader = await startTrader()
  exchange = trader.exchange
  const { bid } = await exchange.fetchTicker(PERP)
  low = Number(bid) * 0.95
})
after(() => trader?.close())

/** Time limit of each test. */
const TIMEOUT_MS = 60_000

/** Watches until a row satisfies `isIt`. */
async function watchUntil<Row>(watch: () => Promise<Row[]>, isIt: (row: Row) => boolean) {
  for (;;) {
    const row = (await watch()).find(isIt)
    if (row !== undefined) return row
  }
}
/** Returns the id of an order or trade. */
const idOf = ({ id }: { id?: string | undefined }) => String(id)
const hasEnded = (id: string) => (order: Order) => order.id === id && order.status !== 'open'

describe('market data in the structures of ccxt', { timeout: TIMEOUT_MS }, () => {
  test('markets, currencies and fees have the structures of ccxt', async () => {
    const markets = await exchange.fetchMarkets()
    for (const market of markets) checkMarket(exchange, market)
    for (const currency of Object.values(await exchange.fetchCurrencies())) checkCurrency(currency)
    const fees = await exchange.fetchTradingFees()
    assert.deepEqual(Object.keys(fees).sort(), exchange.symbols)
    assert.deepEqual([fees[SPOT]?.taker, fees[PERP]?.taker], [0, 0.00035])
  })

  test('a single ticker and all tickers have the structure of ccxt', async () => {
    const tickers = await exchange.fetchTickers()
    assert.deepEqual(Object.keys(tickers).sort(), exchange.symbols)
    for (const ticker of Object.values(tickers)) checkTicker(exchange, ticker)
    assert.equal((await exchange.fetchTicker(SPOT)).symbol, SPOT)
    assert.deepEqual(Object.keys(await exchange.fetchTickers([SPOT, PERP])).sort(), [SPOT, PERP])
  })

  test('books of spot and swap markets have at most the requested depth', async () => {
    for (const symbol of [SPOT, PERP])
      checkOrderBook(exchange, await exchange.fetchOrderBook(symbol))
    const { bids, asks } = await exchange.fetchOrderBook(PERP, 1)
    assert.deepEqual([bids.length, asks.length], [1, 1])
  })

  test('trades are oldest first and start at `since`', async () => {
    const trades = await exchange.fetchTrades(PERP, undefined, 5)
    assert.equal(trades.length, 5)
    for (const trade of trades) checkTrade(exchange, trade)
    const [, second] = trades
    const later = await exchange.fetchTrades(PERP, Number(second?.timestamp) + 1, 3)
    for (const { timestamp } of later) assert.ok(Number(timestamp) > Number(second?.timestamp))
  })

  test('candles of trades, mark and index have the structure of ccxt', async () => {
    for (const price of [undefined, 'mark', 'index']) {
      const params = price === undefined ? {} : { price }
      const candles = await exchange.fetchOHLCV(PERP, '5m', undefined, 6, params)
      assert.equal(candles.length, 6)
      candles.forEach((candle, at) => {
        checkCandle(candle, candles[at - 1], price === undefined)
      })
      const since = Number(candles[1]?.[0])
      const some = await exchange.fetchOHLCV(PERP, '5m', since, 2, params)
      const times = some.map(([ms]) => ms)
      assert.deepEqual(
        times,
        candles.slice(1, 3).map(([ms]) => ms),
      )
    }
  })

  test('settled and current funding rates and leverage tiers have the structures of ccxt', async () => {
    const rates = Object.values(await exchange.fetchFundingRates())
    assert.equal(rates.length, 3)
    for (const rate of rates) checkFundingRate(exchange, rate)
    const history = await exchange.fetchFundingRateHistory(PERP, undefined, 3)
    assert.ok(history.length > 0)
    for (const rate of history) {
      checkFundingRateHistory(exchange, rate)
      assert.equal(Number(rate.timestamp) % HOUR_MS, 0)
    }
    const tiers = await exchange.fetchLeverageTiers()
    assert.deepEqual(Object.keys(tiers).sort(), rates.map(({ symbol }) => symbol).sort())
    for (const [tier] of Object.values(tiers)) checkLeverageTier(exchange, tier)
    await assert.rejects(exchange.fetchFundingRate(SPOT), BadSymbol)
  })

  test('time, status and open interest have the structures of ccxt', async () => {
    assert.ok(Math.abs(Number(await exchange.fetchTime()) - Date.now()) < HOUR_MS)
    assert.equal((await exchange.fetchStatus()).status, 'ok')
    const { openInterestAmount } = await exchange.fetchOpenInterest(PERP)
    assert.ok(Number(openInterestAmount) > 0)
  })

  test('an unknown symbol throws BadSymbol', async () => {
    await assert.rejects(exchange.fetchTicker('NONE/USDC'), BadSymbol)
    const params = { instrument_name: 'NONE' }
    await assert.rejects(exchange.publicGetOrderbook(params), BadSymbol)
  })
})

describe('an account', { timeout: TIMEOUT_MS }, () => {
  test('an account has its deposits in the balance of each engine', async () => {
    const [margin, tokens] = await Promise.all([
      exchange.fetchBalance(),
      exchange.fetchBalance({ type: 'spot' }),
    ])
    for (const balance of [margin, tokens]) checkBalance(exchange, balance)
    assert.equal(margin.USDC?.total, 20_000)
    assert.deepEqual([tokens.USDC?.total, tokens.ETH?.total], [5_000, 2])
  })

  test('an account without a position has a flat one and the leverage of the market', async () => {
    assert.deepEqual(await exchange.fetchPositions(), [])
    assert.equal((await exchange.fetchPosition(PERP)).contracts, 0)
    assert.equal((await exchange.fetchLeverage(PERP)).longLeverage, 20)
  })

  test('an account without a canceller signs its cancels itself', async () => {
    const order = await exchange.createOrder(PERP, 'limit', 'buy', 0.1, low, { wait: 'included' })
    const keyless = trader.another({ privateKey: undefined })
    await assert.rejects(keyless.cancelOrder(idOf(order)), CancelSignatureRequired)
    await assert.rejects(keyless.cancelAllOrdersAfter(60_000), CancelSignatureRequired)
    assert.ok(Number((await exchange.cancelAllOrdersAfter(60_000)).triggerTime) > 0)
    await exchange.cancelAllOrdersAfter(0)
    const [open] = await exchange.watchOrders(PERP)
    assert.equal(open?.id, order.id)
    await exchange.cancelOrder(idOf(order))
    await watchUntil(() => exchange.watchOrders(PERP), hasEnded(idOf(order)))
    await exchange.allowVenueToCancel()
  })

  test('account data without a key or with a wrong key is refused', async () => {
    const wrong = trader.another({ secret: 'wrong' })
    await assert.rejects(wrong.fetchBalance(), AuthenticationError)
    await assert.rejects(wrong.watchOrders(), AuthenticationError)
    await assert.rejects(trader.another({ apiKey: '' }).fetchBalance(), AuthenticationError)
  })
})

describe('an order', { timeout: TIMEOUT_MS }, () => {
  test('an order is placed, watched, edited and cancelled with the same members everywhere', async () => {
    const clientOrderId = 'ccxt-first'
    const params = { clientOrderId, postOnly: true }
    const watching = watchUntil(
      () => exchange.watchOrders(PERP),
      (order) => order.clientOrderId === clientOrderId && order.info.order_status === 'opened',
    )
    const placed = await exchange.createOrder(PERP, 'limit', 'buy', 0.12345, low, params)
    const opened = await watching
    for (const order of [placed, opened]) checkOrder(exchange, order)
    assert.deepEqual([opened.id, opened.status, opened.timeInForce], [placed.id, 'open', 'PO'])
    assert.equal(opened.amount, 0.1234)
    assert.equal(opened.price, Number(exchange.priceToPrecision(PERP, low)))
    assert.equal((await exchange.fetchOrder('', PERP, { clientOrderId })).id, placed.id)

    const edited = await exchange.editOrder(idOf(placed), PERP, 'limit', 'buy', 0.2, low, {
      wait: 'included',
    })
    checkOrder(exchange, edited)
    assert.equal(edited.amount, 0.2)
    assert.equal((await exchange.fetchOrder(idOf(placed))).status, 'canceled')
    const open = await exchange.fetchOpenOrders(PERP)
    assert.deepEqual(
      open.map(({ id }) => id),
      [edited.id],
    )

    await exchange.cancelOrder(idOf(edited))
    const ended = await watchUntil(() => exchange.watchOrders(PERP), hasEnded(idOf(edited)))
    assert.equal(ended.status, 'canceled')
    const [latest] = await exchange.fetchCanceledOrders(PERP, undefined, 1)
    assert.equal(latest?.id, edited.id)
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), [])
  })

  test('a taker order creates trades, a position and used margin, until another closes it', async () => {
    const first = exchange.watchMyTrades(PERP)
    const positions = exchange.watchPositions([PERP])
    const bought = await exchange.createOrder(PERP, 'market', 'buy', 0.05)
    checkOrder(exchange, bought)
    assert.deepEqual([bought.status, bought.filled], ['closed', 0.05])
    const [trades, position, balance] = await Promise.all([
      exchange.fetchOrderTrades(idOf(bought), PERP),
      exchange.fetchPosition(PERP),
      exchange.fetchBalance(),
    ])
    const watched = await first
    while (watched.length < trades.length) watched.push(...(await exchange.watchMyTrades(PERP)))
    for (const trade of [...trades, ...watched]) checkTrade(exchange, trade)
    assert.deepEqual(
      watched.map(({ id }) => id),
      trades.map(({ id }) => id),
    )
    const sum = trades.reduce(
      (text, { amount }) => Precise.stringAdd(text, String(amount)) ?? '',
      '0',
    )
    assert.equal(Number(sum), 0.05)
    checkPosition(exchange, position)
    assert.deepEqual([position.side, position.contracts], ['long', 0.05])
    assert.equal((await positions)[0]?.contracts, 0.05)
    checkBalance(exchange, balance)
    assert.ok(Number(balance.USDC?.used) > 0)
    const mine = await exchange.fetchMyTrades(PERP, Number(bought.timestamp))
    assert.deepEqual(
      mine.map(({ id }) => id),
      trades.map(({ id }) => id),
    )

    const params = { reduceOnly: true }
    const sold = await exchange.createOrder(PERP, 'market', 'sell', 0.05, undefined, params)
    assert.equal(sold.reduceOnly, true)
    const isFlat = ({ contracts }: Position) => contracts === 0
    await watchUntil(() => exchange.watchPositions([PERP]), isFlat)
    assert.deepEqual(await exchange.fetchPositions(), [])
    const closed = await exchange.fetchClosedOrders(PERP, Number(bought.timestamp))
    assert.deepEqual(
      closed.map(({ id }) => id),
      [bought.id, sold.id],
    )
    for (const payment of await exchange.fetchFundingHistory(PERP)) {
      assert.deepEqual([payment.symbol, payment.code], [PERP, 'USDC'])
      assert.ok(Number.isFinite(payment.amount) && Number(payment.timestamp) > 0)
    }
  })

  test('a spot order exchanges tokens', async () => {
    const sold = await exchange.createOrder(SPOT, 'market', 'sell', 0.01)
    checkOrder(exchange, sold)
    const tokens = await exchange.fetchBalance({ type: 'spot' })
    assert.equal(tokens.ETH?.total, 1.99)
    const worth = Precise.stringAdd('5000', String(sold.cost))
    assert.equal(tokens.USDC?.total, Number(worth))
  })

  test('an order with a trigger is held and fires on the right side', async () => {
    const high = low * 1.1
    const [stop, profit, entry] = await Promise.all([
      exchange.createStopLossOrder(PERP, 'market', 'sell', 0.1, undefined, low * 0.99),
      exchange.createTakeProfitOrder(PERP, 'limit', 'sell', 0.1, high, high),
      exchange.createTriggerOrder(PERP, 'limit', 'buy', 0.1, low, high),
    ])
    const triggered = [stop, profit, entry] as const
    for (const order of triggered) checkOrder(exchange, order)
    const kinds = triggered.map(({ info }) => info.stop)
    assert.deepEqual(kinds, ['STOP_LOSS', 'TAKE_PROFIT', 'STOP_LOSS'])
    assert.ok(Number(stop?.price) < Number(stop?.triggerPrice), 'it is less by the slippage')
    const cancelled = await exchange.cancelOrders(triggered.map(idOf))
    assert.equal(cancelled.length, 3)
    assert.deepEqual(await exchange.fetchOpenOrders(PERP), [])
  })

  test('a refused order does not fail its batch, and cancelAllOrders cancels the others', async () => {
    const bid = { symbol: PERP, type: 'limit', side: 'buy', amount: 0.1, price: low } as const
    const placed = await exchange.createOrders([
      bid,
      { ...bid, amount: 0.0001 },
      { ...bid, symbol: SPOT },
    ])
    assert.deepEqual(
      placed.map(({ status }) => status),
      ['open', 'rejected', 'open'],
    )
    assert.equal(placed[1]?.info.error, 'BELOW_MIN_ORDER_VALUE')
    const { triggerTime } = await exchange.cancelAllOrdersAfter(60_000)
    assert.ok(Number(triggerTime) > Date.now())
    assert.equal((await exchange.cancelAllOrdersAfter(0)).triggerTime, undefined)
    const [only] = await exchange.cancelAllOrders(SPOT)
    assert.equal(only?.id, placed[2]?.id)
    await exchange.cancelAllOrders()
    // Both have ended once their cancels are in blocks, in any order.
    await until('no order is open', async () => (await exchange.fetchOpenOrders()).length === 0)
  })

  test('a refused order throws the matching ccxt exception', async () => {
    const buy = (amount: number, price?: number, params = {}) =>
      exchange.createOrder(PERP, 'limit', 'buy', amount, price, params)
    await assert.rejects(buy(300, low), InsufficientFunds)
    await assert.rejects(buy(0.1, low * 1.1, { postOnly: true }), OrderImmediatelyFillable)
    await assert.rejects(buy(0.00001, low), InvalidOrder)
    await assert.rejects(buy(0.1, low, { timeInForce: 'DAY' }), InvalidOrder)
    await assert.rejects(buy(0.1, low, { stopLoss: { triggerPrice: 1 } }), NotSupported)
    await assert.rejects(
      exchange.createOrder(SPOT, 'limit', 'sell', 3, low * 1.1),
      InsufficientFunds,
    )
    await assert.rejects(exchange.fetchOrder(`0x${'12'.repeat(32)}`), OrderNotFound)
    const named = { clientOrderId: 'ccxt-twice' }
    await buy(0.1, low, named)
    await assert.rejects(buy(0.2, low, named), DuplicateOrderId)
    await exchange.cancelOrder('', PERP, named)
    const keyless = trader.another({ privateKey: undefined })
    await assert.rejects(keyless.createOrder(PERP, 'limit', 'buy', 0.1, low), /privateKey/)
  })
})

describe('watching', { timeout: TIMEOUT_MS }, () => {
  test('watched data has the structures of ccxt', async () => {
    const [book, ticker, trades, candles, balance] = await Promise.all([
      exchange.watchOrderBook(PERP, 5),
      exchange.watchTicker(PERP),
      exchange.watchTrades(PERP),
      exchange.watchOHLCV(PERP, '1m'),
      exchange.watchBalance({ type: 'spot' }),
    ])
    checkOrderBook(exchange, book)
    assert.deepEqual([book.bids.length, book.asks.length], [5, 5])
    checkTicker(exchange, ticker)
    for (const trade of trades) checkTrade(exchange, trade)
    candles.forEach((candle, at) => {
      checkCandle(candle, candles[at - 1], true)
    })
    checkBalance(exchange, balance)
    assert.equal(balance.ETH?.total, 1.99)
  })

  test('a book that fails its checksum is resynchronised', async () => {
    const before = await exchange.watchOrderBook(PERP)
    const client = exchange.client(exchange.socketUrl())
    const seq = Number(before.nonce) + 1
    const data = { bids: [['1', '1', '1']], asks: [], checksum: '0' }
    const frame = { channel: 'orderbook:ETH-PERP', type: 'update', block_number: 1, ts: 1, data }
    exchange.handleMessage(client, { ...frame, type: 'update', seq, prev_seq: seq - 1 })
    const after = await exchange.watchOrderBook(PERP)
    checkOrderBook(exchange, after)
    assert.ok(!after.bids.some(([price]) => price === 1))
  })

  test('watching continues after a lost connection without missing own trades', async () => {
    const watching = exchange.watchMyTrades('BTC/USDC')
    // The pending call for the next book fails too.
    await exchange.watchOrderBook(PERP)
    exchange.client(exchange.socketUrl()).connection.terminate()
    await assert.rejects(watching, NetworkError)
    const { id } = await exchange.createOrder(PERP, 'market', 'buy', 0.01)
    await watchUntil(
      () => exchange.watchMyTrades(PERP),
      ({ order }) => order === id,
    )
  })

  test('watching an account ends with its key and restarts with the next call', async () => {
    const other = trader.another()
    const ended = assert.rejects(other.watchMyTrades(PERP), AuthenticationError)
    const client = await until('the fills are watched', () => {
      const opened = other.clients[other.socketUrl()]
      return 'fills' in (opened?.futures ?? {}) ? opened : undefined
    })
    const data = { success: false, code: 'AUTH_EXPIRED', message: 'the key has expired' }
    other.handleMessage(client, { error: 'AUTH_EXPIRED', data })
    await ended
    const next = other.watchMyTrades(PERP)
    await until('the fills are watched again', () => 'fills' in client.futures)
    // Operations are answered in order: the other channel has started too.
    await other.watchTicker(PERP)
    const { id } = await exchange.createOrder(PERP, 'market', 'sell', 0.01)
    const [trade] = await next
    assert.equal(trade?.order, id)
  })

  test('pings keep an idle socket open', async () => {
    // A late answer on a busy machine must not count as a loss.
    const pinging = trader.another({ streaming: { keepAlive: 50, maxPingPongMisses: 1_000 } })
    const ended = assert.rejects(pinging.watchMyTrades(PERP), ExchangeClosedByUser)
    const heardMs = () => Number(pinging.clients[pinging.socketUrl()]?.lastPong ?? Number.NaN)
    const firstMs = await until('a ping is answered', heardMs)
    await until('later pings are answered', () => heardMs() > firstMs + 200)
    await pinging.close()
    await ended
  })
})
