// Validates parameters against the schema of their route, which is also the source of types and
// documentation.
import { type FieldError, Refusal } from './refusals.ts'

type FieldSchema = Readonly<{
  type?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  'x-clamp'?: 'max' | 'both'
  /** Digits kept as text, since nanoseconds exceed the exact range of a number. */
  'x-digits'?: true
  /** Accepted in any case, and converted to this one. */
  'x-any-case'?: 'upper' | 'lower'
  /** Accepted with any value. */
  'x-ignored'?: true
}>

type ObjectSchema = Readonly<{
  properties: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
}>

/** No identifier, symbol or number of the interface is longer. */
const TEXT_LENGTH_MAX = 256
/** Nanoseconds have 19 digits until the year 2286. */
const TIME_DIGITS_MAX = 20

/** The location of a parameter, by the framework's name and by ours. */
const PLACES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' }

/**
 * Returns a function that turns the text parameters of a request into typed values, or throws a
 * refusal that names every wrong one. Parameters that the schema does not name are ignored.
 */
export function parameterReader(schema: ObjectSchema, place: string) {
  const fields = Object.entries(schema.properties).filter(([, field]) => !field['x-ignored'])
  const required = new Set(schema.required)
  const read = (name: string, field: FieldSchema, value: unknown): FieldError | ParsedValue => {
    if (required.has(name) && (value === undefined || value === ''))
      return missing(name, `${PLACES[place] ?? place} parameter ${name}`)
    if (value === undefined) return { value }
    const parsed = parse(field, value)
    if ('value' in parsed) return parsed
    const { expected, ...near } = parsed
    return invalid(name, expected, { given: value, ...near })
  }
  return (raw: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    const errors: FieldError[] = []
    for (const [name, field] of fields) {
      const parsed = read(name, field, raw[name])
      if ('code' in parsed) errors.push(parsed)
      else if (parsed.value !== undefined) values[name] = parsed.value
    }
    if (errors.length > 0) throw fieldRefusal(errors)
    return values
  }
}

type ParsedValue = Readonly<{ value: unknown }>

/** The rule of a name or id of a market. */
export const MARKET_RULE = 'the name or id of a market of GET /markets'

/** Returns the error of the missing `field`, called `named` in the message. */
export const missing = (field: string, named: string): FieldError => ({
  field,
  code: 'MISSING_PARAMETER',
  message: `${named} is required`,
})

/** The given value, unless it is a secret, what is wrong with it, and the legal values near it. */
export type Near = Pick<FieldError, 'nearest' | 'allowed'> &
  Readonly<{ given?: unknown; fault?: string }>

/** Returns the error of a field: the given value, and the rule that it breaks. */
export function invalid(field: string, expected: string, near: Near = {}): FieldError {
  const { given, fault = 'is invalid', ...values } = near
  const isNear = given !== undefined && values.nearest !== undefined
  const nearest = isNear ? `; the nearest is ${values.nearest}` : ''
  return {
    field,
    code: 'INVALID_PARAMETER',
    message: `${field} ${fault}: ${mismatchText(expected, given)}${nearest}`,
    ...values,
  }
}

/** Returns the error of a name that is not a `kind`, such as a member of a body. */
export const unknownName = (
  field: string,
  kind: string,
  near: Pick<FieldError, 'nearest' | 'allowed'> = {},
): FieldError => ({
  field,
  code: 'INVALID_PARAMETER',
  message: `${field} is not a ${kind}`,
  ...near,
})

/** The length of an address with its 0x. A longer text may be a private key. */
const ADDRESS_LENGTH = 42

/** Returns the error of a text that is not an address. */
export function malformedAddress(field: string, value: unknown): FieldError {
  const isLong = typeof value === 'string' && value.length > ADDRESS_LENGTH
  const given = isLong ? undefined : value
  const message = `${field} is malformed: ${mismatchText('0x and 40 hex digits', given)}`
  return { field, code: 'MALFORMED_ADDRESS', message }
}

/** Characters of a wrong value that a message repeats. */
const SHOWN_LENGTH_MAX = 40

/** Returns `got <value>, expected <rule>`, without the first part for an absent value. */
export const mismatchText = (expected: string, given: unknown): string =>
  given === undefined ? `expected ${expected}` : `got ${shownValue(given)}, expected ${expected}`

/** Returns a value as shown in messages: text in quotes, shortened if long. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const shown = (text: string) => (typeof value === 'string' ? JSON.stringify(text) : text)
  const text = String(value)
  if (text.length <= SHOWN_LENGTH_MAX) return shown(text)
  return `${shown(`${text.slice(0, SHOWN_LENGTH_MAX)}…`)} (${text.length} characters)`
}

/** Returns a refusal with the first of `errors` as its message, and all of them in details. */
export function fieldRefusal(errors: readonly FieldError[]): Refusal {
  const [first] = errors as [FieldError]
  return new Refusal(first.code, { message: first.message, details: errors })
}

/** A broken rule, with the nearest legal value, or all of them. */
type BrokenRule = Readonly<{ expected: string; fault?: string }> &
  Pick<FieldError, 'nearest' | 'allowed'>
type ParseResult = ParsedValue | BrokenRule

function parse(field: FieldSchema, value: unknown): ParseResult {
  if (typeof value !== 'string') return { expected: 'one value', fault: 'is repeated' }
  const max = field.maxLength ?? TEXT_LENGTH_MAX
  if (value.length > max) return { expected: `at most ${max} characters`, fault: 'is too long' }
  if (field['x-digits']) return parseTime(value)
  if (field.type === 'integer') return parseInteger(field, value)
  return parseChoice(field, value)
}

function parseChoice(field: FieldSchema, text: string): ParseResult {
  const allowed = field.enum
  const value = inCase(field, text)
  if (allowed === undefined || allowed.includes(value)) return { value }
  return { expected: `one of ${allowed.join(', ')}`, allowed }
}

function inCase({ 'x-any-case': letterCase }: FieldSchema, text: string): string {
  if (letterCase === undefined) return text
  return letterCase === 'upper' ? text.toUpperCase() : text.toLowerCase()
}

function parseTime(text: string): ParseResult {
  if (/^\d+$/.test(text) && text.length <= TIME_DIGITS_MAX) return { value: text }
  return {
    expected: `Unix seconds, milliseconds or nanoseconds of 1 to ${TIME_DIGITS_MAX} digits`,
  }
}

function parseInteger(field: FieldSchema, text: string): ParseResult {
  const { minimum = -Infinity, maximum = Infinity, 'x-clamp': clamp } = field
  const value = Number(text)
  const broken = { expected: integerRule(field), ...nearestTo(field, text) }
  if (!/^[+-]?\d+$/.test(text)) return broken
  if (value > maximum && clamp !== undefined) return { value: maximum }
  if (value < minimum && clamp === 'both') return { value: minimum }
  if (value >= minimum && value <= maximum) return { value }
  return { ...broken, fault: 'is out of range' }
}

/** Returns the legal value nearest to `text`, if it is a number. */
function nearestTo({ minimum = -Infinity, maximum = Infinity }: FieldSchema, text: string) {
  const value = Math.round(text.trim() === '' ? Number.NaN : Number(text))
  const nearest = Math.min(Math.max(value, minimum), maximum)
  return Number.isSafeInteger(nearest) ? { nearest } : {}
}

const integerRule = ({ minimum, maximum }: FieldSchema) =>
  minimum === undefined || maximum === undefined
    ? 'an integer'
    : `an integer from ${minimum} to ${maximum}`
