import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feeUp } from './fees.ts'

test('a fee is at least the exact rate, and a rebate at most', () => {
  assert.equal(feeUp(1n, 350), 1n)
  assert.equal(feeUp(1_000_000n, 350), 350n)
  assert.equal(feeUp(1_999_999n, -100), -199n)
})
