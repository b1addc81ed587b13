// Makes an HTTP server of ours, a host. Each has one error body, request ids, rate limits, headers
// for other origins, answers from memory, and the description of its routes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import cors from '@fastify/cors'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { Encoder } from './encoder.ts'
import { answerErrors, clientErrorHandler, frameworkErrors } from './errors.ts'
import type { DataAge, Host, SchemaTypes } from './host-type.ts'
import { limitRates, RateLimits, type RateOptions } from './limits.ts'
import { type ChainHead, serveMinBlock } from './min-block.ts'
import { negotiateAnswers } from './negotiation.ts'
import { dataStale } from './refusals.ts'
import { readRequestId } from './request-id.ts'
import { ResponseCache } from './response-cache.ts'
import { RouteMeter } from './route-meter.ts'
import { parameterReader } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    responseCache: ResponseCache
    freshness: DataAge
  }
}

/** No public read has a body; signed requests are small. */
const BODY_BYTES_MAX = 64 * 1024
/** Longer than any identifier of a path. */
const PARAM_LENGTH_MAX = 256
/** A request that takes longer to arrive is refused, so that slow ones cannot hold connections. */
const REQUEST_TIMEOUT_MS = 10_000
/** How long open requests have to be answered when the host stops. */
const STOP_MS_MAX = 5_000
/** How long a browser need not ask again what it may send: as long as Chromium remembers it. */
const PREFLIGHT_SECONDS = 7200
/** How often slow requests are looked for. */
const TIMEOUT_LOOK_MS = 1_000

export type HostDeps = Readonly<{
  rates: RateOptions
  /** Origins that browsers may call from; `*` for any. */
  corsOrigins: readonly string[]
  /** How long a request may take to arrive, REQUEST_TIMEOUT_MS by default. */
  requestTimeoutMs?: number
  logger?: FastifyBaseLogger
}>

/** Takes the requests for sockets from the one port. */
export type SocketServer = Readonly<{
  isUpgrade: (request: IncomingMessage) => boolean
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Answers a request that is for it and returns true, or leaves it alone and returns false. */
  serve: (request: IncomingMessage, response: ServerResponse) => boolean
}>

export type HostOptions = Readonly<{
  freshness: DataAge
  /** The block whose data the answers show. */
  chain: ChainHead
  openApi: FastifyDynamicSwaggerOptions
  /** Compresses the answers, by default within a budget of its own. */
  encoder?: Encoder
  /** Live data on the same port, if there is any. */
  sockets?: SocketServer
  /** Adds what must stand before the routes and their description. */
  prepare?: (host: Host) => void
}>

export type CreatedHost = Readonly<{ host: Host; responseCache: ResponseCache; meter: RouteMeter }>

/** Returns a host without routes. */
export async function createHost(deps: HostDeps, options: HostOptions): Promise<CreatedHost> {
  const { corsOrigins } = deps
  const { sockets, freshness } = options
  const limits = new RateLimits(deps.rates)
  const isAnyOrigin = corsOrigins.includes('*')
  const meter = new RouteMeter()
  const headers = isAnyOrigin ? ANY_ORIGIN_HEADERS : LISTED_ORIGIN_HEADERS
  const { encoder = new Encoder() } = options
  const cached = { limits, meter, encoder, freshness, isAnyOrigin, headers }
  const responseCache = new ResponseCache(cached)
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const host = fastify({
    ...(deps.logger === undefined ? {} : { loggerInstance: deps.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout,
    genReqId: readRequestId,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: true },
    frameworkErrors,
    clientErrorHandler,
    serverFactory: createOnePort({ responseCache, sockets, requestTimeout }),
    schemaController: { compilersFactory: COMPILERS },
  }).withTypeProvider<SchemaTypes>() as unknown as Host
  host.decorate('responseCache', responseCache)
  host.decorate('stopping', new AbortController())
  host.decorate('originHeaders', (origin = '') => {
    if (isAnyOrigin) return ANY_ORIGIN_HEADERS
    const own = corsOrigins.includes(origin) ? ['access-control-allow-origin', origin] : []
    return [...own, 'vary', 'Origin', ...LISTED_ORIGIN_HEADERS]
  })
  host.decorate('encoder', encoder)
  host.decorate('freshness', freshness)
  host.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  negotiateAnswers(host, encoder)
  const refuseUnknown = answerErrors(host)
  await host.register(cors, {
    origin: isAnyOrigin ? '*' : [...corsOrigins],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  })
  // After the headers for other origins, so that a refusal has them as well.
  limitRates(host, limits)
  options.prepare?.(host)
  refuseStale(host, freshness)
  serveMinBlock(host, options.chain)
  refuseUnknown()
  await host.register(swagger, options.openApi)
  return { host, responseCache, meter }
}

/**
 * Closes the host: open requests are answered first, and what is still open after STOP_MS_MAX is
 * cut, such as answers that nobody reads.
 */
export async function closeHost(
  host: Host,
  delay: (ms: number, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const waiting = new AbortController()
  const closing = host.close()
  await Promise.race([closing, delay(STOP_MS_MAX, waiting.signal)])
  waiting.abort()
  host.server.closeAllConnections()
  await closing
}
/** While this node knows that it is far behind the chain, it does not answer what would mislead. */
const refuseStale = (host: Host, freshness: DataAge) =>
  host.addHook('preHandler', (request, _reply, done) => {
    const isStale = request.routeOptions.config.isLive === true && freshness.isBehind
    done(isStale ? dataStale() : undefined)
  })

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type RouteSchema = Readonly<{ schema: Parameters<typeof parameterReader>[0]; httpPart?: string }>

/** Said at the start: without them the framework loads its own, a hundred modules. */
const COMPILERS = {
  buildValidator:
    () =>
    ({ schema, httpPart = '' }: RouteSchema) => {
      const parse = parameterReader(schema, httpPart)
      return (raw: Parameters<typeof parse>[0]) => ({ value: parse(raw) })
    },
  buildSerializer: () => () => JSON.stringify,
  // The framework's type is that of its own compiler.
} as unknown as NonNullable<Controller['compilersFactory']>

type Serving = Readonly<{
  responseCache: ResponseCache
  sockets: SocketServer | undefined
  requestTimeout: number
}>

/** The one port: known URLs from memory, sockets, and the routes. */
const createOnePort =
  ({
    responseCache,
    sockets,
    requestTimeout,
  }: Serving): NonNullable<FastifyHttpOptions<Server>['serverFactory']> =>
  (handler, options) => {
    const shouldUpgradeCallback = (request: IncomingMessage) => sockets?.isUpgrade(request) ?? false
    const all = { ...options, ...connectionOptions(requestTimeout), shouldUpgradeCallback }
    const server = createServer(all, (request, response) => {
      if (!responseCache.serve(request, response) && sockets?.serve(request, response) !== true)
        handler(request, response)
    })
    if (sockets === undefined) return server
    return server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  }

/** Without a Host header a request is refused by Node, in another form than all others. */
const connectionOptions = (requestTimeout: number) => ({
  requestTimeout,
  connectionsCheckingInterval: Math.min(requestTimeout, TIMEOUT_LOOK_MS),
  requireHostHeader: false,
})

/** Headers that a page of another origin may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'X-Request-Id',
  'X-Block-Number',
  'X-Block-Hash',
  'X-Data-Age-Ms',
  'X-Next-Cursor',
  'X-Wait',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RETRY-AFTER',
  'Allow',
  'WWW-Authenticate',
].join(', ')
const LISTED_ORIGIN_HEADERS = ['access-control-expose-headers', EXPOSED_HEADERS]
const ANY_ORIGIN_HEADERS = ['access-control-allow-origin', '*', ...LISTED_ORIGIN_HEADERS]
