import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { timeTicks } from './time-ticks.ts'

const secondsOf = (text: string) => Date.parse(`${text}Z`) / 1_000
const every = (seconds: number, from: string, count: number) =>
  Array.from({ length: count }, (_, at) => secondsOf(from) + at * seconds)
const MINUTE = 60
const DAY = 86_400

/** Returns what is written, each as its time in UTC and its kind. */
const written = (times: readonly number[], apart: number) =>
  timeTicks(times, apart, true).map(({ index, kind }) => {
    const time = new Date((times[index] ?? 0) * 1_000).toISOString()
    return `${time.slice(0, 16)} ${kind}`
  })

describe('the times below the candles', () => {
  test('times below the candles are the roundest of a day, far enough apart', () => {
    const times = every(MINUTE, '2026-11-27T09:47', 60)
    const ticks = written(times, 20)
    assert.deepEqual(
      ticks.map((tick) => tick.slice(11, 16)),
      ['10:00', '10:30'],
    )
    const indexes = timeTicks(times, 10, true).map(({ index }) => index)
    for (const [at, index] of indexes.slice(1).entries())
      assert.ok(index - (indexes[at] ?? 0) >= 10)
  })

  test('times below the candles name a day at its first candle, not an hour near it', () => {
    const times = every(5 * MINUTE, '2026-11-26T22:00', 48)
    assert.deepEqual(written(times, 25), ['2026-11-27T00:00 day'])
    assert.ok(written(times, 6).includes('2026-11-27T00:00 day'))
  })

  test('times below daily candles name month and year', () => {
    const times = every(DAY, '2025-11-20T00:00', 80)
    assert.deepEqual(written(times, 28), [
      '2025-12-01T00:00 month',
      '2026-01-01T00:00 year',
      '2026-02-01T00:00 month',
    ])
    assert.ok(written(times, 5).some((tick) => tick.endsWith(' day')))
    assert.ok(!written(times, 5).some((tick) => tick.endsWith(' time')))
  })

  test('times below the candles are chosen even if candles are missing', () => {
    // Nothing was traded at midnight: the first later candle has the label of the day.
    const times = [secondsOf('2026-11-26T23:50'), secondsOf('2026-11-27T03:20')]
    assert.deepEqual(
      timeTicks(times, 1, true).map(({ kind }) => kind),
      ['day', 'day'],
    )
  })

  test('times below the candles stay in place when a candle is added, and need a candle', () => {
    const times = every(MINUTE, '2026-11-27T09:47', 200)
    const before = timeTicks(times.slice(0, -1), 15, true)
    assert.deepEqual(timeTicks(times, 15, true).slice(0, before.length), before)
    assert.deepEqual(timeTicks([], 15, true), [])
  })

  test('times below the candles start days at local midnight, or at midnight UTC', () => {
    const times = every(60 * MINUTE, '2026-11-27T00:00', 24)
    const days = (isUtc: boolean) =>
      timeTicks(times, 1, isUtc).filter(({ kind }) => kind === 'day').length
    const local = times.map((time) => new Date(time * 1_000).getDate())
    assert.equal(days(false), local.filter((day, at) => at > 0 && day !== local[at - 1]).length)
    assert.equal(days(true), 24, 'each of them, whatever its hour')
  })
})
