// Accounts that are notified of blocks, and the last block with written notifications.
import type { Sql } from '../db/db.ts'
import type { Audience } from '../store.ts'

const AUDIENCE = `SELECT r.since, w.engine, w.account
  FROM (SELECT min(created_ms) / 1000 AS since FROM registrations) r
  LEFT JOIN margin_warnings w ON w.ended IS NULL`

/** Reads the audience; see `Writer.readAudience`. */
export async function readAudience(sql: Sql, notifiedTo: number): Promise<Audience> {
  const rows = await sql.query(AUDIENCE)
  const since = rows[0]?.[0] ?? null
  return {
    notifiedTo,
    sinceSeconds: since === null ? undefined : Number(since),
    warned: rows.flatMap(([, engine, account]) =>
      engine == null ? [] : [{ engine, account: Number(account) }],
    ),
  }
}

/** Returns the highest block with notifications; -1 for none. */
export async function readStrayTo(sql: Sql): Promise<number> {
  const [row] =
    await sql.query(`SELECT block_number FROM notifications WHERE block_number IS NOT NULL
    ORDER BY block_number DESC LIMIT 1`)
  return Number(row?.[0] ?? -1)
}
