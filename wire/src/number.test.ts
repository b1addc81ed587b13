import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abs } from '@openvenue/core/integers'
import { formatRaw } from '@openvenue/core/units'
import fc from 'fast-check'
import { nearestNumber, nearestRatio } from './number.ts'

const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)
const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 300n }), fc.bigInt({ min: 0n, max: 99n }))

describe('a JSON number', () => {
  test(`a JSON number is the double nearest to the decimal text of the same value (seed ${seed})`, () => {
    const same = fc.property(amounts, fc.integer({ min: 0, max: 90 }), (raw, decimals) => {
      assert.equal(nearestNumber(raw, decimals), Number(formatRaw(raw, decimals)))
      if (raw > 0n) assert.equal(nearestNumber(-raw, decimals), Number(formatRaw(-raw, decimals)))
    })
    fc.assert(same, { seed, numRuns: 500 })
  })

  test(`a JSON number of a ratio is at least as near to it as its neighbours are (seed ${seed})`, () => {
    const positive = fc.bigInt({ min: 1n, max: 2n ** 200n })
    const nearest = fc.property(positive, positive, (numerator, denominator) => {
      const value = nearestRatio(numerator, denominator)
      const distance = (double: number) => {
        const [over, under] = exactly(double)
        const difference = over * denominator - numerator * under
        // With a common denominator, so that distances compare.
        return [abs(difference), under] as const
      }
      const [own, ownUnder] = distance(value)
      for (const step of [1 + Number.EPSILON, 1 - Number.EPSILON]) {
        const [other, otherUnder] = distance(value * step)
        assert.ok(own * otherUnder <= other * ownUnder, `${numerator}/${denominator}`)
      }
    })
    fc.assert(nearest, { seed, numRuns: 500 })
  })

  for (const [says, numerator, denominator, value] of [
    ['nothing', 0n, 7n, 0],
    ['a third', 1n, 3n, 1 / 3],
    ['minus two thirds', -2n, 3n, -2 / 3],
    ['a tie below an even double', 2n ** 53n + 1n, 1n, 2 ** 53],
    ['a hair above that tie', (2n ** 53n + 1n) * 10n ** 40n + 1n, 10n ** 40n, 2 ** 53 + 2],
    ['what no double reaches', 10n ** 400n, 1n, Number.MAX_VALUE],
    ['the same below zero', -(10n ** 400n), 1n, -Number.MAX_VALUE],
    ['what is too small for a double', 1n, 10n ** 400n, 0],
    ['large parts of a small ratio', 3n * 10n ** 400n, 2n * 10n ** 400n, 1.5],
  ] as const)
    test(`a JSON number of ${says} equals ${value}`, () => {
      assert.equal(nearestRatio(numerator, denominator), value)
    })
})

/** Returns a double as a ratio of integers. */
function exactly(double: number): readonly [bigint, bigint] {
  let [value, under] = [double, 1n]
  while (!Number.isInteger(value)) {
    value *= 2
    under *= 2n
  }
  return [BigInt(value), under]
}
