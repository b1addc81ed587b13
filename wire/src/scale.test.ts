import assert from 'node:assert/strict'
import test from 'node:test'
import { formatRaw } from '@openvenue/core/units'
import fc from 'fast-check'
import { signedScale, stepScale } from './scale.ts'

test('a scale formats like formatRaw for every step, decimals and count', () => {
  const step = fc
    .tuple(fc.bigInt(1n, 10n ** 9n), fc.nat(20))
    .map(([factor, zeros]) => factor * 10n ** BigInt(zeros))
  const count = fc.oneof(fc.nat(2 ** 24 - 1), fc.bigInt(0n, 2n ** 100n))
  fc.assert(
    fc.property(step, fc.nat(20), count, (size, decimals, steps) => {
      assert.equal(stepScale(size, decimals)(steps), formatRaw(BigInt(steps) * size, decimals))
    }),
    { numRuns: 1000 },
  )
})

test('a signed scale formats like formatRaw for negative values as well', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 100n), 2n ** 100n), fc.nat(20), (raw, decimals) => {
      const text = formatRaw(raw, decimals)
      assert.equal(signedScale(decimals)(raw), text)
      assert.equal(signedScale(decimals)(String(raw)), text)
    }),
    { numRuns: 1000 },
  )
})
