// Pages of a list by keyset cursor: what to read for one, and what to say of it. Interface 2.9.
import { hash } from 'node:crypto'
import type { Place } from '@openvenue/store/account-history'
import { PAGE_LIMIT_DEFAULT, type Pagination } from '@openvenue/wire/pagination'
import { Refusal } from '../refusals.ts'

/** The page parameters of a request. */
export type PageRequest = Readonly<{
  limit?: number
  cursor?: string
  direction?: 'next' | 'prev'
}>

/** Which list a cursor belongs to: its name, and everything that decides its rows and their order. */
export type ListName = Readonly<{ list: string; isAscending: boolean; filter: readonly unknown[] }>

/** What to read: at most `limit` rows beyond `after`, one more than the page shows. */
export type Walk = Readonly<{ after: Place | undefined; isAscending: boolean; limit: number }>

export type Page<T> = Readonly<{ rows: readonly T[]; pagination: Pagination }>

/** Returns what to read for a page. Throws INVALID_CURSOR for a cursor of another list. */
export function walkOf(request: PageRequest, name: ListName): Walk {
  const { limit = PAGE_LIMIT_DEFAULT, cursor, direction = 'next' } = request
  return {
    after: cursor === undefined || cursor === '' ? undefined : placeOf(cursor, name),
    isAscending: direction === 'next' ? name.isAscending : !name.isAscending,
    limit: limit + 1,
  }
}

export type PageParts<T> = Readonly<{
  /** In the order of the walk. */
  read: readonly T[]
  placeOf: (row: T) => Place
  /** Rows of the whole list. */
  total: number
}>

/** Returns the page that `read` makes, in the order of the list. */
export function pageOf<T>(request: PageRequest, name: ListName, parts: PageParts<T>): Page<T> {
  const { limit = PAGE_LIMIT_DEFAULT, direction = 'next', cursor = '' } = request
  const isForward = direction === 'next'
  const hasMore = parts.read.length > limit
  const shown = parts.read.slice(0, limit)
  const rows = isForward ? shown : shown.reverse()
  const hasNext = isForward ? hasMore : cursor !== ''
  const hasPrev = isForward ? cursor !== '' : hasMore
  const cursorOf = (row: T | undefined, exists: boolean) =>
    row === undefined || !exists ? null : cursorText(parts.placeOf(row), name)
  return {
    rows,
    pagination: {
      next_cursor: cursorOf(rows.at(-1), hasNext),
      prev_cursor: cursorOf(rows[0], hasPrev),
      has_next: hasNext,
      has_prev: hasPrev,
      limit,
      total_count: parts.total,
      total_pages: Math.ceil(parts.total / limit),
    },
  }
}

const VERSION = 1

/** Names the list, so that a cursor of another list, account or filter is told apart. */
const fingerprint = ({ list, isAscending, filter }: ListName) =>
  JSON.stringify([VERSION, list, isAscending, filter])

function cursorText({ seconds, id }: Place, name: ListName): string {
  const text = JSON.stringify([seconds, id, hashOf(fingerprint(name))])
  return Buffer.from(text).toString('base64url')
}

function placeOf(cursor: string, name: ListName): Place {
  const [seconds, id, print] = partsOf(cursor)
  const isOurs = Number.isSafeInteger(seconds) && typeof id === 'string'
  if (!isOurs || print !== hashOf(fingerprint(name))) {
    const message = 'cursor is one that an answer to the same query gave'
    throw new Refusal('INVALID_CURSOR', {
      details: [{ field: 'cursor', code: 'INVALID_CURSOR', message }],
    })
  }
  return { seconds: seconds as number, id }
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    // Whatever it is, it is no cursor of ours.
    return []
  }
}

/** A cursor is told apart, not protected: a few characters do. */
const hashOf = (text: string) => hash('sha256', text, 'base64url').slice(0, HASH_LENGTH)
const HASH_LENGTH = 11
