// Collects the model's data of a market, for the encoders.
import type { MarketFacts } from '@openvenue/wire/markets'
import type { LiveMarket } from './live-market.ts'
import { dayTotals } from './statistics.ts'
import type { VenueModel } from './venue-model.ts'

const HOUR_MS = 3_600_000

/** Returns the data of the market object of `live` at `nowMs`. */
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

/** Numbers the clock hours, at whose change 24-hour volumes change without a trade. */
export const clockHour = (nowMs: number) => Math.floor(nowMs / HOUR_MS)

/** Returns whether a flagged loss stops withdrawals of collateral. */
export const areWithdrawalsStopped = (model: Pick<VenueModel, 'markets'>): boolean =>
  [...model.markets].some(({ market }) => market.lossAccount !== null)
