// Parses what is typed: decimals as text, whole numbers, times, addresses, ids of orders.
import { getAddress, isAddress } from 'viem'
import { UsageError } from './exit-codes.ts'

/** With 40 digits before the point, no token has as many. */
const DECIMAL = /^(0|[1-9]\d{0,39})(\.\d+)?$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ORDER_ID = /^0x[0-9a-f]{64}$/i
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

/** Takes an address of the chain: in lower case, or with its checksum. */
export function parseAddress(text: string): `0x${string}` {
  if (!ADDRESS.test(text)) throw new UsageError(`${text} is no address: 0x and 40 hex digits`)
  if (isAddress(text)) return text
  const right = getAddress(text.toLowerCase())
  throw new UsageError(`${text} has a wrong checksum: if it is right otherwise, it is ${right}`)
}

/** Whether it is the id of an order. A client's own name of one has at most 36 characters. */
export const isOrderId = (text: string): boolean => ORDER_ID.test(text)
