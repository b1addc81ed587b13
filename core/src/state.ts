// The state of the venue at one block: the newest record of every slot that can still change.
import { type AccountPositions, positionChange } from './account-positions.ts'
import { type Book, bookChange, emptyBook } from './book.ts'
import { type Change, slotKey } from './changes.ts'
import { type Deadlines, deadlineChange, dropDeadline, emptyDeadlines } from './deadlines.ts'
import type { Header } from './events.ts'
import { type Order, type Position, RECORDS, type RecordKind, type RecordOf } from './records.ts'

export type StateKind = {
  [K in RecordKind]: (typeof RECORDS)[K] extends { life: 'insert' } ? never : K
}[RecordKind]

export type Records = { readonly [K in StateKind]: Map<string, RecordOf<K>> }

export type VenueState = {
  /** The last block applied; undefined before the first. */
  head: Header | undefined
  readonly records: Records
  /** The resting orders of `records.order` by market, sorted. Maintained by `fold`. */
  readonly books: Map<string, Book>
  /** Good-til times of those orders. Maintained by `fold`. */
  readonly deadlines: Deadlines
  /** `records.position` by account. Maintained by `fold`. */
  readonly accountPositions: AccountPositions
}

const isStateKind = (kind: RecordKind): kind is StateKind => !('life' in RECORDS[kind])

/** Returns the state before the first block. */
export function emptyState(): VenueState {
  const kinds = (Object.keys(RECORDS) as RecordKind[]).filter(isStateKind)
  return {
    head: undefined,
    records: Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as unknown as Records,
    books: new Map(),
    deadlines: emptyDeadlines(),
    accountPositions: new Map(),
  }
}

/**
 * Applies `changes` to `state`; nothing else mutates it. Orders that no longer rest are removed.
 * Applying and undoing blocks, loading rows and following the feed all use it.
 */
export function fold(state: VenueState, changes: readonly Change[]): void {
  for (const change of changes) {
    const { what, key, after } = change
    if (what === 'order') {
      foldOrder(state, key, change.after)
      continue
    }
    if (!isStateKind(what)) continue
    if (what === 'position') foldPosition(state, key, change.after)
    const slots = state.records[what] as Map<string, unknown>
    if (after === undefined) slots.delete(key)
    else slots.set(key, after)
  }
}

/** Called before the record itself changes. */
function foldPosition(state: VenueState, key: string, after: Position | undefined): void {
  positionChange(state.accountPositions, state.records.position.get(key), after)
}

function foldOrder(state: VenueState, key: string, after: Order | undefined): void {
  const orders = state.records.order
  const before = orders.get(key)
  const either = after ?? before
  if (either === undefined) return
  let book = state.books.get(either.market)
  if (book === undefined) {
    book = emptyBook()
    state.books.set(either.market, book)
  }
  bookChange(book, before, after)
  if (after !== undefined) deadlineChange(state.deadlines, key, after)
  else dropDeadline(state.deadlines, key, either.goodTilSeconds)
  if (after !== undefined && after.restingLots > 0n) orders.set(key, after)
  else orders.delete(key)
}

/** Returns the change that loads a stored row into the state. */
export const loaded = <K extends RecordKind>(kind: K, record: RecordOf<K>) =>
  ({ what: kind, key: slotKey(kind, record), before: undefined, after: record }) as Change
