// One market of a node: its parameters and the windows of its history.
import type { ChangeOf } from '@openvenue/core/changes'
import { instrumentDecimal } from '@openvenue/core/ids'
import type { Candle, Market, Settlement, Trade } from '@openvenue/core/records'
import type { Snapshot } from '@openvenue/store/store'
import { moveLog } from './windows.ts'

/** Trades kept for every market: the snapshot of a channel has 100 of them. */
export const TRADES_KEPT_MAX = 256
/** Section 8: at most 1,000 are returned; the rest remain when blocks are undone. */
export const TRADES_DEEP_MAX = 2000

/** Section 8: at most 500 rows of funding history. */
export const SETTLEMENTS_KEPT_MAX = 500

/** Rise with each change; cached bodies compare them. */
type MarketVersions = {
  book: number
  trades: number
  settlements: number
  candles: number
  /** Parameters, ticker, mark, funding, index of its asset, hourly candles. */
  facts: number
}

export type LiveMarket = {
  market: Market
  /** The id as a decimal number, as clients of the API family write it. */
  readonly decimalId: string
  /** Oldest first. */
  readonly trades: Trade[]
  /** True when memory has the oldest trade. */
  hasAllTrades: boolean
  /** True when as many trades are kept as an answer can have. */
  isDeep: boolean
  /** Oldest first. */
  readonly settlements: Settlement[]
  /** True when memory has the oldest settlement. */
  hasAllSettlements: boolean
  /** Candles of the last hours, oldest first. */
  hours: Candle[]
  /** Candles of all months, oldest first. */
  months: Candle[]
  readonly versions: MarketVersions
}

export const liveMarket = (market: Market): LiveMarket => ({
  market,
  decimalId: instrumentDecimal(market.id),
  trades: [],
  hasAllTrades: true,
  isDeep: false,
  settlements: [],
  hasAllSettlements: true,
  hours: [],
  months: [],
  versions: { book: 0, trades: 0, settlements: 0, candles: 0, facts: 0 },
})

/** Returns a market with its windows of `snapshot`. */
export function loadedMarket(market: Market, snapshot: Snapshot): LiveMarket {
  const live = liveMarket(market)
  live.trades.push(...[...(snapshot.trades.get(market.id) ?? [])].reverse())
  live.hasAllTrades = live.trades.length < TRADES_KEPT_MAX
  live.settlements.push(...(snapshot.settlements.get(market.id) ?? []))
  live.hasAllSettlements = live.settlements.length < SETTLEMENTS_KEPT_MAX
  live.hours = snapshot.candles.get(`${market.id}|60`) ?? []
  live.months = snapshot.candles.get(`${market.id}|1M`) ?? []
  return live
}

/** Adds a trade or takes one back. Returns whether older trades have left memory. */
export function moveTrades(live: LiveMarket, change: ChangeOf<'trade'>): boolean {
  const max = live.isDeep ? TRADES_DEEP_MAX : TRADES_KEPT_MAX
  const isTrimmed = moveLog(live.trades, change, { max, isSame: (a, b) => a.id === b.id })
  const hasLeft = isTrimmed && live.hasAllTrades
  if (isTrimmed) live.hasAllTrades = false
  return hasLeft
}
