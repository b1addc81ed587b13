import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DECIMALS, orderValueUp, SpendingCaps, worstValue } from './spending-caps.ts'
import { ToolError } from './tool-error.ts'

const HOUR_MS = 3600 * 1000
const units = (wholes: number) => BigInt(wholes) * 10n ** BigInt(DECIMALS)

const refusal = (take: () => void) => {
  try {
    take()
  } catch (error) {
    if (error instanceof ToolError) return error.facts
    throw error
  }
  return undefined
}

describe('spending caps', () => {
  test('an order at the cap passes, and one raw unit more is refused with the cap in the error', () => {
    const caps = new SpendingCaps({ order: '100', day: '1000' })
    assert.equal(
      refusal(() => caps.take('USDC', units(100))),
      undefined,
    )
    assert.deepEqual(
      refusal(() => caps.take('USDC', units(100) + 1n)),
      {
        error: 'CAP_ORDER',
        message: 'order value: got 100.000000000000000001, expected at most 100 USDC',
        option: '--cap-order',
        cap: '100',
        value: '100.000000000000000001',
        quote_asset: 'USDC',
      },
    )
  })

  test('caps count each quote asset separately, skip refused orders and cover 24 hours', () => {
    let nowMs = 0
    const caps = new SpendingCaps({ order: '100', day: '150' }, () => nowMs)
    caps.take('USDC', units(90))
    nowMs = 10 * HOUR_MS
    assert.equal(refusal(() => caps.take('USDC', units(61)))?.error, 'CAP_DAY')
    caps.take('USDC', units(60))
    caps.take('EURC', units(100))
    assert.equal(refusal(() => caps.take('USDC', 1n))?.spent, '150')
    nowMs = 24 * HOUR_MS
    caps.take('USDC', units(90))
    assert.equal(refusal(() => caps.take('USDC', 1n))?.spent, '150')
  })

  test('a buy is valued at its limit and a sell at the best possible price, rounded up', () => {
    const order = { price: '10', amount: '2', marketPrices: ['3000', null, undefined, '2999.5'] }
    assert.equal(worstValue({ ...order, side: 'buy' }), units(20))
    assert.equal(worstValue({ ...order, side: 'sell' }), units(6000))
    assert.equal(worstValue({ ...order, side: 'sell', marketPrices: ['9', null] }), units(20))
    assert.equal(orderValueUp('0.000000000000000001', '0.5'), 1n)
  })
})
