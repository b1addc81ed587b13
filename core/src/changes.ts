// One list of before and after pairs per block. Database rows, published deltas and the undo of a
// reorg all derive from it, so they cannot disagree.
import type { Header } from './events.ts'
import { RECORDS, type RecordKind, type RecordOf } from './records.ts'

/** A record before and after a block. `key` identifies its slot in the state. */
export type ChangeOf<K extends RecordKind> = Readonly<{
  what: K
  key: string
  before: RecordOf<K> | undefined
  after: RecordOf<K> | undefined
}>

export type Change = { [K in RecordKind]: ChangeOf<K> }[RecordKind]

/** All changes of a block: at most one per slot, with the first `before` and the last `after`. */
export type BlockChanges = Readonly<{ header: Header; changes: readonly Change[] }>

/** Returns the key of the slot that holds `record` in the state. */
export function slotKey<K extends RecordKind>(kind: K, record: RecordOf<K>): string {
  const { slot, key } = RECORDS[kind] as { slot?: readonly string[]; key: readonly string[] }
  const fields = record as Record<string, unknown>
  return (slot ?? key).map((field) => String(fields[field])).join('|')
}

/** Returns the changes that undo `changes`, last first. */
export const invertChanges = (changes: readonly Change[]): Change[] =>
  changes
    .map(({ what, key, before, after }) => ({ what, key, before: after, after: before }) as Change)
    .reverse()
