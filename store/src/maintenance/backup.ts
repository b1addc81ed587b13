// Writes data that only the venue has to a file, from one view of the database of a running venue.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readCheckpoint } from '../db/checkpoint.ts'
import type { Db, Sql, SqlRow } from '../db/db.ts'
import { CHAIN_TABLES, KEPT_TABLES, PASSING_TABLES } from '../db/table-list.ts'
import { BACKUP_FORMAT, BackupRefused, LineSum, type Manifest } from './backup-lines.ts'

/** Maximum number of rows in memory. */
const ROWS_AT_ONCE = 500
const FETCH = `FETCH ${ROWS_AT_ONCE} FROM kept_rows`
/** Readable by its owner only: it has hashes of secrets, sealed secrets and the venue's users. */
const MODE = 0o600

type BackupOptions = Readonly<{ path: string; chainId: number; nowMs: number }>

/** Writes a backup to `path`, as a whole or not at all. Returns its manifest. */
export async function writeBackup(db: Db, options: BackupOptions): Promise<Manifest> {
  // Concurrent backups to one path are each whole, and the last one remains.
  const part = `${options.path}.${process.pid}.part`
  await rm(part, { force: true })
  const to = createWriteStream(part, { mode: MODE, flags: 'wx' })
  await once(to, 'open')
  try {
    const manifest = await db.load(async (sql) => {
      const made = await readManifest(sql, options)
      await pipeline(Readable.from(backupLines(sql, made)), createGzip(), to)
      return made
    }, 'primary')
    await syncFile(part)
    await rename(part, options.path)
    return manifest
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

async function readManifest(sql: Sql, options: BackupOptions): Promise<Manifest> {
  const [[isVenue] = []] = await sql.query(
    `SELECT (to_regclass('migrations') IS NOT NULL AND to_regclass('checkpoint') IS NOT NULL)::text`,
  )
  if (isVenue !== 'true') throw new BackupRefused('the database is not that of a venue')
  const names = await sql.query('SELECT name FROM migrations ORDER BY name')
  const { head, notifiedTo } = await readCheckpoint(sql)
  const [[genesis = null] = []] = await sql.query('SELECT genesis FROM checkpoint')
  return {
    format: BACKUP_FORMAT,
    madeMs: options.nowMs,
    migrations: names.map(([name]) => String(name)),
    chainId: options.chainId,
    genesis,
    block: head === undefined ? null : { number: head.number, hash: head.hash },
    notifiedTo,
  }
}

/** Yields pieces of some hundred lines each. */
async function* backupLines(sql: Sql, manifest: Manifest): AsyncGenerator<string> {
  const sum = new LineSum()
  const piece = (values: readonly unknown[]) => {
    const lines = values.map((value) => JSON.stringify(value))
    for (const line of lines) sum.add(line)
    return lines.map((line) => `${line}\n`).join('')
  }
  yield piece([manifest])
  for (const [table, columns] of await readColumns(sql)) {
    yield piece([{ table, columns }])
    for await (const rows of tableRows(sql, table, columns)) yield piece(rows)
  }
  yield `${JSON.stringify(sum.end())}\n`
}

/** Returns the columns of the backed-up tables; those that an older schema lacks are left out. */
async function readColumns(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql.query(`SELECT c.relname::text, a.attname::text
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname, a.attnum`)
  const columns = Map.groupBy(rows, ([table]) => String(table))
  const listed = new Set([...CHAIN_TABLES, ...KEPT_TABLES, ...PASSING_TABLES])
  const unknown = [...columns.keys()].filter((table) => !listed.has(table))
  if (unknown.length > 0)
    throw new BackupRefused(
      `the database has tables that this version does not know (${unknown.join(', ')}): ` +
        'back it up with the version that runs on it',
    )
  const keptColumns = [...columns].filter(([table]) => KEPT_TABLES.includes(table))
  return new Map(keptColumns.map(([table, of]) => [table, of.map(([, column]) => String(column))]))
}

async function* tableRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
): AsyncGenerator<SqlRow[]> {
  const texts = columns.map((column) => `${column}::text`).join(', ')
  await sql.query(`DECLARE kept_rows NO SCROLL CURSOR FOR SELECT ${texts} FROM ${table}`)
  for (;;) {
    const rows = await sql.query(FETCH)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) break
  }
  await sql.query('CLOSE kept_rows')
}
