// Edits, position closing, leverage, transfers and history, against a whole venue.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import {
  ArgumentsRequired,
  BadRequest,
  InvalidOrder,
  type Order,
  type Position,
  Precise,
} from 'ccxt'
import { type Hex, withdrawCall } from 'openvenue/signing'
import { createTestClient, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { openvenue } from '../src/openvenue.ts'
import { checkCandle, checkFundingRateHistory, checkOrder, checkTrade } from './structures.ts'
import { startTrader, type TestTrader } from './trader.ts'

const PERP = 'ETH/USDC:USDC'
const TIMEOUT_MS = 120_000

let trader: TestTrader
let exchange: openvenue
before(async () => {
  trader = await startTrader()
  exchange = trader.exchange
  await exchange.allowVenueToCancel()
})
after(() => trader?.close())

const idOf = ({ id }: { id?: string | undefined }) => String(id)
const plus = (...texts: unknown[]) =>
  texts.reduce<string>((sum, text) => String(Precise.stringAdd(sum, String(text))), '0')
const isFlat = ({ contracts }: Position) => contracts === 0

describe('history', { timeout: TIMEOUT_MS }, () => {
  test('candles are downloaded from before the first one and across gaps', async () => {
    for (const price of [undefined, 'mark', 'index']) {
      const params = price === undefined ? {} : { price }
      const all = await exchange.fetchOHLCV(PERP, '5m', undefined, 400, params)
      const opens = (candles: readonly unknown[][]) => candles.map(([ms]) => ms)
      for (const since of [0, 1, Number(all[0]?.[0]) - 86_400_000 * 365]) {
        const first = await exchange.fetchOHLCV(PERP, '5m', since, 3, params)
        assert.deepEqual(opens(first), opens(all.slice(0, 3)), `${price} since ${since}`)
        first.forEach((candle, at) => {
          checkCandle(candle, first[at - 1], price === undefined)
        })
      }
      const later = exchange.milliseconds() + 3_600_000
      assert.deepEqual(await exchange.fetchOHLCV(PERP, '5m', later, 3, params), [])
    }
    const rates = await exchange.fetchFundingRateHistory(PERP, 0, 1)
    const [oldest] = await exchange.fetchFundingRateHistory(PERP)
    assert.equal(rates[0]?.timestamp, oldest?.timestamp)
    for (const rate of rates) checkFundingRateHistory(exchange, rate)
  })

  test('trades are downloaded from `since` on, page by page', async () => {
    const [first] = await exchange.fetchTrades(PERP, 0, 1)
    checkTrade(exchange, first)
    const whole = await exchange.fetchTrades(PERP, 0, 5_000)
    assert.equal(whole[0]?.id, first?.id)
    assert.equal(new Set(whole.map(({ id }) => id)).size, whole.length)
    const ids = whole.map(({ id }) => String(id))
    assert.deepEqual(ids, [...ids].sort())
    const newest = await exchange.fetchTrades(PERP, undefined, 1_000)
    const shared = newest.filter(({ id }) => String(id) <= String(ids.at(-1)))
    assert.deepEqual(
      shared.map(({ id }) => id),
      ids.slice(-shared.length),
    )
    const middle = whole[Math.floor(whole.length / 2)]
    const from = await exchange.fetchTrades(PERP, Number(middle?.timestamp), 3)
    assert.equal(from[0]?.timestamp, middle?.timestamp)
  })

  test('deposits and withdrawals have the structure of ccxt', async () => {
    const deposits = await exchange.fetchDeposits()
    assert.deepEqual(
      deposits.map(({ currency, amount, type, status }) => [currency, amount, type, status]),
      [
        ['USDC', 20_000, 'deposit', 'ok'],
        ['USDC', 5_000, 'deposit', 'ok'],
        ['ETH', 2, 'deposit', 'ok'],
      ],
    )
    assert.equal((await exchange.fetchDeposits('ETH')).length, 1)
    const last = Number(deposits.at(-1)?.timestamp)
    assert.deepEqual(await exchange.fetchDeposits('USDC', last + 1_000), [])
    assert.deepEqual(await exchange.fetchWithdrawals(), [])
    const { contracts, info } = trader.signing
    const token = info.tokens.find(({ symbol }) => symbol === 'USDC')?.address as Hex
    const money = { engine: contracts.spot as Hex, token, amount: parseUnits('10', 6) }
    await trader.send(withdrawCall(money, exchange.walletAddress as Hex))
    const [withdrawal] = await until('the venue has the withdrawal', async () => {
      const withdrawals = await exchange.fetchWithdrawals('USDC')
      return withdrawals.length > 0 && withdrawals
    })
    assert.deepEqual([withdrawal?.amount, withdrawal?.type], [10, 'withdrawal'])
    assert.equal(withdrawal?.addressTo, exchange.walletAddress.toLowerCase())
  })
})

describe('an edit', { timeout: TIMEOUT_MS }, () => {
  test('an edit after a partial fill never sells more than its amount', async () => {
    const TOTAL = 15
    const { bid } = await exchange.fetchTicker(PERP)
    const placed = await exchange.createOrder(PERP, 'limit', 'sell', TOTAL, bid, {
      wait: 'included',
    })
    const some = await until('a part of it is filled', async () => {
      const order = await exchange.fetchOrder(idOf(placed))
      return Number(order.filled) > 0 && order
    })
    assert.ok(Number(some.remaining) > 0)
    const far = Number(bid) * 1.05
    const edited = await exchange.editOrder(idOf(placed), PERP, 'limit', 'sell', TOTAL, far, {
      wait: 'included',
    })
    checkOrder(exchange, edited)
    const old = await exchange.fetchOrder(idOf(placed))
    assert.equal(old.status, 'canceled')
    assert.equal(Number(plus(old.filled, edited.filled, edited.remaining)), TOTAL)
    // Omitted arguments are kept: the total of the edited order.
    const moved = await exchange.editOrder(
      idOf(edited),
      PERP,
      'limit',
      'sell',
      undefined,
      far * 1.01,
    )
    assert.equal(Number(plus(old.filled, moved.amount)), TOTAL)
    await exchange.cancelOrder(idOf(moved))
  })

  test('an edit keeps the flags, time in force and trigger that it does not change', async () => {
    const { contracts } = await exchange.fetchPosition(PERP)
    assert.ok(Number(contracts) > 0)
    const { bid } = await exchange.fetchTicker(PERP)
    const low = Number(bid) * 0.9
    const goodTilSeconds = Math.floor(Date.now() / 1000) + 86_400
    const params = { postOnly: true, reduceOnly: true, goodTilSeconds, clientOrderId: 'kept' }
    const placed = await exchange.createOrder(PERP, 'limit', 'buy', 0.1, low, {
      ...params,
      wait: 'included',
    })
    const edited = await exchange.editOrder(
      idOf(placed),
      PERP,
      'limit',
      'buy',
      undefined,
      low * 1.01,
      {
        wait: 'included',
      },
    )
    const flags = ({ postOnly, reduceOnly, timeInForce, amount, info }: Order) => [
      ...[postOnly, reduceOnly, timeInForce, amount, info.expires_timestamp],
    ]
    assert.deepEqual(flags(edited), flags(placed))
    assert.ok(Number(edited.price) > Number(placed.price))
    const loose = await exchange.editOrder(idOf(edited), PERP, 'limit', 'buy', 0.2, low, {
      ...{ reduceOnly: false, postOnly: false, wait: 'included' },
    })
    assert.deepEqual([loose.reduceOnly, loose.postOnly, loose.amount], [false, false, 0.2])
    await exchange.cancelOrder(idOf(loose))

    const stop = await exchange.createStopLossOrder(PERP, 'market', 'buy', 0.1, undefined, low * 2)
    const later = await exchange.editOrder(idOf(stop), PERP, 'limit', 'buy', 0.05)
    assert.deepEqual(
      [later.triggerPrice, later.stopLossPrice],
      [stop.triggerPrice, stop.stopLossPrice],
    )
    assert.deepEqual([later.info.order_status, later.amount], ['stop_order', 0.05])
    await exchange.cancelOrder(idOf(later))
  })

  test('an edit with another market or an invalid number is refused', async () => {
    const low = Number((await exchange.fetchTicker(PERP)).bid) * 0.9
    const placed = await exchange.createOrder(PERP, 'limit', 'buy', 0.1, low, { wait: 'included' })
    const edit = (symbol: string, amount: number | undefined, params = {}) =>
      exchange.editOrder(idOf(placed), symbol, 'limit', 'buy', amount, low, params)
    await assert.rejects(edit('ETH/USDC', 0.2), InvalidOrder)
    await assert.rejects(edit(PERP, Number.NaN), InvalidOrder)
    await assert.rejects(edit(PERP, 0.2, { stopLossPrice: Number.NaN }), InvalidOrder)
    assert.equal((await exchange.fetchOrder(idOf(placed))).status, 'open')
    await exchange.cancelOrder(idOf(placed))
  })
})

describe('a position', { timeout: TIMEOUT_MS }, () => {
  test('closePosition closes all or part of a position and refuses the wrong side', async () => {
    const position = await exchange.fetchPosition(PERP)
    assert.equal(position.side, 'short')
    await assert.rejects(exchange.closePosition(PERP, 'long'), InvalidOrder)
    await assert.rejects(
      exchange.closePosition(PERP, undefined, { amount: Number.NaN }),
      InvalidOrder,
    )
    const part = await exchange.closePosition(PERP, 'short', { amount: 0.01 })
    assert.deepEqual([part.side, part.reduceOnly, part.amount], ['buy', true, 0.01])
    await until('the position is closed', async () => {
      const now = await exchange.fetchPosition(PERP)
      if (isFlat(now)) return true
      await exchange.closePosition(PERP)
      return false
    })
    await assert.rejects(exchange.closePosition(PERP), InvalidOrder)
  })

  test('setLeverage sets leverage by the wallet, or by the key through a chain node', async () => {
    await assert.rejects(exchange.setLeverage(5), ArgumentsRequired)
    await assert.rejects(exchange.setLeverage(Number.NaN, PERP), BadRequest)
    const change = await exchange.setLeverage(5, PERP)
    assert.equal(change.isSet, false)
    await trader.send(change.call)
    const isFive = async () => (await exchange.fetchLeverage(PERP)).longLeverage === 5
    await until('the venue has the leverage', isFive)
    assert.equal((await exchange.setLeverage(5, PERP)).isSet, true)

    const { rpcUrl } = trader.venue.devnet
    const { address } = privateKeyToAccount(exchange.privateKey as Hex)
    const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    await node.setBalance({ address, value: parseUnits('1', 18) })
    const byKey = trader.another({ options: { rpcUrl } })
    assert.equal((await byKey.setLeverage(7, PERP)).isSet, true)
    const isSeven = async () => (await exchange.fetchLeverage(PERP)).longLeverage === 7
    await until('the venue has the other leverage', isSeven)
  })
})
