// Gathers what the model knows of a market, for the encoders.
import type { MarketFacts } from '@openvenue/wire/markets'
import type { LiveMarket } from './live-market.ts'
import { dayTotals } from './statistics.ts'
import type { VenueModel } from './venue-model.ts'

const HOUR_MS = 3_600_000

/** Returns what the market object of `live` is made of at `nowMs`. */
export function gatherFacts(model: VenueModel, live: LiveMarket, nowMs: number): MarketFacts {
  const { market } = live
  return {
    market,
    ticker: model.ticker(market.id),
    mark: model.mark(market.id),
    index: model.indexPrice(market.asset),
    funding: model.funding(market.id),
    units24h: dayTotals(live.hours, Math.floor(nowMs / 1000)).units,
  }
}

/** Numbers the clock hours, at whose turn the volume of 24 hours changes by itself. */
export const clockHour = (nowMs: number) => Math.floor(nowMs / HOUR_MS)

/** Whether a flagged loss keeps collateral from leaving. */
export const areWithdrawalsStopped = (model: Pick<VenueModel, 'markets'>): boolean =>
  [...model.markets].some(({ market }) => market.lossAccount !== null)
