// Moves the windows of history in memory by the same changes as the state.

/** A row of a series whose newest row may still change. */
type SeriesRow = { readonly openSeconds: number }

/** Returns the rows of `key`, empty at first. */
export function rowsAt<T>(windows: Map<string, T[]>, key: string): T[] {
  const existing = windows.get(key)
  if (existing !== undefined) return existing
  const made: T[] = []
  windows.set(key, made)
  return made
}

/**
 * Moves a window (oldest first) to the slot's new record. When a block is undone, rows newer than
 * `after` are removed.
 */
export function moveWindow<T extends SeriesRow>(
  rows: T[],
  after: T | undefined,
  max: number,
): void {
  if (after === undefined) {
    rows.length = 0
    return
  }
  while (rows.length > 0 && (rows.at(-1) as T).openSeconds >= after.openSeconds) rows.pop()
  rows.push(after)
  // In batches, so that the array is rarely copied.
  if (rows.length >= max * 2) rows.splice(0, rows.length - max)
}

/**
 * Adds an inserted row (oldest first), or removes an undone one. Returns whether the oldest rows
 * were dropped.
 */
export function moveLog<T>(
  rows: T[],
  { before, after }: Readonly<{ before: T | undefined; after: T | undefined }>,
  { max, isSame }: Readonly<{ max: number; isSame: (a: T, b: T) => boolean }>,
): boolean {
  if (after !== undefined) rows.push(after)
  else if (before !== undefined) {
    const index = rows.findLastIndex((row) => isSame(row, before))
    if (index >= 0) rows.splice(index, 1)
  }
  if (rows.length < max * 2) return false
  rows.splice(0, rows.length - max)
  return true
}
