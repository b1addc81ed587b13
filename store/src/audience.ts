// Who is to be told of blocks, and how far that was done.
import type { Sql } from './db.ts'
import type { Audience } from './store.ts'

/** Returns what `Writer.readAudience` says. */
export async function readAudience(sql: Sql, toldNumber: number): Promise<Audience> {
  const [row] = await sql.query('SELECT min(created_ms) / 1000 FROM registrations')
  const since = row?.[0] ?? null
  const warned = await sql.query('SELECT engine, account FROM margin_warnings WHERE ended IS NULL')
  return {
    toldNumber,
    sinceSeconds: since === null ? undefined : Number(since),
    warned: warned.map(([engine, account]) => ({
      engine: String(engine),
      account: Number(account),
    })),
  }
}

/** Returns the highest block that has notices; -1 for none. */
export async function readStrayTo(sql: Sql): Promise<number> {
  const [row] = await sql.query(`SELECT block_number FROM notices WHERE block_number IS NOT NULL
    ORDER BY block_number DESC LIMIT 1`)
  return Number(row?.[0] ?? -1)
}
