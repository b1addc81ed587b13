// Completes the description of an operation: its id, its requirements, and all of its answers.
import { Problem } from '@openvenue/wire/field'
import type { FastifyContextConfig } from 'fastify'
import { publishSchema, type Schemas } from './openapi-schemas.ts'
import { REFUSALS, type RefusalCode } from './refusals.ts'
import { isKept, type RouteFacts, routeRefusals } from './route-refusals.ts'

type Parameter = {
  name: string
  in: string
  required?: boolean
  example?: unknown
  schema: Readonly<Record<string, unknown>>
}
type Content = Record<string, { schema: unknown; example?: unknown }>
type Ref = Readonly<{ $ref: string }>
type Response = {
  description?: string
  headers?: Readonly<Record<string, Ref>>
  content?: Content
  $ref?: string
}
export type Operation = {
  operationId?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  security?: readonly object[]
  responses: Record<string, Response>
  [FACTS]?: Facts
}
export type Components = {
  schemas: Schemas
  responses: Record<string, Response>
  headers: Record<string, object>
}

/** Key under which the facts of a route pass through the framework. */
export const FACTS = 'x-route'
type Facts = Readonly<{
  use: string
  isLimited: boolean
  isOffChain: boolean
  isKept: boolean
  refusals: readonly RefusalCode[]
}>

/** Returns the facts that the description of a route needs. */
export function routeFacts(route: RouteFacts): Facts {
  const { config = {} } = route
  return {
    use: describeUse(config),
    isLimited: config.isUnlimited !== true,
    isOffChain: config.isOffChain === true,
    isKept: isKept(route),
    refusals: routeRefusals(route),
  }
}

/** Returns the whole operation. Parts shared with others go into `components`. */
export function describeOperation(
  operation: Operation,
  [method, path]: readonly [method: string, path: string],
  components: Components,
): Operation {
  const { [FACTS]: facts, parameters, requestBody, responses, ...rest } = operation
  if (facts === undefined) throw new Error(`${method} ${path} is not a route of this host`)
  return {
    ...rest,
    operationId: operationId(method, path),
    description: facts.use,
    security: operation.security ?? [],
    ...(parameters && {
      parameters: parameters.map((parameter) => describeParameter(parameter, components)),
    }),
    ...(requestBody && { requestBody: describeBody(requestBody, components) }),
    responses: {
      ...describeAnswers(responses, facts, components),
      ...describeRefusals(facts.refusals, components),
    },
  }
}

/** Returns method and path as one word: `getOrdersByOrderId`. It is unique, as they are. */
const operationId = (method: string, path: string): string =>
  method +
  path
    .split(/[/-]/)
    .map((part) => capitalised(part.startsWith('{') ? `by_${part.slice(1, -1)}` : part))
    .join('')

const capitalised = (words: string): string =>
  words
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** Returns the access and the weight of a route. */
function describeUse({ scope, isUnlimited, isLive, weight }: FastifyContextConfig): string {
  const sentences = [
    describeScope(scope),
    isUnlimited === true ? 'Not rate limited.' : undefined,
    typeof weight === 'number' ? `Counts as ${weight} requests.` : undefined,
    typeof weight === 'function'
      ? 'Counts as several requests when it reads much data.'
      : undefined,
    isLive === true ? 'Refused while the data of this node is too old.' : undefined,
  ]
  return sentences.filter((text) => text !== undefined).join(' ')
}

function describeScope(scope: FastifyContextConfig['scope']): string {
  if (scope === undefined) return 'Public.'
  return scope === 'any' ? 'Needs an API key.' : `Needs an API key with the scope \`${scope}\`.`
}

function describeParameter(parameter: Parameter, { schemas }: Components): Parameter {
  const { required } = (parameter.schema['x-described'] ?? {}) as { required?: true }
  return {
    ...parameter,
    ...(required === undefined ? {} : { required }),
    schema: publishSchema(parameter.schema, schemas) as Parameter['schema'],
  }
}

/** A body without required members may be absent. */
function describeBody({ content }: NonNullable<Operation['requestBody']>, { schemas }: Components) {
  const needs = Object.values(content).flatMap(
    ({ schema }) => (schema as { required?: string[] }).required ?? [],
  )
  return { required: needs.length > 0, content: publishContent(content, schemas) }
}

const publishContent = (content: Content, schemas: Schemas): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      { ...media, schema: publishSchema(media.schema, schemas) },
    ]),
  )

function describeAnswers(
  responses: Operation['responses'],
  facts: Facts,
  components: Components,
): Operation['responses'] {
  const headers = referTo(answerHeaders(facts), components)
  const described = Object.entries(responses).map(([status, { description, content = {} }]) => [
    status,
    {
      description: description ?? '',
      headers,
      content: publishContent(content, components.schemas),
    },
  ])
  const unchanged = { description: 'Unchanged since the ETag in If-None-Match.', headers }
  return { ...Object.fromEntries(described), ...(facts.isKept ? { 304: unchanged } : {}) }
}

const answerHeaders = ({ isOffChain, isLimited, isKept }: Facts): readonly string[] => [
  'X-Request-Id',
  'Cache-Control',
  ...(isKept ? ['ETag'] : []),
  ...(isOffChain ? [] : BLOCK_HEADERS),
  ...(isLimited ? LIMIT_HEADERS : []),
]

/** Answers with more codes get no name: it would be too long, and few operations share them. */
const NAMED_CODES_MAX = 3

/** Returns an answer for each status of `codes`, with their names. */
function describeRefusals(
  codes: readonly RefusalCode[],
  components: Components,
): Operation['responses'] {
  const byStatus = Map.groupBy(codes, (code) => REFUSALS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => {
      if (some.length > NAMED_CODES_MAX) return [status, describeRefusal(status, some, components)]
      const name = some.map(pascalCase).join('Or')
      components.responses[name] ??= describeRefusal(status, some, components)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** `RATE_LIMIT_EXCEEDED` is `RateLimitExceeded`. */
const pascalCase = (code: RefusalCode): string =>
  code
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('')

function describeRefusal(
  status: number,
  codes: readonly RefusalCode[],
  components: Components,
): Response {
  const names = ['X-Request-Id', ...LIMIT_HEADERS, ...(HEADERS_BY_STATUS[status] ?? [])]
  return {
    description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].message}.`).join('\n'),
    headers: referTo(names, components),
    content: {
      'application/json': { schema: publishSchema(clone(Problem), components.schemas) },
    },
  }
}

/** Copies a schema without typebox's hidden members. */
const clone = (schema: object): unknown => JSON.parse(JSON.stringify(schema))

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
})
const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})

/** Headers of answers that clients may need. */
const HEADERS: Readonly<Record<string, object>> = {
  'X-Request-Id': text('Id of the request in our logs; yours, if you sent one.', 'a1b2c3'),
  'Cache-Control': text('Caching rule of the answer.', 'no-cache'),
  ETag: text('Identifies the body; the same from every node. Send it as If-None-Match.', '"5d"'),
  'X-Block-Number': integer('The block of the data.', 1207),
  'X-Block-Hash': text('Its hash.', `0x${'5d'.repeat(32)}`),
  'X-Data-Age-Ms': integer(
    'Milliseconds since the chain was last known to have nothing newer. A cache adds Age, in seconds.',
    140,
  ),
  'RateLimit-Policy': text(
    'Requests (q) per window of seconds (w). Absent where the operator set no limit.',
    '"public";q=600;w=60',
  ),
  RateLimit: text(
    'Requests left (r), and seconds until all are available again (t).',
    '"public";r=599;t=60',
  ),
  'Retry-After': integer('Time to wait before a retry, in seconds.', 1),
  'WWW-Authenticate': text('How to authenticate.', 'ApiKey realm="openvenue"'),
  Allow: text('Methods of the endpoint.', 'POST, OPTIONS'),
  'X-RETRY-AFTER': text('The same in nanoseconds.', '1000000000'),
}
const BLOCK_HEADERS = ['X-Block-Number', 'X-Block-Hash', 'X-Data-Age-Ms']
const LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit']
const RETRY_HEADERS = ['Retry-After', 'X-RETRY-AFTER']
/** Additional headers of refusals: when to retry, how to authenticate, the allowed methods. */
const HEADERS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: RETRY_HEADERS,
  503: RETRY_HEADERS,
}

function referTo(names: readonly string[], { headers }: Components): Record<string, Ref> {
  for (const name of names) headers[name] = HEADERS[name] as object
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
