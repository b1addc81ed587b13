// Derives the rows to write to the database from changes.

import type { Change } from './changes.ts'
import type { Seconds } from './record-schema.ts'
import { RECORDS, type RecordKind, type RecordOf } from './records.ts'

/** Records by kind; a kind without any is absent. */
export type RowsByKind = { readonly [K in RecordKind]?: RecordOf<K>[] }

export type Rows = Readonly<{
  /** Rows that no table holds yet. */
  inserts: RowsByKind
  /** Rows to overwrite, or to insert where a period begins, as they shall be. */
  upserts: RowsByKind
  /** Rows to delete, as they were; only the primary key matters. */
  deletes: RowsByKind
}>

/** Candles and minutes: their slot holds the newest period of a series. */
type Period = Readonly<{ openSeconds: Seconds }>

/** `isNew`: the first change of the row put it there. */
type RowFate = { record: object; isGone: boolean; readonly isNew: boolean }
type Fates = Map<RecordKind, Map<string, RowFate>>

/**
 * Returns the rows that `changes` leave behind. They may be those of several blocks in a row, added
 * or undone: each primary key comes once, with its last fate.
 */
export function deriveRows(changes: readonly Change[]): Rows {
  const fates: Fates = new Map()
  for (const change of changes)
    if ('slot' in RECORDS[change.what]) putPeriod(fates, change)
    else putRow(fates, change)
  return grouped(fates)
}

/**
 * A slot that was empty had no row: the state drops a record with its row, and an order that left
 * the state for good never comes back as a new one.
 */
function putRow(fates: Fates, { what, key, before, after }: Change): void {
  const record = after ?? before
  if (record === undefined) return
  const isGone = after === undefined
  put(fates, { what, key }, { record, isGone, isNew: before === undefined })
}

/** A slot that moves back is being undone: the row of its later period goes. */
function putPeriod(fates: Fates, { what, key, before, after }: Change): void {
  const was = before as Period | undefined
  const is = after as Period | undefined
  const row = (period: Period, isGone: boolean) =>
    put(
      fates,
      { what, key: `${key}|${period.openSeconds}` },
      { record: period, isGone, isNew: false },
    )
  if (was !== undefined && (is === undefined || was.openSeconds > is.openSeconds)) row(was, true)
  if (is !== undefined) row(is, false)
}

type At = Readonly<{ what: RecordKind; key: string }>

function put(fates: Fates, { what, key }: At, row: RowFate): void {
  let ofKind = fates.get(what)
  if (ofKind === undefined) {
    ofKind = new Map()
    fates.set(what, ofKind)
  }
  const known = ofKind.get(key)
  if (known === undefined) ofKind.set(key, row)
  else {
    known.record = row.record
    known.isGone = row.isGone
  }
}

type Lists = Record<string, object[]>

function grouped(fates: Fates): Rows {
  const inserts: Lists = {}
  const upserts: Lists = {}
  const deletes: Lists = {}
  for (const [what, ofKind] of fates)
    for (const { record, isGone, isNew } of ofKind.values()) {
      // A row that came and went within these changes was never there.
      if (!isGone) add(isNew ? inserts : upserts, what, record)
      else if (!isNew) add(deletes, what, record)
    }
  return { inserts, upserts, deletes } as Rows
}

function add(lists: Lists, what: RecordKind, record: object): void {
  const list = lists[what]
  if (list === undefined) lists[what] = [record]
  else list.push(record)
}
