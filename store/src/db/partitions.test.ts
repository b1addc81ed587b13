// Partitioned tables: rows are in the partition of their time, pages equal those of a single table,
// and an existing venue continues.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BlockChanges } from '@openvenue/core/changes'
import fc from 'fast-check'
import { createRandom } from '../../test/chain-rows.ts'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { rowsOfKind } from '../../test/replay.ts'
import { YEAR_ACCOUNTS, YEAR_MARKETS, yearBlock, yearBlocks } from '../../test/years.ts'
import type { CursorPosition, HistoryQuery } from '../history/account-history.ts'
import { createAccountHistory } from '../history/account-reads.ts'
import { tableDump } from '../maintenance/dump.ts'
import type { Store } from '../store.ts'
import type { Db, Sql } from './db.ts'
import { PARTITION_SECONDS, readPartitions } from './partitions.ts'
import { deleteArgs, deleteName, PARTITIONED, tableStatements } from './tables.ts'

const seed = Number(process.env.SEED ?? 1)
const START = 220 * PARTITION_SECONDS
const END = START + 9 * PARTITION_SECONDS
const RUNS = 150
/** Old partitions are checked every ten seconds. */
const PAUSE_MS = 11_000

/** Three partitions in the middle are empty: the venue was down. */
function makePast(): BlockChanges[] {
  const random = createRandom(seed)
  const still = { from: START + 3 * PARTITION_SECONDS, to: START + 6 * PARTITION_SECONDS }
  const early = yearBlocks({ from: START, to: still.from, count: 60 }, random)
  const late = yearBlocks({ from: still.to, to: END, count: 60 }, random)
  return [...early, ...late].map(({ header }, index) =>
    yearBlock(index + 1, header.seconds, random),
  )
}

const past = makePast()
const fills = rowsOfKind(
  past.flatMap(({ changes }) => changes),
  'fill',
)

type Row = Readonly<{ account: number; market: string; seconds: number; id: string; kind: string }>
const rows = fills as unknown as readonly Row[]
const sortKey = ({ seconds, id }: CursorPosition) => `${String(seconds).padStart(12, '0')} ${id}`

/** Returns the ids from filtering and sorting all rows. */
function naivePage(all: readonly Row[], query: HistoryQuery): string[] {
  const { account, markets, fromSeconds, toSeconds, isAscending, after, limit, fills } = query
  const matching = all
    .filter((row) => row.account === account && markets.includes(row.market))
    .filter(({ seconds }) => seconds >= fromSeconds && seconds <= toSeconds)
    .filter(({ kind }) => fills === undefined || (kind === 'trade') === (fills === 'trades'))
    .filter((row) => {
      if (after === undefined) return true
      return isAscending ? sortKey(row) > sortKey(after) : sortKey(row) < sortKey(after)
    })
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  if (!isAscending) matching.reverse()
  return matching.slice(0, limit).map(({ id }) => id)
}

const times = fc.oneof(
  fc.integer({ min: START - 1000, max: END + 1000 }),
  fc.nat({ max: 9 }).map((index) => START + index * PARTITION_SECONDS),
  fc.constantFrom(...rows.map(({ seconds }) => seconds)),
)

const queries: fc.Arbitrary<HistoryQuery> = fc.record({
  account: fc.constantFrom(...YEAR_ACCOUNTS, 99),
  markets: fc.subarray([...YEAR_MARKETS], { minLength: 1 }),
  fromSeconds: fc.oneof(fc.constant(0), times),
  toSeconds: fc.oneof(fc.constant(2 ** 40), times),
  after: fc.option(
    fc.constantFrom(...rows).map(({ seconds, id }) => ({ seconds, id })),
    { nil: undefined },
  ),
  isAscending: fc.boolean(),
  limit: fc.constantFrom(1, 5, 20, 100, 1000),
  fills: fc.constantFrom(undefined, 'trades' as const, 'forced' as const),
})

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`years in partitions on ${engine.name}, seed ${seed}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.writer.commit(past, Number.MAX_SAFE_INTEGER)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    test('a page over partitions equals the result of filtering and sorting all rows', () =>
      fc.assert(
        fc.asyncProperty(queries, fc.boolean(), async (query, isFirst) => {
          const history = isFirst ? createAccountHistory(store.db) : store.history
          const page = await history.rows('fill', query)
          assert.deepEqual(
            page.rows.map(({ id }) => id),
            naivePage(rows, query),
          )
          const linesQuery = { ...query, isBehindAsked: true }
          const { lines } = (await history.lines('fill', linesQuery)).rows
          assert.equal(lines.length, page.rows.length)
        }),
        { seed, numRuns: RUNS },
      ))

    test('a partition only has rows of its time, and none is created without rows', async () => {
      for (const kind of PARTITIONED) {
        const made = await readPartitions(store.db.primary, kind)
        const from = made.map(({ fromSeconds }) => (fromSeconds - START) / PARTITION_SECONDS)
        assert.deepEqual(
          from.filter((index) => index < 9),
          [0, 1, 2, 6, 7, 8],
        )
        for (const { name, fromSeconds, toSeconds } of made) {
          const time = kind === 'order' ? 'ended_seconds' : 'seconds'
          const [count] = await store.db.primary.query(
            `SELECT count(*)::text FROM ${name} WHERE ${time} < $1 OR ${time} >= $2`,
            [fromSeconds, toSeconds],
          )
          assert.deepEqual(count, ['0'], name)
        }
      }
    })

    test('the newest trades and payments are read across partitions', async () => {
      const changes = past.flatMap((block) => block.changes)
      const trades = rowsOfKind(changes, 'trade').filter(({ market }) => market === '0xm1')
      const last = trades.at(-1)?.seconds ?? 0
      await store.db.script(`INSERT INTO tickers VALUES ('0xm1', 5, ${last}, 0)`)
      const page = await store.reader.newestTrades({ market: '0xm1', limit: 1000 })
      assert.deepEqual(
        page.rows.map(({ id }) => id),
        trades.map(({ id }) => id),
      )
      const payments = rowsOfKind(changes, 'fundingPayment').filter((row) => row.account === 7)
      assert.deepEqual(
        (await store.history.fundingPayments(7, 1000)).rows.map(({ id }) => id),
        payments.map(({ id }) => id).reverse(),
      )
    })

    test('rows that move between two statements of a page are read from one view', async () => {
      const limit = 1000
      const query = { account: 7, markets: [...YEAR_MARKETS], limit, isAscending: false }
      const all = { ...query, fromSeconds: 0, toSeconds: 2 ** 40 }
      const next = yearBlock(past.length + 1, END + 5, createRandom(seed + 1))
      let queries = 0
      const moving: Sql = {
        query: async (text, params) => {
          const result = await store.db.replica.query(text, params)
          queries += 1
          if (queries === 1) await store.writer.commit([next], Number.MAX_SAFE_INTEGER)
          return result
        },
      }
      const history = createAccountHistory({ ...store.db, replica: moving } as Db)
      const page = await history.rows('fill', all)
      assert.ok(queries >= 2, 'the page is of more than one statement')
      const now = rowsOfKind(
        [...past, next].flatMap(({ changes }) => changes),
        'fill',
      )
      assert.equal(page.head?.number, next.header.number)
      assert.deepEqual(
        page.rows.map(({ id }) => id),
        naivePage(now as unknown as readonly Row[], all),
      )
    })

    test('blocks on both sides of a boundary are undone and added again', async () => {
      const random = createRandom(seed + 2)
      const boundary = END + 2 * PARTITION_SECONDS
      const number = past.length + 2
      const added = [-2, -1, 0, 1].map((offset, index) =>
        yearBlock(number + index, boundary + offset, random),
      )
      const dump = await tableDump(store)
      await store.writer.commit(added, number - 1)
      const withThem = await tableDump(store)
      await store.writer.undoTo(number - 1)
      assert.equal(await tableDump(store), dump)
      await store.close()
      store = await database.open()
      await store.writer.commit(added, number - 1)
      assert.equal(await tableDump(store), withThem)
    })

    test('undoing rows of a block reads only their partition', async () => {
      const lines: string[] = []
      const isDelete = ({ name }: { name: string }) => name === deleteName('fill')
      const [statement] = tableStatements('fill').filter(isDelete)
      assert.ok(statement)
      const { types, text } = statement
      const args = deleteArgs('fill', fills.slice(-3))
      const undone = store.db.writeTransaction(async (sql) => {
        await sql.query(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`)
        await sql.query(`PREPARE undone (${types.join(', ')}) AS ${text}`)
        const values = args.map((arg) => `'${arg}'`).join(', ')
        const plan = await sql.query(`EXPLAIN (ANALYZE) EXECUTE undone(${values})`)
        lines.push(...plan.map(([line]) => String(line)))
        await sql.query(`DEALLOCATE undone`)
        throw new Error('taken back')
      })
      await assert.rejects(undone, /taken back/)
      const looked = lines.filter((line) => /Scan .*on fills_/.test(line))
      assert.equal(looked.length, 1, lines.join('\n'))
      assert.ok(lines.some((line) => line.includes('Subplans Removed')))
    })

    test('a reindexed chain uses the existing partitions', async () => {
      const dump = await tableDump(store)
      await store.writer.wipeChain()
      assert.deepEqual(await store.db.primary.query('SELECT id FROM fills LIMIT 1'), [])
      await store.writer.commit(past, Number.MAX_SAFE_INTEGER)
      assert.notEqual(await tableDump(store), dump)
      assert.deepEqual((await store.db.primary.query('SELECT count(*)::text FROM fills'))[0], [
        String(rows.length),
      ])
    })
  })
}

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`history that is kept for a while on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    const open = () => database.open({ historyKeptDays: 650 })
    const next = (count: number) =>
      yearBlock(past.length + count, END + count, createRandom(seed + count))
    let written = 0
    const writeNext = () => store.writer.commit([next(++written)], Number.MAX_SAFE_INTEGER)
    const query = { account: 7, markets: [...YEAR_MARKETS], isAscending: false, limit: 1000 }
    const all = { ...query, fromSeconds: 0, toSeconds: 2 ** 40 }
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.writer.commit(past, Number.MAX_SAFE_INTEGER)
      await store.close()
      store = await open()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const oldest = async () =>
      Promise.all(
        PARTITIONED.map(async (kind) => {
          const [first] = await readPartitions(store.db.primary, kind)
          return (Number(first?.fromSeconds) - START) / PARTITION_SECONDS
        }),
      )

    if (engine.name === 'PostgreSQL')
      test('a partition with a reader blocks no other process, and is dropped when the reader ends', async (t) => {
        const real = performance.now.bind(performance)
        let aheadMs = 0
        t.mock.method(performance, 'now', () => real() + aheadMs)
        await store.db.load(async (sql) => {
          await sql.query('SELECT count(*)::text FROM fills')
          for (let tries = 0; tries < 3; tries++) {
            aheadMs += PAUSE_MS
            // Neither blocks nor pages wait for a long-running reader.
            await Promise.all([writeNext(), store.history.rows('fill', all)])
          }
          const locks = await store.db.primary.query(
            // Other tests wait for locks of their own databases.
            `SELECT relation::regclass::text FROM pg_locks WHERE NOT granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          )
          assert.deepEqual(locks, [])
          assert.deepEqual(
            await oldest(),
            PARTITIONED.map(() => 0),
          )
        })
        aheadMs += PAUSE_MS
        await writeNext()
        assert.deepEqual(
          await oldest(),
          PARTITIONED.map(() => 1),
          'the same process tries again',
        )
      })

    test('history is dropped one partition at a time, with its counts', async () => {
      for (let count = 0; count < 3; count++) {
        await store.close()
        store = await open()
        await writeNext()
      }
      // The first two ended 720 and 630 days ago.
      assert.deepEqual(
        await oldest(),
        PARTITIONED.map(() => 1),
      )
      const blocks = [...past, ...Array.from({ length: written }, (_, index) => next(index + 1))]
      const now = rowsOfKind(
        blocks.flatMap(({ changes }) => changes),
        'fill',
      ) as unknown as readonly Row[]
      const left = now.filter(({ seconds }) => seconds >= START + PARTITION_SECONDS)
      const { rows: remaining } = await store.history.rows('fill', all)
      const ids = naivePage(left, all)
      assert.deepEqual(
        remaining.map(({ id }) => id),
        ids,
      )
      const counted = await store.history.count('fill', all)
      assert.deepEqual(counted.rows, { rows: ids.length, isExact: true })
    })
  })
}
