// Parses what is typed: decimals as text, whole numbers, times.
import { UsageError } from './exit-codes.ts'

const DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/
const MS_PER_SECOND = 1000

/** Takes decimal text as it is: no signs, exponents or separators, which are read in many ways. */
export function parseDecimalText(text: string): string {
  if (DECIMAL.test(text)) return text
  throw new UsageError(`${text} is no decimal number such as 2900.5`)
}

/** Returns what parses a whole number within bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new UsageError(`${text} is no whole number from ${least} to ${most}`)
  }

/** Takes Unix seconds, or a date as 2026-11-23 or 2026-11-23T17:30:00Z; returns Unix seconds. */
export function parseTime(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(ms))
    throw new UsageError(`${text} is no time: Unix seconds, 2026-11-23, or 2026-11-23T17:30:00Z`)
  return Math.floor(ms / MS_PER_SECOND)
}

/** Takes an address of the chain. */
export function parseAddress(text: string): `0x${string}` {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text as `0x${string}`
  throw new UsageError(`${text} is no address: 0x and 40 hex digits`)
}
