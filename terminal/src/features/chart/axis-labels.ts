// Writes prices on coloured grounds beside the candles, and keeps them off each other.

/** `y`: position of the price. `title`: its meaning in words; may be empty. */
export type AxisLabel = Readonly<{ y: number; text: string; title: string; color: string }>

/**
 * Returns positions of labels for prices at `ys`: at least `apart` from each other, as close to
 * their prices as possible, and none below `bottom`. Pixels.
 */
export function spread(ys: readonly number[], apart: number, bottom: number): readonly number[] {
  const order = ys.map((_, at) => at).sort((a, b) => (ys[a] ?? 0) - (ys[b] ?? 0))
  const placed = [...ys]
  let above = Number.NEGATIVE_INFINITY
  for (const at of order) {
    above = Math.max(placed[at] ?? 0, above + apart)
    placed[at] = above
  }
  let below = bottom + apart
  for (const at of order.reverse()) {
    below = Math.min(placed[at] ?? 0, below - apart)
    placed[at] = below
  }
  return placed
}
