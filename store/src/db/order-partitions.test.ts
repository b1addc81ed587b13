// Orders in partitions: resting ones stay, ended ones go with the partition of their end, and no
// frequent read searches the partitions of the past.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BlockChanges, Change } from '@openvenue/core/changes'
import { orderKey } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import { makeOrder } from '../../test/chain-rows.ts'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { stateQuery } from '../feed/load.ts'
import type { HistoryQuery } from '../history/account-history.ts'
import { orderQuery } from '../history/account-queries.ts'
import { createAccountHistory } from '../history/account-reads.ts'
import { INTENT_SQL } from '../intents/intent-sql.ts'
import { tableDump } from '../maintenance/dump.ts'
import type { Store } from '../store.ts'
import { PARTITION_SECONDS, readPartitions } from './partitions.ts'
import { RESTING_SECONDS } from './tables.ts'

const START = 220 * PARTITION_SECONDS
const DAY = 86_400
const QUARTERS = 8
const PER_QUARTER = 10
const ACCOUNT = 7
const MARKETS = ['0xm1', '0xm2'] as const
const KEPT_DAYS = 365
const ALL_FINAL = Number.MAX_SAFE_INTEGER

const refOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

/** Days until the end of the ten orders of a quarter; undefined for one that rests for good. */
const LIVES = [0, 0, 365, 0, 180, 0, undefined, 365, 0, 0] as const

type Past = Readonly<{ blocks: readonly BlockChanges[]; orders: readonly Order[] }>

/** Returns blocks, oldest first, that place and end orders, and the orders as they then are. */
function makePast(): Past {
  const turns: { seconds: number; order: Order; before?: Order }[] = []
  for (let index = 0; index < QUARTERS * PER_QUARTER; index++) {
    const seconds = START + Math.floor((index * PARTITION_SECONDS) / PER_QUARTER)
    const at = { number: index + 1, index, seconds }
    const who = { account: ACCOUNT, market: MARKETS[index % 2] as string }
    const given = { number: index + 1, ref: refOf(index + 1), clientOrderId: `c${index + 1}` }
    const ended = makeOrder(at, who, given)
    const days = LIVES[index % PER_QUARTER]
    if (days === 0) turns.push({ seconds, order: ended })
    else {
      const resting = { ...ended, restingLots: 1n, filledLots: 1n, status: 'partial' } as const
      const placed = { ...resting, reason: null }
      turns.push({ seconds, order: placed })
      const endSeconds = seconds + (days ?? 0) * DAY
      if (days !== undefined)
        turns.push({
          seconds: endSeconds,
          order: { ...ended, filledLots: 1n, updatedSeconds: endSeconds },
          before: placed,
        })
    }
  }
  turns.sort((a, b) => a.seconds - b.seconds)
  const blocks = turns.map(({ seconds, order, before }, index): BlockChanges => {
    const key = orderKey(order.market, order.number)
    const change: Change = { what: 'order', key, before, after: order }
    return { header: headerAt(index + 1, seconds), changes: [change] }
  })
  const orders = new Map(turns.map(({ order }) => [order.number, order]))
  return { blocks, orders: [...orders.values()] }
}

const headerAt = (number: number, seconds: number) => ({
  ...{ number, hash: `0x${number}`, parentHash: `0x${number - 1}`, seconds },
})

const past = makePast()
const LAST_SECONDS = past.blocks.at(-1)?.header.seconds ?? 0

const ALL: HistoryQuery = {
  account: ACCOUNT,
  markets: [...MARKETS],
  fromSeconds: 0,
  toSeconds: 2 ** 40,
  isAscending: false,
  limit: 7,
}

const numbersOf = (orders: readonly Readonly<{ number: number }>[]) =>
  orders.map(({ number }) => number)
const byCreation = (orders: readonly Order[]) =>
  orders.toSorted((a, b) => b.createdSeconds - a.createdSeconds)
const byEnd = (orders: readonly Order[]) =>
  orders
    .filter(({ restingLots }) => restingLots === 0n)
    .sort((a, b) => b.updatedSeconds - a.updatedSeconds || b.blockNumber - a.blockNumber)

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`orders in partitions on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.writer.commit(past.blocks, ALL_FINAL)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    /** Reads every page of the list from its first one. */
    async function readAll(query: HistoryQuery): Promise<readonly Order[]> {
      const history = createAccountHistory(store.db)
      const read: Order[] = []
      for (;;) {
        const last = read.at(-1)
        const seconds = query.isByEnd === true ? last?.updatedSeconds : last?.createdSeconds
        const id = `${pad(last?.blockNumber, 12)}-${pad(last?.logIndex, 6)}`
        const after = seconds === undefined ? undefined : { seconds, id }
        const { rows } = await history.rows('order', { ...query, after })
        if (rows.length === 0) return read
        read.push(...(rows as unknown as readonly Order[]))
      }
    }
    const pad = (value: number | undefined, length: number) =>
      String(value ?? 0).padStart(length, '0')

    async function checkLists(kept: readonly Order[]): Promise<void> {
      assert.deepEqual(numbersOf(await readAll(ALL)), numbersOf(byCreation(kept)))
      assert.deepEqual(
        numbersOf(await readAll({ ...ALL, isAscending: true })),
        numbersOf(byCreation(kept)).reverse(),
      )
      const ended = numbersOf(byEnd(kept))
      assert.deepEqual(numbersOf(await readAll({ ...ALL, isByEnd: true })), ended)
      const { rows } = await store.history.count('order', ALL)
      assert.deepEqual(rows, { rows: kept.length, isExact: true })
      const counted = await store.history.count('order', { ...ALL, isByEnd: true })
      assert.deepEqual(counted.rows, { rows: ended.length, isExact: true })
    }

    const idsIn = async (table: string) =>
      (await store.db.primary.query(`SELECT number FROM ${table} ORDER BY number`)).map(([n]) =>
        Number(n),
      )

    test('resting orders are in one partition, ended ones in that of their end', async () => {
      const resting = past.orders.filter(({ restingLots }) => restingLots > 0n)
      assert.deepEqual(await idsIn('orders_resting'), numbersOf(resting))
      for (const { name, fromSeconds, toSeconds } of await readPartitions(
        store.db.primary,
        'order',
      )) {
        const there = past.orders
          .filter(({ restingLots }) => restingLots === 0n)
          .filter(({ updatedSeconds: at }) => at >= fromSeconds && at < toSeconds)
        assert.deepEqual(await idsIn(name), numbersOf(there), name)
      }
    })

    test('lists of orders are paged across partitions, by creation and by end', () =>
      checkLists(past.orders))

    test('the end of an order is undone and repeated across partitions', async () => {
      const number = past.blocks.length
      const [resting] = past.orders.filter(({ restingLots }) => restingLots > 0n)
      assert.ok(resting)
      const seconds = LAST_SECONDS + 1
      const key = orderKey(resting.market, resting.number)
      const ended: Order = {
        ...resting,
        ...{ restingLots: 0n, status: 'cancelled', reason: 'USER', updatedSeconds: seconds },
      }
      const placed = makeOrder({ number: number + 1, index: 0, seconds }, resting, {
        ...{ number: 1000, restingLots: 2n, status: 'open', reason: null },
      })
      const placedKey = orderKey(placed.market, placed.number)
      const gone: Order = { ...placed, restingLots: 0n, status: 'cancelled', reason: 'USER' }
      const added: readonly BlockChanges[] = [
        {
          header: headerAt(number + 1, seconds),
          changes: [
            { what: 'order', key, before: resting, after: ended },
            { what: 'order', key: placedKey, before: undefined, after: placed },
          ],
        },
        {
          header: headerAt(number + 2, seconds),
          changes: [{ what: 'order', key: placedKey, before: placed, after: gone }],
        },
      ]
      const dump = await tableDump(store)
      await store.writer.commit(added, number)
      const withThem = await tableDump(store)
      assert.notEqual(withThem, dump)
      await store.writer.undoTo(number)
      assert.equal(await tableDump(store), dump, 'both blocks undone in one batch')
      for (const block of added) await store.writer.commit([block], number)
      assert.equal(await tableDump(store), withThem)
      await store.writer.undoTo(number + 1)
      await store.writer.undoTo(number)
      assert.equal(await tableDump(store), dump, 'one after the other')
    })

    test('an order is found by each of its names, however old it is', async () => {
      const history = createAccountHistory(store.db)
      // The first read learns the head.
      for (let round = 0; round < 2; round++)
        for (const order of past.orders)
          for (const name of [
            { ref: order.ref as string },
            { market: order.market, number: order.number },
            { account: ACCOUNT, clientOrderId: order.clientOrderId as string },
          ])
            assert.deepEqual((await history.order(name)).rows, order)
      assert.equal((await history.order({ ref: refOf(9999) })).rows, undefined)
    })

    const scansOf = (text: string, args: readonly (string | number)[]) =>
      store.db.readTransaction(async (sql) => {
        await sql.query(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`)
        await sql.query(`PREPARE planned AS ${text}`)
        const given = args.map((arg) => (typeof arg === 'number' ? arg : `'${arg}'`))
        const values = given.length === 0 ? '' : `(${given.join(', ')})`
        const lines = await sql.query(`EXPLAIN (ANALYZE) EXECUTE planned${values}`)
        await sql.query('DEALLOCATE planned')
        const scans = lines
          .map(([line]) => String(line))
          .filter((line) => /Scan.* on orders_/.test(line) && !line.includes('never executed'))
        return [...new Set(scans.map((line) => /on (orders_\w+)/.exec(line)?.[1]))].sort()
      })

    test('frequent reads search only resting orders and the newest partitions', async () => {
      const newest = Math.floor(LAST_SECONDS / PARTITION_SECONDS)
      const recent = [`orders_${newest}`, 'orders_resting']
      const { text, params } = orderQuery({ ref: refOf(3) }, newest * PARTITION_SECONDS)
      assert.deepEqual(await scansOf(text, params as (string | number)[]), recent)
      assert.deepEqual(await scansOf(stateQuery('order'), []), ['orders_resting'])
      await store.db.script(`INSERT INTO intents VALUES ('${refOf(3)}', 1, 'order', ${ACCOUNT}, '0xw',
        'm', 'l', 'included', 1, '{"acceptedSeconds": ${LAST_SECONDS}}', 'c3', NULL, 1, 1, 1, NULL,
        1, NULL, 1)`)
      assert.deepEqual(await scansOf(INTENT_SQL.live, []), ['orders_resting'])
      assert.deepEqual(await scansOf(INTENT_SQL.onChain, [`{${refOf(3)}}`]), recent)
      assert.deepEqual(await scansOf(INTENT_SQL.takenBy, [ACCOUNT, 'c3']), ['orders_resting'])
      await store.db.script('DELETE FROM intents')
    })

    test('ended orders older than HISTORY_KEPT_DAYS are dropped, and resting ones stay', async (t) => {
      const real = performance.now.bind(performance)
      let aheadMs = 0
      t.mock.method(performance, 'now', () => real() + aheadMs)
      await store.close()
      store = await database.open({ historyKeptDays: KEPT_DAYS })
      const head = { number: past.blocks.length, seconds: LAST_SECONDS }
      const cutSeconds = LAST_SECONDS - KEPT_DAYS * DAY
      const boundary = Math.floor(cutSeconds / PARTITION_SECONDS) * PARTITION_SECONDS
      for (let step = 1; step <= QUARTERS; step++) {
        aheadMs += 11_000
        const header = headerAt(head.number + step, head.seconds)
        await store.writer.commit([{ header, changes: [] }], ALL_FINAL)
      }
      const kept = past.orders.filter(
        ({ restingLots, updatedSeconds }) => restingLots > 0n || updatedSeconds >= boundary,
      )
      const [oldest] = await readPartitions(store.db.primary, 'order')
      assert.equal(oldest?.fromSeconds, boundary)
      assert.ok(kept.length > QUARTERS && kept.length < past.orders.length)
      assert.ok(
        kept.some(({ createdSeconds: at }) => at < boundary),
        'created before, ended after',
      )
      await checkLists(kept)
      const [dropped] = past.orders.filter((order) => !kept.includes(order))
      const named = await createAccountHistory(store.db).order({ ref: dropped?.ref as string })
      assert.equal(named.rows, undefined)
      const state = await store.writer.loadState()
      const resting = kept.filter(({ restingLots }) => restingLots > 0n)
      assert.deepEqual(
        [...state.records.order.values()].map(({ number }) => number).sort((a, b) => a - b),
        numbersOf(resting),
      )
    })

    test('the table refuses an order in the partition of another time', async () => {
      await assert.rejects(
        store.db.script(`UPDATE orders SET ended_seconds = ${START} WHERE
          ended_seconds = ${RESTING_SECONDS}`),
        /orders_ended|no partition/,
      )
    })
  })
