// Finds the first rows from a time on in lists that return the newest rows of a range.

/** Bounds of a search, in milliseconds and inclusive. */
type RowSearch = Readonly<{
  sinceMs: number
  untilMs: number
  /** Number of rows to find. */
  limit: number
  /** Minimum time between two rows. */
  periodMs: number
  /** Maximum number of rows per answer. */
  most: number
}>

/**
 * Returns the first `limit` rows from `sinceMs` on, across any gap. `read` returns the newest
 * `most` rows of a range, oldest first. Without gaps this takes one request; a gap takes one more
 * for each doubling of its length.
 */
export async function firstRows<Row>(
  read: (fromMs: number, toMs: number) => Promise<readonly Row[]>,
  { sinceMs, untilMs, limit, periodMs, most }: RowSearch,
): Promise<Row[]> {
  const rows: Row[] = []
  // Narrow enough that its rows always fit in one answer.
  const least = limit * periodMs
  let [from, width] = [sinceMs, least]
  while (from <= untilMs && rows.length < limit) {
    const to = Math.min(from + width - 1, untilMs)
    const page = await read(from, to)
    if (page.length >= most && width > least) {
      width = Math.max(least, Math.floor(width / 2))
      continue
    }
    rows.push(...page)
    from = to + 1
    width = page.length === 0 ? width * 2 : least
  }
  return rows.slice(0, limit)
}
