import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { candlesQuery, stateQuery, windowQuery } from '../feed/load.ts'
import { READS } from '../feed/reader.ts'
import { OWNED_QUERY } from '../history/owner-records.ts'
import type { Store } from '../store.ts'
import type { SqlRow } from './db.ts'
import { makePartition } from './partitions.ts'
import { kinds, PARTITIONED, TABLES } from './tables.ts'

/** Every query of a reader, with arguments of the right types. */
const QUERIES: readonly (readonly [name: string, text: string, args: string])[] = [
  ['the feed', READS.feed, '1, 10'],
  ['the next entry of the feed', READS.nextEntry, '1'],
  ['oldest candles', READS.oldestCandles, `'m', '1', 0, 9, 10`],
  ['newest candles', READS.newestCandles, `'m', '1', 0, 9, 10`],
  ['the candle before', READS.candleBefore, `'m', '1', 9`],
  ['settlements', READS.settlements, `'m', 0, 9, 10`],
  ['oldest trades', READS.oldestTrades, `'m', 0, 9, '', 10`],
  ['forced closes', READS.forcedCloses, `0, 9, '', 10`],
  ['forced closes of a market', READS.forcedClosesOf, `0, 9, '', 10, 'm'`],
  ['last prices of periods', READS.prices, `'s', 0, 9, 60, 10`],
  ['newest candles at the checkpoint', READS.newestCandlesAt, `10, 'm', '1'`],
  ['newest trades at the checkpoint', READS.newestTradesAt, `10, 'm'`],
  ['what accounts own', OWNED_QUERY, `'{1}'`],
  ['newest trades of all markets', windowQuery('trade'), '10'],
  ['newest settlements of all markets', windowQuery('settlement'), '10'],
  ['newest candles of all markets', candlesQuery, `'60', 10`],
  ['price minutes of all series', windowQuery('priceMinute'), '0'],
  ['hours of all pools', windowQuery('poolHour'), '0'],
  ['candles of the state', stateQuery('candle'), ''],
  ['price minutes of the state', stateQuery('priceMinute'), ''],
  ['pool hours of the state', stateQuery('poolHour'), ''],
  ['pools of the state', stateQuery('pool'), ''],
  ['pool tokens of the state', stateQuery('poolToken'), ''],
  ['resting orders', stateQuery('order'), ''],
]

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`the tables on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      for (const kind of PARTITIONED) await makePartition(store.db.primary, kind, 0)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const rows = (text: string) => store.db.primary.query(text)

    test('migrations create the tables that RECORDS declares, column by column', async () => {
      for (const kind of kinds) {
        const { name, stored: columns, key } = TABLES[kind]
        const made = await rows(`SELECT column_name::text, data_type::text, is_nullable::text
          FROM information_schema.columns WHERE table_name = '${name}' ORDER BY ordinal_position`)
        assert.deepEqual(
          made,
          columns.map((column) => [column.name, column.type, column.isNullable ? 'YES' : 'NO']),
          name,
        )
        assert.deepEqual(
          await keyColumns(name),
          key.map((column) => [column.name]),
          name,
        )
      }
    })

    test('a column with fixed words accepts no other word', async () => {
      const checks = await rows(`SELECT conname::text, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE contype = 'c' AND conname LIKE '%\\_words'`)
      const expected = kinds.flatMap((kind) => {
        const { name, columns } = TABLES[kind]
        return columns.flatMap(({ name: column, words }) =>
          words === undefined ? [] : [[`${name}_${column}_words`, words.toSorted()] as const],
        )
      })
      assert.deepEqual(
        new Map(
          checks.map(([name, text]) => [
            name,
            [...(text ?? '').matchAll(/'([^']*)'::text/g)].map(([, word]) => word).toSorted(),
          ]),
        ),
        new Map(expected),
      )
    })

    test('text in a key sorts by bytes', async () => {
      for (const kind of kinds) {
        const { name, key } = TABLES[kind]
        for (const column of key.filter(({ type }) => type === 'text')) {
          const [collation] = await rows(`SELECT collation_name::text
            FROM information_schema.columns
            WHERE table_name = '${name}' AND column_name = '${column.name}'`)
          assert.deepEqual(collation, ['C'], `${name}.${column.name}`)
        }
      }
    })

    test('opening an up-to-date database changes nothing', async () => {
      const done = () => rows('SELECT name FROM migrations ORDER BY name')
      const before = await done()
      await store.close()
      store = await database.open()
      assert.deepEqual(await done(), before)
    })

    for (const [name, text, args] of QUERIES) {
      test(`${name}: every table is read in order by an index`, async () => {
        const plan = await explain(text, args)
        // The checkpoint is one row.
        const scans = plan.filter((line) => /Seq Scan|Bitmap/.test(line))
        assert.deepEqual(
          scans.filter((line) => !line.includes('on checkpoint')),
          [],
          plan.join('\n'),
        )
        assert.ok(plan.some((line) => line.includes('Index')))
        assert.ok(!plan.some((line) => line.includes('Sort')), plan.join('\n'))
      })
    }

    const keyColumns = (table: string) =>
      rows(`SELECT a.attname::text FROM pg_index i
        JOIN unnest(i.indkey) WITH ORDINALITY k (attnum, at) ON true
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE i.indrelid = '${table}'::regclass AND i.indisprimary ORDER BY k.at`)

    /** Plans as for tables of any size: on empty ones, a full scan would look cheapest. */
    const explain = (text: string, args: string): Promise<string[]> =>
      store.db.readTransaction(async (sql) => {
        for (const way of ['seqscan', 'bitmapscan', 'sort']) {
          await sql.query(`SELECT set_config('enable_${way}', 'off', true)`)
        }
        let filled = text
        for (const [index, value] of args.split(', ').entries()) {
          filled = filled.replaceAll(`$${index + 1}`, value)
        }
        const lines: SqlRow[] = await sql.query(`EXPLAIN ${filled}`)
        return lines.map(([line]) => String(line))
      })
  })
}
