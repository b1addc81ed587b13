// Reads numbers and flags of a caller. A member that is there without a legal value was lost on its
// way: it is refused, and never treated as absent.
import { ArgumentsRequired, BadRequest, type Dict, functions, InvalidOrder } from 'ccxt'

/** Members of `params` that are a trigger: one that is there holds the order. */
export const TRIGGERS = ['stopLossPrice', 'takeProfitPrice', 'triggerPrice', 'stopPrice']

type Exception = new (message: string) => Error

const DECIMAL = /^\d+(\.\d+)?$/
const ID = 'openvenue'

/** Returns the start of a value as text. */
const shown = (value: unknown): string => String(JSON.stringify(value) ?? value).slice(0, 40)

const refuse = (name: string, value: unknown, rule: string, Kind: Exception): never => {
  const given = typeof value === 'number' ? String(value) : shown(value)
  throw new Kind(`${ID} ${name} is ${rule}, and not ${given}`)
}

/** Returns a number above zero as decimal text. */
export function positiveText(name: string, value: unknown, Kind: Exception = InvalidOrder): string {
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  const text = isNumber ? functions.numberToString(value) : value
  if (typeof text === 'string' && DECIMAL.test(text) && /[1-9]/.test(text)) return text
  return refuse(name, value, 'a number above zero', Kind)
}

/** Returns a whole number from 0 on, also from text of digits. */
export function wholeNumber(name: string, value: unknown, Kind: Exception = BadRequest): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(number) && (number as number) >= 0) return number as number
  return refuse(name, value, 'a whole number from 0 on', Kind)
}

/** As ccxt has its `since` and `limit`: undefined and null are not given. */
export function optionalWhole(name: string, value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : wholeNumber(name, value)
}

/** In 2001, before any venue: the venue would take less for seconds. */
const SINCE_MS_LEAST = 1_000_000_000_000

/** Where rows begin and how many there are at most. Undefined is not given. */
export type RowRange = Readonly<{ since: number | undefined; limit: number | undefined }>

/** Returns `since` and `limit` of a method; a count of 0 is none. */
export function rangeOf(since: unknown, limit: unknown): RowRange {
  const sinceMs = optionalWhole('since', since)
  const range = {
    since: sinceMs === undefined ? undefined : Math.max(sinceMs, SINCE_MS_LEAST),
    limit: optionalWhole('limit', limit),
  }
  if (range.limit === 0) refuse('limit', limit, 'a whole number from 1 on', BadRequest)
  return range
}

/** Returns a parameter of an order as decimal text; undefined where it is not among `params`. */
export const positiveParam = (params: Dict, name: string): string | undefined =>
  Object.hasOwn(params, name) ? positiveText(name, params[name]) : undefined

/** Returns a whole number of `params`; undefined where it is not among them. */
export const wholeParam = (params: Dict, name: string): number | undefined =>
  Object.hasOwn(params, name) ? wholeNumber(name, params[name], InvalidOrder) : undefined

/** Whether a flag of `params` is true; text is not a flag. */
export function flagParam(params: Dict, name: string): boolean {
  if (!Object.hasOwn(params, name)) return false
  const { [name]: value } = params
  if (typeof value === 'boolean') return value
  return refuse(name, value, 'true or false', InvalidOrder)
}

/** Returns an argument that has to be there. */
export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined || value === null) throw new ArgumentsRequired(`${ID} needs ${what}`)
  return value
}

/** Returns text of `params`; undefined where it is not given. */
export function textParam(params: Dict, name: string): string | undefined {
  const { [name]: value } = params
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  if (Number.isSafeInteger(value)) return String(value)
  return refuse(name, value, 'text', InvalidOrder)
}
