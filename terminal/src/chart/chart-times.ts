// Writes times below the chart, and prices beside it.
import { TickMarkType, type Time } from 'lightweight-charts'
import type { Resolution } from '../worker/market/chart-protocol.ts'

const LOCALE = 'en-GB'

/** Periods of days open at midnight UTC; shorter ones are shown in the time of the place. */
const zoneOf = (resolution: Resolution): Intl.DateTimeFormatOptions =>
  Number.isNaN(Number(resolution)) ? { timeZone: 'UTC' } : {}

const dateOf = (time: Time) => new Date(Number(time) * 1_000)

/** Returns what writes a tick of the axis. */
export function tickText(resolution: Resolution): (time: Time, type: TickMarkType) => string {
  const zone = zoneOf(resolution)
  const forms: Readonly<Record<TickMarkType, Intl.DateTimeFormatOptions>> = {
    [TickMarkType.Year]: { year: 'numeric' },
    [TickMarkType.Month]: { month: 'short' },
    [TickMarkType.DayOfMonth]: { day: '2-digit', month: 'short' },
    [TickMarkType.Time]: { hour: '2-digit', minute: '2-digit' },
    [TickMarkType.TimeWithSeconds]: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }
  return (time, type) => dateOf(time).toLocaleString(LOCALE, { ...forms[type], ...zone })
}

/** Returns what writes the time under the cross hair. */
export function hoverText(resolution: Resolution): (time: Time) => string {
  const zone = zoneOf(resolution)
  const day = { weekday: 'short', day: '2-digit', month: 'short', year: '2-digit' } as const
  const hour = zone.timeZone === undefined ? { hour: '2-digit', minute: '2-digit' } : {}
  return (time) =>
    dateOf(time).toLocaleString(LOCALE, { ...day, ...hour, ...zone } as Intl.DateTimeFormatOptions)
}

/** Returns what writes a price of the axis, with the digits of the market. */
export function priceText(decimals: number): (price: number) => string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = new Intl.NumberFormat('en-US', digits)
  return (price) => format.format(price)
}
