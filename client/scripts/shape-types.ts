// Converts JSON Schemas of the interface to TypeScript types, with descriptions as comments.

/** Subset of JSON Schema that the OpenAPI and socket schemas use. */
export type Schema = Readonly<{
  $ref?: string
  title?: string
  description?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  /** Description of each value. */
  'x-enum-descriptions'?: Readonly<Record<string, string>>
  const?: unknown
  anyOf?: readonly Schema[]
  items?: Schema | readonly Schema[] | false
  prefixItems?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Readonly<Record<string, Schema>>
}>

const COLUMNS = 100

/** Returns the type of `schema`. Schemas whose title is in `names` are referenced by name. */
export function typeText(schema: Schema, names: ReadonlySet<string>): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.title !== undefined && names.has(schema.title)) return withNull(schema, schema.title)
  return ownTypeText(schema, names)
}

/** Appends null to the name of a nullable schema. */
const withNull = ({ type }: Schema, name: string) =>
  Array.isArray(type) && type.includes('null') ? `${name} | null` : name

/** Returns the inline type of `schema`, even if it has a name. */
export function ownTypeText(schema: Schema, names: ReadonlySet<string>): string {
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((part) => typeText(part, names)))
  if (schema.enum !== undefined) return union(schema.enum.map((value) => literal(value)))
  if (schema.const !== undefined) return literal(schema.const)
  const types = [schema.type ?? 'unknown'].flat()
  return union(types.map((type) => plainType(type, schema, names)))
}

const union = (types: readonly string[]) => [...new Set(types)].join(' | ')

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

function plainType(type: string, schema: Schema, names: ReadonlySet<string>): string {
  if (type === 'array') return arrayText(schema, names)
  if (type === 'object') return objectText(schema, names)
  if (type === 'integer') return 'number'
  return type
}

function arrayText({ items = {}, prefixItems }: Schema, names: ReadonlySet<string>): string {
  const tuple = prefixItems ?? (Array.isArray(items) ? (items as readonly Schema[]) : undefined)
  if (tuple !== undefined) return `[${tuple.map((item) => typeText(item, names)).join(', ')}]`
  const item = typeText(items as Schema, names)
  return /^[\w.]+$/.test(item) || item.endsWith(']') ? `${item}[]` : `(${item})[]`
}

function objectText(schema: Schema, names: ReadonlySet<string>): string {
  const { properties, additionalProperties, patternProperties } = schema
  if (properties !== undefined && Object.keys(properties).length > 0)
    return `{\n${membersText(schema, names)}\n}`
  const [values] = Object.values(patternProperties ?? {})
  const other = values ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
  return `Record<string, ${typeText(other, names)}>`
}

function membersText({ properties = {}, required = [] }: Schema, names: ReadonlySet<string>) {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?'
      const comment = commentText(schema.description)
      return indent(`${comment}${quoted(name)}${mark}: ${typeText(schema, names)}`)
    })
    .join('\n')
}

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

/** Indents `text` by two columns. */
export const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')

/** Returns `text` as a comment that ends with a line break; an empty string for empty text. */
export function commentText(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n').flatMap(wrapped)
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

/** Leaves columns for comment delimiters and the deepest indentation of the shapes. */
const COMMENT_COLUMNS = COLUMNS - 16

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= COMMENT_COLUMNS) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
