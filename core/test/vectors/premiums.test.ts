import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { agreedSample, basisAfter, clampPremium, weightSeconds } from './premiums.ts'

const PERCENT = 10n ** 16n
const rate = fc.bigInt({ min: -10n * PERCENT, max: 10n * PERCENT })

describe('a sample', () => {
  for (const [title, basis, first, second, agreed] of [
    ['the nearer, when both are above the basis', 1n, 9n, 4n, 4n],
    ['the nearer, when both are below it', -1n, -9n, -4n, -4n],
    ['the basis, when they lie on both sides of it', 2n, 9n, -9n, 2n],
    ['the common value, when they agree', 0n, 7n, 7n, 7n],
  ] as const)
    test(`a sample is ${title}`, () => {
      assert.equal(agreedSample(basis, first, second), agreed)
      assert.equal(agreedSample(basis, second, first), agreed)
    })

  test('a sample counts as a premium of at most 1 %, and for at most two minutes', () => {
    assert.equal(clampPremium(3n * PERCENT), PERCENT)
    assert.equal(clampPremium(-3n * PERCENT), -PERCENT)
    assert.deepEqual([weightSeconds(60), weightSeconds(121)], [60, 120])
  })
})

describe('the basis', () => {
  const BOUND = PERCENT / 2n

  test('never moves by more than a tenth of its bound, nor beyond it, for any samples', () => {
    const start = fc.bigInt({ min: -BOUND / 10n ** 9n, max: BOUND / 10n ** 9n })
    fc.assert(
      fc.property(start, rate, fc.integer({ min: 0, max: 120 }), (billionths, sample, seconds) => {
        const basis = billionths * 10n ** 9n
        const after = basisAfter(basis, sample, seconds)
        const moved = after > basis ? after - basis : basis - after
        assert.ok(moved <= BOUND / 10n)
        assert.ok(after <= BOUND && after >= -BOUND)
        assert.equal(after % 10n ** 9n, 0n)
      }),
    )
  })

  test('the basis needs ten samples to reach its bound, and decays without a premium', () => {
    let basis = 0n
    for (let sample = 0; sample < 9; sample++) basis = basisAfter(basis, 5n * PERCENT, 120)
    assert.ok(basis < BOUND)
    assert.ok(basisAfter(basis, 0n, 60) < basis)
  })
})
