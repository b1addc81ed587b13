import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { averagePriceDown, formatRaw, parseDecimal, priceText } from './units.ts'

const decimals = fc.integer({ min: 0, max: 36 })

describe('decimal text', () => {
  test('decimal text parses back to the formatted value, for every integer and number of decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(), decimals, (raw, places) => {
        assert.equal(parseDecimal(formatRaw(raw, places), places), raw)
      }),
    )
  })

  test('decimal text has no exponent, no trailing zero, no trailing point and no negative zero', () => {
    fc.assert(
      fc.property(fc.bigInt(), decimals, (raw, places) => {
        assert.match(formatRaw(raw, places), /^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/)
      }),
    )
  })

  for (const [raw, places, text] of [
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [-5n, 1, '-0.5'],
    [1_000_000n, 6, '1'],
    [123_450n, 2, '1234.5'],
    [7n, 0, '7'],
  ] as const)
    test(`of ${raw} with ${places} decimals is formatted as ${text}`, () => {
      assert.equal(formatRaw(raw, places), text)
    })

  for (const text of ['', '.', '1.', '.5', '1e3', '+1', ' 1', '0x1', '1,0', '--1', 'NaN', '1_0'])
    test(`'${text}' is rejected`, () => {
      assert.equal(parseDecimal(text, 6), undefined)
    })

  test('decimal text with more decimals than the unit is rejected unless they are zero', () => {
    assert.equal(parseDecimal('1.0000001', 6), undefined)
    assert.equal(parseDecimal('1.5000000', 6), 1_500_000n)
  })
})

test('a price is its tick times the step, an average is rounded down', () => {
  const { state } = replay(scenario().list('BTC-USDC').blocks())
  const market = [...state.records.market.values()][0]
  assert.ok(market)
  assert.equal(priceText(market, 60_001), '60001')
  assert.equal(averagePriceDown(market, 200n, 3n), 66_666_666n)
  assert.equal(averagePriceDown(market, 0n, 0n), 0n)
})
