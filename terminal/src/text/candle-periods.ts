// Periods of candles in UTC, by resolutions as the interface spells them.

const MINUTE = 60
const DAY = 86_400
const MS_PER_SECOND = 1_000
/** Weeks start on Monday; day 0 was a Thursday. */
const WEEK_SHIFT = 3 * DAY
const DAYS: Readonly<Record<string, number>> = { '1D': 1, '3D': 3, '1W': 7, '1M': 31 }

/** Returns when the candle of a time opens. Unix seconds. */
export function openOf(resolution: string, seconds: number): number {
  if (resolution === '1M') {
    const date = new Date(seconds * MS_PER_SECOND)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / MS_PER_SECOND
  }
  const length = lengthOf(resolution)
  const shift = resolution === '1W' ? WEEK_SHIFT : 0
  return Math.floor((seconds + shift) / length) * length - shift
}

/** Returns when the candle after the one that opens at `open` does. Unix seconds. */
export function nextOpen(resolution: string, open: number): number {
  // Longer than any month, and shorter than two.
  return resolution === '1M' ? openOf(resolution, open + 32 * DAY) : open + lengthOf(resolution)
}

/** Returns the length of a candle; of a month, the longest. Seconds. */
export const lengthOf = (resolution: string): number =>
  (DAYS[resolution] ?? 0) * DAY || Number(resolution) * MINUTE
