// Statistics of the last 24 hours: pure functions of hourly candles, price minutes and settled
// funding hours, used by /statistics and by the market objects.
import { invariant } from '@openvenue/core/assert'
import { topLevels } from '@openvenue/core/book'
import type { Candle, PriceMinute, Settlement } from '@openvenue/core/records'
import type { MarketFacts } from '@openvenue/wire/statistics'
import type { LiveMarket } from './live-market.ts'
import type { VenueModel } from './venue-model.ts'

const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/** Sums over hours. `units` are sums of tick * lots; `taker*` the part where the taker bought. */
type DayTotals = Readonly<{
  volume: bigint
  units: bigint
  takerBuyVolume: bigint
  takerBuyUnits: bigint
  trades: number
  /** Ticks; undefined without a trade. */
  high: number | undefined
  low: number | undefined
}>

/**
 * Returns the totals of the hourly candles from the start of the hour 23 hours ago through the
 * current partial hour. `hours` are candles of resolution 60, oldest first. Source: spec 2.1.
 */
export function dayTotals(hours: readonly Candle[], nowSeconds: number): DayTotals {
  const fromSeconds = dayStart(nowSeconds)
  const first = hours.findLastIndex((hour) => hour.openSeconds < fromSeconds) + 1
  return sumHours(hours.slice(first).filter((hour) => hour.openSeconds <= nowSeconds))
}

/** Returns the totals of all `candles`, which may be of any one resolution. */
function sumHours(candles: readonly Candle[]): DayTotals {
  let [volume, units, takerBuyVolume, takerBuyUnits, trades] = [0n, 0n, 0n, 0n, 0]
  let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const candle of candles) {
    volume += candle.volume
    units += candle.quoteUnits
    takerBuyVolume += candle.takerBuyVolume
    takerBuyUnits += candle.takerBuyUnits
    trades += candle.trades
    high = Math.max(high, candle.high)
    low = Math.min(low, candle.low)
  }
  const range = candles.length === 0 ? { high: undefined, low: undefined } : { high, low }
  return { volume, units, takerBuyVolume, takerBuyUnits, trades, ...range }
}

/** Returns the start of the window of `dayTotals`: the start of the hour 23 hours ago. */
const dayStart = (nowSeconds: number) =>
  nowSeconds - (nowSeconds % HOUR_SECONDS) - 23 * HOUR_SECONDS

/**
 * Returns the mean hourly rate of the funding hours that ended in the last 24 hours, 18 decimals,
 * rounded toward zero; undefined when none did.
 */
export function dailyFundingRate(
  settlements: readonly Settlement[],
  nowSeconds: number,
): bigint | undefined {
  const rates = settlements
    .filter(({ seconds }) => seconds > nowSeconds - DAY_SECONDS)
    .map(({ rate }) => rate)
  if (rates.length === 0) return undefined
  return rates.reduce((sum, rate) => sum + rate, 0n) / BigInt(rates.length)
}

/**
 * Returns the last price of the newest minute that opened at or before `seconds`; undefined when
 * `minutes`, oldest first, begin later.
 */
export function priceAt(minutes: readonly PriceMinute[], seconds: number): bigint | undefined {
  let low = 0
  let high = minutes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const minute = minutes[middle]
    invariant(minute !== undefined, 'a middle lies between its ends', { low, high })
    if (minute.openSeconds <= seconds) low = middle + 1
    else high = middle
  }
  return minutes[low - 1]?.price
}

/** Returns the statistics of a market at `nowSeconds`. */
export function marketFacts(
  model: VenueModel,
  { market, hours, months, settlements }: LiveMarket,
  nowSeconds: number,
): MarketFacts {
  const { id, asset } = market
  const ticker = model.ticker(id)
  const funding = model.funding(id)
  const total = sumHours(months)
  const dayAgo = nowSeconds - DAY_SECONDS
  return {
    market,
    day: dayTotals(hours, nowSeconds),
    totalVolume: total.volume,
    totalUnits: total.units,
    openInterest: ticker?.openInterest ?? 0n,
    index: model.indexPrice(asset)?.price,
    indexDayAgo: priceAt(model.priceMinutes(`index:${asset}`), dayAgo),
    mark: model.mark(id)?.price,
    markDayAgo: priceAt(model.priceMinutes(`mark:${id}`), dayAgo),
    lastTick: ticker?.lastTick ?? undefined,
    bestBid: topLevels(model.book(id), true, 1)[0],
    bestAsk: topLevels(model.book(id), false, 1)[0],
    fundingRate: funding?.rate,
    fundingDayMean: dailyFundingRate(settlements, nowSeconds),
    nextFundingSeconds:
      funding === undefined ? undefined : nowSeconds - (nowSeconds % HOUR_SECONDS) + HOUR_SECONDS,
  }
}
