// What a market did in the last day: pure functions over hourly candles, price minutes and
// settled funding hours, used by /statistics and by the market objects.
import { invariant } from '@openvenue/core/assert'
import type { Candle, PriceMinute, Settlement } from '@openvenue/core/records'

export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400
/** A day of minutes, the minute that holds its start, and an hour for late readers. */
export const PRICE_MINUTES_MAX = 1_501

/** Sums over hours. `units` are sums of tick * lots; `taker*` the part where the taker bought. */
export type DayTotals = Readonly<{
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
  const fromSeconds = dayStartOf(nowSeconds)
  return totalsOf(hours.slice(hours.findLastIndex((hour) => hour.openSeconds < fromSeconds) + 1))
}

/** Returns the totals of all `candles`, which may be of any one resolution. */
export function totalsOf(candles: readonly Candle[]): DayTotals {
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

/** Returns when the day that `dayTotals` sums began: the start of the hour 23 hours ago. */
export const dayStartOf = (nowSeconds: number) =>
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
    .filter(({ seconds }) => seconds > nowSeconds - DAY_SECONDS && seconds <= nowSeconds)
    .map(({ rate }) => rate)
  if (rates.length === 0) return undefined
  return rates.reduce((sum, rate) => sum + rate, 0n) / BigInt(rates.length)
}

/** The prices of one series by minute, for as long as a day needs. */
export class PriceMinutes {
  /** Oldest first. */
  private minutes: PriceMinute[]

  constructor(minutes: readonly PriceMinute[] = []) {
    this.minutes = minutes.slice(-PRICE_MINUTES_MAX)
  }

  /** Puts a change of the feed in. `after` is the newest minute from now on, if there is one. */
  apply(after: PriceMinute | undefined): void {
    if (after === undefined) {
      this.minutes = []
      return
    }
    this.minutes.length = this.countUntil(after.openSeconds - 1)
    this.minutes.push(after)
    if (this.minutes.length > PRICE_MINUTES_MAX) this.minutes.shift()
  }

  /**
   * Returns the last price of the newest minute that opened at or before `seconds`; undefined when
   * the series began later.
   */
  at(seconds: number): bigint | undefined {
    return this.minutes[this.countUntil(seconds) - 1]?.price
  }

  /** Returns how many minutes opened at or before `seconds`. */
  private countUntil(seconds: number): number {
    let low = 0
    let high = this.minutes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const minute = this.minutes[middle]
      invariant(minute !== undefined, 'a middle lies between its ends', { low, high })
      if (minute.openSeconds <= seconds) low = middle + 1
      else high = middle
    }
    return low
  }
}
