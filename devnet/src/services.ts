// Runs the venue's services on one store in one process: the API and the second host.
import { setTimeout as sleep } from 'node:timers/promises'
import { type BucketName, rateBuckets } from '@openvenue/api/http/limits'
import { createIntegratedListener, type IntegratedListener } from '@openvenue/api/integrated/node'
import { createAccountDeps } from '@openvenue/api/node/account-deps'
import type { RestConfig } from '@openvenue/api/node/config'
import { type Metrics, processMetrics } from '@openvenue/api/node/metrics'
import { type ApiNode, type ApiNodeDeps, createApiNode } from '@openvenue/api/node/node'
import { createProbes } from '@openvenue/api/node/probes'
import { publishedDeployment } from '@openvenue/api/node/published-deployment'
import { readTerminal, type Terminal } from '@openvenue/api/rest/terminal-files'
import { openTracer, type Tracer } from '@openvenue/runtime/tracing'
import { type Cache, openCache } from '@openvenue/store/db/cache'
import { readStandbys } from '@openvenue/store/db/standbys'
import type { Store } from '@openvenue/store/store'
import type { Logger } from 'pino'
import { privateKeyToAddress } from 'viem/accounts'
import type { Chain } from './chain.ts'
import type { DevnetDeployment } from './deployment.ts'
import type { RunningIndexer } from './indexing.ts'
import { ROLES } from './roles.ts'
import type { Startup } from './startup.ts'
import { VERSION } from './version.ts'
import { derivePrivateKey } from './wallet-keys.ts'

export type ServiceOptions = Readonly<{
  chain: Chain
  deployment: DevnetDeployment
  store: Store
  indexing: RunningIndexer
  host: string
  /** Ports; 0 picks a free one. */
  port: number
  redisUrl: string | undefined
  rest: RestConfig
  startup: Startup
  log: Logger
}>

export type Services = Readonly<{
  apiUrl: string
  integratedUrl: string
  /** The API serves the trading page. */
  hasTerminal: boolean
  /** Why the page was not built; undefined: it was, or was not requested. */
  terminalProblem: string | undefined
  /** Rejects when the API cannot continue. */
  failed: Promise<never>
  stop(): Promise<void>
}>

/** Half a minute: one process mines, indexes and answers, on a machine that may be busy. */
const API_LAG_MAX = 150

/** Starts the services once everything is indexed; resolves when both serve the newest block. */
export async function startServices(options: ServiceOptions): Promise<Services> {
  const cache = await openCache({
    redisUrl: options.redisUrl,
    buckets: rateBuckets(options.rest),
  })
  const { tracesUrl: url } = options.rest
  const tracer = await openTracer({ url, service: 'openvenue-api', log: options.log })
  const parts: { api?: ApiNode; integrated?: IntegratedListener } = {}
  const stop = async () => {
    await parts.integrated?.stop()
    await parts.api?.stop()
    await cache.close()
    await tracer.close()
  }
  try {
    await options.indexing.synced(options.startup)
    options.startup.begin('starting the services')
    const terminalProblem = await options.startup.pageBuilt
    const { indexerUrl } = options.indexing
    const { db } = options.store
    const shared = {
      indexerUrl,
      cache,
      tracer,
      metrics: processMetrics({ db, cache, standbys: () => readStandbys(db) }),
    }
    const terminal = readTerminal(options.rest.terminalDir, pageHosts(options))
    const api = await apiNode(options, { ...shared, terminal, terminalProblem })
    parts.api = api
    const apiUrl = await api.start()
    parts.integrated = await integratedHost(options, { ...shared, api })
    const integratedUrl = await parts.integrated.start()
    return {
      apiUrl,
      integratedUrl,
      hasTerminal: terminal !== undefined,
      terminalProblem,
      failed: api.failed,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The page has pools if the address of the second host is known before it is opened. */
const pageHosts = ({ rest, startup }: ServiceOptions) => ({
  integratedUrl: rest.publicIntegratedUrl ?? startup.ports?.integrated.url,
})

type SharedServices = Readonly<{
  indexerUrl: string
  cache: Cache<BucketName>
  tracer: Tracer
  /** Metrics of this process, served by both hosts. */
  metrics: Metrics
}>

/** Options of both hosts. */
const hostOptions = (
  options: ServiceOptions,
  { indexerUrl, cache, metrics, tracer }: SharedServices,
) => {
  const { chain, host, rest } = options
  return {
    host,
    probes: createProbes({
      pingCache: cache.ping,
      rpcUrls: [chain.url],
      indexerUrls: [indexerUrl],
    }),
    corsOrigins: rest.corsOrigins,
    logsRequests: rest.logsRequests,
    tracer,
    options: { ...rest, environment: 'devnet', version: VERSION },
    clock,
    processMetrics: metrics,
  }
}

const clock: ApiNodeDeps['clock'] = {
  monotonicMs: () => performance.now(),
  nowMs: Date.now,
  delay: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}

/** The first wallet of the relayer. */
const CANCELLER = privateKeyToAddress(derivePrivateKey(ROLES.relayers[0])).toLowerCase()

const apiNode = (
  options: ServiceOptions,
  shared: SharedServices &
    Readonly<{ terminal: Terminal | undefined; terminalProblem: string | undefined }>,
) => {
  const { chain, store, port, rest, deployment, log } = options
  const { chainId, accounts: accountsContract } = deployment
  const receiptKey = rest.settings.receiptKey ?? derivePrivateKey(ROLES.receipts)
  const cancellerAddress = rest.settings.cancellerAddress ?? CANCELLER
  const settings = { ...rest.settings, chainId, accountsContract, receiptKey, cancellerAddress }
  return createApiNode({
    ...hostOptions(options, shared),
    port,
    startingPort: options.startup.ports?.api,
    lagMax: API_LAG_MAX,
    reader: store.reader,
    accounts: createAccountDeps(store, { rpcUrls: [chain.url], settings }),
    published: {
      ...publishedDeployment(deployment),
      rpcUrls: rest.publicRpcUrls.length > 0 ? rest.publicRpcUrls : [chain.url],
      explorerUrl: rest.explorerUrl,
      gas: rest.gas,
    },
    terminal: shared.terminal,
    terminalProblem: shared.terminalProblem,
    rates: { ...rest, consume: shared.cache.consume },
    logger: log.child({ part: 'api' }),
  })
}

/** The second host answers from the model of the first. */
const integratedHost = (
  options: ServiceOptions,
  shared: SharedServices & Readonly<{ api: ApiNode }>,
) => {
  const { rest, deployment, log } = options
  return createIntegratedListener({
    ...hostOptions(options, shared),
    port: rest.integratedPort,
    startingPort: options.startup.ports?.integrated,
    model: shared.api.model,
    freshness: shared.api.freshness,
    settings: { ...rest, ...rest.settings, chainId: deployment.chainId },
    rates: { ...rest, publicRate: rest.integratedRate, consume: shared.cache.consume },
    tokenList: rest.tokenList,
    logger: log.child({ part: 'integrated' }),
  })
}
