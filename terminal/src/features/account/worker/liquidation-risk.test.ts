import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPositionNear } from './liquidation-risk.ts'

describe('a near liquidation', () => {
  test('a near liquidation is reported from 5 % of the mark on, on either side and beyond', () => {
    const near = (mark_price: string | null, liquidation_price: string | null) =>
      isPositionNear({ mark_price, liquidation_price })
    assert.equal(near('3000', '2850'), true)
    assert.equal(near('3000', '2849.99'), false)
    assert.equal(near('3000', '3150'), true)
    assert.equal(near('3000', '3150.01'), false)
    assert.equal(near('2800', '2850'), true)
  })

  test('no near liquidation is reported without a liquidation price or a mark', () => {
    assert.equal(isPositionNear({ mark_price: '3000', liquidation_price: null }), false)
    assert.equal(isPositionNear({ mark_price: null, liquidation_price: '3000' }), false)
  })
})
