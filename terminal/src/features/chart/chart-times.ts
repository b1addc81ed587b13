// Writes times below the chart, and prices beside it.
import type { Resolution } from './chart-protocol.ts'
import type { TickKind } from './time-ticks.ts'

const LOCALE = 'en-GB'
const MS_PER_SECOND = 1_000

/** Returns true if candles open at midnight UTC; shorter ones are shown in local time. */
export const isOfDays = (resolution: Resolution): boolean => Number.isNaN(Number(resolution))

const TIME = { hour: '2-digit', minute: '2-digit' } as const

/** Returns what writes a time below the candles. Unix seconds. */
function tickText(resolution: Resolution): (time: number, kind: TickKind) => string {
  const writers = {
    year: writer(resolution, { year: 'numeric' }),
    month: writer(resolution, { month: 'short' }),
    day: writer(resolution, { day: '2-digit', month: 'short' }),
    time: writer(resolution, TIME),
  }
  return (time, kind) => writers[kind](time)
}

/** Returns what writes the time under the cross hair. Unix seconds. */
function hoverText(resolution: Resolution): (time: number) => string {
  const day = { weekday: 'short', day: '2-digit', month: 'short', year: '2-digit' } as const
  return writer(resolution, { ...day, ...(isOfDays(resolution) ? {} : TIME) })
}

/** A format is made when it is first used: it takes milliseconds, and most are not used at once. */
function writer(resolution: Resolution, form: Intl.DateTimeFormatOptions) {
  const zone = isOfDays(resolution) ? { timeZone: 'UTC' } : {}
  let format: Intl.DateTimeFormat | undefined
  return (time: number) => {
    format ??= new Intl.DateTimeFormat(LOCALE, { ...form, ...zone })
    return format.format(time * MS_PER_SECOND)
  }
}

/** Returns what writes a price of the axis, with the digits of the market. */
function priceText(decimals: number): (price: number) => string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = new Intl.NumberFormat('en-US', digits)
  return (price) => format.format(price)
}

const DAYS_AND_LONGER: Readonly<Record<string, 'day' | 'week' | 'month'>> = {
  ...{ D: 'day', W: 'week', M: 'month' },
}

/** Returns the length of candles, as a number of units. */
export function periodOf(resolution: Resolution) {
  const type = DAYS_AND_LONGER[resolution.slice(-1)] ?? ('minute' as const)
  return { type, span: Number.parseInt(resolution, 10) }
}

/** Returns what writes the prices and times of a chart. */
export const textsOf = (resolution: Resolution, decimals: number) => ({
  ...{ price: priceText(decimals), tick: tickText(resolution), hover: hoverText(resolution) },
})
