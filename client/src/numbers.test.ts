import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fromSteps, StepError, toOrderAmount, toOrderPrice, toRaw, toSteps } from './numbers.ts'

const MARKET = { price_step: '0.01', amount_step: '0.0001', base_decimals: 18, quote_decimals: 18 }

describe('Numbers', () => {
  const table = [
    ['3217.926', '0.01', 'down', 321792n],
    ['3217.926', '0.01', 'up', 321793n],
    ['3217.92', '0.01', 'exact', 321792n],
    ['-0.019', '0.01', 'down', -1n],
    ['-0.019', '0.01', 'up', -2n],
    ['123456789012345678901234567890.5', '0.5', 'exact', 246913578024691357802469135781n],
    [7n, '0.25', 'exact', 28n],
  ] as const
  for (const [value, step, rounding, steps] of table)
    test(`${value} in steps of ${step}, rounded ${rounding}, is ${steps}`, () => {
      assert.equal(toSteps(value, step, rounding), steps)
    })

  test('a value between two steps is refused, and the error names both steps', () => {
    assert.throws(
      () => toSteps('1.005', '0.01'),
      (error: StepError) => assert.deepEqual(error.nearest, ['1', '1.01']) === undefined,
    )
  })

  test('floats, exponents and text that is not a number are refused as prices and amounts', () => {
    for (const value of ['1e3', '', '0x10', '1,5', ' 1', 'NaN'])
      assert.throws(() => toSteps(value, '1'), StepError)
    assert.throws(() => toSteps(0.1 as unknown as string, '0.1'), StepError)
    assert.throws(() => toSteps('1', '0'), StepError)
  })

  test('rounding to steps never makes an order pay more, receive less or exceed the requested amount', () => {
    const cents = fc.bigInt(1n, 10n ** 12n)
    fc.assert(
      fc.property(cents, (raw) => {
        const price = fromSteps(raw + 100n, '0.0001')
        const exact = toRaw(price, 18)
        assert.ok(toOrderPrice(MARKET, 'buy', price) <= exact)
        assert.ok(toOrderPrice(MARKET, 'sell', price) >= exact)
        assert.ok(toOrderAmount(MARKET, price) <= exact)
      }),
    )
  })

  test('converting steps to text and back returns the same steps', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), (steps) => {
        assert.equal(toSteps(fromSteps(steps, '0.000125'), '0.000125'), steps)
      }),
    )
  })

  test('a price or amount below one step is refused', () => {
    assert.throws(() => toOrderPrice(MARKET, 'buy', '0.009'), StepError)
    assert.throws(() => toOrderAmount(MARKET, '0.00001'), StepError)
  })
})
