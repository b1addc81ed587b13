// Writes a run of feed entries: their rows, the entries, undo records and the checkpoint.
import { encodeChanges } from '@openvenue/core/codec'
import type { Header } from '@openvenue/core/events'
import type { RecordKind } from '@openvenue/core/records'
import { deriveRows, type Rows, type RowsByKind } from '@openvenue/core/rows'
import type { DbSession, StatementCall, WriteStep } from '../db/db.ts'
import { makePartitions, type Partitions } from '../db/partitions.ts'
import {
  copyLine,
  copyText,
  deleteArgs,
  deleteName,
  kinds,
  partitionSeconds,
  RESTING_SECONDS,
  type RecordFields,
  TABLES,
  textArray,
  upsertArgs,
  upsertName,
} from '../db/tables.ts'
import { dayCalls } from '../history/account-days.ts'
import { countCalls } from '../history/counts.ts'
import { notificationCalls, turnCalls } from '../history/notification-statements.ts'
import { retentionCalls } from '../history/retention.ts'
import type { FeedEntry, NotificationBatch } from '../store.ts'
import { FEED_ENTRIES_MAX, headerArgs, signalCall } from './session-statements.ts'

/** Decides which undo records and headers stay: blocks were added, or all above one removed. */
type KeepRule = Readonly<BatchInput | { undoneTo: number; notifiedTo: number }>

export type BatchInput = Readonly<{
  finalizedNumber: number
  /** Notifications up to this block are written, including this batch's. */
  notifiedTo: number
  notificationBatch: NotificationBatch
  /** Numbers whose notifications are deleted unless they are of these blocks; undefined: none. */
  strays: Readonly<{ from: number; to: number }> | undefined
}>

/** Number of changes from which COPY is faster than statements. */
const COPY_CHANGES_MIN = 1000
/** Maximum changes of a final batch that the feed gets; it always gets the newest entry. */
const HISTORY_CHANGES_MAX = 1000
/** Number of new rows of a table from which COPY is used. */
const COPY_ROWS_MIN = 100

/** `isCarried`: readers get the entries as messages, and PostgreSQL need not signal them. */
type BatchTarget = Readonly<{ session: DbSession; partitions: Partitions; isCarried: boolean }>

/** Writes `entries`, at least one, in one transaction; their partitions are created before. */
export async function writeBatch(
  { session, partitions, isCarried }: BatchTarget,
  entries: readonly FeedEntry[],
  keep: KeepRule,
): Promise<void> {
  const changes = entries.flatMap((entry) => entry.changes)
  const rows = deriveRows(changes)
  await makePartitions(session, partitions, rows)
  const records = encodeRecords(entries, keep)
  const isSmall = changes.length < COPY_CHANGES_MIN && entries.length < COPY_ROWS_MIN
  const steps = isSmall
    ? [...kinds.flatMap((kind) => tableCalls(kind, rows)), ...recordCalls(records)]
    : [...kinds.flatMap((kind) => tableSteps(kind, rows)), ...recordCopies(records)]
  await session.run([
    ...steps,
    ...countCalls(changes),
    ...dayCalls(changes),
    ...retentionCalls(changes),
    ...notificationBatchCalls(entries, keep),
    ...closing(entries, keep),
    ...(isCarried ? [] : [signalCall(lastEntry(entries).seq)]),
  ])
}

function notificationBatchCalls(entries: readonly FeedEntry[], keep: KeepRule): StatementCall[] {
  if ('undoneTo' in keep) return []
  const { strays, notificationBatch, notifiedTo } = keep
  const hashes = textArray(entries.map(({ header }) => header.hash))
  return [
    ...(strays === undefined
      ? []
      : [{ name: 'drop_strays', args: [strays.from, strays.to, hashes] }]),
    ...notificationCalls(notificationBatch.notifications),
    ...turnCalls(notificationBatch.turns, notifiedTo),
  ]
}

const rowsIn = (of: RowsByKind, kind: RecordKind) => (of[kind] ?? []) as readonly RecordFields[]

const upsertCalls = (kind: RecordKind, rows: readonly RecordFields[]): StatementCall[] =>
  rows.length === 0 ? [] : [{ name: upsertName(kind), args: upsertArgs(kind, rows) }]

const deleteCalls = (kind: RecordKind, rows: readonly RecordFields[]): StatementCall[] =>
  rows.length === 0 ? [] : [{ name: deleteName(kind), args: deleteArgs(kind, rows) }]

const tableCalls = (kind: RecordKind, rows: Rows): StatementCall[] => {
  const deletes = [...rowsIn(rows.deletes, kind), ...(kind === 'order' ? movedOrders(rows) : [])]
  return [
    ...upsertCalls(kind, [...rowsIn(rows.inserts, kind), ...rowsIn(rows.upserts, kind)]),
    // A statement searches all partitions between those of its rows.
    ...deleteCalls(
      kind,
      deletes.filter((row) => !isResting(kind, row)),
    ),
    ...deleteCalls(
      kind,
      deletes.filter((row) => isResting(kind, row)),
    ),
  ]
}

/** Returns the former rows of orders whose end, or its undo, moves them to another partition. */
const movedOrders = ({ upserts, replaced }: Rows): readonly RecordFields[] =>
  rowsIn(replaced, 'order').filter((row, index) => {
    const now = rowsIn(upserts, 'order')[index] as RecordFields
    return partitionSeconds('order', row) !== partitionSeconds('order', now)
  })

const isResting = (kind: RecordKind, row: RecordFields) =>
  kind === 'order' && partitionSeconds(kind, row) === RESTING_SECONDS

function tableSteps(kind: RecordKind, rows: Rows): WriteStep[] {
  const added = rowsIn(rows.inserts, kind)
  if (added.length < COPY_ROWS_MIN) return tableCalls(kind, rows)
  const { name, stored } = TABLES[kind]
  const names = stored.map((column) => column.name)
  const lines = added.map((record) => copyLine(kind, record))
  return [...copySteps(name, names, lines), ...tableCalls(kind, { ...rows, inserts: {} })]
}

/** Writes the feed entries. */
type Records = Readonly<{
  blocks: readonly Header[]
  undo: readonly Readonly<{ number: number; text: string }>[]
  feed: readonly Readonly<{ entry: FeedEntry; text: string }>[]
}>

function encodeRecords(entries: readonly FeedEntry[], keep: KeepRule): Records {
  const texts = new Map<FeedEntry, string>()
  const encodeOnce = (entry: FeedEntry) => {
    const text = texts.get(entry) ?? encodeChanges(entry.changes)
    texts.set(entry, text)
    return text
  }
  const feed = selectFeed(entries, keep).map((entry) => ({ entry, text: encodeOnce(entry) }))
  if ('undoneTo' in keep) return { feed, blocks: [], undo: [] }
  const keptNumber = keptFrom(entries, keep.finalizedNumber)
  return {
    feed,
    blocks: entries.map(({ header }) => header).filter(({ number }) => number >= keptNumber),
    undo: entries
      .filter(({ header }) => header.number > keep.finalizedNumber)
      .map((entry) => ({ number: entry.header.number, text: encodeOnce(entry) })),
  }
}

/**
 * Returns the entries to write. During a backfill readers should use a snapshot, since following
 * each entry would be slower than the writer, so that only the last ones are kept.
 */
function selectFeed(entries: readonly FeedEntry[], keep: KeepRule): readonly FeedEntry[] {
  const isHistory =
    'finalizedNumber' in keep && lastEntry(entries).header.number <= keep.finalizedNumber
  let changes = 0
  const start = entries.findLastIndex((entry) => {
    changes += entry.changes.length
    return isHistory && changes > HISTORY_CHANGES_MAX
  })
  const first = Math.min(start + 1, entries.length - 1)
  return entries.slice(Math.max(first, entries.length - FEED_ENTRIES_MAX))
}

/** The head's header is kept even when the chain's final block is already beyond it. */
const keptFrom = (entries: readonly FeedEntry[], finalizedNumber: number) =>
  Math.min(finalizedNumber, lastEntry(entries).header.number)

const lastEntry = (entries: readonly FeedEntry[]) => entries.at(-1) as FeedEntry

const entryArgs = ({ entry, text }: Records['feed'][number]) =>
  [entry.seq, entry.kind, ...headerArgs(entry.header), text] as const

const recordCalls = ({ blocks, undo, feed }: Records): StatementCall[] => [
  ...blocks.map((header) => ({ name: 'add_block', args: headerArgs(header) })),
  ...undo.map(({ number, text }) => ({ name: 'add_undo', args: [number, text] })),
  ...feed.map((record) => ({ name: 'add_entry', args: entryArgs(record) })),
]

function recordCopies({ blocks, undo, feed }: Records): WriteStep[] {
  const header = ['number', 'hash', 'parent_hash', 'seconds']
  const blockLines = blocks.map((block) => copyRow(headerArgs(block)))
  const undoLines = undo.map(({ number, text }) => copyRow([number, text]))
  const feedLines = feed.map((record) => copyRow(entryArgs(record)))
  return [
    ...copySteps('blocks', header, blockLines),
    ...copySteps('undo', ['number', 'changes'], undoLines),
    ...copySteps('feed', ['seq', 'kind', ...header, 'changes'], feedLines),
  ]
}

const copyRow = (cells: readonly (string | number)[]) =>
  `${cells.map((cell) => copyText(String(cell))).join('\t')}\n`

/** Returns the calls that end the transaction: they delete old records and move the checkpoint. */
function closing(entries: readonly FeedEntry[], keep: KeepRule): StatementCall[] {
  const { seq, header } = lastEntry(entries)
  const drops: StatementCall[] =
    'undoneTo' in keep
      ? [{ name: 'take_back', args: [keep.undoneTo] }]
      : [
          { name: 'drop_undo', args: [keep.finalizedNumber] },
          { name: 'drop_blocks', args: [keptFrom(entries, keep.finalizedNumber)] },
        ]
  return [
    ...drops,
    { name: 'drop_entries', args: [seq - FEED_ENTRIES_MAX] },
    { name: 'move_head', args: [seq, keep.notifiedTo, ...headerArgs(header)] },
  ]
}

const copySteps = (
  table: string,
  columns: readonly string[],
  lines: readonly string[],
): WriteStep[] => (lines.length === 0 ? [] : [{ table, columns, rows: lines.join('') }])
