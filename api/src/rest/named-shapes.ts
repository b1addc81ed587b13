// Resolves the references of an OpenAPI document: objects keep their names, everything else is
// inlined.

/** A schema of a document, with the members used here. */
export type RefSchema = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  description?: string
  properties?: Readonly<Record<string, RefSchema>>
}>
type Schemas = Readonly<Record<string, RefSchema>>

const refName = ($ref: string) => $ref.split('/').at(-1) ?? ''
const isObject = (schema: RefSchema | undefined) => Object.keys(schema?.properties ?? {}).length > 0

/**
 * Returns `schema` without references: a named object, which has its own section, is replaced by
 * its name as the type. A reference at the top is resolved.
 */
export function inlineSchema(schema: RefSchema, schemas: Schemas): RefSchema {
  const { $ref } = schema
  return $ref === undefined
    ? (inlineParts(schema, schemas) as RefSchema)
    : inlineSchema(schemas[refName($ref)] ?? {}, schemas)
}

function inlineParts(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((one) => inlineParts(one, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as RefSchema
  if ($ref !== undefined) {
    const name = refName($ref)
    const named = schemas[name]
    const { description = named?.description ?? '' } = rest
    return isObject(named)
      ? { type: name, description }
      : { ...(inlineParts(named, schemas) as object), ...rest }
  }
  return Object.fromEntries(
    Object.entries(rest).map(([key, member]) => [
      key,
      VALUES.has(key) ? member : inlineParts(member, schemas),
    ]),
  )
}
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** Returns the names of all objects that `roots` refer to below their top, sorted. */
export function namedIn(roots: readonly RefSchema[], schemas: Schemas): readonly string[] {
  const left = roots.flatMap((root) =>
    refsIn(root.$ref === undefined ? root : schemas[refName(root.$ref)]),
  )
  const found = new Set<string>()
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (found.has(name)) continue
    found.add(name)
    left.push(...refsIn(schemas[name]))
  }
  return [...found].filter((name) => isObject(schemas[name])).sort()
}

/** Returns the names that a schema itself refers to. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as RefSchema
  if ($ref !== undefined) return [refName($ref)]
  return Object.entries(value).flatMap(([key, member]) => (VALUES.has(key) ? [] : refsIn(member)))
}
