// Connections end at a maximum age, so that a name that leads to another server is followed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { processId } from '../../test/backends.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'
import { SESSION_AGE_MS_MAX } from './postgres-pools.ts'

const AGE_MS = 1_500

test('a connection lives for at most five minutes', () => {
  assert.equal(SESSION_AGE_MS_MAX, 300_000)
})

const engine = postgresEngine(process.env.DATABASE_URL)
if (engine !== undefined)
  describe('connections with a maximum age', () => {
    let database: TestDatabase
    let db: Db
    let other: Db
    before(async () => {
      database = await engine.createDatabase()
      const url = database.options.databaseUrl ?? ''
      db = openPostgres(url, undefined, {}, AGE_MS)
      other = openPostgres(url, undefined)
    })
    after(async () => {
      await Promise.all([db.close(), other.close()])
      await database.remove()
    })

    test('a pooled connection is replaced, also while it is in use again and again', async () => {
      const first = await processId(db.feed)
      await until('another connection serves', async () => (await processId(db.feed)) !== first)
    })

    test('the listener is replaced without a loss: nothing is announced as lost', async () => {
      const heard: (string | undefined)[] = []
      let losses = 0
      const stop = db.listen(
        'age',
        (payload) => heard.push(payload),
        () => {
          losses += 1
        },
      )
      const connections = () => heard.filter((payload) => payload === undefined).length
      await until('it has had three connections', () => connections() >= 3)
      assert.equal(losses, 0)
      const before = heard.length
      await other.primary.query("SELECT pg_notify('age', 'x')::text")
      // It arrives, or the next connection has the subscriber look for it.
      await until('it is heard', () => heard.length > before)
      stop()
    })

    test('a lease outlives several looks for its server', async () => {
      const lease = await db.lease('aged')
      assert.ok(lease !== undefined)
      const first = await processId(db.primary)
      await until('pooled connections are new', async () => (await processId(db.primary)) !== first)
      const second = await processId(db.primary)
      await until('and new again', async () => (await processId(db.primary)) !== second)
      assert.ok(lease.isHeld())
      await lease.release()
    })
  })
