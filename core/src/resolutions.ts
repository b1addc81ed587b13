// The periods of candles and how they align in UTC. Source: interface 4.3.

const MINUTE = 60
const DAY = 86_400
/** Days in an era of 400 years, and from 0000-03-01 to 1970-01-01. */
const ERA_DAYS = 146_097
const EPOCH_SHIFT_DAYS = 719_468
/** 1970-01-05, the first Monday, is day 4: weeks start 3 days before day 0 and every 7 days. */
const MONDAY_SHIFT_DAYS = 3

/**
 * The resolutions as spelled in the interface. A number is the length in seconds; its periods are
 * aligned to the epoch. Weeks start on Monday, months on the first.
 */
const RESOLUTIONS = {
  '1': MINUTE,
  '3': 3 * MINUTE,
  '5': 5 * MINUTE,
  '15': 15 * MINUTE,
  '30': 30 * MINUTE,
  '60': 60 * MINUTE,
  '120': 120 * MINUTE,
  '240': 240 * MINUTE,
  '360': 360 * MINUTE,
  '480': 480 * MINUTE,
  '720': 720 * MINUTE,
  '1D': DAY,
  '3D': 3 * DAY,
  '1W': 'week',
  '1M': 'month',
} as const

export type Resolution = keyof typeof RESOLUTIONS

export const RESOLUTION_NAMES = Object.keys(RESOLUTIONS) as readonly Resolution[]

/** Returns whether `name` is a resolution. */
export const isResolution = (name: string): name is Resolution => Object.hasOwn(RESOLUTIONS, name)

const floorTo = (seconds: number, length: number) => seconds - (seconds % length)

/** Returns the first second of the period containing `seconds` (Unix, not negative). */
export function periodOpen(resolution: Resolution, seconds: number): number {
  const length = RESOLUTIONS[resolution]
  if (length === 'week') return weekOpen(seconds)
  if (length === 'month') return monthOpen(monthNumber(seconds))
  return floorTo(seconds, length)
}

/** Returns the first second of the period after the one that opens at `openSeconds`. */
export function nextPeriodOpen(resolution: Resolution, openSeconds: number): number {
  const length = RESOLUTIONS[resolution]
  if (length === 'week') return openSeconds + 7 * DAY
  if (length === 'month') return monthOpen(monthNumber(openSeconds) + 1)
  return openSeconds + length
}

/** Returns the last second of the period that opens at `openSeconds`. */
export const periodClose = (resolution: Resolution, openSeconds: number): number =>
  nextPeriodOpen(resolution, openSeconds) - 1

function weekOpen(seconds: number): number {
  const shift = MONDAY_SHIFT_DAYS * DAY
  return floorTo(seconds + shift, 7 * DAY) - shift
}

/** Returns the months from year 0 to the month containing `seconds`: 12 * year + (0 to 11). */
function monthNumber(seconds: number): number {
  const shifted = Math.floor(seconds / DAY) + EPOCH_SHIFT_DAYS
  const era = Math.floor(shifted / ERA_DAYS)
  const day = shifted - era * ERA_DAYS
  const year = Math.floor(
    (day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  )
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  // Years start in March here, so that the leap day is the last day.
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  return 12 * (year + era * 400) + marchMonth + 2
}

/** Returns the first second of a month given as `monthNumber`. */
function monthOpen(month: number): number {
  const march = month - 2
  const year = Math.floor(march / 12)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (march - year * 12) + 2) / 5)
  const day = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return (era * ERA_DAYS + day - EPOCH_SHIFT_DAYS) * DAY
}
