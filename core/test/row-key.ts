// Identifies the row of a record by its primary key, for tests that keep tables in maps.
import { RECORDS, type RecordKind, type RecordOf } from '../src/records.ts'

/** Returns the primary key of the row of `record` as text. */
export function rowKey<K extends RecordKind>(kind: K, record: RecordOf<K>): string {
  const fields = record as Record<string, unknown>
  return RECORDS[kind].key.map((field) => String(fields[field])).join('|')
}
