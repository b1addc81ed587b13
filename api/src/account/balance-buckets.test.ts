import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coarsened } from './balance-buckets.ts'

const DAY = 86_400
const NOW = 20_000 * DAY
const countPeriods = (from: number, to: number, length: number) =>
  Math.floor(to / length) - Math.floor(from / length) + 1

test('a range with few enough periods keeps its resolution', () => {
  const bounds = { pointsMax: 2000, nowSeconds: NOW }
  const range = { fromSeconds: NOW - 1999 * 3600, toSeconds: NOW }
  assert.equal(coarsened(3600, range, bounds), 3600)
  assert.equal(coarsened(3600, { ...range, fromSeconds: NOW - 2000 * 3600 }, bounds), 7200)
})

test('a range counts only where there can be points: from 400 days back until now', () => {
  const bounds = { pointsMax: 2000, nowSeconds: NOW }
  const all = coarsened(60, { fromSeconds: 0, toSeconds: 1e12 }, bounds)
  const kept = coarsened(60, { fromSeconds: NOW - 401 * DAY, toSeconds: NOW }, bounds)
  assert.equal(all, kept)
  assert.ok(all < 18_000)
})

test('the resolution is the smallest multiple that fits, for any range', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 604_800 }),
      fc.integer({ min: NOW - 400 * DAY, max: NOW }),
      fc.nat({ max: 400 * DAY }),
      fc.integer({ min: 2, max: 3000 }),
      (resolution, fromSeconds, span, pointsMax) => {
        const toSeconds = Math.min(NOW, fromSeconds + span)
        const bounds = { pointsMax, nowSeconds: NOW }
        const length = coarsened(resolution, { fromSeconds, toSeconds }, bounds)
        assert.equal(length % resolution, 0)
        assert.ok(countPeriods(fromSeconds, toSeconds, length) <= pointsMax)
        for (let less = length - resolution; less > 0; less -= resolution)
          assert.ok(countPeriods(fromSeconds, toSeconds, less) > pointsMax)
      },
    ),
    { seed: 1, numRuns: 300 },
  )
})

test('a maximum of one point yields one period that covers the range', () => {
  const range = { fromSeconds: NOW - 100 * DAY, toSeconds: NOW }
  const length = coarsened(60, range, { pointsMax: 1, nowSeconds: NOW })
  assert.equal(countPeriods(range.fromSeconds, range.toSeconds, length), 1)
})
