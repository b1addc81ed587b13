// Creates an HTTP host. Each has one error body, request ids, rate limits, CORS headers, answers
// from memory, and the description of its routes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import cors from '@fastify/cors'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { NO_TRACER, type Tracer } from '@openvenue/runtime/tracing'
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
import { createLogRequest, type LogRequest, requestLine } from './request-log.ts'
import { ResponseCache } from './response-cache.ts'
import { RouteMeter } from './route-meter.ts'
import { traceRequests } from './trace-requests.ts'
import { parameterReader } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    responseCache: ResponseCache
    freshness: DataAge
    /** Writes the line of an answered request; undefined when none are wanted. */
    logRequest: LogRequest | undefined
  }
}

/** No public read has a body; signed requests are small. */
const BODY_BYTES_MAX = 64 * 1024
/** Longer than any identifier of a path. */
const PARAM_LENGTH_MAX = 256
/** A request that takes longer to arrive is refused, so that slow ones cannot hold connections. */
const REQUEST_TIMEOUT_MS = 10_000
/** Time to answer open requests when the host stops, ms. */
const STOP_MS_MAX = 5_000
/** Preflight cache of browsers: the maximum that Chromium keeps. */
const PREFLIGHT_SECONDS = 7200
/** Interval of the check for slow requests, ms. */
const TIMEOUT_LOOK_MS = 1_000

export type HostDeps = Readonly<{
  rates: RateOptions
  /** Origins whose pages may send requests; `*` for any. */
  corsOrigins: readonly string[]
  /** Time in which a request must arrive, REQUEST_TIMEOUT_MS by default. */
  requestTimeoutMs?: number
  logger?: FastifyBaseLogger
  /** LOG_REQUESTS: logs a line per request; false by default. */
  logsRequests?: boolean
  /** Traces requests that place or cancel orders; absent: none. */
  tracer?: Tracer
}>

/** Handles the requests for sockets on the one port. */
type SocketServer = Readonly<{
  isUpgrade: (request: IncomingMessage) => boolean
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Answers a request that is for it and returns true; returns false for any other. */
  serve: (request: IncomingMessage, response: ServerResponse) => boolean
}>

type HostOptions = Readonly<{
  freshness: DataAge
  /** The block shown in answers. */
  chain: ChainHead
  openApi: FastifyDynamicSwaggerOptions
  /** Compresses the answers; by default with its own budget. */
  encoder?: Encoder
  /** The sockets on the same port, if there are any. */
  sockets?: SocketServer
  /** Adds hooks that must precede the routes and their description. */
  prepare?: (host: Host) => void
}>

type CreatedHost = Readonly<{ host: Host; responseCache: ResponseCache; meter: RouteMeter }>

/** Returns a host without routes. */
export async function createHost(deps: HostDeps, options: HostOptions): Promise<CreatedHost> {
  const { corsOrigins } = deps
  const { sockets, freshness } = options
  const limits = new RateLimits(deps.rates)
  const isAnyOrigin = corsOrigins.includes('*')
  const meter = new RouteMeter()
  const headers = isAnyOrigin ? ANY_ORIGIN_HEADERS : LISTED_ORIGIN_HEADERS
  const { encoder = new Encoder() } = options
  const logRequest = createLogRequest(deps)
  const cached = { limits, meter, encoder, freshness, isAnyOrigin, headers, logRequest }
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
  host.decorate('logRequest', logRequest)
  host.decorate('stopping', new AbortController())
  host.decorate('originHeaders', (origin = '') => {
    if (isAnyOrigin) return ANY_ORIGIN_HEADERS
    const allowOrigin = corsOrigins.includes(origin) ? ['access-control-allow-origin', origin] : []
    return [...allowOrigin, 'vary', 'Origin', ...LISTED_ORIGIN_HEADERS]
  })
  host.decorate('encoder', encoder)
  host.decorate('freshness', freshness)
  host.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  logAnswers(host)
  traceRequests(host, deps.tracer ?? NO_TRACER)
  negotiateAnswers(host, encoder)
  const refuseUnknown = answerErrors(host)
  await host.register(cors, {
    origin: isAnyOrigin ? '*' : [...corsOrigins],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  })
  // After the CORS headers, so that a refusal has them as well.
  limitRates(host, limits)
  options.prepare?.(host)
  refuseStale(host, freshness)
  serveMinBlock(host, options.chain)
  refuseUnknown()
  await host.register(swagger, options.openApi)
  return { host, responseCache, meter }
}

/**
 * Closes the host: open requests are answered first, and connections still open after STOP_MS_MAX
 * are cut, such as answers that are not read.
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

function logAnswers(host: Host): void {
  const { logRequest } = host
  if (logRequest === undefined) return
  host.addHook('onResponse', (request, reply, done) => {
    logRequest(requestLine(request, reply))
    done()
  })
}

/** While this node is known to be far behind the chain, it refuses answers that would mislead. */
const refuseStale = (host: Host, freshness: DataAge) =>
  host.addHook('preHandler', (request, _reply, done) => {
    const isStale = request.routeOptions.config.isLive === true && freshness.isBehind
    done(isStale ? dataStale() : undefined)
  })

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type RouteSchema = Readonly<{ schema: Parameters<typeof parameterReader>[0]; httpPart?: string }>

/** Set explicitly: otherwise the framework loads its own compilers, a hundred modules. */
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

type ServerOptions = Readonly<{
  responseCache: ResponseCache
  sockets: SocketServer | undefined
  requestTimeout: number
}>

/** The one port: cached URLs, sockets, and the routes. */
const createOnePort =
  ({
    responseCache,
    sockets,
    requestTimeout,
  }: ServerOptions): NonNullable<FastifyHttpOptions<Server>['serverFactory']> =>
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

/** Without a Host header, Node would refuse a request in a form that differs from all others. */
const connectionOptions = (requestTimeout: number) => ({
  requestTimeout,
  connectionsCheckingInterval: Math.min(requestTimeout, TIMEOUT_LOOK_MS),
  requireHostHeader: false,
})

/** Headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'X-Request-Id',
  'X-Block-Number',
  'X-Block-Hash',
  'X-Data-Age-Ms',
  // A cache adds the first, and keeps the second.
  'Age',
  'Date',
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
