// Fills gaps between candles for `fill=previous`: a flat bar for each period without trades.
import { nextPeriodOpen, periodOpen, type Resolution } from '@openvenue/core/resolutions'
import { type BarCounts, CANDLES_MAX } from '@openvenue/wire/candles'
import { type Bar, type BarsQuery, makeBar } from './candle-series.ts'

/** Periods by their open times, bounds included. `first` undefined: from the first bar on. */
type Periods = Readonly<{ first: number | undefined; last: number }>

/** Returns the periods that `query` selects, none of them after the one that holds `nowSeconds`. */
export function findPeriods(resolution: Resolution, query: BarsQuery, nowSeconds: number): Periods {
  const { fromSeconds, toSeconds = nowSeconds, countback } = query
  const last = periodOpen(resolution, Math.max(0, Math.min(toSeconds, nowSeconds)))
  if (countback !== undefined) return { first: periodsBack(resolution, last, countback), last }
  if (fromSeconds === undefined || fromSeconds <= 0) return { first: undefined, last }
  const open = periodOpen(resolution, Math.min(fromSeconds, nowSeconds + 1))
  return { first: open < fromSeconds ? nextPeriodOpen(resolution, open) : open, last }
}

/** Returns the open time of the first of `count` periods that end with the one at `last`. */
function periodsBack(resolution: Resolution, last: number, count: number): number {
  let open = last
  for (let left = Math.min(count, CANDLES_MAX) - 1; left > 0 && open > 0; left--)
    open = periodOpen(resolution, open - 1)
  return open
}

/**
 * Returns a bar for each of `periods`, at most 5000, the oldest: that of `bars` if it has trades,
 * else a flat one at the previous close. `carry` is the newest bar before the first period; without
 * it the result begins with the first bar.
 */
export function filled<T>(
  bars: readonly Bar<T>[],
  carry: Bar<T> | undefined,
  periods: Periods,
): readonly Bar<T>[] {
  const first = carry ?? bars[0]
  if (first === undefined) return []
  const resolution = first.candle.resolution as Resolution
  let open =
    carry === undefined || periods.first === undefined ? first.candle.openSeconds : periods.first
  let before = first
  let next = 0
  const all: Bar<T>[] = []
  while (open <= periods.last && all.length < CANDLES_MAX) {
    const bar = bars[next]
    if (bar?.candle.openSeconds === open) {
      before = bar
      next += 1
      all.push(bar)
    } else all.push(makeBar(flat(before.candle, open)))
    open = nextPeriodOpen(resolution, open)
  }
  return all
}

const flat = ({ resolution, close }: BarCounts, openSeconds: number): BarCounts => ({
  resolution,
  openSeconds,
  open: close,
  high: close,
  low: close,
  close,
  volume: 0n,
  quoteUnits: 0n,
  takerBuyVolume: 0n,
  trades: 0,
})
