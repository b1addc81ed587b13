import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { periodClose, periodOpen, RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import { openOf } from '../../../text/candle-periods.ts'
import { WINDOW_MAX, type WindowCandle } from './candle-window.ts'
import { filled } from './quiet-periods.ts'

const candle = (minute: number, close: string): WindowCandle => ({
  ...{ time: minute * 60, close_time: minute * 60 + 59, volume: '1' },
  ...{ open: '1', high: '9', low: '1', close },
})
const shown = (candles: readonly WindowCandle[]) =>
  candles.map(({ time, open, close, volume }) => [time / 60, open, close, volume])

describe('periods of candles', () => {
  test('candles of every resolution open when those of the venue do', () => {
    for (const text of ['2024-02-29T23:59:59Z', '2026-11-30T12:34:56Z', '2027-01-01T00:00:00Z']) {
      const seconds = Date.parse(text) / 1_000
      for (const resolution of RESOLUTION_NAMES)
        assert.equal(openOf(resolution, seconds), periodOpen(resolution, seconds), resolution)
    }
  })

  test('minutes without trades are filled with the last close, and have no volume', () => {
    const all = filled([candle(1, '2'), candle(4, '5')], '1', { end: 6 * 60 })
    assert.deepEqual(shown(all), [
      [1, '1', '2', '1'],
      [2, '2', '2', '0'],
      [3, '2', '2', '0'],
      [4, '1', '5', '1'],
      [5, '5', '5', '0'],
    ])
    assert.deepEqual(shown(filled([candle(3, '3')], '1', { last: candle(1, '2') })), [
      [2, '2', '2', '0'],
      [3, '1', '3', '1'],
    ])
  })

  test('filled candles of every resolution follow each other without a gap', () => {
    const from = Date.parse('2026-01-31T10:00:00Z') / 1_000
    for (const resolution of RESOLUTION_NAMES) {
      const time = periodOpen(resolution, from)
      const close_time = periodClose(resolution, time)
      const first = { ...candle(0, '2'), time, close_time }
      const end = periodOpen(resolution, from + 500 * (close_time + 1 - time))
      const all = filled([first], resolution, { end })
      for (const [at, { time: opens }] of all.entries())
        assert.equal(opens, at === 0 ? time : (all[at - 1]?.close_time ?? 0) + 1, resolution)
      assert.equal(all.at(-1)?.close_time, end - 1, resolution)
    }
  })

  test('years without trades fill no more than the chart can hold', () => {
    const all = filled([candle(1, '2'), candle(5_000_000, '3')], '1')
    assert.equal(all.length, WINDOW_MAX + 2)
    assert.equal(all.at(-2)?.time, 4_999_999 * 60)
  })
})
