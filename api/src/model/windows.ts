// Moves the windows of history that a node keeps in memory by the same changes as the state.

/** A row of a series whose newest row may still change. */
type Dated = { readonly openSeconds: number }

/** Returns the rows of `key`, which are none at first. */
export function rowsAt<T>(windows: Map<string, T[]>, key: string): T[] {
  const found = windows.get(key)
  if (found !== undefined) return found
  const made: T[] = []
  windows.set(key, made)
  return made
}

/**
 * Moves a window (oldest first) to the slot's new record. Going back undoes a block: what is newer
 * than `after` leaves.
 */
export function moveWindow<T extends Dated>(rows: T[], after: T | undefined, max: number): void {
  if (after === undefined) {
    rows.length = 0
    return
  }
  while (rows.length > 0 && (rows.at(-1) as T).openSeconds >= after.openSeconds) rows.pop()
  rows.push(after)
  // In batches, so that the array is seldom copied.
  if (rows.length >= max * 2) rows.splice(0, rows.length - max)
}

/**
 * Adds an inserted row (oldest first), or takes an undone one away. Returns whether the oldest rows
 * were let go.
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
