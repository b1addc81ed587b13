// Finds the first rows from a time on in lists of which the venue gives the newest of a range.

/** Bounds of a search, all in milliseconds and inclusive. */
export type RowSearch = Readonly<{
  sinceMs: number
  untilMs: number
  /** Rows that are wanted. */
  limit: number
  /** Time between two rows at least. */
  periodMs: number
  /** Rows that one answer has at most. */
  most: number
}>

/**
 * Returns the first `limit` rows from `sinceMs` on, however long there is none. `read` returns the
 * newest `most` rows of a range, oldest first. Without gaps that is one request; what lies far
 * behind a gap takes one for each doubling of it.
 */
export async function firstRows<Row>(
  read: (fromMs: number, toMs: number) => Promise<readonly Row[]>,
  { sinceMs, untilMs, limit, periodMs, most }: RowSearch,
): Promise<Row[]> {
  const rows: Row[] = []
  // So narrow that its rows never exceed an answer.
  const least = limit * periodMs
  let [from, width] = [sinceMs, least]
  while (from <= untilMs && rows.length < limit) {
    const to = Math.min(from + width - 1, untilMs)
    const found = await read(from, to)
    if (found.length >= most && width > least) {
      width = Math.max(least, Math.floor(width / 2))
      continue
    }
    rows.push(...found)
    from = to + 1
    width = found.length === 0 ? width * 2 : least
  }
  return rows.slice(0, limit)
}
