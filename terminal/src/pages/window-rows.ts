// Says which rows of a long table are on the screen: the others are not made.

export type Window = Readonly<{ from: number; to: number; abovePx: number; belowPx: number }>
type Scrolled = Readonly<{ scrollPx: number; heightPx: number; count: number; rowPx: number }>

/** Rows above and below the screen that are made as well: scrolling finds them there. */
const SPARE_ROWS = 8

/** Returns the rows to make, and the room that the others take. */
export function windowRows({ scrollPx, heightPx, count, rowPx }: Scrolled): Window {
  const first = Math.floor(scrollPx / rowPx) - SPARE_ROWS
  const last = Math.ceil((scrollPx + heightPx) / rowPx) + SPARE_ROWS
  const from = Math.max(0, Math.min(first, count))
  const to = Math.max(from, Math.min(last, count))
  return { from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx }
}
