// Reads of the product over years of data, by name.

import type { BlockRead } from '@openvenue/store/db/block-read'
import { decodeLine } from '@openvenue/store/db/record-lines'
import {
  cursorPosition,
  type HistoryKind,
  type HistoryQuery,
  type HistoryRow,
  type LinesPage,
} from '@openvenue/store/history/account-history'
import type { CandleQuery, Store } from '@openvenue/store/store'
import {
  FIRST_SECONDS,
  MAKER,
  MARKETS,
  QUIET,
  QUIET_MARKET,
  quietRows,
  SELDOM,
  TRADER,
  type Years,
} from './partitions-rows.ts'

/** Result of a read: the number of rows and their times. */
type ReadResult = Readonly<{ count: number; seconds: () => readonly number[] }>

/** The n-th execution of a read; each uses another account or position. */
export type TimedRead = Readonly<{
  name: string
  read: (n: number) => Promise<ReadResult>
  /** Number of rows that the read returns. */
  rows: number
  /** Time of the newest row that it may read; absent: that of its rows. */
  edgeSeconds?: (n: number) => number
  /** True for a table without partitions. */
  isWhole?: true
}>

const PAGE = 51
const ALL = { fromSeconds: 0, toSeconds: 2 ** 40, isAscending: false, limit: PAGE }
/** Accounts similar to the trader, read in turn. */
const LIKE_TRADER = 200

/** Returns the reads, each of one page of rows. */
export const createReads = (store: Store, years: Years): readonly TimedRead[] => [
  ...fillReads(store, years),
  ...listReads(store, years),
  ...tradeReads(store, years),
  ...candleReads(store, years),
]

const FILTER = { ...ALL, account: MAKER, markets: MARKETS }

/** Returns positions in the middle half of the time, a different one for each number. */
const placesIn =
  ({ seconds }: Years) =>
  (n: number) =>
    FIRST_SECONDS + Math.floor(seconds / 2 + ((n * 37) % 100) * (seconds / 400))

/** Distance of the second page from the head. */
const NEAR_SECONDS = 3600

/** Share of the maker in all fills. */
const MAKER_SHARE = 0.046

/** An hour, or the time in which the maker fills several pages. */
const hourSeconds = ({ fills, seconds }: Years) =>
  Math.max(3600, Math.ceil((4 * PAGE * seconds) / (fills * MAKER_SHARE)))

const headSeconds = ({ seconds }: Years) => FIRST_SECONDS + seconds

function fillReads({ history }: Store, years: Years): readonly TimedRead[] {
  const at = placesIn(years)
  const head = () => headSeconds(years)
  const near = (n: number) => head() - NEAR_SECONDS - n
  const trader = (n: number) => ({ ...FILTER, account: TRADER + (n % LIKE_TRADER) })
  const singleMarket = (n: number) => ({ ...FILTER, markets: MARKETS.slice(n % 20, (n % 20) + 1) })
  const hours = (n: number) => ({
    ...FILTER,
    fromSeconds: at(n) - hourSeconds(years),
    toSeconds: at(n),
  })
  const after = (seconds: number) => ({ ...FILTER, after: { seconds, id: '' } })
  const read = async (query: HistoryQuery) => lines('fill', await history.lines('fill', query))
  type Row = readonly [string, (n: number) => HistoryQuery, Omit<TimedRead, 'name' | 'read'>]
  const page = { rows: PAGE, edgeSeconds: head }
  const rows: readonly Row[] = [
    ['fills of a maker in 20 markets', () => FILTER, page],
    ['the next page', (n) => after(near(n)), { rows: PAGE, edgeSeconds: near }],
    ['from the middle on', (n) => after(at(n)), { rows: PAGE, edgeSeconds: at }],
    ['an hour in the middle', hours, { rows: PAGE, edgeSeconds: at }],
    ['of one market', singleMarket, page],
    ['liquidations alone', () => ({ ...FILTER, fills: 'forced' }), page],
    ['fills of a trader', trader, page],
    ['oldest first', (n) => ({ ...trader(n), isAscending: true }), { rows: PAGE }],
    [
      'of an account inactive for long',
      () => ({ ...FILTER, account: QUIET }),
      { rows: Math.min(PAGE, quietRows(years)) },
    ],
    ['of a rarely active account', () => ({ ...FILTER, account: SELDOM }), { rows: PAGE }],
    ['of an account without any', () => ({ ...FILTER, account: SELDOM + 1 }), { rows: 0 }],
  ]
  return rows.map(([name, query, facts]) => ({ name, read: (n) => read(query(n)), ...facts }))
}

const lines = <K extends HistoryKind>(kind: K, { rows }: BlockRead<LinesPage<K>>): ReadResult => ({
  count: rows.lines.length,
  seconds: () =>
    rows.lines.map(
      (line) => cursorPosition(kind, decodeLine<HistoryKind>(kind, line) as HistoryRow[K]).seconds,
    ),
})

const timed = (rows: readonly Readonly<{ seconds: number }>[]): ReadResult => ({
  count: rows.length,
  seconds: () => rows.map(({ seconds }) => seconds),
})

function listReads({ history }: Store, years: Years): readonly TimedRead[] {
  const at = placesIn(years)
  const edgeSeconds = () => headSeconds(years)
  const read = async (kind: HistoryKind, query: HistoryQuery) =>
    lines(kind, await history.lines(kind, query))
  const after = (seconds: number) => ({ ...FILTER, after: { seconds, id: '' } })
  return [
    {
      name: 'closed positions',
      read: () => read('closedCycle', FILTER),
      rows: PAGE,
      edgeSeconds,
    },
    { name: 'order history', read: () => read('order', FILTER), rows: PAGE, edgeSeconds },
    {
      name: 'orders, from the middle on',
      read: (n) => read('order', after(at(n))),
      rows: PAGE,
      edgeSeconds: at,
    },
    {
      name: 'funding payments',
      read: async () => timed((await history.fundingPayments(MAKER, PAGE)).rows),
      rows: PAGE,
    },
  ]
}

function tradeReads({ reader }: Store, years: Years): readonly TimedRead[] {
  const trades = async (market: string, limit: number) =>
    timed((await reader.newestTrades({ market, limit })).rows)
  return [
    {
      name: 'newest trades of a market',
      read: (n) => trades(MARKETS[n % MARKETS.length] as string, 100),
      rows: 100,
    },
    {
      name: 'of a market long quiet',
      read: () => trades(QUIET_MARKET, 25),
      rows: Math.min(25, Math.floor(quietRows(years) / 5)),
    },
  ]
}

function candleReads({ reader }: Store, years: Years): readonly TimedRead[] {
  const at = placesIn(years)
  const read = async (n: number, query: Omit<CandleQuery, 'market' | 'fromSeconds' | 'newest'>) => {
    const market = MARKETS[n % years.candleMarkets] as string
    const { rows } = await reader.candles({ ...query, market, fromSeconds: 0, newest: true })
    const opens = [...rows()].map(({ openSeconds }) => ({ seconds: openSeconds }))
    return timed(opens)
  }
  const minutes = { resolution: '1', toSeconds: headSeconds(years), limit: 1000 }
  const old = (n: number) => ({ resolution: '5', toSeconds: at(n) + 65_000, limit: 200 })
  return [
    {
      name: '1,000 candles of a minute',
      read: (n) => read(n, minutes),
      rows: 1000,
      isWhole: true,
    },
    {
      name: '200 of five minutes, old',
      read: (n) => read(n, old(n)),
      rows: 200,
      isWhole: true,
    },
  ]
}
