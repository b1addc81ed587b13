// Origins of orders, among those of years of trading.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Sql } from '../db/db.ts'
import type { OrderMembers } from '../intents/intents.ts'
import type { Store } from '../store.ts'
import { ORIGIN_SQL, readOrigins } from './order-origins.ts'

/** PGlite is for small venues, and its test runs on every change. */
const ROWS = { PGlite: 20_000, PostgreSQL: 1_000_000 } as const
/** A statement is first planned for its arguments, and later once for all. */
const MODES = ['force_custom_plan', 'force_generic_plan'] as const
const ORIGIN =
  '{"acceptedSeconds": 1700000000, "isMarket": false, "clientOrderId": "mine", "parentRef": null, "triggerKind": 0, "triggerPrice": "0", "replaces": null}'
const NO_HASH = `0x${'0'.repeat(64)}`
/** The digest of the deleted order `n`. */
const digest = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

for (const engine of testEngines(process.env.DATABASE_URL)) {
  const rows = ROWS[engine.name as keyof typeof ROWS]
  describe(`origins of orders on ${engine.name}, of ${rows} deleted intents`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.db.script(`SET LOCAL statement_timeout = 0; INSERT INTO order_origins
        SELECT '0x' || lpad(to_hex(i), 64, '0'), '${ORIGIN}' FROM generate_series(1, ${rows}) i`)
      await store.db.script('VACUUM (ANALYZE) order_origins')
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    /** Reads, and also returns the executed statements. */
    const read = async (refs: readonly string[]) => {
      const texts: string[] = []
      const { primary } = store.db
      const sql: Sql = {
        query: (text, params) => {
          texts.push(text)
          return primary.query(text, params)
        },
      }
      return { origins: await readOrigins(sql, refs), texts }
    }
    const accept = async (id: string) => {
      const order = { triggerKind: 0, triggerPrice: '0', replaces: NO_HASH } as OrderMembers
      await store.intents.add([
        {
          ...{ id, account: 7, wallet: `0x${'51'.repeat(20)}`, lane: 'orders-0', gas: 66_000 },
          ...{ market: `0x${'aa'.repeat(20)}00000001`, state: 'queued', includeByBlock: 12 },
          payload: { kind: 'order', order, signature: '0x', acceptedSeconds: 5 },
          ...{ deadlineSeconds: 9n, receivedNs: 1_800_000_000_000_000_000n },
        },
      ])
    }

    test('origins of orders of a new block are read without the growing table', async () => {
      const ids = [digest(rows + 1), digest(rows + 2)]
      for (const id of ids) await accept(id)
      const { origins, texts } = await read(ids)
      assert.deepEqual([...origins.keys()].sort(), ids)
      assert.equal(origins.get(ids[0] ?? '')?.acceptedSeconds, 5)
      assert.deepEqual(texts, [ORIGIN_SQL.ofIntents])
    })

    test('origins of deleted orders and of orders from elsewhere are looked up by id', async () => {
      const [accepted, deleted, foreign] = [digest(rows + 3), digest(7), digest(rows + 4)]
      await accept(accepted)
      const { origins, texts } = await read([accepted, deleted, foreign])
      assert.deepEqual([...origins.keys()].sort(), [deleted, accepted].sort())
      assert.equal(origins.get(deleted)?.clientOrderId, 'mine')
      assert.deepEqual(texts, [ORIGIN_SQL.ofIntents, ORIGIN_SQL.ofDeleted])
    })

    test('origins of more orders than one statement takes are all read', async () => {
      const ids = Array.from({ length: 2500 }, (_, at) => digest(at + 1))
      const { origins } = await read(ids)
      assert.equal(origins.size, ids.length)
    })

    test('an index serves the read of order origins, whatever its plan is made for', async () => {
      const list = `{${Array.from({ length: 64 }, (_, at) => digest(at * 7 + 1)).join(',')}}`
      for (const mode of MODES) {
        const plan = await store.db.maintain((run) =>
          run(`SELECT set_config('plan_cache_mode', '${mode}', true);
            PREPARE origins_${mode} AS ${ORIGIN_SQL.ofDeleted};
            EXPLAIN EXECUTE origins_${mode}('${list}')`),
        )
        const text = plan.join('\n')
        assert.match(text, /order_origins_pkey/, `${mode}\n${text}`)
        assert.doesNotMatch(text, /Seq Scan/, `${mode}\n${text}`)
      }
    })
  })
}
