import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LeverageQuestion, leverageEffect } from './leverage-control.ts'

const MARKET = { instrument_name: 'ETH-PERP', amount_step: '0.0001', mark_price: '3000' }
const QUESTION: LeverageQuestion = {
  market: MARKET,
  account: { equity: '1000', initial_margin: '160' },
  positions: [
    { instrument_name: 'ETH-PERP', side: 'sell', amount: '1' },
    { instrument_name: 'BTC-PERP', side: 'buy', amount: '9' },
  ],
  orders: [],
}

describe('a new leverage', () => {
  test('a new leverage divides the notional of position and orders, and frees the rest', () => {
    const effect = leverageEffect(QUESTION, { from: 20n, to: 7n })
    assert.deepEqual(effect, {
      before: { margin: '150', free: '840', missing: '0' },
      after: { margin: '428.571428571428571429', free: '561.428571428571428571', missing: '0' },
    })
  })

  test('a new leverage counts orders as if the larger side of them had filled', () => {
    const order = { instrument_name: 'ETH-PERP', side: 'sell', remaining: '0.5' } as const
    const other = { instrument_name: 'ETH-PERP', side: 'buy', remaining: '0.4' } as const
    const effect = leverageEffect({ ...QUESTION, orders: [order, other] }, { from: 20n, to: 10n })
    assert.equal(effect?.before.margin, '225')
    assert.equal(effect?.after.margin, '450')
  })

  test('a new leverage reports the shortfall if margin is insufficient', () => {
    const effect = leverageEffect(QUESTION, { from: 20n, to: 1n })
    assert.equal(effect?.after.free, '0')
    assert.equal(effect?.after.missing, '2010')
  })

  test('the margin at a new leverage is unknown without a mark', () => {
    const market = { ...MARKET, mark_price: null }
    assert.equal(leverageEffect({ ...QUESTION, market }, { from: 20n, to: 10n }), undefined)
  })
})
