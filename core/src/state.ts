// The venue at one block: the newest record of every slot that can still change.
import { type Change, slotOf } from './changes.ts'
import type { Header } from './events.ts'
import { RECORDS, type RecordKind, type RecordOf } from './records.ts'

export type StateKind = {
  [K in RecordKind]: (typeof RECORDS)[K] extends { life: 'insert' } ? never : K
}[RecordKind]

export type Records = { readonly [K in StateKind]: Map<string, RecordOf<K>> }

export type VenueState = {
  /** The last block applied; undefined before the first. */
  head: Header | undefined
  readonly records: Records
}

const isStateKind = (kind: RecordKind): kind is StateKind => !('life' in RECORDS[kind])

/** Returns the state before the first block. */
export function emptyState(): VenueState {
  const kinds = (Object.keys(RECORDS) as RecordKind[]).filter(isStateKind)
  return {
    head: undefined,
    records: Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as unknown as Records,
  }
}

/**
 * Puts what `changes` say into `state`: the only mutation of it. Orders that no longer rest leave.
 * Applying, undoing, loading rows and following the feed all go through here.
 */
export function fold(state: VenueState, changes: readonly Change[]): void {
  for (const { what, key, after } of changes) {
    if (!isStateKind(what)) continue
    const slots = state.records[what] as Map<string, unknown>
    if (after === undefined || !isKept(what, after)) slots.delete(key)
    else slots.set(key, after)
  }
}

const isKept = (what: RecordKind, record: object) =>
  what !== 'order' || (record as RecordOf<'order'>).restingLots > 0n

/** Returns the change that puts a stored row into the state. */
export const loaded = <K extends RecordKind>(what: K, record: RecordOf<K>) =>
  ({ what, key: slotOf(what, record), before: undefined, after: record }) as Change
