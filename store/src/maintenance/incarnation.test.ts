// A database that continues on another server or timeline, as after the promotion of a standby.
// drills/src/servers/lossy-promotion.test.ts promotes one.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import type { NewIntent } from '../intents/intents.ts'
import type { Store } from '../store.ts'
import { checkIncarnation } from './incarnation.ts'
import { RESTORED } from './restore-gap.ts'

const NOW_MS = 1_800_000_000_000
const WALLET = `0x${'51'.repeat(20)}`

const makeIntent = (id: string): NewIntent => ({
  ...{ id, account: 7, wallet: WALLET, market: 'm', lane: 'orders-0', state: 'queued', gas: 1 },
  payload: { kind: 'cancel', target: 'x' },
  ...{ deadlineSeconds: 1_900_000_000n, receivedNs: 1n, includeByBlock: 12 },
})

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('a database on another timeline', () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await postgres.createDatabase()
      store = await database.open()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const ask = (text: string) => store.db.primary.query(text)
    const headOf = async () => (await ask('SELECT seq, incarnation FROM intent_head'))[0] ?? []
    const numbers = async () => {
      const [[log, feed] = []] = await ask('SELECT h.seq, c.seq FROM intent_head h, checkpoint c')
      return { log: Number(log), feed: Number(feed) }
    }
    const keys = async () => (await ask('SELECT key FROM api_keys')).flat()
    const reasons = async () => (await ask('SELECT reason FROM intents ORDER BY seq')).flat()
    /** Checks on one connection, which the transaction of the call provides. */
    const check = (seen: { log: number; feed: number }) =>
      store.db.writeTransaction((sql) => checkIncarnation(sql, seen, NOW_MS))
    /** Checks as the first process after a change of the timeline. */
    const enter = async (seen: { log: number; feed: number }) => {
      await ask(`UPDATE intent_head SET incarnation = '1/00000001'`)
      await check(seen)
    }

    beforeEach(async () => {
      for (const table of ['api_keys', 'intents', 'intent_log']) await ask(`DELETE FROM ${table}`)
      await ask('UPDATE checkpoint SET seq = 50')
      await ask(`INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms)
        VALUES ('key', 'hash', '${WALLET}', '0xkey', 1, ${NOW_MS * 2})`)
      await store.intents.add([makeIntent('a'), makeIntent('b')])
    })

    test('the first check records the server and changes no number', async () => {
      const before = await numbers()
      await ask('UPDATE intent_head SET incarnation = NULL')
      await check({ log: 0, feed: 0 })
      assert.deepEqual(await numbers(), before)
      assert.match(String((await headOf())[1]), /^\d+\/[0-9A-F]{8}$/)
      assert.deepEqual([await keys(), await reasons()], [['key'], [null, null]])
    })

    test('numbers continue beyond those of any other copy; the rest stays if nothing is missing', async () => {
      const seen = await numbers()
      const startUs = Date.now() * 1000
      await enter(seen)
      const { log, feed } = await numbers()
      assert.ok(log >= startUs && feed >= startUs)
      assert.ok(Number.isSafeInteger(log))
      assert.deepEqual([await keys(), await reasons()], [['key'], [null, null]])
      for (const later of [seen, { log, feed }]) await check(later)
      assert.deepEqual(await numbers(), { log, feed }, 'once')
      assert.deepEqual([await keys(), await reasons()], [['key'], [null, null]])
    })

    for (const [name, more] of [
      ['an entry of the log', { log: 1, feed: 0 }],
      ['a block', { log: 0, feed: 1 }],
    ] as const)
      test(`no key and no waiting order survives when ${name} is missing`, async () => {
        const { log, feed } = await numbers()
        await enter({ log: log + more.log, feed: feed + more.feed })
        assert.deepEqual([await keys(), await reasons()], [[], [RESTORED, RESTORED]])
      })

    test('a process that has seen nothing assumes a loss, unless the database is synchronous', async () => {
      const [[name] = []] = await ask('SELECT current_database()')
      await ask(`ALTER DATABASE "${name}" SET openvenue.synchronous = on`)
      try {
        // Settings of a database apply to later connections.
        const other = await database.open()
        await ask(`UPDATE intent_head SET incarnation = '1/00000001'`)
        await other.db.writeTransaction((sql) => checkIncarnation(sql, { log: 0, feed: 0 }, NOW_MS))
        await other.close()
        assert.deepEqual([await keys(), await reasons()], [['key'], [null, null]])
      } finally {
        await ask(`ALTER DATABASE "${name}" RESET openvenue.synchronous`)
      }
      await enter({ log: 0, feed: 0 })
      assert.deepEqual([await keys(), await reasons()], [[], [RESTORED, RESTORED]])
    })

    test('an older copy of the same server is a loss, too', async () => {
      const { log, feed } = await numbers()
      await check({ log: log + 1, feed })
      assert.deepEqual([await keys(), await reasons()], [[], [RESTORED, RESTORED]])
      assert.ok((await numbers()).log > log + 3)
    })

    test('a loss that only a later process knows of is announced by it, once', async () => {
      const { log, feed } = await numbers()
      await enter({ log, feed })
      const later = { log: log + 1, feed }
      await check(later)
      assert.deepEqual([await keys(), await reasons()], [[], [RESTORED, RESTORED]])
      await store.intents.add([makeIntent('c')])
      await check(later)
      assert.equal((await reasons()).at(-1), null)
    })
  })
