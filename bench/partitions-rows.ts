// Generates years of a venue in bulk in the database itself: fills, trades, cycles, payments and
// orders in partitions, candles without, and their counts.
import type { Db } from '@openvenue/store/db/db'
import { makePartition, PARTITION_SECONDS } from '@openvenue/store/db/partitions'
import { TABLES } from '@openvenue/store/db/tables'

/** Number of fills and their time span; everything else except candles is in proportion. */
export type Years = Readonly<{
  fills: number
  seconds: number
  /** Markets with candles, every n-th period each; by default every period. */
  candleMarkets: number
  candlesEvery?: number
}>

/** The first row is at the start of a partition. */
export const FIRST_SECONDS = 219 * PARTITION_SECONDS
const ACCOUNTS = 10_000
/** Active in all markets, with a twentieth of all fills. */
export const MAKER = 1
/** One of many, active in three markets. */
export const TRADER = 30
/** Inactive after the first twentieth of the time. */
export const QUIET = ACCOUNTS + 1
/** Has 200 rows over the whole time. */
export const SELDOM = ACCOUNTS + 2
const SELDOM_ROWS = 200
const MAKERS = 20
const OWN_MARKETS = 3
export const MARKETS = Array.from({ length: 20 }, (_, index) => `m${10 + index}`)
/** Has trades in the first twentieth of the time only. */
export const QUIET_MARKET = 'm99'
const CANDLE_MINUTES = { '1': 1, '5': 5 } as const

/** Number of fills per row of each table. */
const KINDS = { fill: 1, trade: 5, closedCycle: 50, fundingPayment: 50 } as const
type RowKind = keyof typeof KINDS
const FILLS_PER_ORDER = 20

const KEYS: Readonly<Record<RowKind, string>> = {
  fill: 'account, market, seconds, id',
  closedCycle: 'account, market, seconds, id',
  fundingPayment: 'account, seconds, id',
  trade: 'market, seconds, id',
}

const LAST = `'${QUIET_MARKET}'`
const OWN_MARKET = `('{${MARKETS}}'::text[])[1 + CASE WHEN account <= ${MAKERS} THEN h >> 8
  ELSE account * 7 + (h >> 8) % ${OWN_MARKETS} END % ${MARKETS.length}]`
const ORDER_STATUS = `('{filled,partial,cancelled,cancelled}'::text[])[1 + h % 4]`

/** Values that matter to a query; the rest of a row is filler. */
const VALUES: Readonly<Record<string, string>> = {
  account: 'account',
  market: 'market',
  seconds: 'seconds',
  created_seconds: 'seconds',
  updated_seconds: 'seconds',
  ended_seconds: 'seconds',
  block_number: 'seconds * 2',
  log_index: 'i % 1000000',
  id: `lpad((seconds * 2)::text, 12, '0') || '-' || lpad((i % 1000000)::text, 6, '0') || '-m'`,
  number: 'i',
  kind: `CASE WHEN h % 50 = 0 THEN 'absorption' ELSE 'trade' END`,
  status: ORDER_STATUS,
  resting_lots: '0',
}
const FILLERS = { int: 'i % 1000', big: '100 + h % 100', text: `'x'`, bool: 'h % 2 = 0' }

/** Fills of the quiet account. */
export const quietRows = ({ fills }: Years) => Math.floor(Math.floor(fills / 20) / 50)

const rowsOf = ({ fills }: Years, kind: RowKind) => Math.ceil(fills / KINDS[kind])

/** Returns rows `from` to `to` of `count` in order of time. */
function seriesText({ seconds }: Years, count: number, [from, to]: readonly [number, number]) {
  const every = Math.max(2, Math.floor(count / SELDOM_ROWS))
  return `(SELECT i, h, seconds, account, ${OWN_MARKET} AS market FROM (
      SELECT i, h, ${FIRST_SECONDS} + i * ${seconds} / ${count} AS seconds,
        CASE WHEN i % 50 = 0 AND i <= ${Math.floor(count / 20)} THEN ${QUIET}
          WHEN i % ${every} = 1 THEN ${SELDOM}
          ELSE 1 + floor(${ACCOUNTS} * power(h / 2147483648.0::float8, 3))::bigint END AS account
      FROM (
        SELECT i, hashint8(i)::bigint & 2147483647 AS h
        FROM generate_series(${from}::bigint, ${to}::bigint) i
      ) numbered
    ) spread) series`
}

function insertText(kind: RowKind | 'order', table: string, series: string): string {
  const { stored: columns } = TABLES[kind]
  const cells = columns.map(({ name, as, words, isNullable }) => {
    if (kind === 'trade' && name === 'market')
      return `CASE WHEN account = ${QUIET} THEN ${LAST} ELSE market END`
    const filler = words === undefined ? FILLERS[as] : `'${words[0]}'`
    return VALUES[name] ?? (isNullable ? 'NULL' : filler)
  })
  return `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
    SELECT ${cells.join(', ')} FROM ${series}`
}

const PACE = `SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '512MB';`

/** Generates the years, partition by partition; reports each to `note`. */
export async function addYears(db: Db, years: Years, note = (_: string) => {}): Promise<void> {
  await db.script('ALTER TABLE history_counts DROP CONSTRAINT history_counts_pkey')
  const pending = (Object.keys(KINDS) as RowKind[]).flatMap((kind) =>
    partitionStarts(years).map((from) => ({ kind, from })),
  )
  const lane = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      await addPartition(db, years, next.kind, next.from)
      note(`${TABLES[next.kind].name} from ${next.from}`)
    }
  }
  const others = addOrders(db, years).then(() => addCandles(db, years))
  await Promise.all([lane(), others.then(lane)])
  await db.script(`${PACE} ALTER TABLE history_counts ADD PRIMARY KEY (list, account, market, day,
    ended_partition)`)
  for (const table of ['history_counts', 'orders', 'candles', 'tickers'])
    await db.script(`VACUUM (ANALYZE) ${table}`)
  const last = FIRST_SECONDS + years.seconds
  await db.script(`UPDATE checkpoint
    SET seq = 1, number = ${last * 2}, hash = '0x', parent_hash = '0x', seconds = ${last}`)
  note('all')
}

function partitionStarts({ seconds }: Years): readonly number[] {
  const count = Math.ceil((seconds + 1) / PARTITION_SECONDS)
  return Array.from({ length: count }, (_, index) => FIRST_SECONDS + index * PARTITION_SECONDS)
}

/** Adds the keys after the rows, which is faster than maintaining them. */
async function addPartition(db: Db, years: Years, kind: RowKind, from: number): Promise<void> {
  const { name } = TABLES[kind]
  const table = `${name}_${from / PARTITION_SECONDS}`
  const count = rowsOf(years, kind)
  const firstAt = (seconds: number) =>
    Math.ceil(((seconds - FIRST_SECONDS) * count) / years.seconds)
  const to = from + PARTITION_SECONDS
  const range = [Math.max(1, firstAt(from)), Math.min(count, firstAt(to) - 1)] as const
  await db.script(`${PACE}
    CREATE TABLE ${table} (LIKE ${name} INCLUDING CONSTRAINTS);
    ${insertText(kind, table, seriesText(years, count, range))};
    ALTER TABLE ${table} ADD PRIMARY KEY (${KEYS[kind]}),
      ADD CHECK (seconds >= ${from} AND seconds < ${to});
    ${countTexts(kind, table).join(';')};
    ALTER TABLE ${name} ATTACH PARTITION ${table} FOR VALUES FROM (${from}) TO (${to})`)
  await db.script(`VACUUM (ANALYZE) ${table}`)
}

const countText = (list: string, table: string, [filter, seconds] = ['true', 'seconds']) =>
  `INSERT INTO history_counts SELECT '${list}', account, market, ${seconds} / 86400,
      ${list === 'order' ? `ended_seconds / ${PARTITION_SECONDS}` : '-1'}, count(*)
    FROM ${table} WHERE ${filter} GROUP BY 2, 3, 4, 5`

function countTexts(kind: RowKind, table: string): readonly string[] {
  if (kind === 'closedCycle') return [countText(kind, table)]
  if (kind !== 'fill') return []
  return [countText('fill', table), countText('forced', table, [`kind <> 'trade'`, 'seconds'])]
}

async function addOrders(db: Db, years: Years): Promise<void> {
  const count = Math.ceil(years.fills / FILLS_PER_ORDER)
  for (const from of partitionStarts(years)) await makePartition(db.primary, 'order', from)
  await db.script(`${PACE}
    ${insertText('order', 'orders', seriesText(years, count, [1, count]))};
    ${countText('order', 'orders', [`status <> 'open'`, 'created_seconds'])}`)
}

async function addCandles(db: Db, years: Years): Promise<void> {
  const { seconds, candleMarkets, candlesEvery = 1 } = years
  const markets = MARKETS.slice(0, candleMarkets)
  for (const [resolution, minutes] of Object.entries(CANDLE_MINUTES))
    await db.script(`${PACE} INSERT INTO candles
      SELECT market, '${resolution}', open_seconds, 100, 120, 90, 110, 12345, 1234500, 6000, 600000, 9
      FROM unnest('{${markets}}'::text[]) market, generate_series(${FIRST_SECONDS}::bigint,
        ${FIRST_SECONDS + seconds - 1}::bigint, ${minutes * candlesEvery * 60}) open_seconds`)
  const last = FIRST_SECONDS + seconds
  const quiet = FIRST_SECONDS + Math.floor(seconds / 20)
  await db.script(`INSERT INTO tickers
    SELECT market, 100, ${last}, 0 FROM unnest('{${MARKETS}}'::text[]) market
    UNION ALL SELECT ${LAST}, 100, ${quiet}, 0`)
}
