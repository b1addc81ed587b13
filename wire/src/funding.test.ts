import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTimeNs } from './funding.ts'

for (const [digits, nanoseconds, unit] of [
  ['0', 0n, 'seconds'],
  ['1767225600', 1_767_225_600_000_000_000n, 'seconds'],
  ['9999999999', 9_999_999_999_000_000_000n, 'seconds'],
  ['0001767225600', 1_767_225_600_000_000_000n, 'seconds'],
  ['10000000000', 10_000_000_000_000_000n, 'milliseconds'],
  ['1767225600123', 1_767_225_600_123_000_000n, 'milliseconds'],
  ['10000000000000', 10_000_000_000_000n, 'nanoseconds'],
  ['1767225600123456789', 1_767_225_600_123_456_789n, 'nanoseconds'],
] as const)
  test(`${digits} is a time in ${unit}`, () => {
    assert.equal(parseTimeNs(digits), nanoseconds)
  })
