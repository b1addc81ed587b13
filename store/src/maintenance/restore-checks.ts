// Preconditions of a restore.

import type { Db, Sql } from '../db/db.ts'
import { HEAD_TABLES, KEPT_TABLES } from '../db/table-list.ts'
import { BackupRefused, type Manifest } from './backup-lines.ts'

/** Other processes of a venue on the same database; ours hold the writer's lease. */
const OTHERS = `SELECT DISTINCT application_name::text FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND application_name LIKE 'openvenue%'
    AND application_name NOT IN ('openvenue writer', 'openvenue writer lease',
      'openvenue primary', 'openvenue load')`

/**
 * Refuses while services run: the writer's lease excludes the indexer, and others are visible by
 * their connections for the feed, keys and notifications.
 */
export async function requireStopped(db: Db): Promise<void> {
  if (db.engine !== 'postgres') return
  const others = (await db.primary.query(OTHERS)).flat()
  if (others.length > 0)
    throw new BackupRefused(`services are running (${others.join(', ')}): stop them all first`)
}

/** Refuses a backup of a newer schema, or of another chain. */
export async function requireFitting(
  sql: Sql,
  manifest: Manifest,
  { chainId }: Readonly<{ chainId: number }>,
): Promise<void> {
  const names = new Set((await sql.query('SELECT name FROM migrations')).flat())
  const newer = manifest.migrations.filter((name) => !names.has(name))
  if (newer.length > 0)
    throw new BackupRefused(
      `the backup is of a newer schema (${newer.join(', ')}): restore it with the version that made it`,
    )
  if (manifest.chainId !== chainId)
    throw new BackupRefused(
      `the backup is of chain ${manifest.chainId}, and this is for ${chainId}`,
    )
  const [[genesis = null] = []] = await sql.query('SELECT genesis FROM checkpoint')
  if (genesis !== null && manifest.genesis !== null && genesis !== manifest.genesis)
    throw new BackupRefused('the database was read from another chain than that of the backup')
}

/** Refuses a database with data that a restore would replace and the chain cannot restore. */
export async function requireEmpty(sql: Sql): Promise<void> {
  for (const table of KEPT_TABLES) {
    const which = HEAD_TABLES.includes(table)
      ? `WHERE ${table === 'intent_head' ? 'seq' : 'changed'} > 0`
      : ''
    const rows = await sql.query(`SELECT 1 FROM ${table} ${which} LIMIT 1`)
    if (rows.length > 0)
      throw new BackupRefused(`the database is not empty (${table} has rows): name an empty one`)
  }
}
