// Candles of periods without trades.
import { lengthOf, nextOpen, openOf } from '../../../text/candle-periods.ts'
import type { Resolution } from '../chart-protocol.ts'
import { WINDOW_MAX, type WindowCandle } from './candle-window.ts'

/**
 * Returns candles with those of periods without trades, at the last close. `last` is the candle
 * before them, if it is known; `end` is when the one behind them opens. A time without trades
 * that is longer than the chart can hold is filled at its end only.
 */
export function filled(
  candles: readonly WindowCandle[],
  resolution: Resolution,
  { last, end }: Readonly<{ last?: WindowCandle | undefined; end?: number }> = {},
): readonly WindowCandle[] {
  const all: WindowCandle[] = []
  let before = last
  const fillTo = (time: number) => {
    if (before === undefined) return
    const { close, close_time } = before
    const earliest = openOf(resolution, time - WINDOW_MAX * lengthOf(resolution))
    for (let open = Math.max(close_time + 1, earliest); open < time; ) {
      const next = nextOpen(resolution, open)
      const prices = { open: close, high: close, low: close, close, volume: '0' }
      all.push({ time: open, close_time: next - 1, ...prices })
      open = next
    }
  }
  for (const candle of candles) {
    fillTo(candle.time)
    all.push(candle)
    before = candle
  }
  if (end !== undefined) fillTo(end)
  return all
}
