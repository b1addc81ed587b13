// Tables in partitions: rows are where their time is, pages are what they would be of one table,
// and a venue of before goes on.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { BlockChanges } from '@openvenue/core/changes'
import fc from 'fast-check'
import { createRandom } from '../test/chain-rows.ts'
import { type TestDatabase, testEngines } from '../test/engines.ts'
import { openBareDatabase } from '../test/memory-store.ts'
import { rowsOfKind } from '../test/replay.ts'
import { YEAR_ACCOUNTS, YEAR_MARKETS, yearBlock, yearBlocks } from '../test/years.ts'
import type { CursorPosition, HistoryQuery } from './account-history.ts'
import { createAccountHistory } from './account-reads.ts'
import type { Db, Sql } from './db.ts'
import { tableDump } from './dump.ts'
import { migrate } from './migrate.ts'
import { openDatabase, openOn } from './open.ts'
import { PARTITION_SECONDS, readPartitions } from './partitions.ts'
import type { Store } from './store.ts'
import { deleteArgs, deleteName, PARTITIONED, TABLES, tableStatements } from './tables.ts'

const seed = Number(process.env.SEED ?? 1)
const START = 220 * PARTITION_SECONDS
const END = START + 9 * PARTITION_SECONDS
const RUNS = 150
/** Old partitions are looked for every ten seconds. */
const PAUSE_MS = 11_000

/** Three partitions in the middle have nothing: the venue stood still. */
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
const place = ({ seconds, id }: CursorPosition) => `${String(seconds).padStart(12, '0')} ${id}`

/** Returns the ids that filtering and sorting all rows gives. */
function naivePage(all: readonly Row[], query: HistoryQuery): string[] {
  const { account, markets, fromSeconds, toSeconds, isAscending, after, limit, fills } = query
  const found = all
    .filter((row) => row.account === account && markets.includes(row.market))
    .filter(({ seconds }) => seconds >= fromSeconds && seconds <= toSeconds)
    .filter(({ kind }) => fills === undefined || (kind === 'trade') === (fills === 'trades'))
    .filter((row) => {
      if (after === undefined) return true
      return isAscending ? place(row) > place(after) : place(row) < place(after)
    })
    .sort((one, other) => (place(one) < place(other) ? -1 : 1))
  if (!isAscending) found.reverse()
  return found.slice(0, limit).map(({ id }) => id)
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

    test('a page is what filtering and sorting all rows gives, whoever reads first', () =>
      fc.assert(
        fc.asyncProperty(queries, fc.boolean(), async (query, isFirst) => {
          const history = isFirst ? createAccountHistory(store.db) : store.history
          const page = await history.rows('fill', query)
          assert.deepEqual(
            page.rows.map(({ id }) => id),
            naivePage(rows, query),
          )
          const asked = { ...query, isBehindAsked: true }
          const { lines } = (await history.lines('fill', asked)).rows
          assert.equal(lines.length, page.rows.length)
        }),
        { seed, numRuns: RUNS },
      ))

    test('a partition has the rows of its time alone, and none is made without rows', async () => {
      for (const what of PARTITIONED) {
        const made = await readPartitions(store.db.primary, what)
        const from = made.map(({ fromSeconds }) => (fromSeconds - START) / PARTITION_SECONDS)
        assert.deepEqual(
          from.filter((index) => index < 9),
          [0, 1, 2, 6, 7, 8],
        )
        for (const { name, fromSeconds, toSeconds } of made) {
          const [count] = await store.db.primary.query(
            `SELECT count(*)::text FROM ${name} WHERE seconds < $1 OR seconds >= $2`,
            [fromSeconds, toSeconds],
          )
          assert.deepEqual(count, ['0'], name)
        }
      }
    })

    test('trades and payments are the newest ones, of all partitions if need be', async () => {
      const changes = past.flatMap((block) => block.changes)
      const trades = rowsOfKind(changes, 'trade').filter(({ market }) => market === '0xm1')
      const last = trades.at(-1)?.seconds ?? 0
      await store.db.script(`INSERT INTO tickers VALUES ('0xm1', 5, ${last}, 0)`)
      const found = await store.reader.newestTrades({ market: '0xm1', limit: 1000 })
      assert.deepEqual(
        found.rows.map(({ id }) => id),
        trades.map(({ id }) => id),
      )
      const payments = rowsOfKind(changes, 'fundingPayment').filter((row) => row.account === 7)
      assert.deepEqual(
        (await store.history.fundingPayments(7, 1000)).rows.map(({ id }) => id),
        payments.map(({ id }) => id).reverse(),
      )
    })

    test('what moves between two statements is read from one view', async () => {
      const limit = 1000
      const query = { account: 7, markets: [...YEAR_MARKETS], limit, isAscending: false }
      const all = { ...query, fromSeconds: 0, toSeconds: 2 ** 40 }
      const next = yearBlock(past.length + 1, END + 5, createRandom(seed + 1))
      let asked = 0
      const moving: Sql = {
        query: async (text, params) => {
          const found = await store.db.replica.query(text, params)
          asked += 1
          if (asked === 1) await store.writer.commit([next], Number.MAX_SAFE_INTEGER)
          return found
        },
      }
      const history = createAccountHistory({ ...store.db, replica: moving } as Db)
      const page = await history.rows('fill', all)
      assert.ok(asked >= 2, 'the page is of more than one statement')
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

    test('blocks on both sides of a boundary are undone, and come again', async () => {
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

    test('to undo rows, their partition is looked into and no other', async () => {
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

    test('a chain that is read anew finds the partitions that are there', async () => {
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
        PARTITIONED.map(async (what) => {
          const [first] = await readPartitions(store.db.primary, what)
          return (Number(first?.fromSeconds) - START) / PARTITION_SECONDS
        }),
      )

    if (engine.name === 'PostgreSQL')
      test('a partition that somebody reads stays, nobody waits behind it, and it goes when they end', async (t) => {
        const real = performance.now.bind(performance)
        let aheadMs = 0
        t.mock.method(performance, 'now', () => real() + aheadMs)
        await store.db.load(async (sql) => {
          await sql.query('SELECT count(*)::text FROM fills')
          for (let tries = 0; tries < 3; tries++) {
            aheadMs += PAUSE_MS
            // Neither blocks nor pages wait for whoever reads on and on.
            await Promise.all([writeNext(), store.history.rows('fill', all)])
          }
          const waiting = await store.db.primary.query(
            'SELECT relation::regclass::text FROM pg_locks WHERE NOT granted',
          )
          assert.deepEqual(waiting, [])
          assert.deepEqual(await oldest(), [0, 0, 0, 0])
        })
        aheadMs += PAUSE_MS
        await writeNext()
        assert.deepEqual(await oldest(), [1, 1, 1, 1], 'the same process tries again')
      })

    test('goes a partition at a time, with what was counted of it', async () => {
      for (let count = 0; count < 3; count++) {
        await store.close()
        store = await open()
        await writeNext()
      }
      // The first two ended 720 and 630 days ago.
      assert.deepEqual(await oldest(), [1, 1, 1, 1])
      const blocks = [...past, ...Array.from({ length: written }, (_, index) => next(index + 1))]
      const now = rowsOfKind(
        blocks.flatMap(({ changes }) => changes),
        'fill',
      ) as unknown as readonly Row[]
      const left = now.filter(({ seconds }) => seconds >= START + PARTITION_SECONDS)
      const { rows: found } = await store.history.rows('fill', all)
      const ids = naivePage(left, all)
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
      )
      const counted = await store.history.count('fill', all)
      assert.deepEqual(counted.rows, { rows: ids.length, isExact: true })
    })
  })
}

const SCRIPT = '0012-partitions.sql'
const MIGRATIONS = join(import.meta.dirname, '../migrations')

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`a venue of before partitions on ${engine.name}`, () => {
    const old = mkdtempSync(join(tmpdir(), 'openvenue-before-'))
    let database: TestDatabase | undefined
    let db: Db
    let close = () => db.close()
    before(async () => {
      for (const file of await readdir(MIGRATIONS))
        if (file < SCRIPT) symlinkSync(join(MIGRATIONS, file), join(old, file))
      if (engine.name === 'PostgreSQL') {
        database = await engine.createBareDatabase()
        db = await openDatabase(database.options)
      } else db = await openBareDatabase()
      await migrate(db, old)
      await db.script(insertsOf(past))
    })
    after(async () => {
      await close()
      await database?.remove()
      rmSync(old, { recursive: true })
    })
    const count = async (table: string) =>
      Number((await db.primary.query(`SELECT count(*)::text FROM ${table}`))[0]?.[0])

    test('is as it was when the script is killed before its end', async () => {
      const text = await readFile(join(MIGRATIONS, SCRIPT), 'utf8')
      const broken = join(old, SCRIPT)
      writeFileSync(broken, `${text}; SELECT 1 / 0`)
      await assert.rejects(migrate(db, old), /division by zero/)
      // As when the connection ends with the process.
      await db.maintain((run) => run('ROLLBACK'))
      rmSync(broken)
      assert.equal(await count('fills'), rows.length)
      assert.deepEqual(await readPartitions(db.primary, 'fill'), [])
    })

    test('keeps its rows as the first partition, and writers of before go on', async () => {
      await migrate(db)
      for (const what of PARTITIONED) {
        const [first, ...others] = await readPartitions(db.primary, what)
        assert.equal(first?.name, `${TABLES[what].name}_before`)
        assert.ok(Number(first?.toSeconds) > END + 7 * 86_400)
        assert.deepEqual(others, [])
        assert.equal(await count(TABLES[what].name), rows.length)
      }
      await db.script(
        insertsOf([yearBlock(999, END + 86_400, createRandom(1))]).replace(/UPDATE.*$/s, ''),
      )
      await db.script(`DELETE FROM fills t USING unnest('{${'0'.repeat(9)}999-000000}'::text[]) AS
        gone(id) WHERE t.id = gone.id; DELETE FROM fills WHERE block_number = 999;
        DELETE FROM trades WHERE block_number = 999`)
      assert.equal(await count('fills'), rows.length)
    })

    test('goes on in partitions of its own, which one page crosses', async () => {
      const store = await openOn(db)
      close = store.close
      const random = createRandom(seed + 3)
      const number = past.length + 1
      const [first] = await readPartitions(db.primary, 'fill')
      const bound = Number(first?.toSeconds)
      const blocks = [0, 1, 2].map((index) => yearBlock(number + index, bound - 1 + index, random))
      await store.writer.commit(blocks, Number.MAX_SAFE_INTEGER)
      const made = await readPartitions(db.primary, 'fill')
      assert.deepEqual(
        made.map(({ fromSeconds }) => fromSeconds),
        [Number.NEGATIVE_INFINITY, bound],
      )
      const now = rowsOfKind(
        [...past, ...blocks].flatMap(({ changes }) => changes),
        'fill',
      )
      for (const account of YEAR_ACCOUNTS) {
        const query = { account, markets: [...YEAR_MARKETS], isAscending: false, limit: 500 }
        const all = { ...query, fromSeconds: 0, toSeconds: 2 ** 40 }
        assert.deepEqual(
          (await store.history.rows('fill', all)).rows.map(({ id }) => id),
          naivePage(now as unknown as readonly Row[], all),
        )
      }
    })
  })
}

/** Fields that an older version does not have. */
const ADDED_LATER: ReadonlySet<string> = new Set(['isMarket', 'clientOrderId'])

/** Returns a script that writes the rows of blocks as an older version has them. */
function insertsOf(blocks: readonly BlockChanges[]): string {
  const changes = blocks.flatMap((block) => block.changes)
  const literal = (value: unknown) =>
    value === null ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value)
  const inserts = PARTITIONED.flatMap((what) =>
    rowsOfKind(changes, what).map((row) => {
      const columns = TABLES[what].columns.filter(({ field }) => !ADDED_LATER.has(field))
      const cells = columns.map(({ field }) => literal(row[field]))
      return `INSERT INTO ${TABLES[what].name} VALUES (${cells.join(', ')})`
    }),
  )
  const { header } = blocks.at(-1) as BlockChanges
  return [
    ...inserts,
    `INSERT INTO history_counts SELECT 'fill', account, market, seconds / 86400, count(*) FROM fills
      GROUP BY 2, 3, 4 ON CONFLICT DO NOTHING`,
    `UPDATE checkpoint SET seq = 5, number = ${header.number}, hash = '${header.hash}',
      parent_hash = '${header.parentHash}', seconds = ${header.seconds}`,
  ].join(';')
}
