// Parses command-line values: decimals as text, integers, times, addresses and order ids.
import { getAddress, isAddress } from 'viem'
import { UsageError } from './exit-codes.ts'

/** At most 40 digits before the point, more than any token needs. */
const DECIMAL = /^(0|[1-9]\d{0,39})(\.\d+)?$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ORDER_ID = /^0x[0-9a-f]{64}$/i
const MS_PER_SECOND = 1000

/** Accepts plain decimal text without signs, exponents or separators, which are ambiguous. */
export function parseDecimalText(text: string): string {
  if (DECIMAL.test(text)) return text
  throw new UsageError(`got ${text}, expected a decimal number such as 2900.5`)
}

/** Returns a parser of integers within bounds, both inclusive. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new UsageError(`got ${text}, expected a whole number from ${least} to ${most}`)
  }

/** Accepts Unix seconds, 2026-11-23 or 2026-11-23T17:30:00Z; returns Unix seconds. */
export function parseTime(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(ms))
    throw new UsageError(`got ${text}, expected Unix seconds, 2026-11-23 or 2026-11-23T17:30:00Z`)
  return Math.floor(ms / MS_PER_SECOND)
}

/** Accepts an address in lower case or with a valid checksum. */
export function parseAddress(text: string): `0x${string}` {
  if (!ADDRESS.test(text))
    throw new UsageError(`got ${text}, expected an address: 0x and 40 hex digits`)
  if (isAddress(text)) return text
  const right = getAddress(text.toLowerCase())
  throw new UsageError(`got ${text}, expected a valid checksum; the nearest is ${right}`)
}

/** Returns whether the text is an order id. Client order ids have at most 36 characters. */
export const isOrderId = (text: string): boolean => ORDER_ID.test(text)
