// Converts the schemas of routes to those of a document: named ones once, by reference, and without
// the keywords that only our parameter check reads.

/** Schemas by name, for `components.schemas`. */
export type Schemas = Record<string, Readonly<Record<string, unknown>>>

/** Examples and choices are values: nothing in them is a schema. */
const VALUES = ['enum', 'const', 'default', 'example', 'examples']

/** Returns a schema for the document. Titled schemas go into `schemas` under their title. */
export function publishSchema(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => publishSchema(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { title, ...own } = value as Readonly<Record<string, unknown>>
  const members = typeof title === 'string' ? own : value
  const published = withoutOurs(
    Object.fromEntries(
      Object.entries(members).map(([key, member]) => [
        key,
        VALUES.includes(key) ? member : publishSchema(member, schemas),
      ]),
    ),
  )
  return typeof title === 'string' ? addNamed(title, published, schemas) : published
}

type JsonSchema = Readonly<Record<string, unknown>>

function addNamed(name: string, schema: JsonSchema, schemas: Schemas): JsonSchema {
  const published = schemas[name]
  if (published !== undefined && !isSame(published, schema))
    throw new Error(`two schemas have the name ${name}`)
  // Parameters hold the description instead of their schema, so keep a schema that has one.
  if (published?.description === undefined) schemas[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

const isSame = (one: JsonSchema, other: JsonSchema): boolean =>
  JSON.stringify({ ...one, description: '' }) === JSON.stringify({ ...other, description: '' })

/**
 * Converts a schema to OpenAPI 3.1. A bound to which values are clamped refuses nothing, so it is
 * left out. Tuples are typebox's, in an older form.
 */
function withoutOurs(schema: JsonSchema): JsonSchema {
  const {
    'x-clamp': clamp,
    'x-digits': _digits,
    'x-any-case': _case,
    'x-ignored': _ignored,
    'x-described': described,
    maximum,
    minimum,
    ...rest
  } = schema
  const { required: _required, ...words } = (described ?? {}) as JsonSchema
  const bounds = {
    ...(minimum === undefined || clamp === 'both' ? {} : { minimum }),
    ...(maximum === undefined || clamp !== undefined ? {} : { maximum }),
  }
  return asTuple({ ...rest, ...bounds, ...words })
}

function asTuple(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, ...rest } = schema
  if (!Array.isArray(items) || additionalItems !== false) return schema
  const { length } = items
  return { ...rest, prefixItems: items, items: false, minItems: length, maxItems: length }
}
