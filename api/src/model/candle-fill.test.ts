import assert from 'node:assert/strict'
import test from 'node:test'
import { filled, findPeriods } from './candle-fill.ts'
import { type Bar, makeBar } from './candle-series.ts'

const bar = (minute: number, close: number): Bar<string> =>
  makeBar({
    resolution: '1',
    openSeconds: minute * 60,
    open: close - 1,
    high: close,
    low: close - 1,
    close,
    volume: 5n,
    quoteUnits: 5n,
    takerBuyVolume: 5n,
    trades: 1,
  })

const shown = (bars: readonly Bar<string>[]) =>
  bars.map(({ candle }) => [candle.openSeconds / 60, candle.close, candle.trades])

test('a gap takes the close before it, without volume', () => {
  const bars = filled([bar(1, 10), bar(4, 12)], undefined, { first: undefined, last: 5 * 60 })
  assert.deepEqual(shown(bars), [
    [1, 10, 1],
    [2, 10, 0],
    [3, 10, 0],
    [4, 12, 1],
    [5, 12, 0],
  ])
  const [, gap] = bars as [Bar<string>, Bar<string>]
  const { open, high, low, volume } = gap.candle
  assert.deepEqual([open, high, low, volume], [10, 10, 10, 0n])
})

test('the close before the range fills its beginning; before the first trade there is no bar', () => {
  const range = { first: 2 * 60, last: 4 * 60 }
  assert.deepEqual(shown(filled([bar(4, 12)], bar(0, 9), range)), [
    [2, 9, 0],
    [3, 9, 0],
    [4, 12, 1],
  ])
  assert.deepEqual(shown(filled([bar(4, 12)], undefined, range)), [[4, 12, 1]])
  assert.deepEqual(shown(filled([], bar(0, 9), range)).length, 3)
  assert.deepEqual(filled([], undefined, range), [])
})

test('at most 5000 bars come back, the oldest', () => {
  const bars = filled([bar(0, 10)], undefined, { first: undefined, last: 9_000 * 60 })
  assert.equal(bars.length, 5000)
  assert.equal(bars.at(-1)?.candle.openSeconds, 4999 * 60)
})

test('periods end with the one of `to` or now, whichever is earlier', () => {
  const now = 10 * 60 + 30
  assert.deepEqual(findPeriods('1', {}, now), { first: undefined, last: 600 })
  assert.deepEqual(findPeriods('1', { toSeconds: 500 }, now), { first: undefined, last: 480 })
  assert.deepEqual(findPeriods('1', { toSeconds: 5000 }, now), { first: undefined, last: 600 })
})

test('periods begin at or after `from`, or as many back as countback requests', () => {
  const now = 10 * 60 + 30
  assert.deepEqual(findPeriods('1', { fromSeconds: 61 }, now).first, 120)
  assert.deepEqual(findPeriods('1', { fromSeconds: 120 }, now).first, 120)
  assert.deepEqual(findPeriods('1', { countback: 3, fromSeconds: 0 }, now).first, 480)
  assert.deepEqual(findPeriods('1', { countback: 3000 }, now).first, 0)
  const july = Date.UTC(2024, 6, 15) / 1000
  assert.equal(findPeriods('1M', { countback: 6 }, july).first, Date.UTC(2024, 1, 1) / 1000)
})
