// A PostgreSQL that stops answering while its connections stay open.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Between, startBetween } from '../../test/between.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import { within } from '../../test/waits.ts'
import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'

const engine = postgresEngine(process.env.DATABASE_URL)
const SHORT = { statementMsMax: 200 }
/** Far above the timeouts, and far below an endless wait. */
const ENDS_MS_MAX = 8000

if (engine !== undefined) {
  describe('a PostgreSQL that falls silent', () => {
    let database: TestDatabase
    let between: Between
    let db: Db
    before(async () => {
      database = await engine.createDatabase()
      const store = await database.open()
      await store.close()
      between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      db = openPostgres(between.url, undefined, { keys: SHORT, primary: SHORT })
    })
    after(async () => {
      await db.close()
      between.close()
      await database.remove()
    })

    const work: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['a query', () => db.primary.query('SELECT 1')],
      ['a write transaction', () => db.writeTransaction((sql) => sql.query('SELECT 1'))],
      ['one in one round trip', () => db.writeTogether([{ text: 'SELECT 1' }])],
    ]
    for (const [name, run] of work) {
      test(`${name} fails instead of waiting on a silent server, and works once it answers`, async () => {
        await run()
        between.freeze()
        await assert.rejects(within(ENDS_MS_MAX, run()), /timeout/)
        between.thaw()
        await run()
      })
    }

    test('a write transaction whose server falls silent fails and is undone', async () => {
      await db.script('CREATE TABLE silence (n int)')
      const writing = db.writeTransaction(async (sql) => {
        await sql.query('INSERT INTO silence VALUES (1)')
        between.freeze()
        return sql.query('SELECT 2')
      })
      await assert.rejects(within(ENDS_MS_MAX, writing), /timeout/)
      between.thaw()
      assert.deepEqual(await db.primary.query('SELECT n FROM silence'), [])
    })

    test('the server ends a query that takes too long, but not a migration script', async () => {
      await assert.rejects(db.primary.query('SELECT pg_sleep(2)'), /statement timeout/)
      await db.script('SELECT pg_sleep(0.5)')
      await db.load((sql) => sql.query('SELECT pg_sleep(0.5)'))
    })
  })
}
