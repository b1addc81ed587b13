// The description of the interface, generated from the schemas of the routes.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { exemplify } from './openapi-examples.ts'
import {
  type Components,
  describeOperation,
  FACTS,
  type Operation,
  routeFacts,
} from './openapi-operation.ts'

/** Version of the interface, not of a build, so that a release changes no document. */
const INTERFACE_VERSION = '1'

/** The parts of the document in which hosts differ. */
type HostDescription = Readonly<{
  title: string
  about: string
  tags: readonly Readonly<{ name: string; description: string }>[]
  /** JSON file with an example of each answer, by path. */
  examples: URL
  securitySchemes?: Readonly<Record<string, SecurityScheme>>
}>
type SecurityScheme = Readonly<{
  type: 'apiKey'
  in: 'header'
  name: string
  description: string
}>

/** Returns the description options of a host. */
export const describedAs = (host: HostDescription): FastifyDynamicSwaggerOptions => ({
  transform: ({ schema, url, route }) => ({
    url,
    schema: { ...schema, [FACTS]: routeFacts({ ...route, url, schema }) },
  }),
  transformObject: (made) =>
    'openapiObject' in made
      ? completeDocument(made.openapiObject as OpenApiDocument, host.examples)
      : made.swaggerObject,
  openapi: {
    openapi: '3.1.0',
    info: {
      title: host.title,
      description: host.about,
      version: INTERFACE_VERSION,
      license: { name: 'MIT', identifier: 'MIT' } as object as { name: string },
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    tags: [...host.tags],
    components: { securitySchemes: { ...host.securitySchemes } },
  },
})

type OpenApiDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{ securitySchemes: object }>
}>

/** Returns the document, completed with facts about routes that the framework does not know. */
function completeDocument(made: OpenApiDocument, examples: URL): object {
  // Drops undefined members, and those that typebox hides in its schemas.
  const document = JSON.parse(JSON.stringify(made)) as OpenApiDocument
  const components: Components = { schemas: {}, responses: {}, headers: {} }
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          describeOperation(operation, [method, path], components),
        ]),
      ),
    ]),
  )
  const complete = {
    ...document,
    paths,
    components: {
      ...document.components,
      ...components,
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
    },
  }
  exemplify(complete, examples)
  return complete
}

const sorted = <T>(named: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))

export const openApiOptions = (): FastifyDynamicSwaggerOptions =>
  describedAs({
    title: 'openvenue API',
    about: ABOUT,
    examples: new URL('./openapi-examples.json', import.meta.url),
    tags: [
      { name: 'Service', description: 'Liveness, readiness, version and time.' },
      { name: 'Markets', description: 'Markets, their terms and current prices.' },
      { name: 'Order book', description: 'Resting orders, in raw integers.' },
      { name: 'Trades', description: 'Matches, newest first.' },
      { name: 'Statistics', description: 'Activity of a market in 24 hours.' },
      { name: 'Funding', description: 'Payments of longs to shorts: now, and in settled hours.' },
      { name: 'Index prices and assets', description: 'Prices of the oracle, and the tokens.' },
      { name: 'Candles', description: 'Periods in which trades occurred.' },
      {
        name: 'Charting',
        description: 'The data feed of the UDF adapter of the TradingView library.',
      },
      {
        name: 'Orders',
        description: 'Signed orders: placed by the venue, or with a transaction of your own.',
      },
      { name: 'Registration and keys', description: 'Signing keys and API keys of a wallet.' },
      { name: 'Account', description: 'Holdings, settings and history of the account of the key.' },
      { name: 'Notifications', description: 'Events of the account of the key.' },
    ],
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'API-KEY', description: 'From POST /register.' },
      secret: {
        type: 'apiKey',
        in: 'header',
        name: 'API-SECRET',
        description: 'Secret of that key.',
      },
      timestamp: {
        type: 'apiKey',
        in: 'header',
        name: 'API-TIMESTAMP',
        description: 'Nanoseconds, at most 30 s from the time of the server.',
      },
      signature: {
        type: 'apiKey',
        in: 'header',
        name: 'API-SIGNATURE',
        description:
          'Hex HMAC-SHA256 of `key,timestamp,METHOD,path,body` by the secret, of a key that was made ' +
          'with `hmac`.',
      },
    },
  })

const ABOUT = `Spot and perpetual order books on a chain. Market data is public; account data needs an API key and
its secret, in the headers API-KEY and API-SECRET. The key decides the account.

- Prices and amounts are decimal strings in human units. Only order book levels are raw integers:
  price / 10^quote_decimals, amount / 10^base_decimals.
- The unit of a time is in its description: seconds, milliseconds or nanoseconds.
- Null is a value that cannot be read now; a member that does not apply is absent.
- Answers of chain data carry X-Block-Number and X-Block-Hash: the block that they show; and
  X-Data-Age-Ms: how long ago the chain was last known to have nothing newer. An answer from a cache
  is older by the seconds in Age. While the chain is known to be too far ahead, what would mislead
  (books, prices, positions, open orders) is 503 DATA_STALE.
- Errors have one body: a code in \`error\`, words in \`message\`, and in \`details\` each field with
  its rule and the nearest legal value.
- RateLimit-Policy and RateLimit say how many requests are left; 429 says when to come back.
- Live data over Socket.IO and WebSocket: \`/docs/sockets\` on the same host.
`
