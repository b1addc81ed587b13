import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ArgumentsRequired, AuthenticationError, BadRequest, type Int } from 'ccxt'
import { openvenue } from './openvenue.ts'

const SYMBOL = 'ETH/USDC:USDC'
/** Has no server: methods that reach the network fail with a different error. */
const exchange = new openvenue({
  urls: { api: { rest: 'http://127.0.0.1:1' } },
  ...{ apiKey: 'key', secret: 'secret', walletAddress: `0x${'ac'.repeat(20)}` },
})
before(() => {
  const kind = { type: 'swap', spot: false, swap: true, contract: true, settle: 'USDC' }
  const names = { id: 'ETH-PERP', symbol: SYMBOL, base: 'ETH', quote: 'USDC' }
  const info = { instrument_name: 'ETH-PERP' }
  exchange.setMarkets([exchange.safeMarketStructure({ ...names, ...kind, limits: {}, info })])
})

const LOST: readonly unknown[] = [Number.NaN, Infinity, -1, 1.5, '', 'NaN', {}, [], true]
/** Methods that take `since` and `limit`; some take `until` too. */
const RANGES: Readonly<Record<string, (since: Int, limit: Int, params: object) => unknown>> = {
  fetchOHLCV: (...range) => exchange.fetchOHLCV(SYMBOL, '1m', ...range),
  fetchTrades: (...range) => exchange.fetchTrades(SYMBOL, ...range),
  fetchFundingRateHistory: (...range) => exchange.fetchFundingRateHistory(SYMBOL, ...range),
  fetchFundingHistory: (...range) => exchange.fetchFundingHistory(SYMBOL, ...range),
  fetchOpenOrders: (...range) => exchange.fetchOpenOrders(SYMBOL, ...range),
  fetchClosedOrders: (...range) => exchange.fetchClosedOrders(SYMBOL, ...range),
  fetchCanceledOrders: (...range) => exchange.fetchCanceledOrders(SYMBOL, ...range),
  fetchCanceledAndClosedOrders: (...range) =>
    exchange.fetchCanceledAndClosedOrders(SYMBOL, ...range),
  fetchMyTrades: (...range) => exchange.fetchMyTrades(SYMBOL, ...range),
  fetchOrderTrades: (...range) => exchange.fetchOrderTrades('0x1', SYMBOL, ...range),
  fetchDeposits: (...range) => exchange.fetchDeposits('USDC', ...range),
  fetchWithdrawals: (...range) => exchange.fetchWithdrawals('USDC', ...range),
  watchTrades: (...range) => exchange.watchTrades(SYMBOL, ...range),
  watchOHLCV: (...range) => exchange.watchOHLCV(SYMBOL, '1m', ...range),
  watchOrders: (...range) => exchange.watchOrders(SYMBOL, ...range),
  watchMyTrades: (...range) => exchange.watchMyTrades(SYMBOL, ...range),
  watchPositions: (...range) => exchange.watchPositions([SYMBOL], ...range),
}
const WITH_UNTIL = /OHLCV|Funding.*Rate|Closed|Canceled|MyTrades|Deposits|Withdrawals/

describe('an invalid argument', () => {
  for (const [name, call] of Object.entries(RANGES))
    test(`${name} refuses an invalid number rather than treating it as absent`, async () => {
      for (const value of LOST as Int[]) {
        await assert.rejects(async () => call(value, undefined, {}), BadRequest, `since ${value}`)
        await assert.rejects(async () => call(undefined, value, {}), BadRequest, `limit ${value}`)
        if (!WITH_UNTIL.test(name) || name.startsWith('watch')) continue
        const ended = async () => call(undefined, undefined, { until: value })
        await assert.rejects(ended, BadRequest, `until ${value}`)
      }
    })

  test('a missing or invalid required number of a ccxt call is refused', async () => {
    for (const value of LOST as number[]) {
      await assert.rejects(exchange.fetchOrderBook(SYMBOL, value), BadRequest)
      await assert.rejects(exchange.watchOrderBook(SYMBOL, value), BadRequest)
      await assert.rejects(exchange.cancelAllOrdersAfter(value), BadRequest)
      await assert.rejects(exchange.setLeverage(value, SYMBOL), BadRequest)
    }
    await assert.rejects(exchange.setLeverage(2), ArgumentsRequired)
    await assert.rejects(exchange.cancelAllOrdersAfter(undefined as never), ArgumentsRequired)
    await assert.rejects(exchange.fetchOHLCV(SYMBOL, '1m', 1, 1, { price: 'last' }), BadRequest)
  })

  test('an invalid private key is refused without a part of it in the error', () => {
    exchange.privateKey = `0x${'5e'.repeat(31)}`
    assert.throws(
      () => exchange.signer(),
      (error: Error) => error instanceof AuthenticationError && !error.message.includes('5e5e'),
    )
  })
})
