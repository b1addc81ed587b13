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
  /** Per resolution, oldest first. */
  readonly candles: Map<string, Candle[]>
  readonly versions: MarketVersions
}

export const liveMarket = (market: Market): LiveMarket => ({
  market,
  decimalId: instrumentDecimal(market.id),
  trades: [],
  settlements: [],
  hasAllSettlements: true,
  candles: new Map(),
  versions: { book: 0, trades: 0, settlements: 0, candles: 0, facts: 0 },
})

const HOUR_S = 3600
/** Section 2.1: from the start of the hour 23 hours ago through the current partial hour. */
const VOLUME_HOURS = 24

/** Returns the sum of tick * lots of the last 24 clock hours at `nowSeconds`. */
export function units24h({ candles }: LiveMarket, nowSeconds: number): bigint {
  const hours = candles.get('60') ?? []
  const from = nowSeconds - (nowSeconds % HOUR_S) - (VOLUME_HOURS - 1) * HOUR_S
  let units = 0n
  for (let i = hours.length - 1; i >= 0; i--) {
    const hour = hours[i] as Candle
    if (hour.openSeconds < from) break
    if (hour.openSeconds <= nowSeconds) units += hour.quoteUnits
  }
  return units
}
