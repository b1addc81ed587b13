// What is asked of years of a venue: the reads of the product, by name.

import {
  cursorPosition,
  type HistoryKind,
  type HistoryQuery,
  type HistoryRow,
  type LinesPage,
} from '@openvenue/store/account-history'
import type { BlockRead } from '@openvenue/store/block-read'
import { decodeLine } from '@openvenue/store/record-lines'
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

/** What a read found: how many rows, and when they were. */
export type Found = Readonly<{ count: number; seconds: () => readonly number[] }>

/** A read, for the n-th time; whoever reads for another time asks for another account or place. */
export type Asked = Readonly<{
  name: string
  read: (n: number) => Promise<Found>
  /** How many rows the read finds. */
  rows: number
  /** Where it begins to look, newest first; absent: where its rows are. */
  edgeSeconds?: (n: number) => number
  /** Of a table without partitions. */
  isWhole?: true
}>

const PAGE = 51
const ALL = { fromSeconds: 0, toSeconds: 2 ** 40, isAscending: false, limit: PAGE }
/** Accounts like the trader, asked one after the other. */
const LIKE_TRADER = 200

/** Returns the reads of a page of rows each. */
export const createAsked = (store: Store, years: Years): readonly Asked[] => [
  ...fillsAsked(store, years),
  ...listsAsked(store, years),
  ...tradesAsked(store, years),
  ...candlesAsked(store, years),
]

const FILTER = { ...ALL, account: MAKER, markets: MARKETS }

/** Returns places in the middle half of the time, another one for each number. */
const placesIn =
  ({ seconds }: Years) =>
  (n: number) =>
    FIRST_SECONDS + Math.floor(seconds / 2 + ((n * 37) % 100) * (seconds / 400))

/** A page ends so long before the head: where whoever turns to the next page is. */
const NEAR_SECONDS = 3600

/** Of the fills of all. */
const MAKER_SHARE = 0.046

/** An hour, or as long as it takes the maker to fill some pages. */
const hourSeconds = ({ fills, seconds }: Years) =>
  Math.max(3600, Math.ceil((4 * PAGE * seconds) / (fills * MAKER_SHARE)))

const headSeconds = ({ seconds }: Years) => FIRST_SECONDS + seconds

function fillsAsked({ history }: Store, years: Years): readonly Asked[] {
  const at = placesIn(years)
  const head = () => headSeconds(years)
  const near = (n: number) => head() - NEAR_SECONDS - n
  const trader = (n: number) => ({ ...FILTER, account: TRADER + (n % LIKE_TRADER) })
  const one = (n: number) => ({ ...FILTER, markets: MARKETS.slice(n % 20, (n % 20) + 1) })
  const hours = (n: number) => ({
    ...FILTER,
    fromSeconds: at(n) - hourSeconds(years),
    toSeconds: at(n),
  })
  const after = (seconds: number) => ({ ...FILTER, after: { seconds, id: '' } })
  const read = async (query: HistoryQuery) => lines('fill', await history.lines('fill', query))
  type Row = readonly [string, (n: number) => HistoryQuery, Omit<Asked, 'name' | 'read'>]
  const page = { rows: PAGE, edgeSeconds: head }
  const asked: readonly Row[] = [
    ['fills of a maker in 20 markets', () => FILTER, page],
    ['the next page', (n) => after(near(n)), { rows: PAGE, edgeSeconds: near }],
    ['from the middle on', (n) => after(at(n)), { rows: PAGE, edgeSeconds: at }],
    ['an hour in the middle', hours, { rows: PAGE, edgeSeconds: at }],
    ['of one market', one, page],
    ['liquidations alone', () => ({ ...FILTER, fills: 'forced' }), page],
    ['fills of a trader', trader, page],
    ['oldest first', (n) => ({ ...trader(n), isAscending: true }), { rows: PAGE }],
    [
      'of somebody who left long ago',
      () => ({ ...FILTER, account: QUIET }),
      { rows: Math.min(PAGE, quietRows(years)) },
    ],
    ['of somebody who seldom comes', () => ({ ...FILTER, account: SELDOM }), { rows: PAGE }],
    ['of an account without any', () => ({ ...FILTER, account: SELDOM + 1 }), { rows: 0 }],
  ]
  return asked.map(([name, query, facts]) => ({ name, read: (n) => read(query(n)), ...facts }))
}

const lines = <K extends HistoryKind>(kind: K, { rows }: BlockRead<LinesPage<K>>): Found => ({
  count: rows.lines.length,
  seconds: () =>
    rows.lines.map(
      (line) => cursorPosition(kind, decodeLine<HistoryKind>(kind, line) as HistoryRow[K]).seconds,
    ),
})

const timed = (rows: readonly Readonly<{ seconds: number }>[]): Found => ({
  count: rows.length,
  seconds: () => rows.map(({ seconds }) => seconds),
})

function listsAsked({ history }: Store, years: Years): readonly Asked[] {
  const at = placesIn(years)
  const edgeSeconds = () => headSeconds(years)
  const read = async (kind: HistoryKind, query: HistoryQuery) =>
    lines(kind, await history.lines(kind, query))
  const after = (seconds: number) => ({ ...FILTER, after: { seconds, id: '' } })
  const orders = { rows: PAGE, isWhole: true } as const
  return [
    {
      name: 'closed positions',
      read: () => read('closedCycle', FILTER),
      ...{ rows: PAGE, edgeSeconds },
    },
    { name: 'order history', read: () => read('order', FILTER), ...orders },
    { name: 'orders, from the middle on', read: (n) => read('order', after(at(n))), ...orders },
    {
      name: 'funding payments',
      read: async () => timed((await history.fundingPayments(MAKER, PAGE)).rows),
      rows: PAGE,
    },
  ]
}

function tradesAsked({ reader }: Store, years: Years): readonly Asked[] {
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

function candlesAsked({ reader }: Store, years: Years): readonly Asked[] {
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
      ...{ rows: 1000, isWhole: true },
    },
    {
      name: '200 of five minutes, old',
      read: (n) => read(n, old(n)),
      ...{ rows: 200, isWhole: true },
    },
  ]
}
