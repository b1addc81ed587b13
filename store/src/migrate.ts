// Brings the tables to the newest form: each script of store/migrations once, in order of its name.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from './db.ts'

const FOLDER = join(import.meta.dirname, '../migrations')
/** Names the advisory lock that keeps two processes from migrating at once. */
const MIGRATION_LOCK = 0x6f76_6d67

/** Runs what has not run yet. Processes that start together wait for each other. */
export async function migrate(db: Db): Promise<void> {
  await db.script(
    `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
     CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY);`,
  )
  const done = new Set(
    (await db.primary.query('SELECT name FROM migrations')).map(([name]) => name),
  )
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()
  for (const file of files) {
    if (!done.has(file)) await db.script(await scriptFor(file))
  }
}

/** Returns the script that runs `file` unless another process has, since we looked. */
async function scriptFor(file: string): Promise<string> {
  const body = await readFile(join(FOLDER, file), 'utf8')
  return `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
    DO $migration$ BEGIN
      IF NOT EXISTS (SELECT FROM migrations WHERE name = '${file}') THEN
        ${body}
        INSERT INTO migrations (name) VALUES ('${file}');
      END IF;
    END $migration$;`
}
