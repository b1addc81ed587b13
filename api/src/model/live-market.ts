// Holds one market as the node knows it: its parameters and the windows of its history.
import type { ChangeOf } from '@openvenue/core/changes'
import { instrumentDecimal } from '@openvenue/core/ids'
import type { Candle, Market, Settlement, Trade } from '@openvenue/core/records'
import type { Snapshot } from '@openvenue/store/store'
import { moveLog } from './windows.ts'

/** Trades of each market that are always kept: a snapshot of a channel has 100 of them. */
export const TRADES_KEPT_MAX = 256
/** Section 8: at most 1,000 are returned; beyond them, so that an undone block leaves enough. */
export const TRADES_DEEP_MAX = 2000

/** Section 8: at most 500 rows of funding history. */
export const SETTLEMENTS_KEPT_MAX = 500

/** Rises whenever the thing changes; cached bodies compare it. */
export type MarketVersions = {
  book: number
  trades: number
  settlements: number
  candles: number
  /** Parameters, ticker, mark, funding, index of its asset, hourly candles. */
  facts: number
}

export type LiveMarket = {
  market: Market
  /** The id as a decimal number, as the family's clients write it. */
  readonly decimalId: string
  /** Oldest first. */
  readonly trades: Trade[]
  /** Whether no trade is older than those in memory. */
  hasAllTrades: boolean
  /** Whether as many trades are kept as an answer can have. */
  isDeep: boolean
  /** Oldest first. */
  readonly settlements: Settlement[]
  /** Whether no settlement is older than those in memory. */
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

/** Returns a market with the windows that `snapshot` has of it. */
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

/** Adds a trade or takes one back. Returns whether trades are older than those in memory now. */
export function moveTrades(live: LiveMarket, change: ChangeOf<'trade'>): boolean {
  const max = live.isDeep ? TRADES_DEEP_MAX : TRADES_KEPT_MAX
  const isTrimmed = moveLog(live.trades, change, { max, isSame: (a, b) => a.id === b.id })
  const hasLeft = isTrimmed && live.hasAllTrades
  if (isTrimmed) live.hasAllTrades = false
  return hasLeft
}
