// The REST server: what every route shares, and the list of routes.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import { Problem } from '@openvenue/wire/field'
import fastify, { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify'
import { samplerOf } from './account/equity-sampler.ts'
import { Overviews } from './account/overview.ts'
import { Wallets } from './account/wallets.ts'
import { answerErrors, clientErrorHandler, frameworkErrors } from './errors.ts'
import { HotPath } from './hot-path.ts'
import { markKeyedRoutes } from './identity/authenticate.ts'
import { type KeyCheckDeps, KeyChecks } from './identity/key-checks.ts'
import { limitRates, RateLimits, type RateOptions } from './limits.ts'
import { type Metrics, serveMetrics } from './metrics.ts'
import type { VenueModel } from './model/venue-model.ts'
import { openApiOptions } from './openapi.ts'
import { requestIdOf } from './request-id.ts'
import { accountRoutes } from './rest/account.ts'
import { accountTradeRoutes } from './rest/account-trades.ts'
import { accumulatedFundingRoutes } from './rest/accumulated-fundings.ts'
import { apiKeyRoutes } from './rest/api-keys.ts'
import { asyncApiRoutes } from './rest/asyncapi.ts'
import { balanceHistoryRoutes } from './rest/balance-history.ts'
import { candleRoutes } from './rest/candles.ts'
import { chartingRoutes } from './rest/charting.ts'
import { docsRoutes } from './rest/docs.ts'
import { fundingRoutes } from './rest/funding.ts'
import { fundingHistoryRoutes } from './rest/funding-history.ts'
import { homeRoutes } from './rest/home.ts'
import { indexPriceRoutes } from './rest/index-prices.ts'
import { marketRoutes } from './rest/markets.ts'
import { notificationRoutes } from './rest/notifications.ts'
import { openOrderRoutes } from './rest/open-orders.ts'
import { orderBookRoutes } from './rest/order-book.ts'
import { orderHistoryRoutes } from './rest/order-history.ts'
import { orderRoutes } from './rest/orders.ts'
import { positionHistoryRoutes } from './rest/position-history.ts'
import { positionRoutes } from './rest/positions.ts'
import { registrationRoutes } from './rest/registration.ts'
import type { RestDeps, Routes } from './rest/route.ts'
import { serviceRoutes } from './rest/service.ts'
import { statisticsRoutes } from './rest/statistics.ts'
import { summaryRoutes } from './rest/summary.ts'
import { tradeRoutes } from './rest/trades.ts'
import { transactionHistoryRoutes } from './rest/transaction-history.ts'
import { RouteMeter } from './route-meter.ts'
import type { App, SchemaTypes } from './server.ts'
import type { Channels } from './sockets/channel.ts'
import { createChannels } from './sockets/channels/channels.ts'
import type { Every } from './sockets/channels/open-streams.ts'
import { Sockets } from './sockets/sockets.ts'
import { parametersOf } from './validation.ts'

const ROUTES: readonly Routes[] = [
  homeRoutes,
  serviceRoutes,
  marketRoutes,
  orderBookRoutes,
  tradeRoutes,
  statisticsRoutes,
  fundingRoutes,
  fundingHistoryRoutes,
  indexPriceRoutes,
  summaryRoutes,
  candleRoutes,
  chartingRoutes,
  accountRoutes,
  accumulatedFundingRoutes,
  positionRoutes,
  openOrderRoutes,
  orderRoutes,
  accountTradeRoutes,
  orderHistoryRoutes,
  positionHistoryRoutes,
  transactionHistoryRoutes,
  balanceHistoryRoutes,
  notificationRoutes,
  registrationRoutes,
  apiKeyRoutes,
  docsRoutes,
  asyncApiRoutes,
]

/** No public read has a body; signed requests are small. */
const BODY_BYTES_MAX = 64 * 1024
/** Longer than any identifier of a path. */
const PARAM_LENGTH_MAX = 256
/** A request that takes longer to arrive is refused, so that slow ones cannot hold connections. */
const REQUEST_TIMEOUT_MS = 10_000
/** How often slow requests are looked for. */
const TIMEOUT_LOOK_MS = 1_000

export type AppDeps = Omit<RestDeps, 'keys' | 'wallets' | 'overviews'> &
  Readonly<{
    /** Without `delay`, nothing is written before the end that can wait. */
    clock: Readonly<{ delay?: KeyCheckDeps['delay'] }>
    rates: RateOptions
    /** Origins that browsers may call from; `*` for any. */
    corsOrigins: readonly string[]
    /** How long a request may take to arrive, REQUEST_TIMEOUT_MS by default. */
    requestTimeoutMs?: number
    /** What else /metrics tells, of the process around this server. */
    processMetrics?: Metrics
    /** What the sockets carry, if not what the model tells. */
    channels?: Channels
    logger?: FastifyBaseLogger
  }>

/** Returns the server, ready to listen or to be injected into. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { model, corsOrigins } = deps
  const limits = new RateLimits(deps.rates)
  const isAnyOrigin = corsOrigins.includes('*')
  const meter = new RouteMeter()
  const headers = isAnyOrigin ? ANY_ORIGIN_HEADERS : []
  const hot = new HotPath({ limits, meter, isAnyOrigin, headers })
  forgetWithMarkets(hot, model)
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const { keys, wallets, overviews, sockets } = partsOf(deps)
  const app = fastify({
    ...(deps.logger === undefined ? {} : { loggerInstance: deps.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout,
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: true },
    frameworkErrors,
    clientErrorHandler,
    serverFactory: serverOf({ hot, sockets, requestTimeout }),
  }).withTypeProvider<SchemaTypes>() as unknown as App
  app.decorate('hot', hot)
  app.decorate('sockets', sockets)
  app.addHook('preClose', () => sockets.close())
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const parse = parametersOf(schema as Parameters<typeof parametersOf>[0], httpPart ?? '')
    return (raw) => ({ value: parse(raw) })
  })
  app.setSerializerCompiler(() => JSON.stringify)
  app.addSchema({ ...Problem, $id: 'Problem' })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  const refuseUnknown = answerErrors(app)
  await app.register(cors, {
    origin: isAnyOrigin ? '*' : [...corsOrigins],
    exposedHeaders: EXPOSED_HEADERS,
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  })
  // After the headers for other origins, so that a refusal has them as well.
  limitRates(app, limits)
  markKeyedRoutes(app)
  refuseUnknown()
  await app.register(swagger, openApiOptions())
  serveMetrics(app, {
    model,
    hot,
    meter,
    sockets,
    clock: deps.clock,
    ofProcess: deps.processMetrics,
  })
  app.addHook('onClose', () => keys.close())
  const { accounts, clock } = deps
  app.decorate('sampler', samplerOf(accounts, { overviews, sockets, nowMs: clock.nowMs }))
  const restDeps: RestDeps = { ...deps, keys, wallets, overviews }
  for (const routes of ROUTES) routes(app, restDeps)
  return app
}

/** What routes and sockets stand on. Of an entry each hears before whoever is built on it. */
function partsOf(deps: AppDeps) {
  const { model, clock, accounts } = deps
  const { identity, history, notices, settings } = accounts
  const keys = new KeyChecks({ identity, ...clock })
  const wallets = new Wallets(model, history)
  const overviews = new Overviews({ model, accounts, wallets, clock })
  const failed = (error: unknown) => deps.logger?.error({ err: error }, 'a socket failed')
  const channelClock = { nowMs: clock.nowMs, every: everyOf(clock.delay, failed) }
  const { chainId } = settings
  const channels =
    deps.channels ??
    createChannels({ model, wallets, history, notices, overviews, chainId, clock: channelClock })
  const { corsOrigins, rates } = deps
  const sockets = new Sockets({
    channels,
    keys,
    clock,
    identity,
    failed,
    consume: rates.consume,
    settings: settings.sockets,
    proxyHops: rates.proxyHops,
    origins: { isAny: corsOrigins.includes('*'), list: corsOrigins },
  })
  return { keys, wallets, overviews, sockets }
}

/** Without a way to wait, time alone changes nothing on the channels. */
const everyOf =
  (delay: KeyCheckDeps['delay'], failed: (error: unknown) => void): Every =>
  (ms, act) => {
    const stopping = new AbortController()
    const { signal } = stopping
    const run = async () => {
      while (delay !== undefined && !signal.aborted) {
        await delay(ms, signal)
        try {
          if (!signal.aborted) act()
        } catch (error) {
          failed(error)
        }
      }
    }
    run().catch(failed)
    return () => stopping.abort()
  }

type Serving = Readonly<{ hot: HotPath; sockets: Sockets; requestTimeout: number }>

/** The one port: known URLs from memory, sockets, and the routes. */
const serverOf =
  ({
    hot,
    sockets,
    requestTimeout,
  }: Serving): NonNullable<FastifyHttpOptions<Server>['serverFactory']> =>
  (handler, options) => {
    const shouldUpgradeCallback = (request: IncomingMessage) => sockets.isUpgrade(request)
    const all = { ...options, ...connectionOptions(requestTimeout), shouldUpgradeCallback }
    return createServer(all, (request, response) => {
      if (!hot.serve(request, response) && !sockets.serve(request, response))
        handler(request, response)
    }).on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  }

/** Without a Host header a request is refused by Node, in another form than all others. */
const connectionOptions = (requestTimeout: number) => ({
  requestTimeout,
  connectionsCheckingInterval: Math.min(requestTimeout, TIMEOUT_LOOK_MS),
  requireHostHeader: false,
})

/** What a page of another origin may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Block-Number',
  'X-Block-Hash',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RETRY-AFTER',
].join(', ')
const ANY_ORIGIN_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED_HEADERS,
]

/**
 * What a URL means depends on which markets there are; and what memory could answer alone, it
 * cannot once old rows left it.
 */
function forgetWithMarkets(hot: HotPath, model: VenueModel): void {
  const version = () => `${model.versions.listing} ${model.versions.left}`
  let seen = version()
  model.onLoad(() => hot.clear())
  model.onEntry(() => {
    if (version() === seen) return
    seen = version()
    hot.clear()
  })
}
