import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChartMark } from '../order/order-protocol.ts'
import { lastUntil, placeMarks } from './own-marks.ts'

const fill = (time: number, isBuy: boolean, text: string): ChartMark => ({
  ...{ key: `${time} ${text}`, time, isBuy, text },
})

describe('own fills on the chart', () => {
  test('own fills on the chart are at their candles, with the traded amount in words', () => {
    const marks = [fill(119, true, '1 at 3,000.00'), fill(120, false, '2 at 3,010.00')]
    assert.deepEqual(placeMarks(marks, [60, 120, 180]), [
      { index: 0, isBuy: true, text: '1 at 3,000.00', lane: 0 },
      { index: 1, isBuy: false, text: '2 at 3,010.00', lane: 0 },
    ])
  })

  test('own fills are hidden on the chart until their candle is read', () => {
    const marks = [fill(30, true, 'first'), fill(130, true, 'second')]
    assert.deepEqual(
      placeMarks(marks, [60, 120]).map(({ index, text }) => [index, text]),
      [[1, 'second']],
    )
    assert.deepEqual(
      placeMarks(marks, [0, 60, 120]).map(({ index, text }) => [index, text]),
      [
        [0, 'first'],
        [2, 'second'],
      ],
    )
  })

  test('own fills of one candle are stacked, separately on each side', () => {
    const marks = [fill(61, true, 'a'), fill(62, false, 'b'), fill(63, true, 'c')]
    assert.deepEqual(
      placeMarks(marks, [60]).map(({ text, lane }) => [text, lane]),
      [
        ['a', 0],
        ['c', 1],
        ['b', 0],
      ],
    )
  })

  test('own fills of many orders in one candle do not stack into a tower', () => {
    const marks = ['a', 'b', 'c', 'd', 'e'].map((text, at) => fill(61 + at, true, text))
    assert.deepEqual(
      placeMarks(marks, [60]).map(({ text, lane }) => [text, lane]),
      [
        ['a', 0],
        ['b', 1],
        ['c +2', 2],
      ],
    )
  })
})

describe('the last candle until a time', () => {
  test('the last candle until a time is found among none, one and many', () => {
    assert.equal(lastUntil([], 5), -1)
    assert.deepEqual(
      [9, 10, 11].map((time) => lastUntil([10], time)),
      [-1, 0, 0],
    )
    const times = Array.from({ length: 1_000 }, (_, at) => at * 60)
    for (const at of [0, 1, 499, 998, 999]) {
      assert.equal(lastUntil(times, at * 60), at)
      assert.equal(lastUntil(times, at * 60 + 59), at)
    }
  })
})
