// Pages of lists in memory.
import type { CursorPosition } from '@openvenue/store/history/account-history'
import {
  buildPage,
  comparePositions,
  exactly,
  type ListName,
  type Page,
  type PageRequest,
  planScan,
} from './page.ts'

/** All rows of a list, in ascending order. */
type MemoryList<T> = Readonly<{
  rows: readonly T[]
  cursorPosition: (row: T) => CursorPosition
}>

/** Returns a page of `list`. Throws INVALID_CURSOR for a cursor of another list. */
export function pageFromMemory<T>(
  request: PageRequest,
  name: ListName,
  { rows, cursorPosition }: MemoryList<T>,
): Page<T> {
  const { after, isAscending, limit } = planScan(request, name)
  const take = isAscending
    ? upwards(rows, cursorPosition, after)
    : downwards(rows, cursorPosition, after)
  return buildPage(request, name, { ...take(limit), cursorPosition, total: exactly(rows.length) })
}

type Take<T> = (limit: number) => Readonly<{ read: readonly T[]; hasBehind: boolean }>
type PositionOf<T> = (row: T) => CursorPosition

function upwards<T>(
  rows: readonly T[],
  cursorPosition: PositionOf<T>,
  after: CursorPosition | undefined,
): Take<T> {
  const from =
    after === undefined
      ? 0
      : firstWhere(rows, (row) => comparePositions(cursorPosition(row), after) > 0)
  return (limit) => ({ read: rows.slice(from, from + limit), hasBehind: from > 0 })
}

function downwards<T>(
  rows: readonly T[],
  cursorPosition: PositionOf<T>,
  after: CursorPosition | undefined,
): Take<T> {
  const end =
    after === undefined
      ? rows.length
      : firstWhere(rows, (row) => comparePositions(cursorPosition(row), after) >= 0)
  return (limit) => ({
    read: rows.slice(Math.max(0, end - limit), end).reverse(),
    hasBehind: end < rows.length,
  })
}

/** Returns the index of the first row for which `isThere` holds, as for all later rows. */
function firstWhere<T>(rows: readonly T[], isThere: (row: T) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isThere(rows[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}
