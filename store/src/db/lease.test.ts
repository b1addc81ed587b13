import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { LEASE_ENDED_MS, LEASE_SILENCE_MS_MAX, type Lease } from '@openvenue/runtime/lease'
import { startBetween } from '../../test/between.ts'
import { postgresEngine, type TestDatabase, testEngines } from '../../test/engines.ts'
import { within } from '../../test/waits.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'

/** A release waits a second for the server; the rest is for a loaded machine. */
const RELEASED_MS_MAX = 5_000
/** Repetitions of what a race would break. */
const TIMES = 20

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`leases on ${engine.name}`, () => {
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

    test('a lease has one holder, and is available again once it is released', async () => {
      const first = await store.lease('one')
      assert.equal(first?.isHeld(), true)
      assert.equal(await store.lease('one'), undefined)
      await first?.release()
      assert.equal(first?.isHeld(), false)
      await first?.lost
      const second = await untilTaken(store, 'one')
      assert.equal(second.isHeld(), true)
      await second.release()
    })

    test('a released lease is available at once', async () => {
      for (let times = 0; times < TIMES; times++) {
        const lease = await store.lease('at once')
        assert.ok(lease !== undefined, `taken ${times} times`)
        await lease.release()
      }
    })

    test('leases of two names are independent, and a second release does not affect the next holder', async () => {
      const [a, b] = [await untilTaken(store, 'a'), await untilTaken(store, 'b')]
      await a.release()
      const heir = await untilTaken(store, 'a')
      await a.release()
      assert.deepEqual([heir.isHeld(), b.isHeld()], [true, true])
      assert.equal(await store.lease('a'), undefined)
      await heir.release()
      await b.release()
    })
  })

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('a lease at a PostgreSQL', () => {
    test('a lease is lost at once when its session is ended, and another store can take it', async () => {
      const database = await postgres.createDatabase()
      const [first, second] = [await database.open(), await database.open()]
      const lease = await untilTaken(first, 'keeper')
      assert.equal(await second.lease('keeper'), undefined)
      await second.db.primary.query(
        `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
         WHERE application_name = 'openvenue lease' AND datname = current_database()`,
      )
      await lease.lost
      assert.equal(lease.isHeld(), false)
      const heir = await untilTaken(second, 'keeper')
      await heir.release()
      await first.close()
      await second.close()
      await database.remove()
    })

    test('a writer that was closed is replaced at once', async () => {
      const database = await postgres.createDatabase()
      for (let times = 0; times < TIMES; times++) {
        const next = await database.open()
        await next.writer.wipeChain()
        await next.close()
      }
      await database.remove()
    })

    test('a lease is released within seconds while its database is silent', async () => {
      const database = await postgres.createDatabase()
      const between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      const behind = await openStore({ databaseUrl: between.url })
      const lease = await untilTaken(behind, 'keeper')
      between.freeze()
      await within(RELEASED_MS_MAX, lease.release())
      assert.equal(lease.isHeld(), false)
      between.thaw()
      await behind.close()
      between.close()
      await database.remove()
    })

    test('a process that was suspended does not trust its lease', async () => {
      const database = await postgres.createDatabase()
      const store = await database.open()
      const lease = await untilTaken(store, 'keeper')
      assert.equal(lease.isHeld(), true)
      // Blocks the process like SIGSTOP: no timers or answers are processed meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEASE_SILENCE_MS_MAX)
      assert.equal(lease.isHeld(), false)
      await lease.lost
      await store.close()
      await database.remove()
    })
  })

test('a silent holder stops before the server frees its lease', () => {
  assert.ok(LEASE_SILENCE_MS_MAX < LEASE_ENDED_MS)
})

/** The server frees a lease a moment after its session has ended. */
const untilTaken = (store: Store, name: string): Promise<Lease> =>
  until('a free lease can be taken', () => store.lease(name))
