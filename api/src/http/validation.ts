// Checks parameters against the schema of their route. The schema is the only description of them:
// types, documentation and this check all read it.
import { type FieldError, Refusal } from './refusals.ts'

type FieldSchema = Readonly<{
  type?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  'x-clamp'?: 'max' | 'both'
  /** Digits kept as text, since nanoseconds exceed what a number holds exactly. */
  'x-digits'?: true
  /** Taken in any case, and given in this one. */
  'x-any-case'?: 'upper' | 'lower'
  /** Accepted, whatever it is. */
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

/** Where a parameter stands, as its framework calls it and as we do. */
const PLACES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' }

/**
 * Returns a function that turns the text parameters of a request into typed values, or throws the
 * refusal that names every wrong one. Parameters that the schema does not name are ignored.
 */
export function parameterReader(schema: ObjectSchema, place: string) {
  const fields = Object.entries(schema.properties).filter(([, field]) => !field['x-ignored'])
  const required = new Set(schema.required)
  const read = (name: string, field: FieldSchema, value: unknown): FieldError | Value => {
    if (required.has(name) && (value === undefined || value === ''))
      return missing(name, `${PLACES[place] ?? place} parameter ${name}`)
    if (value === undefined) return { value }
    const parsed = parse(field, value)
    return 'value' in parsed ? parsed : invalid(name, parsed)
  }
  return (raw: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    const errors: FieldError[] = []
    for (const [name, field] of fields) {
      const found = read(name, field, raw[name])
      if ('code' in found) errors.push(found)
      else if (found.value !== undefined) values[name] = found.value
    }
    if (errors.length > 0) throw fieldRefusal(errors)
    return values
  }
}

type Value = Readonly<{ value: unknown }>

/** Returns what to say of `field`, in words `named`, which is absent. */
export const missing = (field: string, named: string): FieldError => ({
  field,
  code: 'MISSING_PARAMETER',
  message: `${named} is required`,
})

const invalid = (field: string, { rule, ...near }: Broken): FieldError => ({
  field,
  code: 'INVALID_PARAMETER',
  message: `${field} ${rule}`,
  ...near,
})

/** Returns the refusal that says the first of `errors` and details all. */
export function fieldRefusal(errors: readonly FieldError[]): Refusal {
  const [first] = errors as [FieldError]
  return new Refusal(first.code, { message: first.message, details: errors })
}

/** A rule that a value broke, with the legal value nearest to it, or all of them. */
type Broken = Readonly<{ rule: string }> & Pick<FieldError, 'nearest' | 'allowed'>
type Parsed = Value | Broken

function parse(field: FieldSchema, value: unknown): Parsed {
  if (typeof value !== 'string') return { rule: 'is given once' }
  const max = field.maxLength ?? TEXT_LENGTH_MAX
  if (value.length > max) return { rule: `is at most ${max} characters` }
  if (field['x-digits']) return parseTime(value)
  if (field.type === 'integer') return parseInteger(field, value)
  return parseChoice(field, value)
}

function parseChoice(field: FieldSchema, text: string): Parsed {
  const allowed = field.enum
  const value = inCase(field, text)
  if (allowed === undefined || allowed.includes(value)) return { value }
  return { rule: `is one of ${allowed.join(', ')}`, allowed }
}

function inCase({ 'x-any-case': wanted }: FieldSchema, text: string): string {
  if (wanted === undefined) return text
  return wanted === 'upper' ? text.toUpperCase() : text.toLowerCase()
}

function parseTime(text: string): Parsed {
  if (/^\d+$/.test(text) && text.length <= TIME_DIGITS_MAX) return { value: text }
  return {
    rule: `is a Unix time in seconds, milliseconds or nanoseconds: 1 to ${TIME_DIGITS_MAX} digits`,
  }
}

function parseInteger(field: FieldSchema, text: string): Parsed {
  const { minimum = -Infinity, maximum = Infinity, 'x-clamp': clamp } = field
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text)) return { rule: integerRule(field), ...nearestTo(field, text) }
  if (value > maximum && clamp !== undefined) return { value: maximum }
  if (value < minimum && clamp === 'both') return { value: minimum }
  if (value >= minimum && value <= maximum) return { value }
  return { rule: integerRule(field), ...nearestTo(field, text) }
}

/** Returns the legal value nearest to `text`, where it is a number at all. */
function nearestTo({ minimum = -Infinity, maximum = Infinity }: FieldSchema, text: string) {
  const value = Math.round(text.trim() === '' ? Number.NaN : Number(text))
  const nearest = Math.min(Math.max(value, minimum), maximum)
  return Number.isSafeInteger(nearest) ? { nearest } : {}
}

const integerRule = ({ minimum, maximum }: FieldSchema) =>
  minimum === undefined || maximum === undefined
    ? 'is an integer'
    : `is an integer from ${minimum} to ${maximum}`
