// Writes a run of feed entries: their rows, the entries themselves, undo records, the checkpoint.
import { encodeChanges } from '@openvenue/core/codec'
import type { Header } from '@openvenue/core/events'
import type { RecordKind } from '@openvenue/core/records'
import { deriveRows, type Rows, type RowsByKind } from '@openvenue/core/rows'
import { dayCalls } from './account-days.ts'
import type { Session, StatementCall, Step } from './db.ts'
import { countCalls } from './history-counts.ts'
import { notificationCalls, turnCalls } from './notification-statements.ts'
import { makePartitions, type Partitions } from './partitions.ts'
import { retentionCalls } from './retention.ts'
import { FEED_ENTRIES_MAX, headerArgs, SIGNAL } from './session-statements.ts'
import type { FeedEntry, NotificationBatch } from './store.ts'
import {
  copyLine,
  copyText,
  deleteArgs,
  deleteName,
  type Fields,
  kinds,
  TABLES,
  textArray,
  upsertArgs,
  upsertName,
} from './tables.ts'

/** The fate of undo records and headers: blocks were added, or everything above one went. */
export type Keep = Readonly<Added | { undoneTo: number; notifiedTo: number }>

export type Added = Readonly<{
  finalizedNumber: number
  /** Notifications up to this block are written, with this batch. */
  notifiedTo: number
  notificationBatch: NotificationBatch
  /** Numbers whose notifications go unless they are of these blocks; undefined: there are none. */
  strays: Readonly<{ from: number; to: number }> | undefined
}>

/** From so many changes on, COPY beats statements. */
const COPY_CHANGES_MIN = 1000
/**
 * Changes of final blocks, come in one batch, that the feed gets; the newest entry it always gets.
 */
const HISTORY_CHANGES_MAX = 1000
/** From so many new rows of a table on. */
const COPY_ROWS_MIN = 100

/** Writes `entries`, at least one, in one transaction; partitions they need are made before. */
export async function writeBatch(
  { session, partitions }: Readonly<{ session: Session; partitions: Partitions }>,
  entries: readonly FeedEntry[],
  keep: Keep,
): Promise<void> {
  const changes = entries.flatMap((entry) => entry.changes)
  const rows = deriveRows(changes)
  await makePartitions(session, partitions, rows.inserts)
  const records = encodeRecords(entries, keep)
  const isSmall = changes.length < COPY_CHANGES_MIN && entries.length < COPY_ROWS_MIN
  const steps = isSmall
    ? [...kinds.flatMap((what) => tableCalls(what, rows)), ...recordCalls(records)]
    : [...kinds.flatMap((what) => tableSteps(what, rows)), ...recordCopies(records)]
  await session.run([
    ...steps,
    ...countCalls(changes),
    ...dayCalls(changes),
    ...retentionCalls(changes),
    ...notificationBatchCalls(entries, keep),
    ...closing(entries, keep),
  ])
}

function notificationBatchCalls(entries: readonly FeedEntry[], keep: Keep): StatementCall[] {
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

const rowsIn = (of: RowsByKind, what: RecordKind) => (of[what] ?? []) as readonly Fields[]

const upsertCalls = (what: RecordKind, rows: readonly Fields[]): StatementCall[] =>
  rows.length === 0 ? [] : [{ name: upsertName(what), args: upsertArgs(what, rows) }]

const deleteCalls = (what: RecordKind, rows: readonly Fields[]): StatementCall[] =>
  rows.length === 0 ? [] : [{ name: deleteName(what), args: deleteArgs(what, rows) }]

const tableCalls = (what: RecordKind, { inserts, upserts, deletes }: Rows): StatementCall[] => [
  ...upsertCalls(what, [...rowsIn(inserts, what), ...rowsIn(upserts, what)]),
  ...deleteCalls(what, rowsIn(deletes, what)),
]

function tableSteps(what: RecordKind, rows: Rows): Step[] {
  const added = rowsIn(rows.inserts, what)
  if (added.length < COPY_ROWS_MIN) return tableCalls(what, rows)
  const { name, columns } = TABLES[what]
  const names = columns.map((column) => column.name)
  const lines = added.map((record) => copyLine(what, record))
  return [...copySteps(name, names, lines), ...tableCalls(what, { ...rows, inserts: {} })]
}

/** Keeps the entries themselves. */
type Records = Readonly<{
  blocks: readonly Header[]
  undo: readonly Readonly<{ number: number; text: string }>[]
  feed: readonly Readonly<{ entry: FeedEntry; text: string }>[]
}>

function encodeRecords(entries: readonly FeedEntry[], keep: Keep): Records {
  const texts = new Map<FeedEntry, string>()
  const encodeOnce = (entry: FeedEntry) => {
    const text = texts.get(entry) ?? encodeChanges(entry.changes)
    texts.set(entry, text)
    return text
  }
  const feed = selectFeed(entries, keep).map((entry) => ({ entry, text: encodeOnce(entry) }))
  if ('undoneTo' in keep) return { feed, blocks: [], undo: [] }
  const kept = keptFrom(entries, keep.finalizedNumber)
  return {
    feed,
    blocks: entries.map(({ header }) => header).filter(({ number }) => number >= kept),
    undo: entries
      .filter(({ header }) => header.number > keep.finalizedNumber)
      .map((entry) => ({ number: entry.header.number, text: encodeOnce(entry) })),
  }
}

/**
 * Returns the entries worth writing. History that is caught up with is read as a snapshot: a reader
 * that followed it entry by entry would be slower than the writer. Only what it ends with is kept.
 */
function selectFeed(entries: readonly FeedEntry[], keep: Keep): readonly FeedEntry[] {
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

/** The head's header is kept even where the chain's final block is already beyond it. */
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

function recordCopies({ blocks, undo, feed }: Records): Step[] {
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

/**
 * Returns the calls that end the transaction: old records go, the checkpoint moves, readers are
 * signalled at the commit.
 */
function closing(entries: readonly FeedEntry[], keep: Keep): StatementCall[] {
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
    SIGNAL,
  ]
}

const copySteps = (table: string, columns: readonly string[], lines: readonly string[]): Step[] =>
  lines.length === 0 ? [] : [{ table, columns, rows: lines.join('') }]
