// Safeguards, on each database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { makePartition } from '../db/partitions.ts'
import type { Store } from '../store.ts'
import { isFrozen, type MmpRule, type NewCancelTimer } from './safeguards.ts'

const WALLET = `0x${'51'.repeat(20)}`
const ALL = 1_000
const HOUR_MS = 3_600_000
const TABLES = [
  'cancel_timers',
  'socket_nodes',
  'ended_connections',
  'disconnect_rules',
  'mmp_rules',
  'orders',
  'intents',
]

const makeTimer = (given: Partial<NewCancelTimer> = {}): NewCancelTimer => ({
  account: 7,
  wallet: WALLET,
  timeoutMs: 5_000,
  includesTriggers: false,
  cancelAlls: [],
  ...given,
})

const settings = {
  account: 7,
  wallet: WALLET,
  asset: 'ETH',
  intervalSeconds: 10,
  frozenSeconds: 30,
  amountLimit: 10n ** 24n,
  deltaLimit: 5n,
}

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`safeguards on ${engine.name}`, () => {
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
    const run = (text: string) => store.db.primary.query(text)
    beforeEach(async () => {
      for (const table of TABLES) await run(`DELETE FROM ${table}`)
    })
    const due = () => store.safeguards.dueTimers(ALL)
    /** Moves the clock forward by `ms`, or back. */
    const pass = (ms: number) =>
      run(`UPDATE cancel_timers SET armed_ms = armed_ms - ${ms}, trigger_ms = trigger_ms - ${ms}`)

    test('a cancel timer is due once its time is over, with all its fields', async () => {
      const cancelAlls = [
        { digest: '0xd', market: '0xm', salt: '1', deadline: '2', signature: '0x"' },
      ]
      const timer = makeTimer({ includesTriggers: true, cancelAlls })
      const { triggerMs } = await store.safeguards.armTimer(timer)
      assert.deepEqual(await due(), [])
      await pass(5_000)
      assert.deepEqual(await due(), [
        { ...timer, armedMs: triggerMs - 10_000, triggerMs: triggerMs - 5_000 },
      ])
    })

    test('each call re-arms a cancel timer with its own terms, and a disarmed timer never ends', async () => {
      await store.safeguards.armTimer(makeTimer({ includesTriggers: true }))
      await pass(5_000)
      const [ended] = await due()
      assert.ok(ended !== undefined)
      await store.safeguards.armTimer(makeTimer({ timeoutMs: 6_000 }))
      assert.deepEqual(await due(), [])
      // A watcher that processed the previous timer must not delete the new one.
      await store.safeguards.endTimer(ended)
      await pass(6_000)
      const [again] = await due()
      assert.equal(again?.includesTriggers, false)
      await store.safeguards.endTimer(again as typeof ended)
      assert.deepEqual(await due(), [])
      await store.safeguards.armTimer(makeTimer())
      await store.safeguards.disarmTimer(7)
      await pass(HOUR_MS)
      assert.deepEqual(await due(), [])
    })

    test('a clock that was set back prolongs a cancel timer by its own duration at most', async () => {
      await store.safeguards.armTimer(makeTimer())
      await pass(-HOUR_MS)
      assert.deepEqual(await due(), [])
      await pass(5_000)
      assert.equal((await due()).length, 1)
    })

    test("changes of an account's rules are read in commit order", async () => {
      const { changed } = await store.safeguards.changesAfter(-1)
      assert.equal(await store.safeguards.readDisconnect(7), false)
      await store.safeguards.setDisconnect({ account: 7, isEnabled: true })
      await store.safeguards.setDisconnect({ account: 8, isEnabled: true })
      await store.safeguards.setDisconnect({ account: 8, isEnabled: false })
      assert.equal(await store.safeguards.readDisconnect(7), true)
      const changes = await store.safeguards.changesAfter(changed)
      assert.equal(changes.changed, changed + 3)
      assert.deepEqual(changes.disconnects, [
        { account: 7, isEnabled: true },
        { account: 8, isEnabled: false },
      ])
      const later = await store.safeguards.changesAfter(changes.changed)
      assert.deepEqual([later.disconnects, later.changed], [[], changes.changed])
    })

    test('listeners are signalled when a rule of an account has changed', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = store.safeguards.onChange(resolve)
      await store.safeguards.setMmp(settings)
      await promise
      stop()
    })

    const readRule = async (): Promise<MmpRule> => {
      const { rules } = await store.safeguards.readMmp(7)
      assert.equal(rules.length, 1)
      return rules[0] as MmpRule
    }

    test('market-maker protection freezes for its duration, and until a reset where that is 0', async () => {
      assert.deepEqual((await store.safeguards.readMmp(7)).rules, [])
      await store.safeguards.setMmp(settings)
      const rule = await readRule()
      const { resetMs, frozenMs, ...stored } = rule
      assert.deepEqual([stored, frozenMs], [settings, undefined])
      assert.equal(await store.safeguards.freezeMmp(rule), true)
      const frozen = await readRule()
      const sinceMs = frozen.frozenMs ?? 0
      assert.ok(sinceMs >= resetMs)
      assert.deepEqual(
        [sinceMs, sinceMs + 29_999, sinceMs + 30_000].map((ms) => isFrozen(frozen, ms)),
        [true, true, false],
      )
      assert.equal(isFrozen({ ...frozen, frozenSeconds: 0 }, sinceMs + HOUR_MS * 1e6), true)
      assert.equal(await store.safeguards.resetMmp(7, 'ETH'), true)
      assert.equal(await store.safeguards.resetMmp(7, 'BTC'), false)
      assert.equal(isFrozen(await readRule(), sinceMs), false)
    })

    test('a count of fills from before a reset freezes no protection after the reset', async () => {
      await store.safeguards.setMmp(settings)
      const before = await readRule()
      await store.safeguards.resetMmp(7, 'ETH')
      assert.equal(await store.safeguards.freezeMmp(before), false)
      assert.equal((await readRule()).frozenMs, undefined)
      await store.safeguards.setMmp({ ...settings, deltaLimit: undefined })
      const { deltaLimit, resetMs } = await readRule()
      assert.equal(deltaLimit, undefined)
      assert.ok(resetMs > before.resetMs)
    })

    test('a node that keeps beating is kept, and a silent one is removed', async () => {
      assert.equal(await store.safeguards.beat('a'), 1)
      await store.safeguards.beat('b')
      const [a, b] = (await store.safeguards.nodes()).toSorted((x, y) => (x.node < y.node ? -1 : 1))
      assert.ok(a !== undefined && b !== undefined)
      await store.safeguards.beat('a')
      await store.safeguards.forgetNode(a)
      await store.safeguards.forgetNode(b)
      assert.deepEqual(await store.safeguards.nodes(), [{ node: 'a', beats: 2 }])
    })

    const addIntent = (
      seq: number,
      { id, market, state, salt, isMmp }: Readonly<Record<string, string | boolean>>,
    ) =>
      run(`INSERT INTO intents (id, seq, kind, account, wallet, market, lane, state, gas, payload,
        deadline_seconds, received_ns, include_by_block, updated_ns) VALUES ('${id}', ${seq},
        'order', 7, '${WALLET}', '${market}', 'orders-0', '${state}', 1,
        '${JSON.stringify({ kind: 'order', order: { salt }, isMmp })}', 1, 1, 0, ${seq})`)

    test('held orders are excluded by an included one with the same salt and engine', async () => {
      const [spot, other] = [`0x${'a'.repeat(40)}00000001`, `0x${'a'.repeat(40)}00000002`]
      const perps = `0x${'b'.repeat(40)}00000001`
      await addIntent(1, { id: 'done', market: spot, state: 'included', salt: '5' })
      await addIntent(2, { id: 'same', market: other, state: 'received', salt: '5' })
      await addIntent(3, { id: 'elsewhere', market: perps, state: 'received', salt: '5' })
      await addIntent(4, { id: 'another', market: spot, state: 'received', salt: '6' })
      await addIntent(5, { id: 'sent', market: spot, state: 'sent', salt: '5' })
      assert.deepEqual(await store.safeguards.excluded(), ['same'])
    })

    test('fills of protected orders are summed by second and side, up to a block', async () => {
      await run('DELETE FROM fills')
      await makePartition(store.db.primary, 'fill', 0)
      await addIntent(1, { id: 'quote', market: 'm', state: 'included', salt: '1', isMmp: true })
      await addIntent(2, { id: 'plain', market: 'm', state: 'included', salt: '2' })
      const fill = (id: string, ref: string, at: Readonly<{ block: number; isBuy: boolean }>) =>
        run(`INSERT INTO fills (id, account, market, kind, ref, is_buy, is_maker, lots, fee,
          liquidation_fee, block_number, log_index, tx_hash, seconds) VALUES ('${id}', 7, 'm',
          'trade', '${ref}', ${at.isBuy}, true, 3, 0, 0, ${at.block}, 1, '0x', ${at.block * 10})`)
      for (const [at, id] of ['a', 'b', 'c', 'd'].entries())
        await fill(id, 'quote', { block: 2 + Math.floor(at / 2), isBuy: true })
      await fill('e', 'quote', { block: 3, isBuy: false })
      await fill('f', 'plain', { block: 3, isBuy: true })
      await fill('g', 'quote', { block: 4, isBuy: true })
      const scan = { account: 7, market: 'm', afterSeconds: 20, bucketSeconds: 1 }
      const fills = await store.safeguards.mmpFills([scan], 3)
      const common = { account: 7, market: 'm', seconds: 30 }
      assert.deepEqual(
        fills.toSorted((fill) => (fill.isBuy ? -1 : 1)),
        [
          { ...common, isBuy: true, lots: 6n },
          { ...common, isBuy: false, lots: 3n },
        ],
      )
      const wide = { ...scan, afterSeconds: 0, bucketSeconds: 100 }
      const [bought] = (await store.safeguards.mmpFills([wide], 4)).filter(({ isBuy }) => isBuy)
      assert.deepEqual([bought?.lots, bought?.seconds], [15n, 40], 'as of the newest')
      assert.deepEqual(await store.safeguards.mmpFills([], 3), [])
      assert.equal((await store.safeguards.mmpFills([{ ...scan, account: 8 }], 3)).length, 0)
    })

    test('connections are recorded as ended once each', async () => {
      await store.safeguards.endConnections(['a:1', 'a:2'])
      await store.safeguards.endConnections(['a:2'])
      assert.deepEqual((await store.safeguards.endedConnections(ALL)).toSorted(), ['a:1', 'a:2'])
      await store.safeguards.forgetConnections(['a:1'])
      assert.deepEqual(await store.safeguards.endedConnections(ALL), ['a:2'])
    })

    test('a parent order is found by its id, even after the order has left the book', async () => {
      await makePartition(store.db.primary, 'order', 0)
      await run(`INSERT INTO orders VALUES ('m', 1, '0xp', 7, true, 1, 5, 0, 2, 2, 0, 'GTC', false,
        false, 0, 'cancelled', 'USER', 1, 1, '0x', 1, 1, false, NULL, NULL, NULL, NULL, NULL, NULL,
        1)`)
      const order = { filledLots: 2n, restingLots: 0n, status: 'cancelled', reason: 'USER' }
      assert.deepEqual(await store.safeguards.parents(['0xp', '0xq']), [
        { id: '0xp', state: undefined, order },
        { id: '0xq', state: undefined, order: undefined },
      ])
      assert.deepEqual(await store.safeguards.parents([]), [])
    })
  })
}
