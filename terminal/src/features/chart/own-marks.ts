// Finds the candle of each own fill, so that it can be marked there.
import type { ChartMark } from '../order/order-protocol.ts'

/** `lane`: number of marks between this one and the candle, on the same side. */
export type PlacedMark = Readonly<{ index: number; isBuy: boolean; text: string; lane: number }>

/** Marks of one side of a candle; of more orders, only their number is written. */
const LANES_MAX = 3

/**
 * Returns the marks of fills: bought below its candle, sold above. Without a mark is what was
 * traded before the first of the candles that open at `times`.
 */
export function placeMarks(
  marks: readonly ChartMark[],
  times: readonly number[],
): readonly PlacedMark[] {
  const placed = marks
    .map(({ time, isBuy, text }) => ({ index: lastUntil(times, time), isBuy, text }))
    .filter(({ index }) => index >= 0)
  const sides = Map.groupBy(placed, ({ index, isBuy }) => `${index} ${isBuy}`)
  return [...sides.values()].flatMap((side) => {
    const more = side.length - LANES_MAX
    return side.slice(0, LANES_MAX).map((mark, lane) => {
      const isLast = lane === LANES_MAX - 1 && more > 0
      return { ...mark, lane, text: isLast ? `${mark.text} +${more}` : mark.text }
    })
  })
}

/** Returns where the last of ascending `times` is that is not after `time`; -1: there is none. */
export function lastUntil(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}
