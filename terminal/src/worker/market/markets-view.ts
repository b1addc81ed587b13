// Writes what a day did to a market: its change, its range and a line of its prices.
import type { shapes } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from '../text/decimal-text.ts'

/** Of the last 24 hours; empty where nothing is known. */
export type DayView = Readonly<{
  change: string
  isUp: boolean
  high: string
  low: string
  /** For sorting alone. */
  changeRank: number
}>

/** A line of prices: the `d` of an SVG path in a box of {@link SPARK}. */
export type Spark = Readonly<{ name: string; path: string; isUp: boolean }>

export const SPARK = { width: 96, height: 24 } as const

const UNKNOWN: DayView = { change: '', isUp: true, high: '', low: '', changeRank: 0 }

type Day = Pick<shapes.Ticker, 'high_24h' | 'low_24h' | 'mark_daily_change_pct'>

/** Returns the day of a market; `undefined` before it was read. */
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

/** `-1.5` is `-0.015`: the point is moved, no digit is lost. */
function percentAsFraction(percent: string): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(percent) ?? []
  const digits = whole.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${part}`
}

/** Returns the line of closing prices, oldest first, or none where there are fewer than two. */
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
