// Derives database rows from changes.

import type { Change } from './changes.ts'
import type { Seconds } from './record-schema.ts'
import { RECORDS, type RecordKind, type RecordOf } from './records.ts'

/** Records by kind; a kind without any is absent. */
export type RowsByKind = { readonly [K in RecordKind]?: RecordOf<K>[] }

export type Rows = Readonly<{
  /** Rows not yet in the table. */
  inserts: RowsByKind
  /** Rows to overwrite, or to insert when a period begins, with their final values. */
  upserts: RowsByKind
  /** Rows to delete, with the values in the table. */
  deletes: RowsByKind
  /** The values in the table of rows to overwrite, in the order of `upserts`; none of a series. */
  replaced: RowsByKind
}>

/** Candles and minutes, whose slot holds the newest period of a series. */
type Period = Readonly<{ openSeconds: Seconds }>

/** `isNew`: the row was created by these changes. `stored`: its values before them. */
type RowFate = {
  record: object
  isGone: boolean
  readonly isNew: boolean
  readonly stored: object | undefined
}
type Fates = Map<RecordKind, Map<string, RowFate>>

/**
 * Returns the row operations of `changes`, which may cover several consecutive blocks, applied or
 * undone: each primary key appears once, with its final outcome.
 */
export function deriveRows(changes: readonly Change[]): Rows {
  const fates: Fates = new Map()
  for (const change of changes)
    if ('slot' in RECORDS[change.what]) putPeriod(fates, change)
    else putRow(fates, change)
  return grouped(fates)
}

/**
 * An empty slot had no row: the state drops a record together with its row, and an order that left
 * the state never returns as a new one.
 */
function putRow(fates: Fates, { what, key, before, after }: Change): void {
  const record = after ?? before
  if (record === undefined) return
  const isGone = after === undefined
  put(fates, { what, key }, { record, isGone, isNew: before === undefined, stored: before })
}

/** A slot that moves to an earlier period is being undone: delete the row of the later period. */
function putPeriod(fates: Fates, { what, key, before, after }: Change): void {
  const was = before as Period | undefined
  const is = after as Period | undefined
  const row = (period: Period, isGone: boolean) =>
    put(
      fates,
      { what, key: `${key}|${period.openSeconds}` },
      { record: period, isGone, isNew: false, stored: undefined },
    )
  if (was !== undefined && (is === undefined || was.openSeconds > is.openSeconds)) row(was, true)
  if (is !== undefined) row(is, false)
}

type RecordKey = Readonly<{ what: RecordKind; key: string }>

function put(fates: Fates, { what: kind, key }: RecordKey, row: RowFate): void {
  let ofKind = fates.get(kind)
  if (ofKind === undefined) {
    ofKind = new Map()
    fates.set(kind, ofKind)
  }
  const existing = ofKind.get(key)
  if (existing === undefined) ofKind.set(key, row)
  else {
    existing.record = row.record
    existing.isGone = row.isGone
  }
}

type Lists = Record<string, object[]>

function grouped(fates: Fates): Rows {
  const lists = { inserts: {}, upserts: {}, deletes: {}, replaced: {} }
  for (const [what, ofKind] of fates) for (const fate of ofKind.values()) place(lists, what, fate)
  return lists
}

function place(lists: Record<keyof Rows, Lists>, kind: RecordKind, fate: RowFate): void {
  const { record, isGone, isNew, stored } = fate
  if (isGone) {
    // A row created and deleted within these changes needs no operation.
    if (!isNew) add(lists.deletes, kind, stored ?? record)
    return
  }
  add(isNew ? lists.inserts : lists.upserts, kind, record)
  if (stored !== undefined) add(lists.replaced, kind, stored)
}

function add(lists: Lists, kind: RecordKind, record: object): void {
  const list = lists[kind]
  if (list === undefined) lists[kind] = [record]
  else list.push(record)
}
