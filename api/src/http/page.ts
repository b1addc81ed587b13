// Pages of a list by keyset cursor: the rows to read, and the links to return. Interface 2.9.
//
// A page is read in the requested direction, from the position of a row that an earlier page
// showed: rows that come or go elsewhere do not move it. The row itself may be gone.
import type { CursorPosition, RowCount } from '@openvenue/store/history/account-history'
import { PAGE_LIMIT_DEFAULT, type Pagination } from '@openvenue/wire/pagination'
import { cursorParts, encodeCursor, invalidCursor, listPrint } from './cursor.ts'

/** The page parameters of a request. */
export type PageRequest = Readonly<{
  limit?: number
  cursor?: string
  direction?: 'next' | 'prev'
}>

/**
 * The list that a cursor belongs to: its name, and everything that decides its rows and their
 * order, which are the account and the filters as requested.
 */
export type ListName = Readonly<{ list: string; isAscending: boolean; filter: readonly unknown[] }>

/** The rows to read: at most `limit` beyond `after`, one more than the page shows. */
export type Scan = Readonly<{
  after: CursorPosition | undefined
  isAscending: boolean
  limit: number
}>

/**
 * `isBehindAsked`: whether a row precedes the first one must be read with the rows; `isCountAsked`:
 * also the number of rows of the whole list.
 */
export type PageScan = Scan & Readonly<{ isBehindAsked: boolean; isCountAsked?: boolean }>

/** In the order of the scan. `hasBehind` and `total` are present if requested. */
type PageRead<T> = Readonly<{
  rows: readonly T[]
  hasBehind?: boolean
  total?: RowCount
}>

export type Page<T> = Readonly<{ rows: readonly T[]; pagination: Pagination }>

/** Returns the scan of a page. Throws INVALID_CURSOR for a cursor of another list. */
export function planScan(request: PageRequest, name: ListName): Scan {
  const { limit = PAGE_LIMIT_DEFAULT, cursor = '', direction = 'next' } = request
  return {
    after: cursor === '' ? undefined : decodePosition(cursor, name),
    isAscending: direction === 'next' ? name.isAscending : !name.isAscending,
    limit: limit + 1,
  }
}

type ScanResult<T> = Readonly<{
  /** In the order of the scan. */
  read: readonly T[]
  cursorPosition: (row: T) => CursorPosition
  /** Rows of the whole list. */
  total: RowCount
  /** True when a row precedes the first one read, in the order of the scan. */
  hasBehind: boolean
}>

/** Returns the page of the rows `read`, in the order of the list. */
export function buildPage<T>(request: PageRequest, name: ListName, parts: ScanResult<T>): Page<T> {
  const { limit = PAGE_LIMIT_DEFAULT, direction = 'next' } = request
  const { read, cursorPosition, total, hasBehind } = parts
  const isForward = direction === 'next'
  const hasAhead = read.length > limit
  const shown = read.slice(0, limit)
  const rows = isForward ? shown : shown.reverse()
  const [hasPrev, hasNext] = isForward ? [hasBehind, hasAhead] : [hasAhead, hasBehind]
  const makeCursor = (row: T | undefined) =>
    cursorText(row === undefined ? EDGE : cursorPosition(row), name)
  return {
    rows,
    pagination: {
      next_cursor: hasNext ? makeCursor(rows.at(-1)) : null,
      prev_cursor: hasPrev ? makeCursor(rows[0]) : null,
      has_next: hasNext,
      has_prev: hasPrev,
      limit,
      total_count: total.rows,
      total_pages: Math.ceil(total.rows / limit),
      ...(total.isExact ? {} : { total_is_exact: false as const }),
    },
  }
}

/** A list that is read page by page. */
type PagedList<T> = Readonly<{
  name: ListName
  read: (scan: PageScan) => Promise<PageRead<T>>
  cursorPosition: (row: T) => CursorPosition
  /** Undefined: the list may have changed since its rows were read. */
  count: () => Promise<RowCount | undefined>
  /** Returns whether a row of that time, once seen, stays. */
  isFinal: (seconds: number) => boolean
}>

/** Reads a page. Throws INVALID_CURSOR for a cursor of another list. */
export async function readPage<T>(request: PageRequest, list: PagedList<T>): Promise<Page<T>> {
  const { name, cursorPosition } = list
  const scan = planScan(request, name)
  const { after } = scan
  const isBehindAsked = after !== undefined && !list.isFinal(after.seconds)
  const first = await list.read({ ...scan, isBehindAsked })
  const isWhole = after === undefined && first.rows.length < scan.limit
  const total = isWhole ? exactly(first.rows.length) : await list.count()
  const rowsRead =
    total === undefined
      ? await list.read({ ...scan, isBehindAsked, isCountAsked: true })
      : { ...first, total }
  const { rows: read, total: counted = exactly(read.length) } = rowsRead
  const hasBehind = rowsRead.hasBehind ?? (await hasFinalBehind(scan, read, list))
  return buildPage(request, name, { read, cursorPosition, total: counted, hasBehind })
}

/** Returns the count of a list that is completely known. */
export const exactly = (rows: number): RowCount => ({ rows, isExact: true })

/** The row of the cursor precedes its page, unless the page is empty. */
async function hasFinalBehind<T>(
  { after, isAscending }: Scan,
  items: readonly T[],
  { read }: PagedList<T>,
): Promise<boolean> {
  if (after === undefined) return false
  if (items.length > 0) return true
  // Nothing is beyond the position of an empty page, so any row of the list precedes it.
  const scan = { after: undefined, isAscending: !isAscending, limit: 1, isBehindAsked: false }
  return (await read(scan)).rows.length > 0
}

/** Returns the `read` of a list that is read row by row; preceding rows are read afterwards. */
export const inTwoReads =
  <T>(read: (scan: Scan) => Promise<readonly T[]>, cursorPosition: (row: T) => CursorPosition) =>
  async ({ isBehindAsked, ...scan }: PageScan): Promise<PageRead<T>> => {
    const rows = await read(scan)
    if (!isBehindAsked) return { rows }
    const [first] = rows
    const after = first === undefined ? undefined : cursorPosition(first)
    const behind = await read({ after, isAscending: !scan.isAscending, limit: 1 })
    return { rows, hasBehind: behind.length > 0 }
  }

/** Returns a negative number when `one` precedes `other`, a positive one when it follows. */
export function comparePositions(one: CursorPosition, other: CursorPosition): number {
  if (one.seconds !== other.seconds) return one.seconds - other.seconds
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0
}

const VERSION = 1

/** The cursor of an empty page: it leads to the last page in that direction. */
const EDGE = 'edge'

const prints = new WeakMap<ListName, string>()

/** Returns the hash of the list, which distinguishes cursors of lists, accounts and filters. */
function cachedPrint(name: ListName): string {
  const cached = prints.get(name)
  if (cached !== undefined) return cached
  const print = listPrint([VERSION, name.list, name.isAscending, name.filter])
  prints.set(name, print)
  return print
}

function cursorText(position: CursorPosition | typeof EDGE, name: ListName): string {
  return encodeCursor([
    cachedPrint(name),
    ...(position === EDGE ? [] : [position.seconds, position.id]),
  ])
}

/** Returns the position in a cursor; undefined for the edge of the list. */
function decodePosition(cursor: string, name: ListName): CursorPosition | undefined {
  const [print, seconds, id, ...rest] = cursorParts(cursor)
  if (print !== cachedPrint(name) || rest.length > 0) throw invalidCursor()
  if (seconds === undefined) return undefined
  if (!Number.isSafeInteger(seconds) || typeof id !== 'string' || !POSITION_ID.test(id))
    throw invalidCursor()
  return { seconds: seconds as number, id }
}

/** The form of a row's id; anything else would reach the database. */
const POSITION_ID = /^[\w|-]{1,150}$/
