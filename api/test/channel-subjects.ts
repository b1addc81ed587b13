// Lists the state of each channel's client after its messages, and the matching GET: for tests.
import assert from 'node:assert/strict'
import { formatRaw } from '@openvenue/core/units'
import {
  type Fold,
  foldBook,
  foldCandles,
  foldItems,
  foldObject,
  foldRows,
  type Rows,
} from './channel-client.ts'

/** Asks a node as the owner of the private channels; returns the body. */
export type Get = (url: string) => Promise<unknown>

// biome-ignore lint/suspicious/noExplicitAny: bodies and states of whatever channel
type Any = any
/** Compares a client's state with its node's answer. */
type Compare = (get: Get, state: Any) => Promise<void>
export type Subject = Readonly<{
  name: string
  fold: Fold
  compare: Compare
  /** True when GET reads the database, so that blocks match only at the end of the feed. */
  isAtHead?: boolean
}>

const same = (actual: unknown, expected: unknown, name: string) =>
  assert.deepEqual(actual, expected, name)

const human = (market: Any, levels: Any[]) =>
  levels.map(({ price, amount, orders }) => [
    formatRaw(BigInt(price), market.quote_decimals),
    formatRaw(BigInt(amount), market.base_decimals),
    String(orders),
  ])

const bookIs =
  (name: string): Compare =>
  async (get, state) => {
    const market = await get(`/markets/${name}`)
    const { bids, asks } = (await get(`/orderbook/${name}`)) as Any
    same(state, { bids: human(market, bids), asks: human(market, asks) }, name)
  }

/**
 * A list that began with a snapshot of at most `limit` rows may be shorter, and an undo makes it
 * shorter still.
 */
const rowsAre =
  (
    url: string,
    limit: number,
    pick: (body: Any) => Any[],
    seen: (row: Any) => Any = (row) => row,
  ): Compare =>
  async (get, { rows, isCut }: Rows) => {
    const expected = pick(await get(url))
    same(rows.map(seen), expected.slice(0, rows.length).map(seen), url)
    if (!isCut) assert.ok(rows.length >= Math.min(limit, expected.length), url)
  }

const tickerIs =
  (name: string): Compare =>
  async (get, { tickers }) => {
    const market = (await get(`/markets/${name}`)) as Any
    const statistics = (await get(`/statistics?instrument_name=${name}`)) as Any
    const found = tickers.find((ticker: Any) => ticker.instrument_name === name)
    same(found.mark.price, market.mark_price, name)
    same(found.index.price, market.index_price, name)
    for (const key of ['funding_rate', 'open_interest', 'volume_24h'])
      same(found[key], market[key], `${name} ${key}`)
    same(found.last_price, statistics.last_price, name)
    same([found.bid, found.ask], [statistics.best_bid, statistics.best_ask], name)
  }

const candlesAre =
  (name: string, resolution: string): Compare =>
  async (get, state) => {
    const url = `/candles?instrument_name=${name}&resolution=${resolution}`
    const first = Math.min(...state.keys())
    const rows = ((await get(url)) as Any[]).filter(({ time }) => time >= first)
    const candles = [...state.values()].sort((a: Any, b: Any) => a.time - b.time)
    same(
      candles.map(({ closed, ...candle }: Any) => candle),
      rows,
      url,
    )
    if (candles.length > 0) assert.equal(typeof candles.at(-1).closed, 'boolean')
  }

const bodyIs =
  (url: string, pick: (body: Any) => Any = (body) => body): Compare =>
  async (get, state) =>
    same(state, pick(await get(url)), url)

const itemsAre =
  (
    url: string,
    of: { key: string; pick: (body: Any) => Any[]; seen?: (item: Any) => Any },
  ): Compare =>
  async (get, state) => {
    const { key, pick, seen = (item: Any) => item } = of
    const sorted = (items: Any[]) => items.map(seen).sort((a, b) => (a[key] < b[key] ? -1 : 1))
    same(sorted([...state.values()]), sorted(pick(await get(url))), url)
  }

/** Removes values that prices and time change, since they are as old as the message. */
const lasting = ({
  mark_price,
  index_price,
  unrealized_pnl,
  notional_value,
  initial_margin,
  maintenance_margin,
  liquidation_price,
  pending_funding_fee,
  ...position
}: Any) => position

const tradesPath = (name: string) => `/instrument/${name}/trade-history?limit=1000`

const marketSubjects = (name: string): Subject[] => [
  { name: `orderbook:${name}`, fold: foldBook, compare: bookIs(name) },
  { name: `orderbook-100ms:${name}`, fold: foldBook, compare: bookIs(name) },
  {
    name: `trades:${name}`,
    fold: foldRows('trade_id'),
    compare: rowsAre(tradesPath(name), 1, (body) => body.trade_history),
  },
  {
    name: `trades-block:${name}`,
    fold: foldRows('trade_id'),
    compare: rowsAre(tradesPath(name), 100, (body) => body.trade_history),
  },
  { name: `ticker:${name}`, fold: foldObject, compare: tickerIs(name) },
  { name: `candles:${name}:1`, fold: foldCandles, compare: candlesAre(name, '1') },
  { name: `candles:${name}:60`, fold: foldCandles, compare: candlesAre(name, '60') },
]

const VENUE_SUBJECTS: readonly Subject[] = [
  {
    name: 'statistics:ETH:PERPETUAL',
    fold: foldObject,
    compare: bodyIs('/statistics/ETH/PERPETUAL'),
  },
  { name: 'funding:ETH-PERP', fold: foldObject, compare: bodyIs('/funding/ETH-PERP') },
  {
    name: 'index:ETH',
    fold: foldObject,
    compare: bodyIs('/index/ETH', ([{ price, timestamp }]) => ({ price, timestamp })),
  },
  {
    name: 'markets',
    fold: foldItems('instrument_id'),
    compare: itemsAre('/markets', { key: 'instrument_id', pick: (body) => body }),
  },
]

/** Picks the account's values that do not depend on prices. */
const pickOwned = ({ balance, realized_pnl, collaterals }: Any) => ({
  balance,
  realized_pnl,
  collaterals: collaterals.map(({ instrument_type, collateral_asset, balance }: Any) => ({
    instrument_type,
    collateral_asset,
    balance,
  })),
})

const ACCOUNT_SUBJECTS: readonly Subject[] = [
  {
    name: 'account',
    fold: foldObject,
    compare: async (get, { account }) =>
      same(pickOwned(account), pickOwned(await get('/account')), 'account'),
  },
  {
    name: 'orders',
    fold: foldItems(
      'order_id',
      'orders',
      ({ order_status: status }) => status !== 'opened' && status !== 'partial',
    ),
    compare: itemsAre('/orders', { key: 'order_id', pick: (body) => body }),
  },
  {
    name: 'positions',
    fold: foldItems('instrument_id', 'positions', ({ amount }) => amount === '0'),
    compare: itemsAre('/positions?limit=1000', {
      key: 'instrument_id',
      pick: (body) => body.positions,
      seen: lasting,
    }),
  },
  {
    name: 'fills',
    fold: foldRows('trade_id', 'fills', ({ fill }) => fill),
    compare: rowsAre(
      '/trade-history?limit=1000',
      50,
      (body) => body.trade_history,
      ({ filled, ...fill }) => {
        assert.ok(filled === undefined || filled === fill.amount)
        return fill
      },
    ),
    isAtHead: true,
  },
  {
    name: 'fundings',
    fold: foldRows('trade_id', 'fundings'),
    compare: rowsAre(
      '/trade-history?trade_types=funding&limit=500',
      50,
      (body) => body.trade_history,
    ),
    isAtHead: true,
  },
  {
    name: 'transactions',
    fold: foldRows('transaction_id', 'transactions'),
    compare: rowsAre(
      '/transaction-history?limit=1000',
      50,
      (body) => body.transaction_history,
      // A token may get another name.
      ({ transaction_id, collateral_name, ...row }) => row,
    ),
    isAtHead: true,
  },
  {
    name: 'notifications',
    fold: foldRows('id', 'notifications'),
    compare: rowsAre('/notifications?limit=1000', 50, (body) => body.notifications),
    isAtHead: true,
  },
]

/** Every kind of channel; those of one market for each of `names`, which are of ETH. */
export const channelSubjects = (names: readonly string[]): readonly Subject[] => [
  ...names.flatMap(marketSubjects),
  ...VENUE_SUBJECTS,
  ...ACCOUNT_SUBJECTS,
]
