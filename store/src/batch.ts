// Writes a run of feed entries: their rows, the entries themselves, undo records, the checkpoint.
import { encodeChanges } from '@openvenue/core/codec'
import type { Header } from '@openvenue/core/events'
import type { RecordKind } from '@openvenue/core/records'
import { type Rows, rowsOf } from '@openvenue/core/rows'
import type { Call, Session, Transaction } from './db.ts'
import { FEED_ENTRIES_MAX, headerArgs, WAKE } from './session-statements.ts'
import type { FeedEntry } from './store.ts'
import {
  copyLine,
  copyText,
  deleteArgs,
  deleteName,
  type Fields,
  kinds,
  TABLES,
  upsertArgs,
  upsertName,
} from './tables.ts'

/** What becomes of undo records and headers: blocks were added, or everything above one went. */
export type Keep = Readonly<{ finalizedNumber: number } | { undoneTo: number }>

/** From so many changes on, COPY beats statements by more than its round trips. */
const COPY_CHANGES_MIN = 1000
/** From so many new rows of a table on. */
const COPY_ROWS_MIN = 100
/** Text handed to COPY at a time. */
const COPY_CHUNK_CHARACTERS = 65_536

/** Writes `entries`, at least one, in one transaction. */
export async function writeBatch(
  session: Session,
  entries: readonly FeedEntry[],
  keep: Keep,
): Promise<void> {
  const changes = entries.flatMap((entry) => entry.changes)
  const rows = rowsOf(changes)
  const records = recordsOf(entries, keep)
  if (changes.length < COPY_CHANGES_MIN && entries.length < COPY_ROWS_MIN) {
    const calls = kinds.flatMap((what) => [...upsertCalls(what, rows), ...deleteCalls(what, rows)])
    await session.run([...calls, ...recordCalls(records), ...closing(entries, keep)])
    return
  }
  await session.transaction(async (tx) => {
    for (const what of kinds) await writeTable(tx, what, rows)
    await copyRecords(tx, records)
    await tx.run(closing(entries, keep))
  })
}

const rowsIn = (of: Rows['upserts'], what: RecordKind) => (of[what] ?? []) as readonly Fields[]

function upsertCalls(what: RecordKind, { upserts }: Rows): Call[] {
  const rows = rowsIn(upserts, what)
  return rows.length === 0 ? [] : [{ name: upsertName(what), args: upsertArgs(what, rows) }]
}

function deleteCalls(what: RecordKind, { deletes }: Rows): Call[] {
  const rows = rowsIn(deletes, what)
  return rows.length === 0 ? [] : [{ name: deleteName(what), args: deleteArgs(what, rows) }]
}

async function writeTable(tx: Transaction, what: RecordKind, rows: Rows): Promise<void> {
  const { name, columns, isInsertOnly } = TABLES[what]
  const added = rowsIn(rows.upserts, what)
  if (isInsertOnly && added.length >= COPY_ROWS_MIN) {
    const lines = added.map((record) => copyLine(what, record))
    await copy(
      tx,
      name,
      columns.map((column) => column.name),
      lines,
    )
  } else await tx.run(upsertCalls(what, rows))
  await tx.run(deleteCalls(what, rows))
}

/** What is kept of the entries themselves. */
type Records = Readonly<{
  blocks: readonly Header[]
  undo: readonly Readonly<{ number: number; text: string }>[]
  feed: readonly Readonly<{ entry: FeedEntry; text: string }>[]
}>

function recordsOf(entries: readonly FeedEntry[], keep: Keep): Records {
  const texts = new Map<FeedEntry, string>()
  const textOf = (entry: FeedEntry) => {
    const text = texts.get(entry) ?? encodeChanges(entry.changes)
    texts.set(entry, text)
    return text
  }
  const feed = entries.slice(-FEED_ENTRIES_MAX).map((entry) => ({ entry, text: textOf(entry) }))
  if ('undoneTo' in keep) return { feed, blocks: [], undo: [] }
  const kept = keptFrom(entries, keep.finalizedNumber)
  return {
    feed,
    blocks: entries.map(({ header }) => header).filter(({ number }) => number >= kept),
    undo: entries
      .filter(({ header }) => header.number > keep.finalizedNumber)
      .map((entry) => ({ number: entry.header.number, text: textOf(entry) })),
  }
}

/** The head's header is kept even where the chain's final block is already beyond it. */
const keptFrom = (entries: readonly FeedEntry[], finalizedNumber: number) =>
  Math.min(finalizedNumber, lastOf(entries).header.number)

const lastOf = (entries: readonly FeedEntry[]) => entries.at(-1) as FeedEntry

const entryArgs = ({ entry, text }: Records['feed'][number]) =>
  [entry.seq, entry.kind, ...headerArgs(entry.header), text] as const

const recordCalls = ({ blocks, undo, feed }: Records): Call[] => [
  ...blocks.map((header) => ({ name: 'add_block', args: headerArgs(header) })),
  ...undo.map(({ number, text }) => ({ name: 'add_undo', args: [number, text] })),
  ...feed.map((record) => ({ name: 'add_entry', args: entryArgs(record) })),
]

async function copyRecords(tx: Transaction, { blocks, undo, feed }: Records): Promise<void> {
  const header = ['number', 'hash', 'parent_hash', 'seconds']
  await copy(
    tx,
    'blocks',
    header,
    blocks.map((block) => lineOf(headerArgs(block))),
  )
  await copy(
    tx,
    'undo',
    ['number', 'changes'],
    undo.map(({ number, text }) => lineOf([number, text])),
  )
  const columns = ['seq', 'kind', ...header, 'changes']
  await copy(
    tx,
    'feed',
    columns,
    feed.map((record) => lineOf(entryArgs(record))),
  )
}

const lineOf = (cells: readonly (string | number)[]) =>
  `${cells.map((cell) => copyText(String(cell))).join('\t')}\n`

/** What ends the transaction: old records go, the checkpoint moves, readers wake at the commit. */
function closing(entries: readonly FeedEntry[], keep: Keep): Call[] {
  const { seq, header } = lastOf(entries)
  const drops: Call[] =
    'undoneTo' in keep
      ? [{ name: 'take_back', args: [keep.undoneTo] }]
      : [
          { name: 'drop_undo', args: [keep.finalizedNumber] },
          { name: 'drop_blocks', args: [keptFrom(entries, keep.finalizedNumber)] },
        ]
  return [
    ...drops,
    { name: 'drop_entries', args: [seq - FEED_ENTRIES_MAX] },
    { name: 'move_head', args: [seq, ...headerArgs(header)] },
    WAKE,
  ]
}

async function copy(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  lines: readonly string[],
): Promise<void> {
  if (lines.length > 0) await tx.copy(table, columns, chunksOf(lines))
}

function* chunksOf(lines: readonly string[]) {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < COPY_CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
