// Fills a database, half of it with fills of one account, and reads its totals and pages.

import type { SqlQuery } from '@openvenue/store/db/block-read'
import { pageQuery } from '@openvenue/store/history/account-queries'
import { countQuery } from '@openvenue/store/history/counts'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import {
  addRows,
  BULK_MARKETS,
  BULK_ROWS_PER_SECOND,
  BULK_START_SECONDS,
  BUSY_ACCOUNT,
} from '@openvenue/store/test/account-rows'
import { median, type Section, whole } from './table.ts'

const ROUNDS = 5
const DAY = 86_400

const rows = Number(process.argv[2])
const store = await openStore({ databaseUrl: process.env.DATABASE_URL })
await fill(store, rows)
const section = await measure(store)
await store.close()
process.stdout.write(`${JSON.stringify(section)}\n`)

async function fill({ db }: Store, count: number): Promise<void> {
  await addRows(db, 'fill', count, 2)
  for (const [list, filter] of [
    ['fill', 'true'],
    ['forced', `kind <> 'trade'`],
  ])
    await db.script(`SET LOCAL statement_timeout = 0; INSERT INTO history_counts
      SELECT '${list}', account, market, seconds / ${DAY}, count(*) FROM fills
      WHERE ${filter} GROUP BY 2, 3, 4`)
  await db.script('VACUUM (ANALYZE) history_counts')
}

async function measure(of: Store): Promise<Section> {
  const lastSeconds = BULK_START_SECONDS + rows / BULK_ROWS_PER_SECOND
  const middle = Math.floor((BULK_START_SECONDS + lastSeconds) / 2)
  const all = { account: BUSY_ACCOUNT, markets: BULK_MARKETS, fromSeconds: 0, toSeconds: 2 ** 40 }
  const cut = { ...all, fromSeconds: middle - 3 * DAY - 7000, toSeconds: middle + 5000 }
  const first = { ...all, isAscending: false, limit: 51 }
  const after = { seconds: middle, id: '000000000001-000000' }
  const page = (query: typeof first & { after?: typeof after }) =>
    pageQuery('fill', query, BULK_MARKETS)
  const queries: [string, SqlQuery, string][] = [
    ['total, kept', countQuery('fill', all), '20'],
    ['total of trades only, kept', countQuery('fill', { ...all, fills: 'trades' }), '20'],
    ['total of a range that cuts two days', countQuery('fill', cut), '50'],
    ['total, counted row by row', countedQuery(), ''],
    ['first page', page(first), '10'],
    ['page in the middle', page({ ...first, after }), '10'],
    ['page of a range', page({ ...first, ...tickRange(cut) }), '10'],
  ]
  const lines: string[][] = []
  for (const [title, query, goal] of queries)
    lines.push([title, ...(await measureQuery(of, query)), goal])
  return {
    title: `history of an account with ${whole(rows / 2)} of ${whole(rows)} fills`,
    columns: ['EXPLAIN ANALYZE', 'ms', 'blocks read', 'goal ms'],
    rows: lines,
  }
}

type TimeRange = Readonly<{ fromSeconds: number; toSeconds: number }>

function tickRange({ fromSeconds, toSeconds }: TimeRange): TimeRange {
  return { fromSeconds, toSeconds }
}

function countedQuery(): SqlQuery {
  const text = 'SELECT count(*) FROM fills WHERE account = $1 AND market = ANY($2::text[])'
  return { text, params: [BUSY_ACCOUNT, `{${BULK_MARKETS.join(',')}}`] }
}

type Plan = Readonly<{
  'Execution Time': number
  Plan: Readonly<{ 'Shared Hit Blocks': number; 'Shared Read Blocks': number }>
}>

/** Returns the median time of a query and the number of 8 KB blocks that it reads. */
async function measureQuery({ db }: Store, { text, params }: SqlQuery): Promise<[string, string]> {
  const times: number[] = []
  let blocks = 0
  for (let round = 0; round < ROUNDS; round++) {
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`
    const [[json] = []] = await db.primary.query(explain, params)
    const [plan] = JSON.parse(String(json)) as [Plan]
    times.push(plan['Execution Time'])
    blocks = plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks']
  }
  return [median(times).toFixed(2), whole(blocks)]
}
