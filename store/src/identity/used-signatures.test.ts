// Request signatures are accepted once each, on each database and over several nodes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import { USED_SIGNATURES_SQL, UsedSignatures, WAITING_SIGNATURES_MAX } from './used-signatures.ts'

const NOW_MS = 1_800_000_000_000
const fresh = () => randomBytes(32).toString('hex')

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`signatures of requests on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    let other: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      other = engine.name === 'PGlite' ? store : await database.open()
    })
    after(async () => {
      await store.close()
      if (other !== store) await other.close()
      await database.remove()
    })
    const use = (signature: string, at = store, nowMs = NOW_MS) =>
      at.identity.useSignature({ signature, expiresMs: nowMs + 60_000, nowMs })
    const count = async () =>
      Number((await store.db.primary.query('SELECT count(*) FROM used_request_signatures'))[0]?.[0])

    test('the signature of a request is accepted once, on any node', async () => {
      const signature = fresh()
      assert.equal(await use(signature), true)
      assert.equal(await use(signature), false)
      assert.equal(await use(signature, other), false)
      assert.equal(await use(fresh(), other), true)
    })

    test('of a thousand equal signatures at once over two nodes, one is accepted', async () => {
      const signature = fresh()
      const taken = await Promise.all(
        Array.from({ length: 1000 }, (_, at) => use(signature, at % 2 === 0 ? store : other)),
      )
      assert.equal(taken.filter((isFirst) => isFirst).length, 1)
    })

    test('nodes that record the same signatures in different orders do not wait for each other', async () => {
      const signatures = Array.from({ length: 2000 }, fresh)
      const [here, there] = await Promise.all([
        Promise.all(signatures.map((signature) => use(signature))),
        Promise.all(signatures.toReversed().map((signature) => use(signature, other))),
      ])
      const there2 = there.toReversed()
      for (const [at, isFirst] of here.entries()) assert.notEqual(isFirst, there2[at])
    })

    test('expired signatures are deleted while new ones come', async () => {
      const later = NOW_MS + 10 * 60_000
      const signature = fresh()
      await use(signature)
      assert.ok((await count()) > 0)
      await use(fresh(), store, later)
      await use(fresh(), store, later)
      assert.equal(await count(), 2)
    })

    test('expired signatures are found by an index', async () => {
      const plan = await store.db.writeTransaction(async (sql) => {
        for (const way of ['seqscan', 'bitmapscan', 'hashagg', 'hashjoin'])
          await sql.query(`SELECT set_config('enable_${way}', 'off', true)`)
        return (await sql.query(`EXPLAIN ${USED_SIGNATURES_SQL.sweep.replace('$1', '1')}`)).join()
      })
      assert.match(plan, /used_request_signatures_by_expiry/)
    })
  })

test('signatures beyond the queue are refused, and all while the database is down', async () => {
  const failures: (() => void)[] = []
  const query = () =>
    new Promise<never>((_, reject) =>
      failures.push(() => reject(new Error('the database is down'))),
    )
  const used = new UsedSignatures({ keys: { query } })
  const use = () => used.use({ signature: fresh(), expiresMs: 1, nowMs: 0 })
  const first = use()
  const queued = Array.from({ length: WAITING_SIGNATURES_MAX }, use)
  await assert.rejects(use, /too many wait/)
  const outcomes = Promise.allSettled([first, ...queued])
  const failing = setInterval(() => failures.shift()?.(), 0)
  const all = await outcomes
  clearInterval(failing)
  assert.ok(all.every(({ status }) => status === 'rejected'))
})
