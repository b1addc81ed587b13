import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimalsOf, showDecimal, showPercent } from './decimal-text.ts'

describe('decimal text', () => {
  test('decimal text has commas between thousands, and the decimals of its step', () => {
    assert.equal(showDecimal('1234567.5', 2), '1,234,567.50')
    assert.equal(showDecimal('-1234.567', 2), '-1,234.56')
    assert.equal(showDecimal('123'), '123')
    assert.equal(showDecimal('999', 0), '999')
    assert.equal(showDecimal('0.000012345'), '0.000012345')
    assert.deepEqual([decimalsOf('0.01'), decimalsOf('5')], [2, 0])
  })

  test('the decimal text of a fraction is a signed percentage without rounding', () => {
    assert.equal(showPercent('0.0123', 2), '+1.23%')
    assert.equal(showPercent('-0.00017479', 4), '-0.0174%')
    assert.equal(showPercent('1.5', 2), '+150.00%')
    assert.equal(showPercent('0', 0), '+0%')
    assert.equal(showPercent('0.5', 1), '+50.0%')
  })
})
