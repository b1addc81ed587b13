// Intents, on each database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { newsOf } from '../../test/news.ts'
import { makePartition, PARTITION_SECONDS } from '../db/partitions.ts'
import { RESTING_SECONDS } from '../db/tables.ts'
import type { Store } from '../store.ts'
import { createIntents } from './intent-rows.ts'
import { INTENT_SQL } from './intent-sql.ts'
import {
  type AddResult,
  INTENTS_KEPT_MS,
  type Intent,
  type IntentMove,
  type NewIntent,
  type OrderMembers,
} from './intents.ts'

const NOW_NS = 1_800_000_000_000_000_000n
const ORDER_SECONDS = 1_800_000_000
const HASH = `0x${'ab'.repeat(32)}`
const LOG_MAX = 10_000

let made = 0
const freshId = () => `0x${(++made).toString(16).padStart(64, '0')}`

const makeIntent = (given: Partial<NewIntent> = {}): NewIntent => ({
  id: freshId(),
  account: 7,
  wallet: `0x${'51'.repeat(20)}`,
  market: `0x${'aa'.repeat(20)}00000001`,
  lane: 'orders-0',
  state: 'queued',
  gas: 66_000,
  payload: { kind: 'cancel', target: '0x"quoted' },
  clientOrderId: undefined,
  parentId: undefined,
  deadlineSeconds: 2n ** 256n - 1n,
  receivedNs: NOW_NS,
  includeByBlock: 12,
  ...given,
})

const addedOf = (outcome: AddResult | undefined): Intent => {
  assert.ok(outcome !== undefined && 'added' in outcome)
  return outcome.added
}

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`intents on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      const fromSeconds = Math.floor(ORDER_SECONDS / PARTITION_SECONDS) * PARTITION_SECONDS
      await makePartition(store.db.primary, 'order', fromSeconds)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    beforeEach(async () => {
      for (const table of ['intents', 'intent_log', 'orders', 'relay_status'])
        await store.db.primary.query(`DELETE FROM ${table}`)
    })
    const add = async (given?: Partial<NewIntent>) =>
      addedOf((await store.intents.add([makeIntent(given)]))[0])
    const log = (after: number) => store.intents.logAfter(after, LOG_MAX)
    const rest = (ref: string, restingLots: number) =>
      store.db.primary.query(
        `INSERT INTO orders VALUES ('m', ${++made}, $1, 7, true, 1, 5, $2, 0, 0, 0, 'GTC', false,
        false, 0, 'open', NULL, 1, 1, '0x', 1, ${ORDER_SECONDS}, false, NULL, NULL, NULL, NULL,
        NULL, NULL, $3)`,
        [ref, restingLots, restingLots > 0 ? RESTING_SECONDS : ORDER_SECONDS],
      )

    test('an intent is stored with all its fields, and a repeat returns its current state', async () => {
      const given = makeIntent({ clientOrderId: 'a "b" \\', parentId: HASH, state: 'received' })
      const added = addedOf((await store.intents.add([given]))[0])
      const expected = { txHash: undefined, blockNumber: undefined, reason: undefined }
      const intent = { ...given, seq: added.seq, ...expected, updatedNs: NOW_NS }
      assert.deepEqual(added, intent)
      assert.deepEqual(await store.intents.find([given.id]), [intent])
      assert.deepEqual(await store.intents.findByClientOrderId(7, 'a "b" \\'), intent)
      const again = await store.intents.add([{ ...given, gas: 1 }])
      assert.deepEqual(again, [{ known: intent }])
      assert.deepEqual(await log(added.seq - 1), [
        {
          ...{ ...expected, seq: added.seq, id: given.id, state: 'received', atNs: NOW_NS },
          ...{ includeByBlock: given.includeByBlock, intent },
        },
      ])
    })

    test('a requeued intent that a transaction has carried is not unsent', async () => {
      const withdraw = async (id: string) => {
        const from = ['received', 'queued'] as const
        const step = { id, from, to: 'withdrawn', isUnsent: true, atNs: NOW_NS } as const
        return (await store.intents.move([step]))[0]
      }
      const to = (id: string, state: IntentMove['to'], txHash?: string) =>
        store.intents.move([
          { id, from: ['queued', 'sent', 'included'], to: state, txHash, atNs: NOW_NS },
        ])
      const { id } = await add()
      await to(id, 'sent', HASH)
      assert.equal(await withdraw(id), false)
      await to(id, 'included')
      await to(id, 'queued')
      assert.equal(await withdraw(id), false)
      assert.equal(await withdraw((await add()).id), true)
      const withdrawable = await add()
      await to(withdrawable.id, 'sent', HASH)
      await to(withdrawable.id, 'received')
      assert.equal(
        await withdraw(withdrawable.id),
        true,
        'what is held again has been refused by the chain',
      )
    })

    test('the promise of an intent holds until the intent is released or promised again', async () => {
      const promise = async (id: string) => (await store.intents.promisesOf([id])).get(id)
      const step = async (id: string, given: Partial<IntentMove>) => {
        const from = ['received', 'queued', 'sent', 'refused', 'included'] as const
        assert.deepEqual(
          await store.intents.move([{ id, from, to: 'queued', atNs: NOW_NS, ...given }]),
          [true],
        )
        return (await store.intents.live()).seq
      }
      const { id, seq } = await add({ state: 'received', includeByBlock: 0 })
      assert.deepEqual(await promise(id), { seq, atNs: NOW_NS, includeByBlock: 0 })
      const let_ = await step(id, { includeByBlock: 20, atNs: NOW_NS + 1n })
      assert.deepEqual(await promise(id), { seq: let_, atNs: NOW_NS + 1n, includeByBlock: 20 })
      for (const to of ['sent', 'included', 'queued', 'refused'] as const) await step(id, { to })
      assert.equal((await promise(id))?.seq, let_, 'a reorganisation makes no other promise')
      const anew = await step(id, { includeByBlock: 30, atNs: NOW_NS + 2n })
      assert.deepEqual(await promise(id), { seq: anew, atNs: NOW_NS + 2n, includeByBlock: 30 })
      assert.equal(await promise(HASH), undefined)
    })

    test('concurrent intents get consecutive places, one each, whoever adds them', async () => {
      const { seq } = await store.intents.live()
      const isAlone = engine.name === 'PGlite'
      const other = isAlone ? store : await database.open()
      try {
        const intents = Array.from({ length: 60 }, () => makeIntent())
        const twice = [...intents, ...intents]
        const outcomes = await Promise.all(
          twice.map((intent, at) => (at % 2 === 0 ? store : other).intents.add([intent])),
        )
        const added = outcomes.flat().filter((outcome) => 'added' in outcome)
        assert.equal(added.length, 60)
        assert.deepEqual(
          (await log(seq)).map((entry) => entry.seq - seq),
          intents.map((_, at) => at + 1),
        )
        assert.equal((await store.intents.live()).seq, seq + 60)
      } finally {
        if (!isAlone) await other.close()
      }
    })

    test('the count of orders of an account includes deleted ones, but no cancels and repeats', async () => {
      const account = 4711
      const payload = { kind: 'order', order: {} as OrderMembers, signature: '' } as const
      const order = { account, payload }
      assert.deepEqual(await store.intents.ordersEver(account), { orders: 0, lastMs: 0 })
      const [first, second] = [
        makeIntent(order),
        makeIntent({ ...order, receivedNs: NOW_NS + 5_000_000n }),
      ]
      const counts = (await store.intents.add([first, second, makeIntent({ account })])).map(
        (outcome) => ('added' in outcome ? outcome.ordersEver : undefined),
      )
      assert.deepEqual(counts, [2, 2, 2])
      await store.intents.add([first, makeIntent(order)])
      await store.db.primary.query('DELETE FROM intents')
      const { orders, lastMs } = await store.intents.ordersEver(account)
      assert.deepEqual([orders, lastMs], [3, Number(NOW_NS / 1_000_000n) + 5])
    })

    test('refusals by the chain count once more, for orders and cancels alike', async () => {
      const account = 4712
      const payload = { kind: 'order', order: {} as OrderMembers, signature: '' } as const
      const order = await add({ account, payload })
      const unsent = await add({ account, payload })
      const cancel = await add({ account })
      const used = async () => (await store.intents.ordersEver(account)).orders
      assert.equal(await used(), 2)
      const at = { atNs: NOW_NS } as const
      const refused = { ...at, from: ['queued', 'sent'], to: 'refused' } as const
      for (const { id } of [order, cancel])
        await store.intents.move([{ ...at, id, from: ['queued'], to: 'sent', txHash: HASH }])
      assert.equal(await used(), 2)
      await store.intents.move([order, cancel, unsent].map(({ id }) => ({ ...refused, id })))
      assert.equal(await used(), 4, 'the one that was never sent cost nothing')
      await store.intents.move([{ ...refused, id: order.id }])
      assert.equal(await used(), 4)
    })

    test('a list of intents keeps its order, and a repeat within the list is detected', async () => {
      const [first, second] = [makeIntent(), makeIntent()]
      const outcomes = await store.intents.add([second, first, second])
      assert.deepEqual(
        outcomes.map((outcome) =>
          'added' in outcome ? outcome.added.id : Object.keys(outcome)[0],
        ),
        [second.id, first.id, 'known'],
      )
      assert.ok(addedOf(outcomes[0]).seq < addedOf(outcomes[1]).seq)
    })

    test('a client order id is free again once its order is over', async () => {
      const clientOrderId = 'mine'
      const first = await add({ clientOrderId })
      const refused = [{ clientOrderIdTaken: first.id }]
      const another = () => store.intents.add([makeIntent({ clientOrderId })])
      assert.deepEqual(await another(), refused)
      addedOf((await store.intents.add([makeIntent({ clientOrderId, account: 8 })]))[0])
      const move = { id: first.id, from: ['queued'], to: 'included', atNs: NOW_NS } as const
      assert.deepEqual(await store.intents.move([{ ...move, blockNumber: 3 }]), [true])
      await rest(first.id, 5)
      assert.deepEqual(await another(), refused)
      assert.deepEqual(
        (await store.intents.live()).intents.filter(({ id }) => id === first.id).length,
        1,
      )
      await store.db.primary.query(
        'UPDATE orders SET resting_lots = 0, ended_seconds = updated_seconds',
      )
      const [second] = await another()
      assert.equal(
        (await store.intents.findByClientOrderId(7, clientOrderId))?.id,
        addedOf(second).id,
      )
    })

    test('a step of an intent is made once, and only from an allowed state', async () => {
      const { id, seq } = await add()
      const step = { id, atNs: NOW_NS + 1n } as const
      const sent = { ...step, from: ['queued'], to: 'sent', txHash: HASH } as const
      const withdrawn = { ...step, from: ['queued', 'received'], to: 'withdrawn' } as const
      const moved = await Promise.all([store.intents.move([sent]), store.intents.move([withdrawn])])
      assert.deepEqual(moved, [[true], [false]])
      const included = { ...step, from: ['sent'], to: 'included', blockNumber: 9 } as const
      assert.deepEqual(await store.intents.move([included, { ...included, id: HASH }]), [
        true,
        false,
      ])
      const [intent] = await store.intents.find([id])
      assert.deepEqual(
        [intent?.state, intent?.txHash, intent?.blockNumber, intent?.updatedNs],
        ['included', HASH, 9, NOW_NS + 1n],
      )
      assert.deepEqual(
        (await log(seq)).map(({ state, txHash }) => [state, txHash]),
        [
          ['sent', HASH],
          ['included', undefined],
        ],
      )
      assert.deepEqual(
        (await store.intents.includedFrom(9)).map((intent) => intent.id),
        [id],
      )
      assert.deepEqual(await store.intents.includedFrom(10), [])
    })

    test('recently refused and expired intents are found, newest first', async () => {
      const ends = ['refused', 'expired', 'withdrawn', 'included', 'refused'] as const
      const ids: string[] = []
      for (const [at, to] of ends.entries()) {
        const { id } = await add()
        ids.push(id)
        await store.intents.move([{ id, from: ['queued'], to, atNs: NOW_NS + BigInt(at) }])
      }
      const givenUpIds = async (ns: bigint) =>
        (await store.intents.givenUpSince(ns)).map(({ id }) => id)
      assert.deepEqual(await givenUpIds(NOW_NS), [ids[4], ids[1], ids[0]])
      assert.deepEqual(await givenUpIds(NOW_NS + 2n), [ids[4]])
    })

    test('live intents are loaded by arrival, finished intents are not', async () => {
      const [first, second, third] = [await add(), await add({ state: 'received' }), await add()]
      const end = { id: third.id, from: ['queued'], to: 'refused', atNs: NOW_NS } as const
      await store.intents.move([{ ...end, reason: 'r'.repeat(500) }])
      const { seq, intents } = await store.intents.live()
      assert.deepEqual(intents, [first, second])
      const [refused] = await store.intents.find([third.id])
      assert.equal(refused?.reason?.length, 200)
      assert.deepEqual(await log(seq), [])
    })

    test('the position in the intent log is known even without intents', async () => {
      const { seq } = await add()
      await store.db.primary.query('DELETE FROM intents')
      assert.deepEqual(await store.intents.live(), { seq, intents: [] })
    })

    test('the retention of ended intents is configurable', async () => {
      const keptMs = 60_000
      const intents = createIntents(store.db, { ...newsOf(store.db), keptMs })
      const { id } = await add()
      await intents.move([{ id, from: ['queued'], to: 'expired', atNs: NOW_NS }])
      const receivedNs = NOW_NS + BigInt(keptMs) * 1_000_000n
      await intents.add([makeIntent({ receivedNs: receivedNs - 1n })])
      assert.equal((await intents.find([id])).length, 1)
      await intents.add([makeIntent({ receivedNs })])
      assert.equal((await intents.find([id])).length, 1, 'it is looked for now and then')
      const next = createIntents(store.db, { ...newsOf(store.db), keptMs })
      await next.add([makeIntent({ receivedNs })])
      assert.deepEqual(await intents.find([id]), [])
    })

    test('old ended intents are deleted with their log, unless their order rests', async () => {
      const over = [await add(), await add(), await add()]
      await rest((over[1] as Intent).id, 5)
      const to = ['expired', 'included', 'queued'] as const
      for (const [at, { id }] of over.slice(0, 2).entries())
        await store.intents.move([{ id, from: ['queued'], to: to[at] ?? 'sent', atNs: NOW_NS }])
      const later = NOW_NS + BigInt(INTENTS_KEPT_MS) * 1_000_000n
      const anew = () => createIntents(store.db, newsOf(store.db))
      await anew().add([makeIntent({ receivedNs: later - 1n })])
      assert.equal((await store.intents.find(over.map(({ id }) => id))).length, 3)
      await anew().add([makeIntent({ receivedNs: later })])
      assert.deepEqual(
        (await store.intents.find(over.map(({ id }) => id))).map(({ id }) => id).sort(),
        [over[1]?.id, over[2]?.id].sort(),
      )
      const left = await anew().logAfter(0, LOG_MAX)
      assert.ok(left.every(({ id }) => id !== over[0]?.id))
    })

    test('the origin of an order outlives its intent once the chain has the order', async () => {
      const NAMES = { clientOrderId: 'a "name" \\', parentId: `0x${'aa'.repeat(32)}` }
      const plainOrder = {
        ...{ triggerKind: 0, triggerPrice: '0', replaces: `0x${'0'.repeat(64)}` },
      } as OrderMembers
      const payloadOf = (order: object, unsigned: object = {}) => ({
        ...{ kind: 'order' as const, signature: '0x', ...unsigned },
        order: { ...plainOrder, ...order },
      })
      const facts = {
        ...{ acceptedSeconds: 1_700_000_000, isMarket: true, edits: `0x${'bb'.repeat(32)}` },
      }
      const trigger = { triggerKind: 2, triggerPrice: '5' }
      const triggered = await add({ ...NAMES, payload: payloadOf(trigger, facts) })
      const plain = await add({ payload: payloadOf({ replaces: triggered.id }) })
      const refused = await add({ payload: payloadOf({}) })
      const ids = [triggered.id, plain.id, refused.id]
      const before = new Map(await store.writer.readOrigins(ids))
      assert.deepEqual(before.get(triggered.id), {
        ...{ acceptedSeconds: 1_700_000_000, isMarket: true },
        ...{ clientOrderId: NAMES.clientOrderId, parentRef: NAMES.parentId },
        ...{ triggerKind: 2, triggerPrice: 5n, replaces: facts.edits },
      })
      assert.deepEqual(before.get(plain.id), {
        acceptedSeconds: Number(plain.receivedNs / 1_000_000_000n),
        ...{ isMarket: false, clientOrderId: null, parentRef: null },
        ...{ triggerKind: null, triggerPrice: null, replaces: triggered.id },
      })
      for (const id of ids.slice(0, 2)) await rest(id, 0)
      for (const id of ids)
        await store.intents.move([{ id, from: ['queued'], to: 'included', atNs: NOW_NS }])
      const later = NOW_NS + BigInt(INTENTS_KEPT_MS) * 1_000_000n
      await createIntents(store.db, newsOf(store.db)).add([makeIntent({ receivedNs: later })])
      assert.deepEqual(await store.intents.find(ids), [])
      const after = await store.writer.readOrigins(ids)
      before.delete(refused.id)
      assert.deepEqual(after, before, 'an order that the chain never had is forgotten')
    })

    test('orders are found by digest and by chain id in any state', async () => {
      const [first, second, third] = [freshId(), freshId(), freshId()]
      await rest(first, 5)
      await rest(second, 0)
      const market = `0x${'5a'.repeat(20)}00000001`
      await store.db.primary.query('UPDATE orders SET market = $1', [market])
      await store.db.primary.query(
        `INSERT INTO markets VALUES ($1, 'e', 1, 'M', 'SPOT', 'A', 'B', NULL, NULL, 18, 6, 1, 1, 1,
        1, 1, 1, NULL, NULL, NULL, NULL, false, 1)`,
        [market],
      )
      const chainId = `${market}${made.toString(16).padStart(16, '0')}`
      const orders = await store.intents.onChain([first, second, third, chainId, 'x"y'])
      assert.deepEqual(
        orders.map((order) => [order.id, order.isResting, order.blockNumber]).sort(),
        [
          [first, true, 1],
          [second, false, 1],
          [chainId, false, 1],
        ].sort(),
      )
      assert.deepEqual(await store.intents.onChain([]), [])
    })

    test('followers of the intent log are signalled for additions, steps and the status', async () => {
      const signalled: string[] = []
      let next = Promise.withResolvers<void>()
      const stop = store.intents.onLog(() => next.resolve())
      const expectSignal = async (name: string, act: () => Promise<unknown>) => {
        next = Promise.withResolvers<void>()
        await act()
        await next.promise
        signalled.push(name)
      }
      await expectSignal('add', () => add())
      await expectSignal('status', () => store.intents.writeStatus('{}', 5))
      assert.deepEqual(await store.intents.readStatus(), { status: '{}', updatedMs: 5 })
      await store.intents.writeStatus('{"a":1}', 6)
      assert.deepEqual(await store.intents.readStatus(), { status: '{"a":1}', updatedMs: 6 })
      stop()
      assert.deepEqual(signalled, ['add', 'status'])
    })

    test('followers of the intent log need no query for entries committed by this process', async () => {
      const texts: string[] = []
      const query: typeof store.db.primary.query = (text, params) => {
        texts.push(text)
        return store.db.primary.query(text, params)
      }
      const db = { ...store.db, primary: { query } }
      const intents = createIntents(db, newsOf(db))
      let { seq } = await intents.live()
      await intents.writeStatus('{}', 1)
      let signals = 0
      const stop = intents.onLog(() => void signals++)
      // Notifications from before it listens require one more read.
      if (engine.name === 'PostgreSQL') await until('it listens', async () => signals > 0)
      await intents.logAfter(seq, LOG_MAX)
      const ORDERS = 20
      for (let at = 0; at < ORDERS; at++) {
        const intent = makeIntent()
        await intents.add([intent])
        await intents.move([
          { id: intent.id, from: ['queued'], to: 'sent', atNs: NOW_NS, txHash: HASH },
        ])
        const read = await Promise.all([1, 2, 3].map(() => intents.logAfter(seq, LOG_MAX)))
        const unread = createIntents(store.db, newsOf(store.db))
        assert.deepEqual(read[0], await unread.logAfter(seq, LOG_MAX))
        assert.deepEqual(
          read[0]?.map(({ state }) => state),
          ['queued', 'sent'],
        )
        assert.equal((await intents.readStatus())?.updatedMs, 1)
        seq += 2
      }
      assert.ok(signals >= 2 * ORDERS)
      // On PostgreSQL others may have written, which is polled once a second.
      assert.ok(texts.filter((text) => text === INTENT_SQL.logAfter).length <= 2)
      assert.ok(texts.filter((text) => text === INTENT_SQL.readStatus).length <= 2)
      stop()
    })

    test('the lock of the intent log waits for no process when nothing ends', async () => {
      const texts: (readonly string[])[] = []
      const db: Store['db'] = {
        ...store.db,
        writeTogether: (calls) => {
          texts.push(calls.map(({ text }) => text))
          return store.db.writeTogether(calls)
        },
        writeTransaction: () => assert.fail('a statement waits for the answer to another'),
      }
      const intents = createIntents(db, newsOf(db))
      const intent = makeIntent()
      addedOf((await intents.add([intent]))[0])
      const move = { id: intent.id, from: ['queued'], to: 'sent', atNs: NOW_NS } as const
      assert.deepEqual(await intents.move([move]), [true])
      assert.deepEqual(await intents.move([move]), [false])
      assert.deepEqual(texts, [
        [INTENT_SQL.lock, INTENT_SQL.add, INTENT_SQL.deleteOld],
        [INTENT_SQL.lock, INTENT_SQL.move],
        [INTENT_SQL.lock, INTENT_SQL.move],
      ])
    })

    test('intents added together are added all or not at all', async () => {
      const status = `INSERT INTO relay_status (status, updated_ms) VALUES ($1, $2)
        RETURNING status`
      const add = { text: status, params: ['{}', 3] }
      const failing = [add, { text: 'SELECT ($1::int / 0)::text', params: [1] }]
      await assert.rejects(store.db.writeTogether(failing), /division by zero/)
      assert.equal(await createIntents(store.db, newsOf(store.db)).readStatus(), undefined)
      assert.deepEqual(await store.db.writeTogether([add, { text: 'SELECT 1' }]), [
        [['{}']],
        [['1']],
      ])
    })

    test('intents are kept when the chain is reindexed', async () => {
      const { id } = await add()
      await store.writer.wipeChain()
      assert.equal((await store.intents.find([id])).length, 1)
    })
  })
}
