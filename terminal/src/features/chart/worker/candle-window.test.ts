import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CandleWindow, WINDOW_MAX, type WindowCandle } from './candle-window.ts'

const candle = (minute: number, close = '1'): WindowCandle => ({
  ...{ time: minute * 60, close_time: minute * 60 + 59, volume: '1' },
  ...{ open: '1', high: '2', low: '1', close },
})
const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => candle(from + at))
const drawn = (candles: readonly WindowCandle[]) => candles.map(({ time }) => time / 60)

describe('the candles that are drawn', () => {
  test('candles are posted whole at first, then only those that changed since', () => {
    const window = new CandleWindow()
    window.replace(minutes(1, 3))
    assert.deepEqual(
      [window.take().isWhole, window.take()],
      [true, { isWhole: false, candles: [] }],
    )
    window.putNewest([candle(3, '5')])
    const { isWhole, candles } = window.take()
    assert.deepEqual([isWhole, drawn(candles), candles[0]?.close], [false, [3], '5'])
  })

  test('candles that close between two posts are all posted', () => {
    const window = new CandleWindow()
    window.replace(minutes(1, 3))
    window.take()
    for (const [minute, close] of [
      [3, '7'],
      [4, '1'],
      [4, '8'],
      [5, '9'],
    ] as const)
      window.putNewest([candle(minute, close)])
    const { isWhole, candles } = window.take()
    assert.equal(isWhole, false)
    assert.deepEqual(
      candles.map(({ time, close }) => [time / 60, close]),
      [
        [3, '7'],
        [4, '8'],
        [5, '9'],
      ],
    )
  })

  test('candles are merged with re-read ones, whichever of them include the newest', () => {
    const window = new CandleWindow()
    window.replace(minutes(1, 4))
    window.take()
    window.putNewest([candle(3, '6'), candle(5), candle(6)])
    assert.deepEqual(drawn(window.take().candles), [3, 5, 6], 'the fourth was undone')
    assert.deepEqual(drawn(window.all), [1, 2, 3, 5, 6])
  })

  test('candles end with the last remaining one when blocks are undone', () => {
    const window = new CandleWindow()
    window.replace(minutes(1, 4))
    window.take()
    window.cutTo(candle(3, '4'))
    const { isWhole, candles } = window.take()
    assert.deepEqual([isWhole, drawn(candles), candles.at(-1)?.close], [true, [1, 2, 3], '4'])
  })

  test('candles are limited in number, however far the user scrolls back and forward', () => {
    const window = new CandleWindow()
    window.replace(minutes(10_000, 10_499))
    for (let first = 9_500; first >= 5_000; first -= 500)
      window.prepend(minutes(first, first + 499))
    assert.equal(window.all.length, WINDOW_MAX)
    assert.deepEqual([window.all[0]?.time, window.hasNewest], [5_000 * 60, false])
    window.putNewest([candle(10_500)])
    assert.equal(window.all.at(-1)?.time, 7_999 * 60, 'the newest is not joined to the past')
    window.append(minutes(8_000, 8_499), true)
    assert.deepEqual([window.all.length, window.hasNewest], [WINDOW_MAX, true])
    window.putNewest([candle(8_500)])
    assert.equal(window.all.at(-1)?.time, 8_500 * 60)
  })

  test('candles keep their mark and index when a trade changes them', () => {
    const window = new CandleWindow()
    window.replace([{ ...candle(1), mark: '10' }])
    window.lineNewest({ index: '11' })
    window.putNewest([candle(1, '3')])
    const [newest] = window.all
    assert.deepEqual([newest?.close, newest?.mark, newest?.index], ['3', '10', '11'])
  })
})
