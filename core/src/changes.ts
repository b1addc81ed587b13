// One list of before and after pairs per block: rows to store, deltas to publish and the undo of a
// reorg all derive from it, so no two of them can disagree.
import type { Header } from './events.ts'
import { RECORDS, type RecordKind, type RecordOf } from './records.ts'

/** One record before and after. `key` names the slot in the state. */
export type ChangeOf<K extends RecordKind> = Readonly<{
  what: K
  key: string
  before: RecordOf<K> | undefined
  after: RecordOf<K> | undefined
}>

export type Change = { [K in RecordKind]: ChangeOf<K> }[RecordKind]

/** Everything a block did: at most one change per slot, first `before` and last `after`. */
export type BlockChanges = Readonly<{ header: Header; changes: readonly Change[] }>

/** Returns the key of the slot that holds `record` in the state. */
export function slotKey<K extends RecordKind>(what: K, record: RecordOf<K>): string {
  const { slot, key } = RECORDS[what] as { slot?: readonly string[]; key: readonly string[] }
  const fields = record as Record<string, unknown>
  return (slot ?? key).map((field) => String(fields[field])).join('|')
}

/** Returns the changes that put everything back, last first. */
export const invertChanges = (changes: readonly Change[]): Change[] =>
  changes
    .map(({ what, key, before, after }) => ({ what, key, before: after, after: before }) as Change)
    .reverse()
