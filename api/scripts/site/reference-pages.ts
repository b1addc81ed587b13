// Builds the reference as Markdown: a page for each tag, with every endpoint and the shapes that
// they name.
import { mdCode, mdFields, mdJson, mdPage, mdTable, slug } from './markdown-text.ts'

type Media = Readonly<{ schema: RefSchema; example?: unknown }>
type ReferenceResponse = Readonly<{
  $ref?: string
  description?: string
  content?: Readonly<Record<string, Media>>
}>
type ReferenceOperation = Readonly<{
  tags?: readonly string[]
  summary?: string
  description?: string
  parameters?: readonly Readonly<{
    name: string
    in: string
    required?: boolean
    description?: string
    schema: RefSchema
  }>[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Media>> }>
  responses: Readonly<Record<string, ReferenceResponse>>
}>
type ReferenceDocument = Readonly<{
  info: Readonly<{ title: string; description?: string }>
  tags?: readonly Readonly<{ name: string; description?: string }>[]
  paths?: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>
  components: Readonly<{
    schemas: Readonly<Record<string, RefSchema>>
    responses: Readonly<Record<string, ReferenceResponse>>
  }>
}>
type ReferenceEndpoint = Readonly<{ named: string; operation: ReferenceOperation }>

/** A page of the reference, with its file name without the folder. */
export type ReferencePage = Readonly<{
  file: string
  title: string
  about: string
  endpoints: readonly string[]
  text: string
}>

/** Returns a page for each tag of an OpenAPI document, in its order. */
export function referencePages(given: object): readonly ReferencePage[] {
  const document = given as ReferenceDocument
  const { paths = {}, tags = [] } = document
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): ReferenceEndpoint => ({
        named: `${method.toUpperCase()} ${path}`,
        operation,
      }),
    ),
  )
  return tags.map(({ name, description: about = '' }) => {
    const endpoints = all.filter(({ operation }) => operation.tags?.includes(name))
    return {
      file: `${slug(name)}.md`,
      title: name,
      about,
      endpoints: endpoints.map(({ named }) => named),
      text: mdPage(
        `# ${name}`,
        about,
        ...sections(endpoints, document),
        shapeSections(endpoints, document),
      ),
    }
  })
}

/** Returns the description of the whole interface. */
export const referenceAbout = (given: object): string =>
  ((given as ReferenceDocument).info.description ?? '').trim()

/** An endpoint with two paths is shown once. */
function sections(
  endpoints: readonly ReferenceEndpoint[],
  document: ReferenceDocument,
): readonly string[] {
  const shown = new Map<string, string>()
  return endpoints.map((endpoint) => {
    const { summary, parameters = [], requestBody, responses } = endpoint.operation
    const others = parameters.filter(({ name }) => name !== 'address')
    const [method] = endpoint.named.split(' ')
    const answers = [responses[200]?.content, responses[201]?.content]
    const key = JSON.stringify([method, summary, others, requestBody, answers])
    const same = shown.get(key)
    if (same === undefined) shown.set(key, endpoint.named)
    return same === undefined
      ? endpointSection(endpoint, document)
      : `## ${endpoint.named}\n\nAs ${mdCode(same)}.`
  })
}

function endpointSection(
  { named, operation }: ReferenceEndpoint,
  document: ReferenceDocument,
): string {
  const { summary = '', description = '', parameters = [], responses } = operation
  const { schemas } = document.components
  const rows = parameters.map(({ name, in: place, required, description: words, schema }) => [
    mdCode(name),
    `${place}${required === true ? ', required' : ''}`,
    typeWords(inlineSchema(schema, schemas)),
    words ?? '',
  ])
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const [media] = Object.entries(success?.[1].content ?? {})
  return [
    `## ${named}`,
    `${summary}. ${description}`,
    mdTable(['Parameter', 'Where', 'Type', 'Meaning'], rows),
    ...(body === undefined ? [] : ['Body:', mediaText(body, schemas)]),
    ...(media === undefined
      ? []
      : [`Answer ${success?.[0]}, \`${media[0]}\`:`, mediaText(media[1], schemas)]),
    refusalText(responses, document),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function mediaText(
  { schema, example }: Media,
  schemas: ReferenceDocument['components']['schemas'],
) {
  const fields = mdFields(inlineSchema(schema, schemas))
  return example === undefined || typeof example === 'string'
    ? fields
    : `${fields}\n\n${mdJson(example)}`
}

function typeWords({ type, enum: values }: RefSchema): string {
  if (values !== undefined) return values.map((value) => mdCode(String(value))).join(', ')
  return [type ?? 'string'].flat().join(' or ')
}

/** The codes of each status; GET /errors describes them. */
function refusalText(
  responses: ReferenceOperation['responses'],
  { components }: ReferenceDocument,
): string {
  const statuses = Object.entries(responses).flatMap(([status, response]) => {
    const { $ref, description = '' } = response
    const text =
      $ref === undefined
        ? description
        : (components.responses[$ref.split('/').at(-1) ?? '']?.description ?? '')
    const codes = [...text.matchAll(/`([A-Z][A-Z_]+)`:/g)].map(([, code = '']) => mdCode(code))
    return codes.length === 0 ? [] : [`${status} ${codes.join(', ')}`]
  })
  return statuses.length === 0 ? '' : `Refusals: ${statuses.join('; ')}.`
}

/** Every shape that the endpoints name, once. */
function shapeSections(
  endpoints: readonly ReferenceEndpoint[],
  { components }: ReferenceDocument,
): string {
  const { schemas } = components
  const medias = endpoints.flatMap(({ operation: { requestBody, responses } }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses[200]?.content ?? responses[201]?.content ?? {}),
  ])
  const names = namedIn(
    medias.map(({ schema }) => schema),
    schemas,
  )
  return names
    .map((name) => {
      const { [name]: schema = {} } = schemas
      const { description = '' } = schema
      const about = description === '' ? [] : [description]
      return [
        `### ${name}`,
        ...about,
        mdFields({ ...inlineSchema(schema, schemas), description: '' }),
      ].join('\n\n')
    })
    .join('\n\n')
}

// References: objects keep their names, everything else is inlined.

/** A schema of a document, with the members used here. */
type RefSchema = Readonly<{
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
function inlineSchema(schema: RefSchema, schemas: Schemas): RefSchema {
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
function namedIn(roots: readonly RefSchema[], schemas: Schemas): readonly string[] {
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
