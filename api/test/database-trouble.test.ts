// Requests to a node while its database is in trouble.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { Store } from '@openvenue/store/store'
import { closeProxy, GATED, lockWaits, terminate } from '@openvenue/store/test/backends'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { headersOf, type KeyNode, keyNode, newWallet, type Reply } from './key-node.ts'

const engine = postgresEngine(process.env.DATABASE_URL)
/** The advisory lock that a registration of an account takes. */
const ACCOUNT_LOCK = 0x6f76_6964
const CONNECTIONS_AND_WAITING = 8 + 64

if (engine !== undefined)
  describe('while the database is in trouble', () => {
    let database: TestDatabase
    let store: Store
    let other: Store
    let node: KeyNode
    before(async () => {
      database = await engine.createDatabase()
      ;[store, other] = [await database.open(), await database.open()]
      node = await keyNode({}, store)
    })
    after(async () => {
      await node.close()
      await Promise.all([store.close(), other.close()])
      await database.remove()
    })
    const refusedNow = ({ status, body, headers }: Reply, code: string) => {
      assert.deepEqual([status, body.error], [503, code])
      assert.equal(headers['retry-after'], '1')
    }

    test('POST /register over a connection that is cut is 503, and the next one works', async () => {
      const wallet = newWallet()
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const locked = Promise.withResolvers<void>()
      const locking = other.db.writeTransaction(async (sql) => {
        const text = `SELECT pg_advisory_xact_lock(${ACCOUNT_LOCK}, hashtext($1))::text`
        await sql.query(text, [wallet.address.toLowerCase()])
        locked.resolve()
        await held
      })
      await locked.promise
      const registering = node.register({ wallet })
      await until('it waits in the middle of its transaction', async () => {
        return (await lockWaits(other.db.primary, 'openvenue keys')) === 1
      })
      await terminate(other.db.primary, 'openvenue keys')
      refusedNow(await registering, 'AUTH_UNAVAILABLE')
      release()
      await locking.catch(() => {})
      assert.equal((await node.register({ wallet })).status, 201)
    })

    test('a request for history that finds a long queue is refused at once', async () => {
      const headers = headersOf(await node.register())
      const open = await closeProxy(database.options.databaseUrl)
      const slow = Array.from({ length: CONNECTIONS_AND_WAITING }, () =>
        store.db.replica.query(GATED),
      )
      const ended = Promise.allSettled(slow)
      const answers = await Promise.all(
        Array.from({ length: 28 }, () => node.send({ url: '/transaction-history', headers })),
      )
      for (const answer of answers) refusedNow(answer, 'HISTORY_UNAVAILABLE')
      assert.equal((await node.register()).status, 201)
      await open()
      await ended
      const { status } = await node.send({ url: '/transaction-history', headers })
      assert.equal(status, 200)
    })
  })
