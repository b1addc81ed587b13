// Formats a market as a row.
import { type shapes, toRaw } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from '../../../text/decimal-text.ts'
import { type DayView, type MarketRow, SPARK, type Spark } from '../market-protocol.ts'

const UNKNOWN: DayView = { change: '', isUp: true, high: '', low: '', changeRank: 0 }
const NOTHING = '–'
const DECIMALS = 18

/**
 * Returns the view for the header and the list of markets; `day` is undefined before it is read.
 */
export function viewMarket(market: shapes.Market, day: shapes.Ticker | undefined): MarketRow {
  const digits = decimalsOf(market.price_step)
  const price = (text: string | null) => (text === null ? NOTHING : showDecimal(text, digits))
  const { funding_rate: funding } = market
  return {
    name: market.instrument_name,
    kind: market.instrument_type,
    base: market.underlying_asset,
    quote: market.quote_asset,
    last: price(day?.last_price ?? market.mark_price),
    mark: price(market.mark_price),
    index: price(market.index_price),
    volume: showDecimal(market.volume_24h, 0),
    openInterest: market.open_interest === null ? '' : showDecimal(market.open_interest),
    openInterestValue: valueAt(market.open_interest, market.mark_price),
    funding: funding === null ? '' : showPercent(funding, 4),
    maxLeverage: market.max_leverage ?? '',
    state: stateOf(market),
    withdrawalsStopped: market.withdrawals_stopped === true,
    ranks: {
      mark: Number(market.mark_price ?? 0),
      volume: Number(market.volume_24h),
      openInterest: Number(market.open_interest ?? 0),
      funding: Number(funding ?? 0),
    },
    ...viewDay(day, market.price_step),
  }
}

/** Returns an amount at a price, without decimals; empty if one of them is unknown. */
function valueAt(amount: string | null, price: string | null): string {
  if (amount === null || price === null) return ''
  const value = (toRaw(amount, DECIMALS) * toRaw(price, DECIMALS)) / 10n ** BigInt(2 * DECIMALS)
  return showDecimal(String(value))
}

function stateOf({ is_active, is_ended }: shapes.Market): MarketRow['state'] {
  if (is_ended === true) return 'ended'
  return is_active ? 'active' : 'halted'
}

/** Returns the market and its price for the tab's title; empty while unknown. */
export function titleOf(rows: readonly MarketRow[], market: string | undefined): string {
  const row = rows.find(({ name }) => name === market)
  return row === undefined ? '' : `${row.mark} ${row.name}`
}

type Day = Pick<shapes.Ticker, 'high_24h' | 'low_24h' | 'mark_daily_change_pct'>

/** Returns the daily statistics of a market; `undefined` before they are read. */
export function viewDay(day: Day | undefined, priceStep: string): DayView {
  if (day === undefined) return UNKNOWN
  const digits = decimalsOf(priceStep)
  const price = (text: string | null) => (text === null ? '' : showDecimal(text, digits))
  const percent = day.mark_daily_change_pct
  return {
    change: percent === null ? '' : showPercent(percentAsFraction(percent), 2),
    isUp: percent?.startsWith('-') !== true,
    high: price(day.high_24h),
    low: price(day.low_24h),
    changeRank: Number(percent ?? 0),
  }
}

/** `-1.5` becomes `-0.015`: the point is moved, no digit is lost. */
function percentAsFraction(percent: string): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(percent) ?? []
  const digits = whole.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${part}`
}

/** Returns the line of closing prices, oldest first; empty with fewer than two. */
export function viewSpark(name: string, closes: readonly string[]): Spark {
  // Pixels: a double is exact enough.
  const prices = closes.map(Number)
  const least = Math.min(...prices)
  const range = Math.max(...prices) - least
  const pixel = (price: number, at: number): string => {
    const x = (at * SPARK.width) / (prices.length - 1)
    const share = range === 0 ? 0.5 : (price - least) / range
    return `${x.toFixed(1)} ${(1 + (1 - share) * (SPARK.height - 2)).toFixed(1)}`
  }
  const path = prices.length < 2 ? '' : `M${prices.map(pixel).join('L')}`
  return { name, path, isUp: (prices.at(-1) ?? 0) >= (prices[0] ?? 0) }
}
