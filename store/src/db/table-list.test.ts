import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import { CHAIN_TABLES, HEAD_TABLES, KEPT_TABLES, PASSING_TABLES } from './table-list.ts'

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`the list of tables on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    test('every table of the schema comes from the chain, is backed up, or is transient', async () => {
      const rows = await store.db.primary.query(
        `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
          AND relkind IN ('r', 'p') AND NOT relispartition`,
      )
      const listed = [...CHAIN_TABLES, ...KEPT_TABLES, ...PASSING_TABLES]
      assert.deepEqual(listed.toSorted(), rows.flat().map(String).toSorted())
    })

    test('only head tables have rows in a new database', async () => {
      for (const table of KEPT_TABLES) {
        const [row] = await store.db.primary.query(`SELECT count(*)::text FROM ${table}`)
        assert.equal(row?.[0], HEAD_TABLES.includes(table) ? '1' : '0', table)
      }
    })
  })
