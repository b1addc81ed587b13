// Query plans of account history at the size of years of trading.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addRows,
  BULK_MARKETS,
  BULK_ROWS_PER_SECOND,
  BULK_START_SECONDS,
  BUSY_ACCOUNT,
  type BulkKind,
  OTHER_ACCOUNT,
} from '../../test/account-rows.ts'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { atText, type SqlQuery } from '../db/block-read.ts'
import type { Run } from '../db/db.ts'
import { TABLES } from '../db/tables.ts'
import type { Store } from '../store.ts'
import { type FillSet, type HistoryKind, TRANSFER_TYPES } from './account-history.ts'
import {
  fundingPaymentsQuery,
  numberQuery,
  ownerQuery,
  pageQuery,
  paymentsQuery,
  STATEMENT_RANGES_MAX,
  transfersQuery,
  walletsQuery,
} from './account-queries.ts'
import { countQuery } from './counts.ts'

/** PGlite is for small venues, and its test runs on every change. */
const ROWS = { PGlite: 20_000, PostgreSQL: 1_000_000 } as const

/** A statement is first planned for its arguments, and later once for all. */
const MODES = ['force_custom_plan', 'force_generic_plan'] as const

const ALL = { account: BUSY_ACCOUNT, fromSeconds: 0, toSeconds: 4_000_000_000 }

const FILL_SETS: readonly (FillSet | undefined)[] = [undefined, 'trades', 'forced']

const FIRST = { isAscending: false, limit: 51 }

const product = <A, B>(some: readonly A[], others: readonly B[]): [A, B][] =>
  some.flatMap((a) => others.map((b): [A, B] => [a, b]))

const ACCOUNTS = [BUSY_ACCOUNT, OTHER_ACCOUNT]
const hourFrom = (middle: number) => ({ fromSeconds: middle, toSeconds: middle + 3600 })

/** Orders by their end: first and later pages, and their count. */
const endCases = (middle: number): PlanCase[] =>
  product(ACCOUNTS, [true, false]).flatMap(([account, isAscending]) => {
    const filter = {
      account,
      markets: BULK_MARKETS.slice(0, 4),
      ...hourFrom(middle),
      isByEnd: true,
    }
    const after = { seconds: middle + 60, id: '000000000001-000001' }
    const page = { ...filter, isAscending, limit: 51 }
    return [
      planCase(
        `ended, ${account}`,
        pageQuery('order', page, page.markets),
        '_account_market_ended_seconds_',
      ),
      planCase(
        `beyond, ${account}`,
        pageQuery('order', { ...page, after }, page.markets),
        '_account_market_ended_seconds_',
      ),
      planCase(`count, ${account}`, countQuery('order', filter), '_account_market_ended_seconds_'),
    ]
  })

/** A query, its name, and the text that its plan must contain. */
type PlanCase = Readonly<{ of: string; query: SqlQuery; way: string }>

const planCase = (of: string, query: SqlQuery, way = 'Index'): PlanCase => ({ of, query, way })

for (const engine of testEngines(process.env.DATABASE_URL)) {
  const rows = ROWS[engine.name as keyof typeof ROWS]
  describe(`account history on ${engine.name} with ${rows} rows a table`, () => {
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

    function checkPlan(plan: readonly string[], of: string, way: string): void {
      const message = `${of}\n${plan.join('\n')}`
      // Sorting empty relations costs nothing.
      const bad = plan.filter(
        (line) =>
          /Seq Scan(?! on checkpoint)|Bitmap|Sort(?! Key)/.test(line) && !line.includes('rows=0 '),
      )
      assert.deepEqual(bad, [], message)
      assert.ok(
        plan.some((line) => line.includes(way)),
        message,
      )
    }

    const check = (kind: BulkKind, cases: readonly PlanCase[]) =>
      test(`${kind}: an index serves each of ${cases.length} queries in order`, async () => {
        await addRows(store.db, kind, rows)
        await store.db.maintain(async (run) => {
          for (const mode of MODES)
            for (const { of, query, way } of cases)
              checkPlan(await explain(run, query, mode), `${of}, ${mode}`, way)
        })
        await store.db.script(`TRUNCATE ${TABLES[kind].name}`)
      })

    const middle = BULK_START_SECONDS + rows / BULK_ROWS_PER_SECOND / 2
    for (const kind of ['fill', 'order', 'closedCycle'] as const) {
      const forms = kind === 'fill' ? FILL_SETS : [undefined]
      check(
        kind,
        forms
          .flatMap((fills) => [
            ...pageCases(kind, middle, fills),
            ...countCases(kind, middle, fills),
          ])
          .concat(kind === 'order' ? endCases(middle) : []),
      )
    }
    check('transfer', transferCases(middle))
    check('fundingPayment', [
      planCase('the busy one', fundingPaymentsQuery(BUSY_ACCOUNT, 500)),
      planCase('another', fundingPaymentsQuery(OTHER_ACCOUNT, 500)),
      ...paymentCases(middle),
    ])
    check('account', [
      planCase('its number', numberQuery(`0x${'1'.padStart(40, '0')}`)),
      planCase('its owner', ownerQuery(`0x${'1'.padStart(40, '0')}`)),
      planCase('one wallet', walletsQuery([1])),
      planCase('many wallets', walletsQuery(Array.from({ length: 1000 }, (_, index) => index + 1))),
    ])

    test('a query plan that sorts or reads everything is distinguished from others', async () => {
      await addRows(store.db, 'fill', 5000)
      const text = 'SELECT id FROM fills WHERE tick > $1 ORDER BY lots'
      const plan = await store.db.maintain((run) =>
        explain(run, { text, params: [1] }, 'force_generic_plan'),
      )
      assert.ok(plan.some((line) => line.includes('Seq Scan')))
      assert.ok(plan.some((line) => /Sort(?! Key)/.test(line)))
    })
  })
}

test('pages over any number of markets take few different statements', () => {
  const texts = new Set<string>()
  for (let count = 1; count <= STATEMENT_RANGES_MAX; count += 1) {
    const markets = Array.from({ length: count }, (_, index) => `0x${index}`)
    const { text, params } = pageQuery('fill', { ...ALL, markets, ...FIRST }, markets)
    texts.add(text)
    assert.ok(params.length < 2 * STATEMENT_RANGES_MAX)
  }
  assert.equal(texts.size, 1 + Math.log2(STATEMENT_RANGES_MAX))
})

/** First pages, later pages and time ranges, with few and many rows, markets and accounts. */
function pageCases(kind: HistoryKind, middle: number, fills?: FillSet): PlanCase[] {
  const unknown = Array.from({ length: STATEMENT_RANGES_MAX }, (_, index) => `0x${index}`)
  const many = [...BULK_MARKETS, ...unknown].slice(0, STATEMENT_RANGES_MAX)
  const lists = [BULK_MARKETS.slice(0, 1), BULK_MARKETS.slice(0, 3), BULK_MARKETS, many]
  const cursor = { after: { seconds: middle, id: '000000000001-000000' } }
  const range = hourFrom(middle)
  const rests = [{}, cursor, range, { ...cursor, ...range }]
  const scans = product(product([true, false], [51, 1001]), rests)
  return product(product(ACCOUNTS, lists), scans).map(
    ([[account, markets], [[isAscending, limit], rest]]) => {
      const query = { ...ALL, account, markets, isAscending, limit, fills, ...rest }
      const way = markets.length === 1 ? 'Index Scan' : 'Merge Append'
      const facts = { account, markets: markets.length, isAscending, limit, fills, ...rest }
      return planCase(`page ${JSON.stringify(facts)}`, pageQuery(kind, query, markets), way)
    },
  )
}

function countCases(kind: HistoryKind, middle: number, fills?: FillSet): PlanCase[] {
  const lists = [BULK_MARKETS.slice(0, 1), BULK_MARKETS]
  return product(product(ACCOUNTS, lists), [{}, hourFrom(middle)]).map(
    ([[account, markets], rest]) => {
      const query = { ...ALL, account, markets, fills, ...rest }
      const of = `count ${JSON.stringify({ account, markets: markets.length, fills, ...rest })}`
      // When the range cuts no day, rows are not read: the plan has no partition.
      const way = 'fromSeconds' in rest ? 'Index Only Scan' : 'Index'
      return planCase(of, countQuery(kind, query), way)
    },
  )
}

/** Pages of funding payments among fills, and their count. */
function paymentCases(middle: number): PlanCase[] {
  const cursor = { after: { seconds: middle, id: '000000000001-000000-1' } }
  const rests = [{}, cursor, hourFrom(middle), { ...cursor, ...hourFrom(middle) }]
  return product(product(ACCOUNTS, [true, false]), rests).flatMap(
    ([[account, isAscending], rest]) => {
      const filter = { ...ALL, account, markets: BULK_MARKETS, ...rest }
      const count = { ...filter, fills: 'none', hasFunding: true } as const
      const of = JSON.stringify({ account, isAscending, ...rest })
      return [
        planCase(`page ${of}`, paymentsQuery({ ...filter, isAscending, limit: 51 }), 'Index Scan'),
        planCase(`count ${of}`, countQuery('fill', count)),
      ]
    },
  )
}

function transferCases(middle: number): PlanCase[] {
  const lists = [TRANSFER_TYPES.slice(0, 1), TRANSFER_TYPES.slice(0, 3), TRANSFER_TYPES]
  const scans = product(product([true, false], [0, 100]), [{}, hourFrom(middle)])
  return product(product(ACCOUNTS, lists), scans).map(
    ([[account, types], [[isAscending, offset], rest]]) => {
      const query = { ...ALL, account, types, isAscending, offset, limit: 50, ...rest }
      const way = types.length === 1 ? 'Index Scan' : 'Merge Append'
      return planCase(JSON.stringify(query), transfersQuery(query), way)
    },
  )
}

let statements = 0

/** In one round trip, since there are some two thousand plans. */
const explain = async (run: Run, { text, params }: SqlQuery, mode: string): Promise<string[]> => {
  const name = `planned_${statements++}`
  const args = params.map((param) => (typeof param === 'number' ? param : `'${param}'`))
  const lines = await run(`SELECT set_config('plan_cache_mode', '${mode}', true);
    PREPARE ${name} AS ${atText(text)};
    EXPLAIN EXECUTE ${name}(${args.join(', ')})`)
  return lines.map(([line]) => String(line))
}
