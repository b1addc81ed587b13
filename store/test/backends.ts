// The PostgreSQL processes that serve our connections.
import { Client } from 'pg'
import type { Sql } from '../src/db/db.ts'

/** Returns the id of the server's process behind `sql`. */
export const processId = async (sql: Sql) =>
  String((await sql.query('SELECT pg_backend_pid()'))[0]?.[0])

/** Ends the connections of that name to the database of `sql`; returns their number. */
export const terminate = async (sql: Sql, application: string) =>
  (
    await sql.query(
      `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
        WHERE application_name LIKE $1 AND datname = current_database()
          AND pid <> pg_backend_pid()`,
      [application],
    )
  ).length

/** Waits for as long as the lock is held. */
export const GATED = 'SELECT pg_advisory_xact_lock_shared(4711)::text'

/** Blocks every `GATED` at the database of `url` until the returned function is called. */
export async function closeProxy(url: string | undefined): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('SELECT pg_advisory_lock(4711)')
  return () => client.end()
}

/** Returns how many statements of connections of that name wait for a lock. */
export const lockWaits = async (sql: Sql, application: string) =>
  (
    await sql.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = $1 AND wait_event = 'advisory'`,
      [application],
    )
  ).length
