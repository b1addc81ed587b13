// Reads and writes times in local time, with UTC beside it.

const MS_PER_SECOND = 1_000
const SECONDS_PER_MINUTE = 60
const LOCAL = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

/** Returns Unix seconds of local time such as "2026-11-24T21:45"; undefined for anything else. */
export function readLocalTime(text: string): number | undefined {
  if (!LOCAL.test(text)) return undefined
  const ms = new Date(text).getTime()
  return Number.isFinite(ms) ? Math.floor(ms / MS_PER_SECOND) : undefined
}

/** Returns the minute of `seconds`, or the next one, in the format of a local time field. */
export function writeLocalTime(seconds: number, rounding: 'down' | 'up' = 'down'): string {
  const minutes = seconds / SECONDS_PER_MINUTE
  const whole = (rounding === 'up' ? Math.ceil(minutes) : Math.floor(minutes)) * SECONDS_PER_MINUTE
  const date = new Date(whole * MS_PER_SECOND)
  const pair = (part: number) => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${pair(date.getMonth() + 1)}-${pair(date.getDate())}`
  return `${day}T${pair(date.getHours())}:${pair(date.getMinutes())}`
}

const PARTS: Intl.DateTimeFormatOptions = {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
}

/** Returns a time in local time, and in UTC if that differs. */
export function showMoment(seconds: number): string {
  const date = new Date(seconds * MS_PER_SECOND)
  const local = date.toLocaleString('en-GB', PARTS)
  const utc = date.toLocaleString('en-GB', { ...PARTS, timeZone: 'UTC' })
  if (local === utc) return `${utc} UTC`
  const [localDay] = local.split(', ')
  const [utcDay, utcClock] = utc.split(', ')
  return `${local} (${localDay === utcDay ? utcClock : utc} UTC)`
}
