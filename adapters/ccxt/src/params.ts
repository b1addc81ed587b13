// Validates numbers and flags of a caller. A present member without a legal value is an error of
// the caller: it is refused, never treated as absent.
import { ArgumentsRequired, BadRequest, type Dict, functions, InvalidOrder } from 'ccxt'

/** Members of `params` that make an order a trigger order. */
export const TRIGGERS = ['stopLossPrice', 'takeProfitPrice', 'triggerPrice', 'stopPrice']

type Exception = new (message: string) => Error

const DECIMAL = /^\d+(\.\d+)?$/
const ID = 'openvenue'

/** Returns up to 40 characters of a value as text. */
const shown = (value: unknown): string => String(JSON.stringify(value) ?? value).slice(0, 40)

const refuse = (name: string, value: unknown, rule: string, Kind: Exception): never => {
  const given = typeof value === 'number' ? String(value) : shown(value)
  throw new Kind(`${ID} ${name}: got ${given}, expected ${rule}`)
}

/** Returns a number above zero as decimal text. */
export function positiveText(name: string, value: unknown, Kind: Exception = InvalidOrder): string {
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  const text = isNumber ? functions.numberToString(value) : value
  if (typeof text === 'string' && DECIMAL.test(text) && /[1-9]/.test(text)) return text
  return refuse(name, value, 'a number above zero', Kind)
}

/** Returns an integer from 0 on; accepts text of digits. */
export function wholeNumber(name: string, value: unknown, Kind: Exception = BadRequest): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(number) && (number as number) >= 0) return number as number
  return refuse(name, value, 'a whole number of 0 or more', Kind)
}

/** Returns an optional integer: ccxt passes undefined or null for an omitted argument. */
export function optionalWhole(name: string, value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : wholeNumber(name, value)
}

/** A time in 2001, before any venue: smaller numbers are probably seconds. */
const SINCE_MS_LEAST = 1_000_000_000_000

/** Start and maximum number of rows; undefined if not given. */
export type RowRange = Readonly<{ since: number | undefined; limit: number | undefined }>

/** Returns the validated `since` and `limit` of a method; a limit of 0 is refused. */
export function rangeOf(since: unknown, limit: unknown): RowRange {
  const sinceMs = optionalWhole('since', since)
  const range = {
    since: sinceMs === undefined ? undefined : Math.max(sinceMs, SINCE_MS_LEAST),
    limit: optionalWhole('limit', limit),
  }
  if (range.limit === 0) refuse('limit', limit, 'a whole number of 1 or more', BadRequest)
  return range
}

/** Returns a parameter of an order as decimal text; undefined if absent. */
export const positiveParam = (params: Dict, name: string): string | undefined =>
  Object.hasOwn(params, name) ? positiveText(name, params[name]) : undefined

/** Returns an integer of `params`; undefined if absent. */
export const wholeParam = (params: Dict, name: string): number | undefined =>
  Object.hasOwn(params, name) ? wholeNumber(name, params[name], InvalidOrder) : undefined

/** Returns whether a flag of `params` is true; text is refused. */
export function flagParam(params: Dict, name: string): boolean {
  if (!Object.hasOwn(params, name)) return false
  const { [name]: value } = params
  if (typeof value === 'boolean') return value
  return refuse(name, value, 'true or false', InvalidOrder)
}

/** Returns a required argument. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined || value === null) throw new ArgumentsRequired(`${ID} needs ${name}`)
  return value
}

/** Returns text of `params`; undefined if absent. */
export function textParam(params: Dict, name: string): string | undefined {
  const { [name]: value } = params
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  if (Number.isSafeInteger(value)) return String(value)
  return refuse(name, value, 'text', InvalidOrder)
}
