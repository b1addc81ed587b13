// Migrates the tables to the newest version: runs each script of store/migrations once, in order of
// name. Released scripts never change; there are no down migrations.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import type { Db, Run } from './db.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
/** Advisory lock that serialises migrations. */
const MIGRATION_LOCK = 0x6f76_6d67
/** Poll interval of the migration lock. */
const LOCK_POLL_MS = 50
/** Creates every table. Databases without it have a schema from before the first release. */
const FIRST_SCRIPT = '0001-schema.sql'

/**
 * Runs the scripts that have not run yet. Processes that start together wait for each other. A
 * script is one transaction, except one that builds indexes CONCURRENTLY, which lets writers
 * continue.
 */
export const migrate = (db: Db, folder = FOLDER): Promise<void> =>
  db.maintain(async (run) => {
    const isShared = db.engine === 'postgres'
    if (isShared) await takeLock(run)
    await run('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)')
    const done = new Set((await run('SELECT name FROM migrations')).map(([name]) => name))
    requireReleased(db, done)
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    for (const file of files.filter((file) => !done.has(file))) {
      const text = await readFile(join(folder, file), 'utf8')
      const noted = `INSERT INTO migrations (name) VALUES ('${file}')`
      if (isShared && CONCURRENTLY.test(text)) {
        await buildAll(run, parseIndexes(file, text))
        await run(noted)
      } else await run(`BEGIN;\n${text.split(CONCURRENTLY).join('')}\n; ${noted}; COMMIT`)
    }
  })

/** Refuses tables of unreleased scripts, which cannot be migrated. */
function requireReleased({ engine }: Db, done: ReadonlySet<unknown>): void {
  if (done.size === 0 || done.has(FIRST_SCRIPT)) return
  const variable = engine === 'postgres' ? 'DATABASE_URL' : 'DATA_DIR'
  throw new ConfigInvalid(
    `${variable} names a database of an earlier, unreleased schema, which cannot be migrated: ` +
      'name an empty one, and the chain is read into it again',
  )
}

/**
 * Waits between statements instead of within one: a waiting statement holds a view of the database,
 * and the build of an index waits for all older views. The connection holds the lock.
 */
async function takeLock(run: Run): Promise<void> {
  for (;;) {
    const [row] = await run(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK})::text`)
    if (row?.[0] === 'true') return
    await delay(LOCK_POLL_MS)
  }
}

const CONCURRENTLY = / CONCURRENTLY\b/i
const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+) ON /i

type Index = Readonly<{ name: string; text: string }>

/** Returns the indexes that a script builds; throws when it does anything else. */
function parseIndexes(file: string, script: string): readonly Index[] {
  const statements = script.replaceAll(/--.*$/gm, '').split(';')
  return statements.flatMap((statement) => {
    const text = statement.trim()
    if (text === '') return []
    const name = CREATE_INDEX.exec(text)?.[1]
    if (name === undefined)
      throw new Error(`${file} builds indexes CONCURRENTLY, and so may do nothing else`)
    return [{ name, text }]
  })
}

/** Builds indexes, replacing the remains of interrupted builds. */
async function buildAll(run: Run, indexes: readonly Index[]): Promise<void> {
  for (const { name, text } of indexes) {
    const [existing] = await run(
      `SELECT indisvalid::text FROM pg_index WHERE indexrelid = to_regclass('${name}')`,
    )
    if (existing?.[0] === 'true') continue
    if (existing !== undefined) await run(`DROP INDEX CONCURRENTLY ${name}`)
    await run(text)
  }
}
