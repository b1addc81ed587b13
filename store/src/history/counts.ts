// Row counts of accounts' lists, maintained by day in the transaction that writes the rows, so that
// no request counts millions of rows (decision 0030).
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { Order } from '@openvenue/core/records'
import type { SqlQuery } from '../db/block-read.ts'
import type { SqlRow, Statement, StatementCall } from '../db/db.ts'
import { PARTITION_SECONDS } from '../db/partitions.ts'
import { RESTING_SECONDS, TABLES, textArray } from '../db/tables.ts'
import type { HistoryFilter, HistoryKind, RowCount } from './account-history.ts'

const DAY_SECONDS = 86_400

/**
 * Maximum rows counted individually at each end of a time range, where it cuts a day. Beyond it,
 * the total is a lower bound and not exact.
 */
export const EDGE_ROWS_MAX = 10_000

/**
 * `fill` counts all fills; `forced` those that are not trades. `ended` orders have no stored
 * counts: they are counted by index.
 */
type List = HistoryKind | 'forced' | 'ended'

export const COUNT_STATEMENTS: readonly Statement[] = [
  {
    name: 'add_counts',
    types: ['text[]', 'bigint[]', 'text[]', 'bigint[]', 'bigint[]', 'bigint[]'],
    text: `INSERT INTO history_counts AS c (list, account, market, day, ended_partition, rows)
      SELECT * FROM unnest($1, $2, $3, $4, $5, $6)
      ON CONFLICT (list, account, market, day, ended_partition) DO UPDATE SET rows = c.rows + excluded.rows`,
  },
  {
    name: 'drop_counts',
    types: ['text[]', 'bigint[]', 'text[]', 'bigint[]', 'bigint[]'],
    text: `DELETE FROM history_counts c
      USING unnest($1, $2, $3, $4, $5) AS gone(list, account, market, day, ended)
      WHERE (c.list, c.account, c.market, c.day, c.ended_partition)
        = (gone.list, gone.account, gone.market, gone.day, gone.ended) AND c.rows = 0`,
  },
]

/** `ended_partition` of rows other than ended orders. */
const NOT_ENDED = -1
/** Fields that determine the count of a row. `ended`: number of an ended order's partition. */
type CountedRow = Readonly<{ account: number; market: string; seconds: number; ended?: number }>
type DayCount = Omit<CountedRow, 'seconds' | 'ended'> & {
  readonly list: List
  readonly day: number
  readonly ended: number
  rows: number
}

/** Returns the calls that update the counts by `changes`, which may undo others. */
export function countCalls(changes: readonly Change[]): StatementCall[] {
  const counts = new Map<string, DayCount>()
  for (const change of changes) addChange(counts, change)
  const moved = [...counts.values()].filter(({ rows }) => rows !== 0)
  if (moved.length === 0) return []
  const keys = (of: readonly DayCount[]) => [
    textArray(of.map(({ list }) => list)),
    textArray(of.map(({ account }) => account)),
    textArray(of.map(({ market }) => market)),
    textArray(of.map(({ day }) => day)),
    textArray(of.map(({ ended }) => ended)),
  ]
  const fallen = moved.filter(({ rows }) => rows < 0)
  return [
    { name: 'add_counts', args: [...keys(moved), textArray(moved.map(({ rows }) => rows))] },
    ...(fallen.length === 0 ? [] : [{ name: 'drop_counts', args: keys(fallen) }]),
  ]
}

type AddChange<C> = (counts: Map<string, DayCount>, change: C) => void

/** Lists of an account by record kind; other kinds have no list. */
const LISTED = {
  fill: (counts, { before, after }) => {
    const fill = after ?? before
    const step = countStep(before, after)
    if (fill === undefined || step === 0) return
    addRows(counts, 'fill', fill, step)
    if (fill.kind !== 'trade') addRows(counts, 'forced', fill, step)
  },
  closedCycle: (counts, { before, after }) => {
    const cycle = after ?? before
    if (cycle !== undefined) addRows(counts, 'closedCycle', cycle, countStep(before, after))
  },
  order: (counts, { before, after }) => {
    const [was, is] = [listed(before), listed(after)]
    if (was !== undefined) addRows(counts, 'order', was, -1)
    if (is !== undefined) addRows(counts, 'order', is, 1)
  },
} satisfies { readonly [K in HistoryKind]: AddChange<ChangeOf<K>> }

function addChange(counts: Map<string, DayCount>, change: Change): void {
  const add = (LISTED as Readonly<Record<string, AddChange<never> | undefined>>)[change.what]
  add?.(counts, change as never)
}

const countStep = (before: unknown, after: unknown) =>
  Number(after !== undefined) - Number(before !== undefined)

/** An order enters the history once, when it is more than open. */
function listed(order: Order | undefined): CountedRow | undefined {
  if (order === undefined || order.status === 'open') return undefined
  const { account, market, createdSeconds, updatedSeconds, restingLots } = order
  const ended = restingLots === 0n ? Math.floor(updatedSeconds / PARTITION_SECONDS) : NOT_ENDED
  return { account, market, seconds: createdSeconds, ended }
}

function addRows(counts: Map<string, DayCount>, list: List, row: CountedRow, step: number): void {
  const { account, market, seconds, ended = NOT_ENDED } = row
  const day = Math.floor(seconds / DAY_SECONDS)
  const key = `${list}|${account}|${market}|${day}|${ended}`
  const count = counts.get(key)
  if (count === undefined) counts.set(key, { list, account, market, day, ended, rows: step })
  else count.rows += step
}

/** Parses the result of `countQuery`. */
export const parseCount = ([rows, isExact]: SqlRow): RowCount => ({
  rows: Number(rows),
  isExact: isExact === 't',
})

/**
 * Returns the query of a filter's row count: whole days from the stored counts, and days that its
 * range cuts by index, at most `EDGE_ROWS_MAX` at each end. Returns the number, and whether it is
 * exact.
 */
export function countQuery(kind: HistoryKind, filter: HistoryFilter): SqlQuery {
  const { account, markets, fromSeconds, toSeconds, fills, isByEnd = false } = filter
  if (filter.hasFunding === true) return countWithFunding(kind, filter)
  if (fills === 'none') return { text: `SELECT 0, true`, params: [] }
  if (isByEnd)
    return {
      text: `SELECT rows, rows < ${EDGE_ROWS_MAX} FROM (
        SELECT ${edgeText('ended', '$3', '$4')} AS rows) counted`,
      params: [
        ...[account, `{${markets.join(',')}}`, fromSeconds],
        Math.min(toSeconds, RESTING_SECONDS - 1),
      ],
    }
  const { days, edges } = splitRange(fromSeconds, toSeconds)
  return {
    text: countText(kind, fills),
    params: [account, `{${markets.join(',')}}`, ...days, ...edges.flat()],
  }
}

/** Payments are counted by index, in its order: they have no stored counts. */
function countWithFunding(
  kind: HistoryKind,
  { hasFunding: _, ...filter }: HistoryFilter,
): SqlQuery {
  const { text, params } = countQuery(kind, filter)
  const at = (index: number) => `$${params.length + index}`
  const payments = `SELECT count(*) AS rows FROM (SELECT FROM funding_payments
    WHERE account = ${at(1)} AND market = ANY(${at(2)}::text[])
      AND seconds BETWEEN ${at(3)} AND ${at(4)}
    ORDER BY seconds, id LIMIT (SELECT ${EDGE_ROWS_MAX})) payment`
  const { account, markets, fromSeconds, toSeconds } = filter
  return {
    text: `SELECT fill.rows + paid.rows, fill.is_exact AND paid.rows < ${EDGE_ROWS_MAX}
      FROM (${text}) fill (rows, is_exact), (${payments}) paid`,
    params: [...params, account, `{${markets.join(',')}}`, fromSeconds, toSeconds],
  }
}

type Interval = readonly [from: number, to: number]
/** Empty: ends before it begins. */
const EMPTY: Interval = [1, 0]

/** Returns the whole days of a range, and the seconds before and after them. */
function splitRange(
  from: number,
  to: number,
): Readonly<{ days: Interval; edges: readonly Interval[] }> {
  const first = Math.ceil(from / DAY_SECONDS)
  const last = Math.floor((to + 1) / DAY_SECONDS) - 1
  if (first > last) return { days: EMPTY, edges: [[from, to], EMPTY] }
  const early: Interval = [from, first * DAY_SECONDS - 1]
  const late: Interval = [(last + 1) * DAY_SECONDS, to]
  return { days: [first, last], edges: [early, late] }
}

/** Trades have no index of their own: they are all fills but the forced ones. */
function countText(kind: HistoryKind, fills: HistoryFilter['fills']): string {
  const isTrades = kind === 'fill' && fills === 'trades'
  const list = kind === 'fill' && fills === 'forced' ? 'forced' : kind
  const dayCount = (name: List) =>
    `coalesce((SELECT sum(rows) FROM history_counts WHERE list = '${name}' AND account = $1
      AND market = ANY($2::text[]) AND day BETWEEN $3 AND $4), 0)`
  const edges = (name: List) => [edgeText(name, '$5', '$6'), edgeText(name, '$7', '$8')]
  const others = isTrades ? [dayCount('forced'), ...edges('forced')] : []
  return `SELECT ${['kept', 'early', 'late'].join(' + ')}${others.map((text) => ` - ${text}`).join('')},
      early < ${EDGE_ROWS_MAX} AND late < ${EDGE_ROWS_MAX}
    FROM (SELECT ${dayCount(list)} AS kept, ${edges(list)[0]} AS early, ${edges(list)[1]} AS late) counted`
}

const CONDITIONS: Readonly<Record<List, string>> = {
  fill: '',
  forced: `kind <> 'trade' AND `,
  closedCycle: '',
  order: `status <> 'open' AND `,
  ended: 'resting_lots = 0 AND ',
}

const TABLE_OF: Partial<Record<List, HistoryKind>> = { forced: 'fill', ended: 'order' }
const TIME_OF: Partial<Record<List, string>> = {
  order: 'created_seconds',
  ended: 'ended_seconds',
}

function edgeText(list: List, from: string, to: string): string {
  const { name } = TABLES[TABLE_OF[list] ?? (list as HistoryKind)]
  const seconds = TIME_OF[list] ?? 'seconds'
  return `(SELECT count(*) FROM (SELECT FROM ${name} WHERE account = $1
    AND market = ANY($2::text[]) AND ${CONDITIONS[list]}${seconds} BETWEEN ${from} AND ${to}
    LIMIT ${EDGE_ROWS_MAX}) edge)`
}
