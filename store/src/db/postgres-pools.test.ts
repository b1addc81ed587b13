// Filling the connections of one purpose does not affect the others.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { closeProxy, GATED, lockWaits } from '../../test/backends.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import { registerAt } from '../../test/notifications.ts'
import { replay } from '../../test/replay.ts'
import { within } from '../../test/waits.ts'
import type { Store } from '../store.ts'
import { DatabaseBusy, type Db } from './db.ts'
import { openPostgres } from './postgres.ts'
import { CONNECTIONS_MAX } from './postgres-pools.ts'

const engine = postgresEngine(process.env.DATABASE_URL)
const SLOW = 'SELECT pg_sleep(2)::text'
const WAITING_MAX = 64
const CONNECTIONS = 2

test('a process has no more database connections than documented', () => {
  assert.equal(CONNECTIONS_MAX, 8)
})

if (engine !== undefined)
  describe('history that is slow', () => {
    let database: TestDatabase
    let store: Store
    let db: Db
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      db = store.db
      const { blocks } = replay(randomScenario(1, 20))
      await store.writer.commit(blocks, 0)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const gated = (count: number) => Array.from({ length: count }, () => db.replica.query(GATED))

    test('12 slow counts block neither the feed, nor keys, nor a load', async () => {
      const open = await closeProxy(database.options.databaseUrl)
      const counts = gated(12)
      await until('all its connections are taken', async () => {
        return (await lockWaits(db.primary, 'openvenue history')) === CONNECTIONS
      })
      const history = db.pools?.().find(({ pool }) => pool === 'history')
      assert.deepEqual(history, { pool: 'history', open: CONNECTIONS, idle: 0, waiting: 10 })
      assert.deepEqual(await db.feed.query('SELECT count(*) FROM feed'), [['20']])
      const registered = await registerAt(store, `0x${'a1'.repeat(20)}`, 1_800_000_000_000)
      assert.equal(registered.result, 'issued')
      await db.load((view) => view.query('SELECT 1'))
      assert.equal(await lockWaits(db.primary, 'openvenue history'), CONNECTIONS)
      await open()
      await Promise.all(counts)
    })

    test('a history read is refused at once when 64 wait, and the others are served', async () => {
      const open = await closeProxy(database.options.databaseUrl)
      const taken = gated(CONNECTIONS + WAITING_MAX)
      for (let more = 0; more < 36; more++)
        await assert.rejects(db.replica.query('SELECT 1'), DatabaseBusy)
      await assert.rejects(
        db.readTransaction((view) => view.query('SELECT 1')),
        DatabaseBusy,
      )
      await open()
      await Promise.all(taken)
      assert.deepEqual(await db.replica.query('SELECT 1'), [['1']])
    })

    test('many calls at once to idle connections do not count as a queue', async () => {
      const reads = Array.from({ length: WAITING_MAX + CONNECTIONS }, () =>
        db.replica.query('SELECT 1'),
      )
      assert.equal((await Promise.all(reads)).length, WAITING_MAX + CONNECTIONS)
    })

    test('the server ends a statement after the time limit of its kind', async () => {
      const kinds = { feed: 100, keys: 100, primary: 100, history: 100, load: 100 }
      const given = Object.fromEntries(
        Object.entries(kinds).map(([kind, statementMsMax]) => [kind, { statementMsMax }]),
      )
      const short = openPostgres(database.options.databaseUrl ?? '', undefined, given)
      try {
        const works = [
          short.feed.query(SLOW),
          short.keys.query(SLOW),
          short.primary.query(SLOW),
          short.replica.query(SLOW),
          short.load((view) => view.query(SLOW)),
          short.load((view) => view.each(SLOW, [], () => {})),
          short.writeTransaction((sql) => sql.query(SLOW)),
          short.writeTogether([{ text: SLOW }]),
        ]
        await within(
          10_000,
          Promise.all(works.map((work) => assert.rejects(work, /statement timeout/))),
        )
      } finally {
        await short.close()
      }
    })

    test('the server ends a transaction that its process abandoned', async () => {
      const given = { keys: { statementMsMax: 1000 } }
      const short = openPostgres(database.options.databaseUrl ?? '', undefined, given)
      const released = Promise.withResolvers<void>()
      const forgotten = short.writeTransaction(async (sql) => {
        await sql.query('SELECT 1')
        await released.promise
        return sql.query('SELECT 1')
      })
      const ended = assert.rejects(forgotten, /terminat|not queryable|idle-in-transaction/)
      const isOpen = async () => {
        const rows = await db.primary.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND state = 'idle in transaction'`,
        )
        return rows.length === 1
      }
      await until('it is open', isOpen)
      await until('the server ends it', async () => !(await isOpen()))
      released.resolve()
      await ended
      await short.close()
    })
  })
