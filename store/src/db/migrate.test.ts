// Scripts run once, in order, whichever process starts; indexes are built while a venue writes.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type Engine, postgresEngine, type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import { migrate } from './migrate.ts'

const TABLE = `CREATE TABLE goods (id bigint PRIMARY KEY, price bigint NOT NULL);
  INSERT INTO goods SELECT i, i FROM generate_series(1, 1000) i`
const INDEXES = `-- Two at once; the comment may hold anything; even this.
  CREATE INDEX CONCURRENTLY goods_by_price ON goods (price);
  CREATE UNIQUE INDEX CONCURRENTLY goods_by_both ON goods (price, id);`

/** Duration of a lock wait after which a write counts as blocked. */
const HELD_UP_MS = 2000

/** Creates a store and a folder of scripts for each test of a suite. */
function setUp(engine: Engine) {
  let [database, store, folder]: [TestDatabase?, Store?, string?] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openvenue-migrations-'))
    database = await engine.createDatabase()
    store = await database.open()
  })
  afterEach(async () => {
    await store?.close()
    await database?.remove()
    await rm(folder ?? '', { recursive: true })
  })
  const db = () => (store as Store).db
  return {
    db,
    folder: () => folder as string,
    open: () => (database as TestDatabase).open(),
    reopen: async () => {
      await store?.close()
      store = await database?.open()
    },
    write: (name: string, text: string) => writeFile(join(folder as string, name), text),
    run: (on = db()) => migrate(on, folder),
    /** Indexes of the table other than its key. */
    indexes: async () => {
      const rows = await db().primary.query(`SELECT
          CASE WHEN indisvalid THEN '' ELSE 'broken ' END || relname
        FROM pg_index JOIN pg_class ON oid = indexrelid
        WHERE indrelid = 'goods'::regclass AND NOT indisprimary ORDER BY relname`)
      return rows.flat()
    },
  }
}

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`migrations on ${engine.name}`, () => {
    const { db, folder, reopen, write, run, indexes } = setUp(engine)

    test('migrations run once, in the order of their names', async () => {
      await write('9002-more.sql', 'INSERT INTO goods VALUES (0, 0) -- without an end')
      await write('9001-goods.sql', TABLE)
      await run()
      await run()
      assert.deepEqual(await db().primary.query('SELECT count(*)::text FROM goods'), [['1001']])
    })

    test('migrations leave nothing behind when they fail, and run again', async () => {
      await write('9001-goods.sql', `${TABLE}; SELECT 1 / 0`)
      await assert.rejects(run(), /division by zero/)
      await reopen()
      await write('9001-goods.sql', TABLE)
      await run()
    })

    test('a process tolerates migrations of the next version', async () => {
      await write('9001-goods.sql', TABLE)
      await run()
      await rm(join(folder(), '9001-goods.sql'))
      await run()
      const names = await db().primary.query(`SELECT name FROM migrations WHERE name > '9'`)
      assert.deepEqual(names, [['9001-goods.sql']])
    })

    test('migrations refuse tables from before the first release, with instructions', async () => {
      await db().script(
        `UPDATE migrations SET name = '0016-words.sql' WHERE name = '0001-schema.sql'`,
      )
      const variable = engine.name === 'PGlite' ? 'DATA_DIR' : 'DATABASE_URL'
      await assert.rejects(run(), {
        name: 'ConfigInvalid',
        message: new RegExp(`^${variable} names .* unreleased schema, which cannot be migrated`),
      })
    })

    test('migrations build indexes', async () => {
      await write('9001-goods.sql', TABLE)
      await write('9002-indexes.sql', INDEXES)
      await run()
      assert.deepEqual(await indexes(), ['goods_by_both', 'goods_by_price'])
    })
  })

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('indexes built CONCURRENTLY', () => {
    const { db, open, write, run, indexes } = setUp(postgres)
    beforeEach(async () => {
      await write('9001-goods.sql', TABLE)
      await run()
    })

    test('indexes built CONCURRENTLY block no writer, even during a long transaction', async () => {
      await write('9002-indexes.sql', INDEXES)
      const [begun, middle] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const writing = db().writeTransaction(async (sql) => {
        await sql.query('INSERT INTO goods VALUES (-1, 1)')
        begun.resolve()
        await middle.promise
      })
      await begun.promise
      const migrating = run()
      // It waits for running transactions.
      await until('an index is being built', async () => {
        const building = await db().primary.query(`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%CREATE INDEX CONCURRENTLY%'
            AND wait_event_type = 'Lock'`)
        return building.length > 0
      })
      const startMs = performance.now()
      await db().primary.query('INSERT INTO goods VALUES (-2, 2)')
      assert.ok(performance.now() - startMs < HELD_UP_MS)
      middle.resolve()
      await Promise.all([writing, migrating])
      assert.deepEqual(await indexes(), ['goods_by_both', 'goods_by_price'])
    })

    test('indexes built CONCURRENTLY are built once when several processes start', async () => {
      await write('9002-indexes.sql', INDEXES)
      const others = await Promise.all([open(), open()])
      await Promise.all([run(), ...others.map((other) => run(other.db))])
      await Promise.all(others.map((other) => other.close()))
      assert.deepEqual(await indexes(), ['goods_by_both', 'goods_by_price'])
    })

    test('scripts that build no index run once as well when several processes start', async () => {
      await write('9002-more.sql', 'INSERT INTO goods SELECT i, i FROM generate_series(-9, 0) i')
      const others = await Promise.all([open(), open()])
      await Promise.all([run(), ...others.map((other) => run(other.db))])
      await Promise.all(others.map((other) => other.close()))
      assert.deepEqual(await db().primary.query('SELECT count(*)::text FROM goods'), [['1010']])
    })

    test('an index whose build was interrupted is rebuilt', async () => {
      await db().primary.query('INSERT INTO goods VALUES (0, 1)')
      await write(
        '9002-one.sql',
        'CREATE UNIQUE INDEX CONCURRENTLY goods_by_price ON goods (price)',
      )
      await assert.rejects(run(), /could not create unique index/)
      assert.deepEqual(await indexes(), ['broken goods_by_price'])
      await db().primary.query('DELETE FROM goods WHERE id = 0')
      await run()
      assert.deepEqual(await indexes(), ['goods_by_price'])
    })

    test('indexes must be in a script of their own', async () => {
      await write('9002-mixed.sql', `${INDEXES} DELETE FROM goods;`)
      await assert.rejects(run(), /9002-mixed.sql builds indexes/)
      assert.deepEqual(await indexes(), [])
    })
  })
