// The ledger of promises, on each database.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { LEDGER_BEGIN, ledgerText } from '@openvenue/core/ledger'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { newsOf } from '../../test/news.ts'
import type { Store } from '../store.ts'
import { createIntents } from './intent-rows.ts'
import type { IntentMove, IntentState, NewIntent } from './intents.ts'
import { INTENTS_KEPT_MS } from './intents.ts'
import type { LedgerRow } from './ledger.ts'
import { LEDGER_SQL } from './ledger-rows.ts'

const NOW_NS = 1_800_000_000_000_000_000n
const SECOND_NS = 1_000_000_000n
const TX = `0x${'cd'.repeat(32)}`
const ALL = { untilNs: NOW_NS * 2n, fromSeq: 1, limit: 10_000 }

let made = 0
const makeIntent = (given: Partial<NewIntent> = {}): NewIntent => ({
  id: `0x${(++made).toString(16).padStart(64, '0')}`,
  account: 7,
  wallet: `0x${'51'.repeat(20)}`,
  market: `0x${'aa'.repeat(20)}00000001`,
  lane: 'orders-0',
  state: 'queued',
  gas: 66_000,
  payload: { kind: 'cancel', target: 'x' },
  deadlineSeconds: 1_900_000_000n,
  receivedNs: NOW_NS,
  includeByBlock: 12,
  ...given,
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns whether every commit's hash covers the previous one and its entries. */
function isWhole(rows: readonly LedgerRow[], begin = LEDGER_BEGIN): boolean {
  let before = begin
  let pending: LedgerRow[] = []
  for (const row of rows) {
    pending.push(row)
    if (row.hash === undefined) continue
    if (row.hash !== sha256(ledgerText(before, pending))) return false
    before = row.hash
    pending = []
  }
  return pending.length === 0
}

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`the ledger on ${engine.name}`, () => {
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
    const add = async (...given: Partial<NewIntent>[]) => {
      const intents = given.map(makeIntent)
      await store.intents.add(intents)
      return intents.map(({ id }) => id)
    }
    const move = (id: string, from: IntentState, to: IntentState, more: Partial<IntentMove> = {}) =>
      store.intents.move([{ id, from: [from], to, atNs: NOW_NS + 5n, ...more }])
    const page = (query: Partial<typeof ALL> = {}) => store.ledger.page({ ...ALL, ...query })

    test('the ledger is empty and has no head before the first promise', async () => {
      assert.deepEqual(await page(), { head: undefined, fromSeq: 1, rows: [] })
    })

    test('the ledger has every step by number, with the promise at that time', async () => {
      const [id = ''] = await add({ state: 'received', includeByBlock: 0 })
      await move(id, 'received', 'queued', { includeByBlock: 20 })
      await move(id, 'queued', 'sent', { txHash: TX })
      await move(id, 'sent', 'refused', { blockNumber: 19, reason: 'TriggerNotMet\n1' })
      const { rows, head } = await page()
      assert.deepEqual(
        rows.map((row) => [row.seq, row.state, row.includeByBlock, row.txHash, row.blockNumber]),
        [
          [1, 'received', 0, undefined, undefined],
          [2, 'queued', 20, undefined, undefined],
          [3, 'sent', 20, TX, undefined],
          [4, 'refused', 20, undefined, 19],
        ],
      )
      assert.equal(rows[3]?.reason, 'TriggerNotMet 1')
      assert.deepEqual(head, { seq: 4, hash: rows[3]?.hash })
      const { rows: intentRows } = await store.ledger.ofIntent(id, ALL)
      assert.deepEqual(intentRows, rows)
      const [stored] = await store.intents.find([id])
      assert.equal(stored?.includeByBlock, 0)
      const [begun] = await store.intents.logAfter(0, 1)
      assert.deepEqual([begun?.includeByBlock, begun?.intent?.includeByBlock], [0, 0])
    })

    test('the ledger has a hash at the end of each commit over all earlier entries', async () => {
      const ids = await add({}, { lane: 'cancels', id: 'cancel:0xab' }, {})
      await store.intents.move(
        ids.map((id) => ({ id, from: ['queued'], to: 'sent', atNs: NOW_NS, txHash: TX })),
      )
      await Promise.all(Array.from({ length: 40 }, () => add({}, {})))
      const { rows, head } = await page()
      assert.ok(isWhole(rows))
      assert.ok(rows.some(({ hash }) => hash === undefined))
      assert.equal(rows.at(-1)?.hash, head?.hash)
      for (const change of [{ includeByBlock: 99 }, { state: 'expired' }, { txHash: '0x' }])
        assert.ok(!isWhole(rows.map((row, at) => (at === 5 ? { ...row, ...change } : row))))
      assert.ok(!isWhole(rows.filter((_, at) => at !== 5)))
    })

    test('a step that does not apply leaves no entry and no hash', async () => {
      const before = await page()
      const [moved] = await move('0x00', 'queued', 'sent')
      assert.equal(moved, false)
      const twice = makeIntent()
      await store.intents.add([twice])
      await store.intents.add([twice])
      const { rows, head } = await page()
      assert.equal(rows.length, before.rows.length + 1)
      assert.equal(head?.seq, before.rows.length + 1)
      assert.ok(isWhole(rows))
    })

    test('the ledger shows only entries that are old enough, up to the end of a commit', async () => {
      const { head } = await page()
      await add({ receivedNs: NOW_NS + SECOND_NS }, { receivedNs: NOW_NS + SECOND_NS })
      const young = await page({ untilNs: NOW_NS + SECOND_NS - 1n })
      assert.deepEqual(young.head, head)
      assert.equal(young.rows.at(-1)?.seq, head?.seq)
      const old = await page({ untilNs: NOW_NS + SECOND_NS })
      assert.equal(old.head?.seq, (head?.seq ?? 0) + 2)
    })

    test('the ledger is read in pages by number', async () => {
      const { rows } = await page()
      const [first, second] = [
        await page({ fromSeq: 3, limit: 4 }),
        await page({ fromSeq: 7, limit: 1e6 }),
      ]
      assert.deepEqual([...first.rows, ...second.rows], rows.slice(2))
      assert.deepEqual((await page({ fromSeq: 1e9 })).rows, [])
    })

    test('the ledger continues from deleted entries: it has every later number', async () => {
      const [id = ''] = await add({})
      await move(id, 'queued', 'withdrawn')
      const late = NOW_NS + BigInt(INTENTS_KEPT_MS + 1000) * 1_000_000n
      // Old entries are deleted in intervals, first by an instance that has not done so yet.
      const intents = createIntents(store.db, newsOf(store.db))
      await intents.add([makeIntent({ receivedNs: late }), makeIntent({ receivedNs: late })])
      const { rows, fromSeq, head } = await page({ untilNs: late })
      const missing = Array.from({ length: head?.seq ?? 0 }, (_, at) => at + 1).filter(
        (seq) => !rows.some((row) => row.seq === seq),
      )
      assert.ok(missing.length > 0)
      assert.equal(fromSeq, Math.max(...missing) + 1)
    })

    test('the cost of a ledger page depends on the entries of that page only', async () => {
      for (const [name, text] of Object.entries(LEDGER_SQL)) {
        const id = name === 'page' ? '5' : "'0x05'"
        const query = text.replace('$1', '1').replace('$2', id).replace('$3', '10')
        const plan = await store.db.readTransaction(async (sql) => {
          await sql.query('SET LOCAL enable_seqscan = off')
          return (await sql.query(`EXPLAIN ${query}`)).join('\n')
        })
        assert.doesNotMatch(plan, /Seq Scan on intent_log|Seq Scan on intents/)
        assert.match(plan, name === 'page' ? /Index Cond: .*seq >= / : /intent_log_by_id/)
        assert.match(plan, /intent_log_commits|intent_log_pkey/)
      }
    })
  })
}
