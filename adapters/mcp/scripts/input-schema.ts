// Builds the JSON Schema of a tool's input from the parameters and body of an endpoint: one flat
// object without references, which clients can read on its own.

export type JsonSchema = Readonly<Record<string, unknown>>
export type ToolParameter = Readonly<{
  in: string
  name: string
  required?: boolean
  description?: string
  schema: JsonSchema
}>
type Schemas = Readonly<Record<string, JsonSchema>>
type Property = Readonly<{
  name: string
  location: string
  isRequired: boolean
  schema: JsonSchema
}>

/** Waiting for a block is only useful to programs that send transactions themselves. */
const LEFT_OUT: readonly string[] = ['min_block']
/** Path segments `.` and `..` would reach another endpoint. */
const PATH_RULES = { minLength: 1, pattern: '^(?!\\.{1,2}$)' }

type InputDescription = Readonly<{ schema: JsonSchema; places: Readonly<Record<string, string>> }>

/** Returns the input schema of a tool, and where each member goes in the request. */
export function inputSchema(
  parameters: readonly ToolParameter[],
  body: JsonSchema | undefined,
  schemas: Schemas,
): InputDescription {
  const properties = [
    ...parameters.filter(({ name }) => !LEFT_OUT.includes(name)).map(parameterProperty),
    ...bodyProperties(body === undefined ? {} : resolve(body, schemas)),
  ]
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        properties.map(({ name, schema }) => [name, trim(schema, schemas)]),
      ),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    places: Object.fromEntries(properties.map(({ name, location }) => [name, location])),
  }
}

function parameterProperty({ in: location, name, required, description, schema }: ToolParameter) {
  const described = description === undefined ? schema : { ...schema, description }
  const rules = location === 'path' && schema.pattern === undefined ? PATH_RULES : {}
  return { name, location, isRequired: required === true, schema: { ...described, ...rules } }
}

function bodyProperties({ properties = {}, required = [] }: JsonSchema): Property[] {
  return Object.entries(properties as Schemas).map(([name, schema]) => ({
    name,
    location: 'body',
    isRequired: (required as readonly string[]).includes(name),
    schema,
  }))
}

/** Schema keywords that both models and validators understand. */
const KEPT: readonly string[] = [
  ...['type', 'description', 'enum', 'default', 'pattern', 'required'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]

/** Returns a schema without references. Numbers that may be text or JSON numbers become text. */
function trim(referring: JsonSchema, schemas: Schemas): JsonSchema {
  const schema = onlyText(resolve(referring, schemas))
  const entries = Object.entries(schema).filter(([name]) => KEPT.includes(name))
  const { items, properties } = schema
  return {
    ...Object.fromEntries(entries),
    ...(items === undefined ? {} : { items: trim(items as JsonSchema, schemas) }),
    ...(properties === undefined ? {} : trimMembers(properties as Schemas, schemas)),
  }
}

const trimMembers = (properties: Schemas, schemas: Schemas) => ({
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, trim(schema, schemas)]),
  ),
  additionalProperties: false,
})

/** A JSON number could lose digits of signed values. */
function onlyText(schema: JsonSchema): JsonSchema {
  const { anyOf, type } = schema
  if (Array.isArray(type) && type.includes('string')) return { ...schema, type: 'string' }
  const text = (anyOf as readonly JsonSchema[] | undefined)?.find(
    (option) => option.type === 'string',
  )
  return text === undefined ? schema : { ...schema, ...text }
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string') return schema
  const target = schemas[$ref.split('/').at(-1) ?? '']
  if (target === undefined) throw new Error(`the document has no schema ${$ref}`)
  return { ...target, ...beside }
}
