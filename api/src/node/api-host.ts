// The REST host: the parts that routes share, and the list of routes.

import { Outage, type OutageLog } from '@openvenue/runtime/outage'
import { NO_TRACER } from '@openvenue/runtime/tracing'
import { AccountPasts } from '../account/account-past.ts'
import { Overviews } from '../account/overview.ts'
import { OwnedReads } from '../account/owned-reads.ts'
import { Wallets } from '../account/wallets.ts'
import { refuseWrites } from '../http/edge.ts'
import { createHost, type HostDeps } from '../http/host.ts'
import type { Host } from '../http/host-type.ts'
import { accountPoints } from '../http/limits.ts'
import { openApiOptions } from '../http/openapi.ts'
import { OrderMeter } from '../http/order-meter.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import { createAuthenticate, markKeyedRoutes } from '../identity/authenticate.ts'
import { type KeyCheckDeps, KeyChecks } from '../identity/key-checks.ts'
import { chainHead } from '../model/chain-head.ts'
import { FreshReads } from '../model/fresh-reads.ts'
import { Freshness, LAG_MAX } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { answeringIntents, type OrderParts } from '../orders/order-parts.ts'
import { ConnectionEnds } from '../orders/place/connection-ends.ts'
import { IncludedWaits } from '../orders/relay/included-waits.ts'
import { IntentBook } from '../orders/relay/intent-book.ts'
import { OrderBudgets } from '../orders/relay/order-budgets.ts'
import { createReceipts } from '../orders/relay/receipt.ts'
import { createRelayStatus, type Relay } from '../orders/relay/relay-status.ts'
import { SafeguardBook } from '../orders/relay/safeguards.ts'
import { Signers } from '../orders/rules/signing-keys.ts'
import { abiRoutes } from '../rest/abi.ts'
import { accountRoutes } from '../rest/account.ts'
import { accountCsvRoutes } from '../rest/account-csv.ts'
import { accountMarginRoutes } from '../rest/account-margin.ts'
import { accountStatsRoutes } from '../rest/account-stats.ts'
import { accountTradeRoutes } from '../rest/account-trades.ts'
import { accumulatedFundingRoutes } from '../rest/accumulated-fundings.ts'
import { apiKeyRoutes } from '../rest/api-keys.ts'
import { asyncApiRoutes } from '../rest/asyncapi.ts'
import { balanceHistoryRoutes } from '../rest/balance-history.ts'
import { cancellerChangeRoutes } from '../rest/canceller-changes.ts'
import { cancellerRoutes } from '../rest/cancellers.ts'
import { candleRoutes } from '../rest/candles.ts'
import { chartingRoutes } from '../rest/charting.ts'
import { docsRoutes } from '../rest/docs.ts'
import { markdownRoutes } from '../rest/docs-markdown.ts'
import { errorRoutes } from '../rest/error-catalogue.ts'
import { fundingRoutes } from '../rest/funding.ts'
import { fundingHistoryRoutes } from '../rest/funding-history.ts'
import { homeRoutes } from '../rest/home.ts'
import { indexPriceRoutes } from '../rest/index-prices.ts'
import { infoRoutes } from '../rest/info.ts'
import { limitRoutes } from '../rest/limits.ts'
import { liquidationRoutes } from '../rest/liquidations.ts'
import { marketRoutes } from '../rest/markets.ts'
import { notificationRoutes } from '../rest/notifications.ts'
import { openOrderRoutes } from '../rest/open-orders.ts'
import { orderBookRoutes } from '../rest/order-book.ts'
import { orderBookL3Routes } from '../rest/order-book-l3.ts'
import { orderCancelRoutes } from '../rest/order-cancels.ts'
import { orderEntryRoutes } from '../rest/order-entry.ts'
import { orderHistoryRoutes } from '../rest/order-history.ts'
import { orderPreviewRoutes } from '../rest/order-preview.ts'
import { orderRoutes } from '../rest/orders.ts'
import { positionHistoryRoutes } from '../rest/position-history.ts'
import { positionRoutes } from '../rest/positions.ts'
import { priceHistoryRoutes } from '../rest/price-history.ts'
import { programDocumentRoutes } from '../rest/program-documents.ts'
import { NOTHING_PUBLISHED, type PublishedVenue } from '../rest/published.ts'
import { registrationRoutes } from '../rest/registration.ts'
import { relayRoutes } from '../rest/relay.ts'
import type { Parts, RouteParts, Routes } from '../rest/route.ts'
import { safeguardRoutes } from '../rest/safeguards.ts'
import { serviceRoutes } from '../rest/service.ts'
import { statisticsRoutes } from '../rest/statistics.ts'
import { stopOrderRoutes } from '../rest/stop-orders.ts'
import { summaryRoutes } from '../rest/summary.ts'
import { terminalRoutes } from '../rest/terminal.ts'
import type { Terminal } from '../rest/terminal-files.ts'
import { tickerRoutes } from '../rest/tickers.ts'
import { tradeRoutes } from '../rest/trades.ts'
import { transactionHistoryRoutes } from '../rest/transaction-history.ts'
import { createChannels } from '../sockets/channels/catalogue.ts'
import { Sockets } from '../sockets/sockets.ts'
import type { ChannelClock } from '../sockets/streams/open-streams.ts'
import type { Channels } from '../sockets/streams/stream.ts'
import type { AccountDeps } from './account-deps.ts'
import { createSampler } from './equity-sampler.ts'
import { type Metrics, serveMetrics } from './metrics.ts'

const ROUTES: readonly Routes<keyof RouteParts>[] = [
  homeRoutes,
  terminalRoutes,
  serviceRoutes,
  infoRoutes,
  relayRoutes,
  abiRoutes,
  errorRoutes,
  marketRoutes,
  orderBookRoutes,
  orderBookL3Routes,
  tradeRoutes,
  liquidationRoutes,
  statisticsRoutes,
  fundingRoutes,
  fundingHistoryRoutes,
  indexPriceRoutes,
  priceHistoryRoutes,
  tickerRoutes,
  summaryRoutes,
  candleRoutes,
  chartingRoutes,
  accountRoutes,
  accountMarginRoutes,
  limitRoutes,
  safeguardRoutes,
  accountStatsRoutes,
  accountCsvRoutes,
  cancellerRoutes,
  cancellerChangeRoutes,
  accumulatedFundingRoutes,
  positionRoutes,
  openOrderRoutes,
  orderRoutes,
  orderPreviewRoutes,
  orderEntryRoutes,
  orderCancelRoutes,
  accountTradeRoutes,
  orderHistoryRoutes,
  stopOrderRoutes,
  positionHistoryRoutes,
  transactionHistoryRoutes,
  balanceHistoryRoutes,
  notificationRoutes,
  registrationRoutes,
  apiKeyRoutes,
  docsRoutes,
  markdownRoutes,
  programDocumentRoutes,
  asyncApiRoutes,
]

export type ApiHostDeps = Parts<'model' | 'clock' | 'options' | 'probes' | 'reader'> &
  HostDeps &
  Readonly<{
    accounts: AccountDeps
    /** Facts that the operator publishes; none by default. */
    published?: PublishedVenue
    /** The terminal; none by default. */
    terminal?: Terminal | undefined
    /** The reason why the terminal is missing, if one was expected. */
    terminalProblem?: string | undefined
    /** Without `delay`, writes that can wait are made at the end. */
    clock: Readonly<{ delay?: KeyCheckDeps['delay'] }>
    /** The age of the data, from the node around this host. */
    freshness?: Freshness
    /** Further metrics of the process around this host. */
    processMetrics?: Metrics
    /** The channels of the sockets; those of the model unless given. */
    channels?: Channels
  }>

/** Returns the host, ready to listen or to be injected into. */
export async function createApiHost(deps: ApiHostDeps): Promise<Host> {
  const { model } = deps
  const { sockets, connectionEnds, ...parts } = createParts(deps)
  const { keys, overviews, orderParts } = parts
  const prepare = markKeyedRoutes
  const { host, responseCache, meter } = await createHost(deps, {
    openApi: openApiOptions(),
    freshness: parts.freshness,
    chain: chainHead(model, deps.clock.delay),
    sockets,
    prepare,
  })
  refuseWrites(host, deps.accounts.settings.edge)
  clearOnListing(responseCache, model)
  host.decorate('sockets', sockets)
  host.decorate('intentBook', orderParts.intentBook)
  host.decorate('safeguardBook', orderParts.safeguardBook)
  host.decorate('includedWaits', orderParts.waits)
  host.decorate('connectionEnds', connectionEnds)
  host.addHook('preClose', () => sockets.close())
  host.addHook('preClose', async () => orderParts.waits.close())
  serveMetrics(host, {
    model,
    responseCache,
    meter,
    further: [sockets, orderParts.orderMeter],
    clock: deps.clock,
    freshness: parts.freshness,
    ofProcess: deps.processMetrics,
    cacheMs: deps.options.readyCacheMs,
    replicaSeq: async () => (await deps.reader.candleBefore(NO_CANDLE)).seq,
    primarySeq: async () => (await deps.reader.candleBefore(NO_CANDLE, 'primary')).seq,
  })
  host.addHook('onClose', () => keys.close())
  const { accounts, clock } = deps
  host.decorate('sampler', createSampler(accounts, { overviews, sockets, nowMs: clock.nowMs }))
  const authenticate = createAuthenticate(keys, accounts.settings.headerBrands)
  const { published = NOTHING_PUBLISHED, terminal, terminalProblem } = deps
  const routeParts: RouteParts = {
    ...deps,
    ...accounts,
    ...parts,
    authenticate,
    published,
    terminal,
    terminalProblem,
  }
  for (const routes of ROUTES) routes(host, routeParts)
  return host
}

/** No market has it: the cheapest query that returns the replica's position. */
const NO_CANDLE = { market: '0x', resolution: '1m', beforeSeconds: 0 }

/** Creates the relayer's status and receipts. */
const createRelay = ({ accounts: { intents, settings }, clock }: ApiHostDeps): Relay => ({
  readStatus: createRelayStatus(intents, clock),
  receipts: settings.receiptKey && createReceipts({ ...settings, receiptKey: settings.receiptKey }),
})

/** Creates the parts of routes and sockets. Each handles an entry before those that use it. */
function createParts(deps: ApiHostDeps) {
  const { model, clock, accounts } = deps
  const { identity, history, notifications, settings } = accounts
  const isReadOnly = settings.edge !== undefined
  const keys = new KeyChecks({ identity, ...clock, seal: settings.secretSeal, isReadOnly })
  const freshness = deps.freshness ?? new Freshness({ model, clock, lagMax: LAG_MAX })
  const fresh = new FreshReads({ model, ...clock })
  const wallets = new Wallets({ model, history, fresh })
  const owned = new OwnedReads({ model, reader: deps.reader })
  const pasts = new AccountPasts({ model, history, fresh, wallets, owned })
  const overviews = new Overviews({ model, settings, wallets, owned, clock, freshness })
  const failed = (error: unknown) => deps.logger?.error({ err: error }, 'a socket failed')
  const channelClock = { ...clock, every: createEvery(clock.delay, failed) }
  const { chainId, trading } = settings
  const signers = new Signers({ model, history, fresh })
  const relay = createRelay(deps)
  const orderParts = createOrderParts(deps, { wallets, owned, fresh, signers, relay })
  const channels =
    deps.channels ??
    createChannels({
      model,
      reader: deps.reader,
      wallets,
      fresh,
      owned,
      history,
      notifications,
      overviews,
      intentBook: orderParts.intentBook,
      chainId,
      trading,
      clock: channelClock,
    })
  const connectionEnds = new ConnectionEnds({ ...accounts, ...waiting(deps) })
  const { corsOrigins, rates } = deps
  const sockets = new Sockets({
    channels,
    keys,
    clock,
    identity,
    connectionEnds,
    failed,
    loginFailed: (facts) => deps.logger?.warn(facts, 'login failed'),
    consume: rates.consume,
    orderEntry: { parts: orderParts, take: accountPoints(rates) },
    trading,
    edge: settings.edge,
    settings: settings.sockets,
    proxyHops: rates.proxyHops,
    origins: { isAny: corsOrigins.includes('*'), list: corsOrigins },
  })
  const reads = { wallets, fresh, owned, pasts, overviews, signers }
  return { ...reads, keys, freshness, relay, sockets, orderParts, connectionEnds }
}

/** Creates the services of the commands on orders. */
function createOrderParts(
  deps: ApiHostDeps,
  reads: Pick<OrderParts, 'wallets' | 'owned' | 'fresh' | 'signers'> & Readonly<{ relay: Relay }>,
): OrderParts {
  const { model, clock, accounts } = deps
  const { intents, history, settings, orderChain, safeguards } = accounts
  const { log, delay } = waiting(deps)
  const intentBook = new IntentBook({ intents, model, delay, outages: intentOutages(log) })
  const safeguardBook = new SafeguardBook({ safeguards, clock, delay, log })
  return {
    ...reads,
    ...orderChain,
    model,
    clock,
    history,
    settings,
    intentBook,
    safeguardBook,
    safeguards,
    waits: new IncludedWaits(model, intentBook, delay),
    orderMeter: new OrderMeter(clock, deps.logsRequests === true ? deps.logger : undefined),
    tracer: deps.tracer ?? NO_TRACER,
    budgets: new OrderBudgets({ ...accounts, ...reads, model, clock }),
    intents: answeringIntents(intents),
    receipts: reads.relay.receipts,
  }
}

/** Outages of the reads of an intent book. */
const intentOutages = (log: OutageLog) => ({
  intents: new Outage({
    log,
    down: 'the intents cannot be read',
    up: 'the intents are read again',
  }),
  status: new Outage({
    log,
    down: 'the status of the relayer cannot be read',
    up: 'the status of the relayer is read again',
  }),
})

/** Returns the wait function and the logger. */
const waiting = ({ clock, logger }: ApiHostDeps) => ({
  log: {
    info: (facts: object, text: string) => logger?.info(facts, text),
    warn: (facts: object, text: string) => logger?.warn(facts, text),
  },
  delay: clock.delay ?? (() => Promise.resolve()),
})

/** Without a delay function, the passing of time causes no messages on channels. */
const createEvery =
  (delay: KeyCheckDeps['delay'], failed: (error: unknown) => void): ChannelClock['every'] =>
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

/**
 * Clears the cache when markets come or go, since they decide what a URL means, and when old rows
 * leave memory, which may be incomplete then.
 */
function clearOnListing(responseCache: ResponseCache, model: VenueModel): void {
  const version = () => `${model.versions.listing} ${model.versions.left}`
  let seen = version()
  model.onLoad(() => responseCache.clear())
  model.onEntry(() => {
    if (version() === seen) return
    seen = version()
    responseCache.clear()
  })
}
