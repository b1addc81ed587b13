// Tests fee offers and the comparison of two of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerFee, raised, replaces } from './fees.ts'

const CAP = 1_000n
const BOUNDS = { feeCap: CAP, feeFloor: 0n }

test('a fee offer leaves room for the base fee to double and never exceeds its cap', () => {
  assert.deepEqual(offerFee(100n, 7n, BOUNDS), { max: 207n, tip: 7n })
  assert.deepEqual(offerFee(600n, 7n, BOUNDS), { max: CAP, tip: 7n })
  assert.deepEqual(offerFee(600n, 2_000n, BOUNDS), { max: CAP, tip: CAP })
  // A chain without a gas price still gets an offer above zero.
  assert.deepEqual(offerFee(0n, 0n, BOUNDS), { max: 1n, tip: 0n })
})

test('a fee offer is never below the minimum of the chain, whatever the base fee of the block', () => {
  const arc = { feeCap: CAP, feeFloor: 200n }
  assert.deepEqual(offerFee(0n, 7n, arc), { max: 207n, tip: 7n })
  assert.deepEqual(offerFee(99n, 7n, arc), { max: 207n, tip: 7n })
  assert.deepEqual(offerFee(150n, 7n, arc), { max: 307n, tip: 7n })
  assert.deepEqual(offerFee(0n, 7n, { ...arc, feeFloor: 2_000n }), { max: CAP, tip: 7n })
})

test('a raised fee offer is a quarter higher, or the current offer if that is more, up to the cap', () => {
  const fee = { max: 200n, tip: 8n }
  assert.deepEqual(raised(fee, { max: 100n, tip: 1n }, CAP), { max: 251n, tip: 11n })
  assert.deepEqual(raised(fee, { max: 700n, tip: 60n }, CAP), { max: 700n, tip: 60n })
  assert.deepEqual(raised(fee, { max: 1_700n, tip: 60n }, CAP), { max: CAP, tip: 60n })
})

test('a fee offer replaces another only when maximum and tip are at least a tenth higher', () => {
  const before = { max: 100n, tip: 10n }
  assert.equal(replaces({ max: 110n, tip: 11n }, before), true)
  assert.equal(replaces({ max: 109n, tip: 11n }, before), false)
  assert.equal(replaces({ max: 110n, tip: 10n }, before), false)
})
