// Maintains daily sums of accounts' trades, profits and payments in the transaction that writes the
// rows, like their counts (decision 0030), so that no request sums millions of rows.
import type { Change } from '@openvenue/core/changes'
import { abs } from '@openvenue/core/integers'
import type { Fill, FundingPayment } from '@openvenue/core/records'
import type { SqlQuery } from '../db/block-read.ts'
import type { SqlRow, Statement, StatementCall } from '../db/db.ts'
import { textArray } from '../db/tables.ts'

const DAY_SECONDS = 86_400

const SUMS = ['tick_lots', 'off_book', 'realised', 'fees', 'funding'] as const
const COUNTS = ['rows', 'fills'] as const
const COLUMNS = [...COUNTS, ...SUMS]

export const DAY_STATEMENTS: readonly Statement[] = [
  {
    name: 'add_account_days',
    types: [
      'bigint[]',
      'text[]',
      'bigint[]',
      ...COUNTS.map(() => 'bigint[]'),
      ...SUMS.map(() => 'numeric[]'),
    ],
    text: `INSERT INTO account_days AS d (account, market, day, ${COLUMNS.join(', ')})
      SELECT * FROM unnest(${Array.from({ length: 3 + COLUMNS.length }, (_, i) => `$${i + 1}`).join(', ')})
      ON CONFLICT (account, market, day) DO UPDATE SET
        ${COLUMNS.map((column) => `${column} = d.${column} + excluded.${column}`).join(', ')}`,
  },
  {
    name: 'drop_account_days',
    types: ['bigint[]', 'text[]', 'bigint[]'],
    text: `DELETE FROM account_days d USING unnest($1, $2, $3) AS gone(account, market, day)
      WHERE (d.account, d.market, d.day) = (gone.account, gone.market, gone.day) AND d.rows = 0`,
  },
]

type Sums = { [K in (typeof COLUMNS)[number]]: bigint }
type Day = Sums & Readonly<{ account: number; market: string; day: number }>

/** Returns the calls that update the sums by `changes`, which may undo others. */
export function dayCalls(changes: readonly Change[]): StatementCall[] {
  const days = new Map<string, Day>()
  for (const change of changes) {
    if (change.what === 'fill') addTo(days, change, fillSums)
    if (change.what === 'fundingPayment') addTo(days, change, paymentSums)
  }
  const moved = [...days.values()]
  if (moved.length === 0) return []
  const keys = (of: readonly Day[]) => [
    textArray(of.map(({ account }) => account)),
    textArray(of.map(({ market }) => market)),
    textArray(of.map(({ day }) => day)),
  ]
  const sums = COLUMNS.map((column) => textArray(moved.map((day) => day[column].toString())))
  const fallen = moved.filter(({ rows }) => rows < 0n)
  return [
    { name: 'add_account_days', args: [...keys(moved), ...sums] },
    ...(fallen.length === 0 ? [] : [{ name: 'drop_account_days', args: keys(fallen) }]),
  ]
}

function addTo<T extends Readonly<{ account: number; market: string; seconds: number }>>(
  days: Map<string, Day>,
  { before, after }: Readonly<{ before?: T | undefined; after?: T | undefined }>,
  sumsOf: (row: T) => Sums,
): void {
  for (const [row, sign] of [
    [before, -1n],
    [after, 1n],
  ] as const) {
    if (row === undefined) continue
    const { account, market, seconds } = row
    const day = Math.floor(seconds / DAY_SECONDS)
    const key = `${account}|${market}|${day}`
    const daySums = days.get(key) ?? { account, market, day, ...NOTHING }
    const sums = sumsOf(row)
    for (const column of COLUMNS) daySums[column] += sign * sums[column]
    days.set(key, daySums)
  }
}

const NOTHING: Readonly<Sums> = {
  rows: 0n,
  fills: 0n,
  tick_lots: 0n,
  off_book: 0n,
  realised: 0n,
  fees: 0n,
  funding: 0n,
}

const fillSums = ({ tick, unit, lots, realised, fee, liquidationFee }: Fill): Sums => ({
  ...NOTHING,
  rows: 1n,
  fills: 1n,
  tick_lots: BigInt(tick ?? 0) * lots,
  off_book: abs((unit ?? 0n) * lots),
  realised: realised ?? 0n,
  fees: fee + liquidationFee,
})

const paymentSums = ({ amount }: FundingPayment): Sums => ({
  ...NOTHING,
  rows: 1n,
  funding: amount,
})

/** Activity of an account in a market since a day. The migration documents units and signs. */
export type DaySums = Readonly<{
  fills: number
  tickLots: bigint
  offBook: bigint
  realised: bigint
  fees: bigint
  funding: bigint
}>

/** Activity of an account in a market on a day, in days since 1970. */
export type MarketDay = DaySums & Readonly<{ market: string; day: number }>

/** Returns the addition of a new fill or funding payment to its market and day. */
export function addedSums(row: Readonly<{ fill: Fill } | { payment: FundingPayment }>): MarketDay {
  const { market, seconds } = 'fill' in row ? row.fill : row.payment
  const sums = 'fill' in row ? fillSums(row.fill) : paymentSums(row.payment)
  const { fills, tick_lots: tickLots, off_book: offBook, realised, fees, funding } = sums
  const day = Math.floor(seconds / DAY_SECONDS)
  return { market, day, fills: Number(fills), tickLots, offBook, realised, fees, funding }
}

/** Sums of a market, one for each requested day. */
export type MarketSums = Readonly<{ market: string; since: readonly DaySums[] }>

const PARTS = ['fills', ...SUMS]

/** Returns the query of an account's sums by market since each of `days`, inclusive. */
export const daySumsQuery = (account: number, days: readonly number[]): SqlQuery => ({
  text: `SELECT string_agg(line, E'\\n') FROM (
    SELECT concat_ws(' ', market, ${days.map((_, index) => sumsSince(`$${index + 2}`)).join(', ')}) AS line
    FROM account_days WHERE account = $1 GROUP BY market ORDER BY market) lines`,
  params: [account, ...days],
})

const sumsSince = (from: string) =>
  PARTS.map((part) => `coalesce(sum(${part}) FILTER (WHERE day >= ${from}::bigint), 0)`).join(', ')

/** Parses the result of `daySumsQuery`. */
export function parseDaySums(cell: SqlRow[number]): readonly MarketSums[] {
  if (cell === null || cell === undefined) return []
  return String(cell)
    .split('\n')
    .map((line) => {
      const [market = '', ...cells] = line.split(' ')
      const since: DaySums[] = []
      for (let at = 0; at < cells.length; at += PARTS.length)
        since.push(parseSums(cells.slice(at, at + PARTS.length)))
      return { market, since }
    })
}

function parseSums([fills = '0', ...sums]: readonly string[]): DaySums {
  const [tickLots = 0n, offBook = 0n, realised = 0n, fees = 0n, funding = 0n] = sums.map(BigInt)
  return { fills: Number(fills), tickLots, offBook, realised, fees, funding }
}

/**
 * Returns the query of `daySumsQuery`'s sums, and of the account's activity on each day since
 * `day`, market by market.
 */
export function daysQuery(
  account: number,
  { since, day }: Readonly<{ since: readonly number[]; day: number }>,
): SqlQuery {
  const sums = daySumsQuery(account, since)
  return {
    text: `SELECT (${sums.text}), (SELECT string_agg(line, E'\\n') FROM (
      SELECT concat_ws(' ', market, day, ${PARTS.join(', ')}) AS line
      FROM account_days WHERE account = $1 AND day >= $${since.length + 2}
      ORDER BY day, market) lines)`,
    params: [...sums.params, day],
  }
}

/** Parses the days of `daysQuery`, oldest first. */
export function parseDays(cell: SqlRow[number]): readonly MarketDay[] {
  if (cell === null || cell === undefined) return []
  return String(cell)
    .split('\n')
    .map((line) => {
      const [market = '', day = '0', ...sums] = line.split(' ')
      return { market, day: Number(day), ...parseSums(sums) }
    })
}
