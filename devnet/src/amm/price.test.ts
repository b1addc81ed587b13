import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import fc from 'fast-check'
import { amountToPrice, distancePpm, encodeSqrtPriceX96, sqrt, tickNear } from './price.ts'

/** Reserves of pools of plausible depth. */
const reserve = fc.bigInt(10n ** 9n, 2n ** 100n)

describe('prices of pools', () => {
  test('an integer square root is the largest number whose square is not above the value', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 400n), (value) => {
        const root = sqrt(value)
        assert.ok(root * root <= value && (root + 1n) * (root + 1n) > value)
      }),
    )
    assert.throws(() => sqrt(-1n), RangeError)
  })

  test('a token worth four of the other token has a sqrt price of two', () => {
    assert.equal(encodeSqrtPriceX96(5n, 20n), 2n << 96n)
    assert.equal(encodeSqrtPriceX96(20n, 5n), 1n << 95n)
  })

  test('the tick of a sqrt price equals that of the contracts, or its neighbour', () => {
    // The limits of v3 pools, and one: constants of TickMath.
    assert.equal(tickNear(1n << 96n), 0)
    assert.ok(Math.abs(tickNear(4295128739n) + 887272) <= 1)
    assert.ok(Math.abs(tickNear(1461446703485210103287273052203988822378723970342n) - 887272) <= 1)
  })

  test('a sqrt price one percent off is 10,000 millionths away, on either side', () => {
    const fair = encodeSqrtPriceX96(E18, E18)
    for (const amount of [1_010_000n, 990_000n]) {
      const off = encodeSqrtPriceX96(E18, amount * 10n ** 12n)
      const apart = Number(distancePpm(off, fair))
      assert.ok(Math.abs(apart - 10_000) < 60, `${apart}`)
    }
  })

  test('the computed amount of a swap brings a pool to its target price, except for the fee', () => {
    fc.assert(
      fc.property(reserve, reserve, fc.integer({ min: -90_000, max: 90_000 }), (r0, r1, ppm) => {
        const before = encodeSqrtPriceX96(r0, r1)
        const target = (before * BigInt(1_000_000 + ppm)) / 1_000_000n
        fc.pre(target !== before)
        const amount = amountToPrice({ reserve0: r0, reserve1: r1 }, target, 3_000)
        const [x0, x1] = target < before ? [amount, 0n] : [0n, amount]
        const after = encodeSqrtPriceX96(...swapped([r0, r1], [x0, x1]))
        const apart = distancePpm(after, target)
        // The fee of 0.3 % stays in the pool, which moves the price by that part more.
        assert.ok(apart <= BigInt(Math.abs(ppm)) / 300n + 2n, `${apart} millionths away`)
      }),
    )
  })
})

/** A swap by the contract of a v2 pair. */
function swapped([r0, r1]: [bigint, bigint], [in0, in1]: [bigint, bigint]): [bigint, bigint] {
  const out = (amount: bigint, from: bigint, to: bigint) =>
    (amount * 997n * to) / (from * 1000n + amount * 997n)
  return in0 > 0n ? [r0 + in0, r1 - out(in0, r0, r1)] : [r0 - out(in1, r1, r0), r1 + in1]
}
