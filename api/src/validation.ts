// Checks parameters against the schema of their route. The schema is the only description of them:
// types, documentation and this check all read it.
import { type FieldError, Refusal } from './refusals.ts'

type FieldSchema = Readonly<{
  type?: string
  anyOf?: readonly Readonly<{ const?: unknown }>[]
  const?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  'x-clamp'?: 'max' | 'both'
  /** Digits kept as text, since nanoseconds exceed what a number holds exactly. */
  'x-digits'?: true
  /** Accepted, whatever it is. */
  'x-ignored'?: true
}>

type ObjectSchema = Readonly<{
  properties: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
}>

/** No identifier, symbol or number of the interface is longer. */
const TEXT_LENGTH_MAX = 256

/**
 * Returns a function that turns the text parameters of a request into typed values, or throws the
 * refusal that names every wrong one. Parameters that the schema does not name are ignored.
 */
export function parametersOf(schema: ObjectSchema, place: string) {
  const fields = Object.entries(schema.properties).filter(([, field]) => !field['x-ignored'])
  const required = new Set(schema.required)
  return (raw: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    const errors: FieldError[] = []
    for (const [name, field] of fields) {
      const value = raw[name]
      if (required.has(name) && (value === undefined || value === '')) {
        errors.push(missing(name, place))
        continue
      }
      if (value === undefined) continue
      const parsed = parse(field, value)
      if (parsed.rule === undefined) values[name] = parsed.value
      else
        errors.push({ field: name, code: 'INVALID_PARAMETER', message: `${name} ${parsed.rule}` })
    }
    if (errors.length > 0) throw refusalOf(errors)
    return values
  }
}

const missing = (field: string, place: string): FieldError => ({
  field,
  code: 'MISSING_PARAMETER',
  message: `${place} parameter ${field} is required`,
})

function refusalOf(errors: readonly FieldError[]): Refusal {
  const [first] = errors as [FieldError]
  return new Refusal(first.code, { message: first.message, details: errors })
}

type Parsed = Readonly<{ value?: unknown; rule?: string }>

function parse(field: FieldSchema, value: unknown): Parsed {
  if (typeof value !== 'string') return { rule: 'is given more than once' }
  if (field.type === 'integer') return parseInteger(field, value)
  const max = field.maxLength ?? TEXT_LENGTH_MAX
  if (value.length > max) return { rule: `is at most ${max} characters` }
  const allowed = field.anyOf?.map((option) => option.const)
  if (allowed !== undefined && !allowed.includes(value)) return { rule: `is one of ${allowed}` }
  return { value }
}

function parseInteger(field: FieldSchema, text: string): Parsed {
  const { minimum, maximum, 'x-clamp': clamp } = field
  const rule = integerRule(field)
  if (!/^[+-]?\d{1,30}$/.test(text)) return { rule }
  if (field['x-digits']) return /^\d{1,20}$/.test(text) ? { value: text } : { rule }
  const value = Number(text)
  if (maximum !== undefined && value > maximum) return clamp ? { value: maximum } : { rule }
  if (minimum !== undefined && value < minimum)
    return clamp === 'both' ? { value: minimum } : { rule }
  return { value }
}

const integerRule = ({ minimum, maximum }: FieldSchema) =>
  minimum === undefined && maximum === undefined
    ? 'is an integer'
    : `is an integer from ${minimum ?? 'any'} to ${maximum ?? 'any'}`
