// Restores a backup into the database of a stopped venue, in one transaction. It lacks what the
// venue did after the backup; decision 0079 lists the data that is left out for that reason.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Cell, Db, SqlRow, Transaction } from '../db/db.ts'
import { HEAD_TABLES, KEPT_TABLES, WIPED_TABLES } from '../db/table-list.ts'
import {
  type BackupLine,
  BackupRefused,
  type Manifest,
  readLines,
  requireManifest,
  type TableLine,
} from './backup-lines.ts'
import { RECORD_SERVER } from './incarnation.ts'
import { requireEmpty, requireFitting, requireStopped } from './restore-checks.ts'
import { endLiveIntents, leaveOutKeys } from './restore-gap.ts'

/** Rows per statement. */
const ROWS_AT_ONCE = 500
const IDENTIFIER = /^[a-z_][a-z0-9_]*$/

type RestoreOptions = Readonly<{
  path: string
  chainId: number
  nowMs: number
  /** Nothing has happened since the backup: it was made after the services had stopped. */
  isComplete: boolean
  /** Deletes the database's content. */
  isReplacing: boolean
}>

export type RestoreSummary = Readonly<{
  manifest: Manifest
  rows: number
  /** Numbers of waiting intents that were ended, and of API keys that were left out. */
  ended: number
  keysLeftOut: number
}>

/** Restores a backup, as a whole or not at all. */
export async function restoreBackup(db: Db, options: RestoreOptions): Promise<RestoreSummary> {
  const session = await db.session(() => {})
  if (session === undefined) throw new BackupRefused('an indexer is running: stop the services')
  try {
    await requireStopped(db)
    return await session.transaction(async (tx) => {
      const summary = await restoreIn(tx, options)
      // The backup may be of another server; what it lacks was decided above.
      if (db.engine === 'postgres') await tx.query(RECORD_SERVER)
      return summary
    })
  } finally {
    await session.close()
  }
}

async function restoreIn(tx: Transaction, options: RestoreOptions): Promise<RestoreSummary> {
  await tx.query('LOCK TABLE checkpoint IN ACCESS EXCLUSIVE MODE')
  const lines = readLines(openLines(options.path))
  const manifest = requireManifest((await lines.next()).value as BackupLine | undefined)
  await requireFitting(tx, manifest, options)
  if (!options.isReplacing) await requireEmpty(tx)
  await tx.query(`TRUNCATE ${[...WIPED_TABLES, ...KEPT_TABLES].join(', ')}`)
  await tx.query(
    `UPDATE checkpoint SET seq = seq + 1, number = NULL, hash = NULL, parent_hash = NULL,
      seconds = NULL, genesis = NULL, notified_to = $1, restored_to = $2`,
    [manifest.notifiedTo, manifest.block?.number ?? null],
  )
  // No relayer runs: orders are refused until one reports its status again.
  await tx.query('DELETE FROM relay_status')
  const rows = await writeRows(tx, lines)
  await requireHeads(tx)
  await moveIdentities(tx)
  const keysLeftOut = options.isComplete ? 0 : await leaveOutKeys(tx)
  const ended = options.isComplete ? 0 : await endLiveIntents(tx, options.nowMs)
  return { manifest, rows, ended, keysLeftOut }
}

async function* openLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const unzipped = createGunzip()
  file.on('error', (error) => unzipped.destroy(error))
  try {
    yield* createInterface({ input: file.pipe(unzipped), crlfDelay: Number.POSITIVE_INFINITY })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_') ? new BackupRefused(`the file is damaged (${message})`) : error
  } finally {
    file.destroy()
  }
}

/** Writes the rows after each table's line; returns their number. */
async function writeRows(tx: Transaction, lines: AsyncIterable<BackupLine>): Promise<number> {
  let count = 0
  let write: ((rows: readonly SqlRow[]) => Promise<void>) | undefined
  let buffer: SqlRow[] = []
  const flush = async () => {
    if (buffer.length > 0) await write?.(buffer)
    count += buffer.length
    buffer = []
  }
  for await (const line of lines) {
    if (!Array.isArray(line)) {
      await flush()
      write = await rowWriter(tx, line as TableLine)
      continue
    }
    buffer.push(line as SqlRow)
    if (buffer.length >= ROWS_AT_ONCE) await flush()
  }
  await flush()
  return count
}

async function rowWriter(tx: Transaction, { table, columns }: TableLine) {
  if (!KEPT_TABLES.includes(table)) throw new BackupRefused(`the file has a table ${table}`)
  const rows = await tx.query(
    `SELECT attname::text, format_type(atttypid, atttypmod)::text FROM pg_attribute
      WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  )
  const types = new Map(rows.map(([name, type]) => [String(name), String(type)]))
  const strange = columns.find((column) => !IDENTIFIER.test(column) || !types.has(column))
  if (strange !== undefined)
    throw new BackupRefused(`the file has a column that ${table} has not (${strange})`)
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const values = columns.map((column) => `r.${column}::${types.get(column)}`).join(', ')
  const names = columns.join(', ')
  const text = `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM unnest(${arrays}) AS r (${names})`
  return async (batch: readonly SqlRow[]) => {
    const cells = columns.map((_, at) => cellArray(batch.map((row) => row[at] ?? null)))
    await tx.query(text, cells)
  }
}

const cellArray = (cells: readonly Cell[]) =>
  `{${cells.map((cell) => (cell === null ? 'NULL' : `"${cell.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`

/** An older schema may lack such a table: it then starts like a new one. */
async function requireHeads(tx: Transaction): Promise<void> {
  for (const table of HEAD_TABLES) {
    const column = table === 'intent_head' ? 'seq' : 'changed'
    await tx.query(`INSERT INTO ${table} (${column}) VALUES (0) ON CONFLICT DO NOTHING`)
  }
}

/** New rows are numbered after the restored ones. */
async function moveIdentities(tx: Transaction): Promise<void> {
  const columns = await tx.query(`SELECT attrelid::regclass::text, attname::text FROM pg_attribute
    WHERE attidentity <> '' AND attrelid IN (SELECT oid FROM pg_class
      WHERE relnamespace = 'public'::regnamespace)`)
  for (const [table, column] of columns)
    await tx.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'),
        coalesce(max(${column}), 0) + 1, false)::text FROM ${table}`,
    )
}
