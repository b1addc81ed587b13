// Lists the fields of a JSON schema as rows of a table: path, type and description.
import { Address, decimal, ns, rawInteger } from '@openvenue/wire/field'

export type FieldSchema = Readonly<{
  type?: string | readonly string[]
  description?: string
  pattern?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly FieldSchema[]
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
  items?: FieldSchema | readonly FieldSchema[]
  prefixItems?: readonly FieldSchema[]
  patternProperties?: Readonly<Record<string, FieldSchema>>
}>

type Field = Readonly<{
  /** Its path: `orders[].price`; empty for the whole. */
  path: string
  /** Includes `null` for nullable fields. */
  type: string
  description: string
  /** True when it may be absent. */
  isOptional: boolean
}>

/** Returns a note in place of an object's fields, or undefined to list them. */
export type Elsewhere = (schema: FieldSchema, path: string) => string | undefined

const patternOf = (schema: object) => (schema as FieldSchema).pattern

/** Kinds of text, identified by their patterns. */
const TEXTS: ReadonlyMap<unknown, string> = new Map([
  [patternOf(decimal('')), 'decimal text'],
  [patternOf(rawInteger('')), 'integer text'],
  [patternOf(ns('')), 'digits'],
  [patternOf(Address('')), 'address'],
])

/** Returns the fields of `schema` at `path`, including nested ones. */
export function schemaFields(given: object, elsewhere: Elsewhere, path = ''): readonly Field[] {
  return fieldsAt(given as FieldSchema, { path, isOptional: false }, elsewhere)
}

type FieldPosition = Readonly<{ path: string; isOptional: boolean }>

function fieldsAt(given: FieldSchema, at: FieldPosition, elsewhere: Elsewhere): readonly Field[] {
  const { choices, isNullable } = withoutNull(given)
  const [only = given] = choices
  const isChoice = choices.length > 1
  const note = isChoice ? undefined : elsewhere(only, at.path)
  const parent: Field = {
    ...at,
    type: [...new Set(choices.map(typeName))].join(' or ') + (isNullable ? ' or null' : ''),
    description: [given.description ?? (isChoice ? '' : only.description), note]
      .filter((text) => text !== undefined && text !== '')
      .join(' '),
  }
  // The members describe the whole, or an item.
  const isPlain = /(^|\[\])$/.test(at.path) && !isChoice && parent.description === ''
  const parts = note === undefined ? partsOf(choices, at.path, elsewhere) : []
  return isPlain && parts.length > 0 ? parts : [parent, ...parts]
}

function partsOf(choices: readonly FieldSchema[], path: string, elsewhere: Elsewhere): Field[] {
  const withParts = choices.filter((choice) => partsAt(choice, path).length > 0)
  return withParts.flatMap((choice) => {
    const note = withParts.length > 1 ? elsewhere(choice, path) : undefined
    const parts =
      note === undefined
        ? partsAt(choice, path).flatMap(({ schema, ...at }) => fieldsAt(schema, at, elsewhere))
        : []
    if (choices.length === 1) return parts
    const description = [`Either: ${choice.description ?? 'an object.'}`, note]
    return [
      {
        path,
        type: typeName(choice),
        description: description.join(' ').trim(),
        isOptional: false,
      },
      ...parts,
    ]
  })
}

/** Returns the members of an object, or the items of a list. */
function partsAt(
  schema: FieldSchema,
  path: string,
): readonly (FieldPosition & { schema: FieldSchema })[] {
  const { properties = {}, required = [], items, prefixItems } = schema
  const before = path === '' ? '' : `${path}.`
  const members = Object.entries(properties).map(([name, member]) => ({
    schema: member,
    path: before + name,
    isOptional: !required.includes(name),
  }))
  const tuple =
    prefixItems ?? (Array.isArray(items) ? (items as readonly FieldSchema[]) : undefined)
  if (tuple !== undefined)
    return tuple.map((schema, i) => ({ schema, path: `${path}[${i}]`, isOptional: false }))
  const item = items as FieldSchema | undefined
  if (item === undefined || typeof item !== 'object') return members
  // An item of a plain type is described by the type of the list.
  return isPlainValue(item) ? members : [{ schema: item, path: `${path}[]`, isOptional: false }]
}

const isPlainValue = (schema: FieldSchema) =>
  partsAt(schema, '').length === 0 && withoutNull(schema).choices.length === 1

type Choices = Readonly<{ choices: readonly FieldSchema[]; isNullable: boolean }>

/** Null can be an alternative, or one of the types. */
function withoutNull(schema: FieldSchema): Choices {
  const anyOf = schema.anyOf?.flatMap((choice) => choice.anyOf ?? choice)
  if (anyOf === undefined) return withoutNullType(schema)
  if (anyOf.every(isLiteral)) return { choices: [schema], isNullable: false }
  const rest = anyOf.filter(({ type }) => type !== 'null')
  const choices = rest.every(isLiteral) && rest.length > 1 ? [{ anyOf: rest }] : rest
  return { choices, isNullable: rest.length < anyOf.length }
}

function withoutNullType(schema: FieldSchema): Choices {
  const { type, enum: words } = schema
  if (!Array.isArray(type)) return { choices: [schema], isNullable: false }
  const types = (type as readonly string[]).filter((name) => name !== 'null')
  const choices = types.map((name) => ({
    ...schema,
    type: name,
    ...(words === undefined ? {} : { enum: words.filter((word) => word !== null) }),
  }))
  return { choices, isNullable: types.length < type.length }
}

const isLiteral = (schema: FieldSchema) => schema.const !== undefined || schema.enum !== undefined

function typeName(schema: FieldSchema): string {
  const { anyOf, items } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if (anyOf !== undefined) return anyOf.map(typeName).join(', ')
  if (schema.type === 'array') {
    const isTuple = schema.prefixItems !== undefined || Array.isArray(items)
    return isTuple || items === undefined ? 'array' : `array of ${itemName(items as FieldSchema)}`
  }
  return TEXTS.get(schema.pattern) ?? String(schema.type ?? 'any')
}

function itemName(item: FieldSchema): string {
  const { choices } = withoutNull(item)
  return [...new Set(choices.map(typeName))].join(' or ').replace(/^(array|object)\b/, '$1s')
}
