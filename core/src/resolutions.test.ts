import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  isResolution,
  nextPeriodOpen,
  periodClose,
  periodOpen,
  RESOLUTION_NAMES,
} from './resolutions.ts'

const utc = (text: string) => Date.parse(`${text}Z`) / 1000
const second = fc.integer({ min: 7 * 86_400, max: 2 ** 33 })

describe('periods', () => {
  for (const [resolution, at, open, close] of [
    ['1', '2026-03-04T05:06:07', '2026-03-04T05:06:00', '2026-03-04T05:06:59'],
    ['3', '2026-03-04T05:08:07', '2026-03-04T05:06:00', '2026-03-04T05:08:59'],
    ['60', '2026-03-04T05:06:07', '2026-03-04T05:00:00', '2026-03-04T05:59:59'],
    ['720', '2026-03-04T05:06:07', '2026-03-04T00:00:00', '2026-03-04T11:59:59'],
    ['1D', '2026-03-04T23:59:59', '2026-03-04T00:00:00', '2026-03-04T23:59:59'],
    ['3D', '1970-01-06T12:00:00', '1970-01-04T00:00:00', '1970-01-06T23:59:59'],
    ['1W', '2026-03-08T23:59:59', '2026-03-02T00:00:00', '2026-03-08T23:59:59'],
    ['1W', '2026-03-09T00:00:00', '2026-03-09T00:00:00', '2026-03-15T23:59:59'],
    ['1M', '2024-02-29T23:59:59', '2024-02-01T00:00:00', '2024-02-29T23:59:59'],
    ['1M', '2026-12-31T23:59:59', '2026-12-01T00:00:00', '2026-12-31T23:59:59'],
    ['1M', '2100-02-28T12:00:00', '2100-02-01T00:00:00', '2100-02-28T23:59:59'],
  ] as const)
    test(`of ${resolution} containing ${at} run from ${open} to ${close}`, () => {
      assert.equal(periodOpen(resolution, utc(at)), utc(open))
      assert.equal(periodClose(resolution, utc(open)), utc(close))
    })

  test('follow one another without a gap, and each contains its first second', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RESOLUTION_NAMES), second, (resolution, seconds) => {
        const open = periodOpen(resolution, seconds)
        const next = nextPeriodOpen(resolution, open)
        assert.ok(open <= seconds && seconds < next)
        assert.equal(periodOpen(resolution, open), open)
        assert.equal(periodOpen(resolution, next), next)
        assert.equal(periodOpen(resolution, next - 1), open)
      }),
    )
  })

  test('of a month and of a week match the calendar', () => {
    fc.assert(
      fc.property(second, (seconds) => {
        const date = new Date(seconds * 1000)
        const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
        assert.equal(periodOpen('1M', seconds), month)
        assert.equal(new Date(periodOpen('1W', seconds) * 1000).getUTCDay(), 1)
      }),
    )
  })
})

test('only the canonical names are resolutions', () => {
  assert.ok(['1', '720', '1D', '1M'].every(isResolution))
  assert.ok(!['1m', '1h', 'D', '', '2', 'toString', '1w'].some(isResolution))
})
