// Positions of candles: all at the same distance, however long the time without trades between
// them.

/**
 * `barPx`: distance between candles. `right`: index at the right edge, a fraction between two
 * candles, possibly beyond the newest.
 */
export type TimeScale = Readonly<{ barPx: number; right: number; widthPx: number }>

export const BAR_PX = 7
export const BAR_PX_MIN = 1
export const BAR_PX_MAX = 80
/** So much is free behind the newest candle. Candles. */
export const RIGHT_GAP = 6
/** Minimum number of visible candles. */
const SEEN_MIN = 3

/** Returns where the middle of a candle is, in pixels from the left. */
export const xOf = ({ barPx, right, widthPx }: TimeScale, index: number): number =>
  widthPx - (right - index) * barPx

/** Returns the index at a pixel, as a fraction. */
export const indexAt = ({ barPx, right, widthPx }: TimeScale, x: number): number =>
  right - (widthPx - x) / barPx

/** Shows the newest of `count` candles. */
export const toNewest = (scale: TimeScale, count: number): TimeScale => ({
  ...scale,
  right: count - 1 + RIGHT_GAP,
})

/** Moves the candles to the right by a number of pixels. */
export const moved = (scale: TimeScale, byPx: number, count: number): TimeScale =>
  within({ ...scale, right: scale.right - byPx / scale.barPx }, count)

/** Multiplies the distances; the candle at `x` stays in place. */
export function zoomed(scale: TimeScale, at: Readonly<{ x: number; by: number }>, count: number) {
  const barPx = Math.min(Math.max(scale.barPx * at.by, BAR_PX_MIN), BAR_PX_MAX)
  const right = indexAt(scale, at.x) + (scale.widthPx - at.x) / barPx
  return within({ ...scale, barPx, right }, count)
}

/** Returns the first candle in sight, and the one behind the last. */
export function inSight(scale: TimeScale, count: number): readonly [number, number] {
  const first = Math.max(0, Math.floor(indexAt(scale, 0)))
  return [first, Math.max(first, Math.min(count, Math.ceil(scale.right) + 1))]
}

function within(scale: TimeScale, count: number): TimeScale {
  const seen = Math.min(SEEN_MIN, count)
  const most = count - 1 - seen + scale.widthPx / scale.barPx
  return { ...scale, right: Math.min(Math.max(scale.right, seen - 1), most) }
}
