// What is asked of years of a venue: the reads of the product, by name.

import type { HistoryKind, HistoryQuery } from '@openvenue/store/account-history'
import { PARTITION_SECONDS } from '@openvenue/store/partitions'
import type { CandleQuery, Store } from '@openvenue/store/store'
import {
  FIRST_SECONDS,
  MAKER,
  MARKETS,
  QUIET,
  QUIET_MARKET,
  SELDOM,
  SELDOM_ROWS,
  TRADER,
  type Years,
} from './partitions-rows.ts'

/** A read, for the n-th time; whoever reads for another time asks for another account or place. */
export type Asked = Readonly<{
  name: string
  read: (n: number) => Promise<number>
  /** Partitions that hold what is read, at most. */
  partitionsMax: number
}>

const PAGE = 51
const ALL = { fromSeconds: 0, toSeconds: 2 ** 40, isAscending: false, limit: PAGE }
/** Accounts like the trader, asked one after the other. */
const LIKE_TRADER = 200

/** Returns the reads of a page of rows each. */
export const createAsked = (store: Store, years: Years): readonly Asked[] => [
  ...fillsAsked(store, years),
  ...listsAsked(store, years),
  ...marketsAsked(store, years),
]

const FILTER = { ...ALL, account: MAKER, markets: MARKETS }

/** Returns places in the middle half of the time, another one for each number. */
const placesIn =
  ({ seconds }: Years) =>
  (n: number) =>
    FIRST_SECONDS + Math.floor(seconds / 2 + ((n * 37) % 100) * (seconds / 400))

/** Shares of the fills of all. */
const MAKER_SHARE = 0.046
const TRADER_SHARE = 0.0005
/** Of one row of a list in so many fills. */
const FORCED_SHARE = MAKER_SHARE / 50
/** Of the trades of a market, of which twice as many are asked for. */
const TRADES_SHARE = 1 / 5 / MARKETS.length / 2

/** Returns how many partitions a page of rows that are such a share of fills can be in. */
function pageSpread({ fills, seconds }: Years, share: number): number {
  const perPartition = (fills * share * PARTITION_SECONDS) / seconds
  return Math.ceil(PAGE / perPartition) + 1
}

function fillsAsked({ history }: Store, years: Years): readonly Asked[] {
  const at = placesIn(years)
  const read = async (query: HistoryQuery) => (await history.lines('fill', query)).rows.lines.length
  const trader = (n: number) => ({ ...FILTER, account: TRADER + (n % LIKE_TRADER) })
  const one = (n: number) => ({ ...FILTER, markets: MARKETS.slice(n % 20, (n % 20) + 1) })
  const hour = (n: number) => ({ ...FILTER, fromSeconds: at(n) - 3600, toSeconds: at(n) })
  const spread = (share: number) => pageSpread(years, share)
  const busy = spread(MAKER_SHARE)
  const seldom = spread(SELDOM_ROWS / years.fills)
  const asked: readonly (readonly [string, number, (n: number) => HistoryQuery])[] = [
    ['fills of a maker in 20 markets', busy, () => FILTER],
    ['from the middle on', busy, (n) => ({ ...FILTER, after: { seconds: at(n), id: '' } })],
    ['an hour in the middle', 2, hour],
    ['of one market', spread(MAKER_SHARE / MARKETS.length), one],
    ['liquidations alone', spread(FORCED_SHARE), () => ({ ...FILTER, fills: 'forced' })],
    ['fills of a trader', spread(TRADER_SHARE), trader],
    ['oldest first', spread(TRADER_SHARE), (n) => ({ ...trader(n), isAscending: true })],
    ['of somebody who left long ago', 3, () => ({ ...FILTER, account: QUIET })],
    ['of somebody who seldom comes', seldom, () => ({ ...FILTER, account: SELDOM })],
    ['of an account without any', 2, () => ({ ...FILTER, account: SELDOM + 1 })],
  ]
  return asked.map(([name, partitionsMax, query]) => ({
    name,
    partitionsMax,
    read: (n) => read(query(n)),
  }))
}

function listsAsked({ history }: Store, years: Years): readonly Asked[] {
  const at = placesIn(years)
  const read = async (kind: HistoryKind, query: HistoryQuery) =>
    (await history.lines(kind, query)).rows.lines.length
  const after = (n: number) => ({ ...FILTER, after: { seconds: at(n), id: '' } })
  const few = pageSpread(years, FORCED_SHARE)
  return [
    { name: 'closed positions', partitionsMax: few, read: () => read('closedCycle', FILTER) },
    { name: 'order history', partitionsMax: 0, read: () => read('order', FILTER) },
    { name: 'orders, from the middle on', partitionsMax: 0, read: (n) => read('order', after(n)) },
    {
      name: 'funding payments',
      partitionsMax: few,
      read: async () => (await history.fundingPayments(MAKER, PAGE)).rows.length,
    },
  ]
}

function marketsAsked({ reader }: Store, years: Years): readonly Asked[] {
  const at = placesIn(years)
  const trades = async (market: string, limit: number) =>
    (await reader.newestTrades({ market, limit })).rows.length
  const candles = async (
    n: number,
    query: Omit<CandleQuery, 'market' | 'fromSeconds' | 'newest'>,
  ) => {
    const market = MARKETS[n % years.candleMarkets] as string
    const { rows } = await reader.candles({ ...query, market, fromSeconds: 0, newest: true })
    return [...rows()].length
  }
  const minutes = { resolution: '1', toSeconds: FIRST_SECONDS + years.seconds, limit: 1000 }
  const old = (n: number) => ({ resolution: '5', toSeconds: at(n) + 65_000, limit: 200 })
  return [
    {
      name: 'newest trades of a market',
      partitionsMax: pageSpread(years, TRADES_SHARE),
      read: (n) => trades(MARKETS[n % MARKETS.length] as string, 100),
    },
    { name: 'of a market long quiet', partitionsMax: 1, read: () => trades(QUIET_MARKET, 25) },
    { name: '1,000 candles of a minute', partitionsMax: 0, read: (n) => candles(n, minutes) },
    { name: '200 of five minutes, old', partitionsMax: 0, read: (n) => candles(n, old(n)) },
  ]
}
