import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ArgumentsRequired, BaseError, InvalidOrder, NotSupported } from 'ccxt'
import { type CcxtOrder, readOrder } from './new-order.ts'
import { openvenue } from './openvenue.ts'
import { TRIGGERS } from './params.ts'

const SYMBOL = 'ETH/USDC:USDC'
const exchange = new openvenue()
before(() => {
  const precision = { amount: 0.0001, price: 0.01 }
  const kind = { type: 'swap', spot: false, swap: true, contract: true, settle: 'USDC' }
  const names = { id: 'ETH-PERP', symbol: SYMBOL, base: 'ETH', quote: 'USDC' }
  exchange.setMarkets([exchange.safeMarketStructure({ ...names, ...kind, precision, limits: {} })])
})

const read = (order: Partial<CcxtOrder>) =>
  readOrder(
    exchange,
    {
      symbol: SYMBOL,
      type: 'limit',
      side: 'buy',
      amount: 0.3,
      price: 3000.1,
      params: {},
      ...order,
    },
    async (_symbol, side) => (side === 'buy' ? '3000' : '2999'),
  )
const members = async (order: Partial<CcxtOrder>) => {
  const { deadlineSeconds, ...rest } = await read(order)
  assert.ok(Number(deadlineSeconds) > Date.now() / 1000)
  return rest
}

const LOST = [undefined, null, Number.NaN, Infinity, -1, 0, '', 'NaN', '1,5', '-1', {}, [], true]
const market = { type: 'market', price: undefined }
const LIMIT = { market: 'ETH-PERP', side: 'buy', amount: '0.3', price: '3000.1' }

describe('a ccxt order', () => {
  test('a ccxt order is converted to decimal text on the market steps: 0.1 + 0.2 becomes 0.3', async () => {
    const order = await members({ amount: 0.1 + 0.2 })
    assert.deepEqual(order, { ...LIMIT, timeInForce: 'GTC' })
    assert.equal((await read({ amount: 1e-4 })).amount, '0.0001')
    assert.equal((await read({ amount: '0.12349' })).amount, '0.1234')
  })

  test('a ccxt order passes timeInForce on, and postOnly or PO makes it post-only', async () => {
    assert.equal((await read({ params: { timeInForce: 'fok' } })).timeInForce, 'FOK')
    for (const params of [{ postOnly: true }, { timeInForce: 'PO' }])
      assert.deepEqual(await members({ params }), { ...LIMIT, postOnly: true })
    await assert.rejects(read({ params: { timeInForce: 'GTX' } }), InvalidOrder)
  })

  test('a market order is limited by the best price, its own price or its trigger, with slippage', async () => {
    const taken = await members(market)
    assert.deepEqual(taken, { ...LIMIT, price: '3150', timeInForce: 'IOC' })
    assert.equal((await read({ ...market, side: 'sell' })).price, '2849.05')
    const params = { slippage: '0.001' }
    assert.equal((await read({ ...market, price: 2000, params })).price, '2002')
    assert.equal((await read({ ...market, params: { triggerPrice: 1000 } })).price, '1050')
    await assert.rejects(read({ ...market, params: { postOnly: true } }), InvalidOrder)
  })

  test('the trigger of a ccxt order fires above or below by kind, side or direction', async () => {
    const kindOf = async (side: string, params: object) =>
      (await read({ side, params })).trigger?.kind
    for (const [side, params, kind] of [
      ['sell', { stopLossPrice: 1 }, 'STOP_LOSS'],
      ['sell', { takeProfitPrice: 1 }, 'TAKE_PROFIT'],
      ['buy', { triggerPrice: 1 }, 'STOP_LOSS'],
      ['sell', { stopPrice: 1 }, 'STOP_LOSS'],
      ['buy', { triggerPrice: 1, triggerDirection: 'descending' }, 'TAKE_PROFIT'],
      ['sell', { triggerPrice: 1, triggerDirection: 'ascending' }, 'TAKE_PROFIT'],
      ['sell', { triggerPrice: 1, triggerDirection: 'below' }, 'STOP_LOSS'],
      ['buy', {}, undefined],
    ] as const)
      assert.equal(await kindOf(side, params), kind, JSON.stringify([side, params]))
  })

  test('a ccxt order keeps parameters that only the venue has', async () => {
    const venueParams = { clientOrderId: 'a', goodTilSeconds: 9, maxFills: 3, parentOrderId: '0x1' }
    const order = await members({
      params: { ...venueParams, salt: '18446744073709551617', reduceOnly: true },
    })
    const salt = 2n ** 64n + 1n
    assert.deepEqual(order, {
      ...LIMIT,
      ...venueParams,
      salt,
      timeInForce: 'GTC',
      reduceOnly: true,
    })
  })

  test('a ccxt order with an invalid number in params is refused rather than placed without it', async () => {
    for (const name of [...TRIGGERS, 'slippage', 'replacesAmount'])
      for (const value of LOST) {
        // A market order may have a slippage of 0.
        if (name === 'slippage' && value === 0) continue
        const params = { [name]: value }
        await assert.rejects(read({ ...market, params }), InvalidOrder, `${name} = ${value}`)
      }
  })

  test('a ccxt order with an invalid amount, price, time or salt is refused', async () => {
    for (const name of ['goodTilSeconds', 'deadlineSeconds', 'maxFills'])
      for (const value of LOST.filter((lost) => lost !== 0))
        await assert.rejects(read({ params: { [name]: value } }), InvalidOrder, name)
    for (const value of LOST.slice(1)) {
      await assert.rejects(read({ amount: value as never }), BaseError, `amount = ${value}`)
      await assert.rejects(read({ price: value as never }), BaseError, `price = ${value}`)
      await assert.rejects(read({ ...market, price: value as never }), InvalidOrder)
      if (value !== 0)
        await assert.rejects(read({ params: { salt: value } }), InvalidOrder, `salt = ${value}`)
    }
  })

  test('a ccxt order with an invalid flag or word is refused', async () => {
    for (const name of ['reduceOnly', 'postOnly', 'mmp'])
      for (const value of [undefined, null, 'true', 1, Number.NaN])
        await assert.rejects(read({ params: { [name]: value } }), InvalidOrder, name)
    for (const name of ['timeInForce', 'clientOrderId', 'parentOrderId', 'replaces'])
      for (const value of [null, '', Number.NaN, {}, true])
        await assert.rejects(read({ params: { [name]: value } }), InvalidOrder, name)
    const sideways = { triggerPrice: 1, triggerDirection: 'sideways' }
    await assert.rejects(read({ params: sideways }), InvalidOrder)
    await assert.rejects(read({ params: { triggerDirection: 'above' } }), ArgumentsRequired)
    await assert.rejects(read({ params: { stopLossPrice: 1, takeProfitPrice: 2 } }), InvalidOrder)
  })

  test('an incomplete or contradictory ccxt order is refused', async () => {
    await assert.rejects(read({ price: undefined }), ArgumentsRequired)
    await assert.rejects(read({ amount: undefined }), ArgumentsRequired)
    await assert.rejects(read({ amount: 0.00001 }), InvalidOrder)
    await assert.rejects(read({ type: 'stop' }), InvalidOrder)
    await assert.rejects(read({ side: 'long' }), InvalidOrder)
    await assert.rejects(read({ params: { takeProfit: { triggerPrice: 1 } } }), NotSupported)
  })
})
