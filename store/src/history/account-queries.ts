// Queries of account history. A page consists of ranges of one index, one per market or type, which
// the database merges: it reads no more rows than it returns, and sorts none.
import type { RecordKind } from '@openvenue/core/records'
import type { SqlQuery } from '../db/block-read.ts'
import { PARTITION_SECONDS } from '../db/partitions.ts'
import { linesQuery } from '../db/record-lines.ts'
import { columnList, RESTING_SECONDS, TABLES } from '../db/tables.ts'
import type {
  CursorPosition,
  FillSet,
  HistoryFilter,
  HistoryKind,
  HistoryQuery,
  OrderName,
  TransferQuery,
} from './account-history.ts'
import { type CountedList, daysText } from './page-days.ts'

/**
 * Maximum number of ranges per statement. Every connection keeps a plan of each text, so there must
 * be few: ranges are padded to a power of two with empty ones, and more take several statements.
 */
export const STATEMENT_RANGES_MAX = 32

/** Storage of a list: its order columns, its other conditions, and its position. */
type List = Readonly<{
  order: readonly string[]
  filter: string
  edgeParams: (position: CursorPosition) => SqlQuery['params']
}>

/** A position comes from an external cursor: an invalid id sorts before all others. */
const POSITION_ID = /^(\d{12})-(\d{6})(?:-(?:[a-z]|\d{1,16}))?$/
const NOWHERE = ''
/** Sorts after all ids. */
const BEYOND = '~'

const BY_ID: List = {
  order: ['seconds', 'id'],
  filter: '',
  edgeParams: ({ seconds, id }) => [seconds, POSITION_ID.test(id) || id === BEYOND ? id : NOWHERE],
}

const LISTS: Readonly<Record<HistoryKind, List>> = {
  fill: BY_ID,
  closedCycle: BY_ID,
  order: {
    order: ['created_seconds', 'block_number', 'log_index'],
    filter: `status <> 'open' AND `,
    edgeParams: ({ seconds, id }) => {
      const nowhere = id === BEYOND ? Number.MAX_SAFE_INTEGER : -1
      const [, block = nowhere, log = nowhere] = POSITION_ID.exec(id) ?? []
      return [seconds, Number(block), Number(log)]
    },
  },
}

/** Ended orders, by their end. */
const ENDED_ORDERS: List = {
  ...LISTS.order,
  order: ['ended_seconds', 'block_number', 'log_index'],
  filter: 'resting_lots = 0 AND ',
}

/** Most fills of most accounts are trades; the others have an index. */
const FILLS: Readonly<Record<FillSet, string>> = {
  trades: `kind = 'trade' AND `,
  forced: `kind <> 'trade' AND `,
}

function listOf(kind: HistoryKind, { fills, isByEnd = false }: HistoryFilter): List {
  if (kind === 'fill' && fills !== undefined && fills !== 'none')
    return { ...LISTS.fill, filter: FILLS[fills] }
  return isByEnd ? ENDED_ORDERS : LISTS[kind]
}

/**
 * Hides the limit from the planner, which would otherwise collect and sort a range that it expects
 * to end early.
 */
const LIMIT = 'LIMIT (SELECT $2::bigint)'

/**
 * Returns the condition that excludes partitions; conditions on two columns at once do not. An
 * order ends after its creation, however much later.
 */
function timeText(list: List, low: string, high: string, ends: readonly string[]): string {
  if (list !== LISTS.order) return `${list.order[0]} BETWEEN ${low} AND ${high} AND `
  const [lastEnd, resting] = ends
  const ended =
    lastEnd === undefined
      ? `ended_seconds >= ${low}`
      : `(ended_seconds BETWEEN ${low} AND ${lastEnd} OR ended_seconds = ${resting})`
  return `${ended} AND created_seconds BETWEEN ${low} AND ${high} AND `
}

/** Returns the times of the last end and of resting orders that a page has, if known. */
function endParams(list: List, { ends }: HistoryQuery): readonly number[] {
  if (list !== LISTS.order || ends === undefined) return []
  return [(ends.last + 1) * PARTITION_SECONDS - 1, ends.isAnyResting ? RESTING_SECONDS : -1]
}

/** Returns the query of the first rows of some markets beyond `after`. */
export function pageQuery(
  kind: HistoryKind,
  query: HistoryQuery,
  markets: readonly string[],
): SqlQuery {
  const list = listOf(kind, query)
  const { order, edgeParams, filter } = list
  const [above, below] = pageEdges(query)
  const edges = [...edgeParams(above), ...edgeParams(below)]
  const slots = edges.map((_, index) => `$${index + 3}`)
  const by = order.join(', ')
  const low = slots.slice(0, order.length).join(', ')
  const high = slots.slice(order.length).join(', ')
  const padded = padNames(markets)
  const ends = endParams(list, query)
  const endSlots = ends.map((_, index) => `$${edges.length + 3 + index}`)
  const names = padded.map((_, index) => `$${edges.length + ends.length + 3 + index}`)
  const time = timeText(list, String(slots[0]), String(slots[order.length]), endSlots)
  // Padding, which has no owner, must not be searched in any partition.
  const isGated = padded.length > 1
  const named = (name: string) => (isGated ? `${name} <> '' AND ` : '')
  const ranges = names.map(
    (name) =>
      `account = $1 AND market = ${name} AND ${named(name)}${filter}${time}(${by}) > (${low}) AND (${by}) < (${high})`,
  )
  return {
    text: firstRowsText(kind, ranges, {
      order,
      isAscending: query.isAscending,
      reach: LIMIT,
      cut: LIMIT,
    }),
    params: [query.account, query.limit, ...edges, ...ends, ...padded],
  }
}

/** Returns the query of the days of a page, by the stored counts. */
export const daysQuery = (
  kind: HistoryKind,
  query: HistoryQuery,
  markets: readonly string[],
): SqlQuery => ({
  text: daysText(countedList(kind, query), query.isAscending),
  params: [query.account, query.limit, arrayText(markets), ...edgeDays(query)],
})

const edgeDays = (query: HistoryQuery): number[] =>
  pageEdges(query).map(({ seconds }) => Math.floor(seconds / DAY_SECONDS))

const DAY_SECONDS = 86_400

const countedList = (kind: HistoryKind, { fills = 'none' }: HistoryQuery): CountedList =>
  kind === 'fill' && fills !== 'none' ? fills : kind

/** Returns the positions between which a page lies, exclusive. */
function pageEdges({
  fromSeconds,
  toSeconds,
  after,
  isAscending,
}: HistoryQuery): [CursorPosition, CursorPosition] {
  const above = { seconds: fromSeconds, id: NOWHERE }
  const below = { seconds: Math.min(toSeconds, RESTING_SECONDS - 1), id: BEYOND }
  if (after === undefined) return [above, below]
  if (isAscending) return [after.seconds < fromSeconds ? above : after, below]
  return [above, after.seconds > toSeconds ? below : after]
}

/** Returns the query of the transfers of a page. */
export function transfersQuery(query: TransferQuery): SqlQuery {
  const { account, fromSeconds, toSeconds, isAscending, after, offset, limit } = query
  const types = padNames([...new Set<string>(query.types)])
  const edge = after === undefined ? [] : BY_ID.edgeParams(after)
  const beyond = edge.length === 0 ? '' : ' AND (seconds, id) > ($6, $7)'
  const ranges = types.map(
    (_, index) =>
      `account = $1 AND type = $${6 + edge.length + index} AND seconds BETWEEN $4 AND $5${beyond}`,
  )
  return {
    text: firstRowsText('transfer', ranges, {
      order: BY_ID.order,
      isAscending,
      reach: 'LIMIT (SELECT $2::bigint + $3::bigint)',
      cut: `${LIMIT} OFFSET (SELECT $3::bigint)`,
    }),
    params: [account, limit, offset, fromSeconds, toSeconds, ...edge, ...types],
  }
}

/** Returns the query of the newest funding payments of an account. */
export const fundingPaymentsQuery = (account: number, limit: number): SqlQuery => ({
  text: firstRowsText('fundingPayment', ['account = $1'], {
    order: BY_ID.order,
    isAscending: false,
    reach: LIMIT,
    cut: LIMIT,
  }),
  params: [account, limit],
})

/**
 * Returns the query of the first funding payments of a page. Their index has no market: the days
 * with payments in any of `markets` bound the rows that are skipped.
 */
export function paymentsQuery(query: HistoryQuery): SqlQuery {
  const [above, below] = pageEdges(query)
  const edges = [...BY_ID.edgeParams(above), ...BY_ID.edgeParams(below)]
  const day = (first: string) =>
    `(SELECT ${first}(day) FROM account_days WHERE account = $1 AND market = ANY($7::text[]))`
  const range = `account = $1 AND market = ANY($7::text[])
    AND seconds >= greatest($3::bigint, ${day('min')} * ${DAY_SECONDS})
    AND seconds < least($5::bigint + 1, (${day('max')} + 1) * ${DAY_SECONDS})
    AND (seconds, id) > ($3, $4) AND (seconds, id) < ($5, $6)`
  return {
    text: firstRowsText('fundingPayment', [range], {
      order: BY_ID.order,
      isAscending: query.isAscending,
      reach: LIMIT,
      cut: LIMIT,
    }),
    params: [query.account, query.limit, ...edges, arrayText(query.markets)],
  }
}

/**
 * The order of that name that rests or ended in `fromSeconds` or later. A digest is unique, since
 * its salt is spent once.
 */
export function orderQuery(name: OrderName, fromSeconds = 0): SqlQuery {
  const first = { order: LISTS.order.order, isAscending: false, reach: LIMIT, cut: LIMIT }
  const named = (filter: string, params: SqlQuery['params']) => ({
    text: firstRowsText('order', [`${filter} AND ended_seconds >= $3`], first),
    params: [...params.slice(0, 1), 1, fromSeconds, ...params.slice(1)],
  })
  if ('ref' in name) return named('ref = $1', [name.ref])
  if ('market' in name) return named('market = $1 AND number = $4', [name.market, name.number])
  return named('account = $1 AND client_order_id = $4', [name.account, name.clientOrderId])
}

export const numberQuery = (wallet: string): SqlQuery => ({
  text: 'SELECT account FROM accounts WHERE wallet = $1 ORDER BY account LIMIT 1',
  params: [wallet],
})

export const ownerQuery = (address: string): SqlQuery => ({
  text: `SELECT owner FROM accounts JOIN sub_accounts ON sub_accounts.account = accounts.account
    WHERE wallet = $1 ORDER BY accounts.account LIMIT 1`,
  params: [address],
})

/** Lines of a market and the leverage of the account's position there, space-separated. */
export const leveragesQuery = (account: number): SqlQuery => ({
  text: `SELECT string_agg(market || ' ' || leverage, E'\\n') FROM positions WHERE account = $1`,
  params: [account],
})

/** Account, expiry and whether it is revoked, space-separated. */
export const signingKeyQuery = (key: string): SqlQuery => ({
  text: `SELECT account || ' ' || expiry_seconds || ' ' || is_revoked FROM signing_keys
    WHERE key = $1`,
  params: [key],
})

/** Lines of an account number and its wallet, space-separated. */
export const walletsQuery = (accounts: readonly number[]): SqlQuery => ({
  text: `SELECT string_agg(account || ' ' || wallet, E'\\n') FROM accounts
    WHERE account = ANY($1::bigint[])`,
  params: [arrayText(accounts)],
})

/** Order, maximum rows of each range, and limits of the page. */
type FirstRows = Readonly<{
  order: readonly string[]
  isAscending: boolean
  reach: string
  cut: string
}>

/**
 * Returns the query of the first rows of several ranges of a table. Each range is read in order by
 * its index, and the ranges are merged in order. Returns one text, for `splitLines`.
 */
function firstRowsText(kind: RecordKind, ranges: readonly string[], first: FirstRows): string {
  const direction = first.isAscending ? 'ASC' : 'DESC'
  const by = `ORDER BY ${first.order.map((column) => `${column} ${direction}`).join(', ')}`
  const extra = first.order.includes('ended_seconds') ? ', ended_seconds' : ''
  const head = `SELECT ${columnList(kind)}${extra} FROM ${TABLES[kind].name} WHERE`
  const [only, ...others] = ranges
  const merged =
    others.length === 0
      ? `${head} ${only}`
      : ranges.map((range) => `(${head} ${range} ${by} ${first.reach})`).join(' UNION ALL ')
  return linesQuery(kind, `${merged} ${by} ${first.cut}`, by)
}

/** A name without rows, for an empty range. */
const NONE = ''

const padNames = (names: readonly string[]): readonly string[] => {
  const length = 2 ** Math.ceil(Math.log2(names.length))
  return [...names, ...Array<string>(length - names.length).fill(NONE)]
}

const arrayText = (values: readonly (string | number)[]) => `{${values.join(',')}}`
