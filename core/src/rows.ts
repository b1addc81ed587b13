// What to write to the database, derived from changes.
import type { Change } from './changes.ts'
import { RECORDS, type RecordKind, type RecordOf } from './records.ts'

/** Records by kind; a kind without any is absent. */
export type RowsByKind = { readonly [K in RecordKind]?: RecordOf<K>[] }

export type Rows = Readonly<{
  /** Rows to insert or overwrite, as they shall be. */
  upserts: RowsByKind
  /** Rows to delete, as they were; only the primary key matters. */
  deletes: RowsByKind
}>

/** Candles and minutes: their slot holds the newest period of a series. */
type Period = Readonly<{ openSeconds: number }>

type Row = Readonly<{ record: object; isGone: boolean }>
type Fates = Map<RecordKind, Map<string, Row>>

/**
 * Returns the rows that `changes` leave behind. They may be those of several blocks in a row: each
 * primary key comes once, with its last fate.
 */
export function rowsOf(changes: readonly Change[]): Rows {
  const fates: Fates = new Map()
  for (const change of changes)
    if ('slot' in RECORDS[change.what]) putPeriod(fates, change)
    else putRow(fates, change)
  return grouped(fates)
}

function putRow(fates: Fates, { what, key, before, after }: Change): void {
  if (after !== undefined) put(fates, what, key, { record: after, isGone: false })
  else if (before !== undefined) put(fates, what, key, { record: before, isGone: true })
}

/** A slot that moves back is being undone: the row of its later period goes. */
function putPeriod(fates: Fates, { what, key, before, after }: Change): void {
  const was = before as Period | undefined
  const is = after as Period | undefined
  if (was !== undefined && (is === undefined || was.openSeconds > is.openSeconds))
    put(fates, what, `${key}|${was.openSeconds}`, { record: was, isGone: true })
  if (is !== undefined) put(fates, what, `${key}|${is.openSeconds}`, { record: is, isGone: false })
}

function put(fates: Fates, what: RecordKind, key: string, row: Row): void {
  const ofKind = fates.get(what)
  if (ofKind === undefined) fates.set(what, new Map([[key, row]]))
  else ofKind.set(key, row)
}

function grouped(fates: Fates): Rows {
  const upserts: Record<string, object[]> = {}
  const deletes: Record<string, object[]> = {}
  for (const [what, ofKind] of fates)
    for (const { record, isGone } of ofKind.values()) {
      const target = isGone ? deletes : upserts
      const list = target[what]
      if (list === undefined) target[what] = [record]
      else list.push(record)
    }
  return { upserts, deletes } as Rows
}
