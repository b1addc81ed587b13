// The description of the interface, generated from the schemas of the routes.
import { readFileSync } from 'node:fs'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

/** Version of the interface; not that of a build, so that a release changes no document. */
const INTERFACE_VERSION = '1'

/** The parts of the document in which the hosts differ. */
export type Described = Readonly<{
  title: string
  about: string
  tags: readonly Readonly<{ name: string; description: string }>[]
  /** JSON with an example of each answer, by path. */
  examples: URL
  securitySchemes?: Readonly<Record<string, SecurityScheme>>
}>
type SecurityScheme = Readonly<{
  type: 'apiKey'
  in: 'header'
  name: string
  description: string
}>

/** Returns how a host is described. */
export const describedAs = (host: Described): FastifyDynamicSwaggerOptions => ({
  refResolver: { buildLocalReference: ({ $id }, _base, _fragment, i) => String($id ?? `def-${i}`) },
  transformObject: (made) => {
    if (!('openapiObject' in made)) return made.swaggerObject
    exemplify(made.openapiObject as Document, host.examples)
    return JSON.parse(JSON.stringify(made.openapiObject, withPrefixItems))
  },
  openapi: {
    openapi: '3.1.0',
    info: { title: host.title, description: host.about, version: INTERFACE_VERSION },
    tags: [...host.tags],
    ...(host.securitySchemes === undefined
      ? {}
      : { components: { securitySchemes: host.securitySchemes } }),
  },
})

export const openApiOptions = (): FastifyDynamicSwaggerOptions =>
  describedAs({
    title: 'openvenue API',
    about: ABOUT,
    examples: new URL('./openapi-examples.json', import.meta.url),
    tags: [
      { name: 'Service', description: 'Liveness, readiness, version and time.' },
      { name: 'Markets', description: 'What is traded, on which terms, and where it stands.' },
      { name: 'Order book', description: 'Resting orders, in raw integers.' },
      { name: 'Trades', description: 'Matches, newest first.' },
      { name: 'Statistics', description: 'What a market did in 24 hours.' },
      { name: 'Funding', description: 'What longs pay shorts: now, and in settled hours.' },
      { name: 'Index prices and assets', description: 'What the oracle says, and the tokens.' },
      { name: 'Candles', description: 'Periods in which trades occurred.' },
      {
        name: 'Charting',
        description: 'The data feed of the UDF adapter of the TradingView library.',
      },
      { name: 'Registration and keys', description: 'Signing keys and API keys of a wallet.' },
      { name: 'Account', description: 'What the account of the key holds, wants and did.' },
      { name: 'Notifications', description: 'What happened to the account of the key.' },
    ],
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'API-KEY', description: 'From POST /register.' },
      secret: { type: 'apiKey', in: 'header', name: 'API-SECRET', description: 'Of that key.' },
    },
  })

const ABOUT = `Spot and perpetual order books on a chain. Market data is public; account data needs an API key and
its secret, in the headers API-KEY and API-SECRET. The key decides the account.

- Prices and amounts are decimal strings in human units. Only order book levels are raw integers:
  price / 10^quote_decimals, amount / 10^base_decimals.
- The unit of a time is in its description: seconds, milliseconds or nanoseconds.
- Null is a value that cannot be read now; a member that does not apply is absent.
- Answers of chain data carry X-Block-Number and X-Block-Hash: the block that they show; and
  X-Data-Age-Ms: how long ago the chain was last known to have nothing newer. While it is known to
  be too far ahead, what would mislead (books, prices, positions, open orders) is 503 DATA_STALE.
- Errors have one body: a code in \`error\`, words in \`message\`, and in \`details\` each field with
  its rule and the nearest legal value.
- RateLimit-Policy and RateLimit say how many requests are left; 429 says when to come back.
`

/**
 * Writes lists of so many members as the JSON Schema of OpenAPI 3.1 does, which is not typebox's.
 */
function withPrefixItems(_name: string, value: unknown): unknown {
  const { items, additionalItems, ...rest } = (value ?? {}) as Record<string, unknown>
  if (!Array.isArray(items) || additionalItems !== false) return value
  return { ...rest, prefixItems: items, items: false }
}

/** Parameters that the page fills in where an endpoint answers nothing without them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  instrument_id: 'ETH-PERP',
  instrument_name: 'ETH-PERP',
  asset: 'ETH',
  instrument_type: 'PERPETUAL',
  symbol: 'ETH-PERP',
  symbols: 'ETH-PERP,ETH-USDC',
  resolution: '60',
  address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  id: 'key-created-1474f819ea39caab',
  poolId: 'ETH-USDC',
  file: 'perps.json',
  order_id: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e00000000100000000000003e9',
}
/** Needed by their endpoints, which say so in their own way. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  '/candles': ['instrument_name', 'resolution'],
  '/last-traded-tradingview/history': ['symbol', 'resolution'],
  '/last-traded-tradingview/symbols': ['symbol'],
  '/last-traded-tradingview/quotes': ['symbols'],
}

type Parameter = { name: string; in: string; required?: boolean; example?: unknown }
type Media = { example?: unknown }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { examples?: unknown[] }> }
}

/**
 * Puts examples into the document, and the parameters of a path before those of a query. Those of a
 * GET are named by its path; of other methods by both, such as `POST /register`, with `body `
 * before for what is sent.
 */
function exemplify({ paths, components }: Document, file: URL): void {
  const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  for (const [name, schema] of Object.entries(components.schemas))
    schema.examples = [examples[name]]
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const name = method === 'get' ? path : `${method.toUpperCase()} ${path}`
      exemplifyOne(operation, path, {
        answer: examples[plainName(name)],
        sent: examples[`body ${plainName(name)}`],
      })
    }
}

/** An account's endpoint takes and answers the same at either of its paths. */
function plainName(name: string): string {
  const [, method = '', below] = /^(\w+ |)\/account\/\{address\}(.*)$/.exec(name) ?? []
  if (below === undefined) return name
  return method + (PARTS_OF_ACCOUNT.includes(below) ? `/account${below}` : below)
}
const PARTS_OF_ACCOUNT = ['', '/collaterals', '/leverages', '/accumulated-fundings']

type Examples = Readonly<{ answer: unknown; sent: unknown }>

function exemplifyOne(operation: Operation, path: string, { answer, sent }: Examples): void {
  const { parameters = [], requestBody, responses } = operation
  parameters.sort((a, b) => Number(b.in === 'path') - Number(a.in === 'path'))
  for (const parameter of parameters)
    if (parameter.required === true || NEEDED[path]?.includes(parameter.name))
      parameter.example = PARAMETERS[parameter.name]
  const media = (responses[200] ?? responses[201])?.content?.['application/json']
  if (media !== undefined) media.example = answer
  const body = requestBody?.content['application/json']
  if (body !== undefined) body.example = sent
}
