// Finds the candle of each own fill, so that it can be marked there.
import type { ChartMark } from '../order/order-protocol.ts'

/** `lane`: number of marks between this one and the candle, on the same side. */
export type PlacedMark = Readonly<{ index: number; isBuy: boolean; text: string; lane: number }>

/**
 * Returns the marks of fills: bought below its candle, sold above. Without a mark is what was
 * traded before the first of the candles that open at `times`.
 */
export function placeMarks(
  marks: readonly ChartMark[],
  times: readonly number[],
): readonly PlacedMark[] {
  const lanes = new Map<string, number>()
  return marks.flatMap(({ time, isBuy, text }) => {
    const index = lastUntil(times, time)
    if (index < 0) return []
    const side = `${index} ${isBuy}`
    const lane = lanes.get(side) ?? 0
    lanes.set(side, lane + 1)
    return [{ index, isBuy, text, lane }]
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
