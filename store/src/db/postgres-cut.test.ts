// Connections that the server cuts at any moment: pending calls fail, the process survives, and
// later calls succeed.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { processId, terminate } from '../../test/backends.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { Db } from './db.ts'

/** Number of connections of this process, to any server. */
const connections = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

const engine = postgresEngine(process.env.DATABASE_URL)

if (engine !== undefined)
  describe('a connection that is cut', () => {
    let database: TestDatabase
    let store: Store
    let db: Db
    let cutter: Store
    before(async () => {
      database = await engine.createDatabase()
      ;[store, cutter] = [await database.open(), await database.open()]
      db = store.db
      await db.script('CREATE TABLE cuts (n int)')
    })
    after(async () => {
      await Promise.all([store.close(), cutter.close()])
      await database.remove()
    })
    afterEach(async () => {
      await db.writeTransaction((sql) => sql.query('INSERT INTO cuts VALUES (1)'))
      for (const sql of [db.feed, db.keys, db.primary, db.replica])
        assert.deepEqual(await sql.query('SELECT 1'), [['1']])
    })
    const cut = async (pid: string) => {
      await cutter.db.primary.query('SELECT pg_terminate_backend($1::int)::text', [pid])
      await until('it is gone', async () => {
        const text = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1'
        return (await cutter.db.primary.query(text, [pid])).length === 0
      })
    }

    test('a cut connection between two statements fails the transaction, and none of it is kept', async () => {
      const [[before = '0'] = []] = await db.primary.query('SELECT count(*) FROM cuts')
      await cutter.db.primary.query('SELECT 1')
      const writing = db.writeTransaction(async (sql) => {
        await sql.query('INSERT INTO cuts VALUES (2)')
        const open = connections()
        await cut(await processId(sql))
        // The client is busy elsewhere: no call waits for the database.
        await until('the client sees it', () => connections() < open)
        await sql.query('INSERT INTO cuts VALUES (3)')
      })
      await assert.rejects(writing, /terminat|not queryable/)
      assert.deepEqual(await db.primary.query('SELECT count(*) FROM cuts'), [[before]])
    })

    test('a cut connection before COMMIT fails the transaction', async () => {
      const writing = db.writeTransaction(async (sql) => cut(await processId(sql)))
      await assert.rejects(writing, /terminat|not queryable/)
    })

    test('a cut connection while a statement runs fails that statement', async () => {
      const writing = db.writeTransaction(async (sql) => {
        const pid = await processId(sql)
        await Promise.all([sql.query('SELECT pg_sleep(2)::text'), cut(pid)])
      })
      await assert.rejects(writing, /terminat|not queryable/)
    })

    test('a cut connection while rows are streamed fails the load', async () => {
      let rows = 0
      let cutting: Promise<void> | undefined
      const load = db.load(async (view) => {
        const pid = await processId(view)
        await view.each('SELECT n FROM generate_series(1, 5000000) AS n', [], () => {
          rows += 1
          if (rows === 1000) cutting = cut(pid)
        })
      })
      await assert.rejects(load, /terminat/)
      await cutting
    })

    test('a cut connection that is idle has no effect', async () => {
      await db.primary.query('SELECT 1')
      await terminate(cutter.db.keys, 'openvenue primary')
      await until('a new one is there', async () => {
        const rows = await db.primary.query('SELECT 1').catch(() => [])
        return rows.length > 0
      })
    })

    test('cut connections of the writer, a lease and the listener end no process', async () => {
      const stop = db.listen('cuts', () => {})
      const lease = await store.lease('cuts')
      await store.writer.loadState()
      await terminate(cutter.db.primary, 'openvenue %')
      await lease?.lost
      await until('another writer session is had', async () =>
        store.writer.loadState().then(
          () => true,
          () => false,
        ),
      )
      stop()
    })
  })
