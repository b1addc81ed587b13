// One market as the node holds it: its parameters and the windows of its history.
import { instrumentDecimal } from '@openvenue/core/ids'
import type { Candle, Market, Settlement, Trade } from '@openvenue/core/records'

/** Rises whenever the thing changes; prepared bodies compare it. */
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
  settlements: [],
  hasAllSettlements: true,
  hours: [],
  months: [],
  versions: { book: 0, trades: 0, settlements: 0, candles: 0, facts: 0 },
})
