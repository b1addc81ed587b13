// The venue's services on one store in one process: the indexer and the API.
import { setTimeout as sleep } from 'node:timers/promises'
import { accountDepsOf } from '@openvenue/api/account/deps'
import { type Api, createApi } from '@openvenue/api/api'
import type { RestConfig } from '@openvenue/api/config'
import { type BucketName, bucketsOf } from '@openvenue/api/limits'
import { processMetrics } from '@openvenue/api/metrics'
import { probesOf } from '@openvenue/api/probes'
import { createIndexer, type Indexer } from '@openvenue/indexer/indexer'
import { type Cache, openCache } from '@openvenue/store/cache'
import type { Store } from '@openvenue/store/store'
import type { Logger } from 'pino'
import type { Chain } from './chain.ts'
import type { Deployment } from './deployment.ts'

export type ServiceOptions = Readonly<{
  chain: Chain
  deployment: Deployment
  store: Store
  host: string
  /** Ports; 0 takes a free one. */
  port: number
  indexerPort: number
  redisUrl: string | undefined
  rest: RestConfig
  version: string
  log: Logger
}>

export type Services = Readonly<{
  apiUrl: string
  indexerUrl: string
  /** Rejects when the indexer or the API can no longer go on. */
  failed: Promise<never>
  stop(): Promise<void>
}>

/**
 * The chain forgets at most what it made since it was last saved; that many blocks can be undone.
 * Saving every 30 seconds makes 150 of them at most.
 */
const FINALITY_BLOCKS = 1_000
const LAG_MAX = 20
const SYNC_POLL_MS = 10

/** Starts the services; returns when both serve the newest block. */
export async function startServices(options: ServiceOptions): Promise<Services> {
  const indexer = indexerOf(options)
  const cache = await openCache({
    redisUrl: options.redisUrl,
    buckets: bucketsOf(options.rest),
  })
  const parts: { api?: Api } = {}
  const stop = async () => {
    await parts.api?.stop()
    await indexer.stop()
    await indexer.app.close()
    await cache.close()
  }
  try {
    const indexerUrl = await indexer.app.listen({ host: options.host, port: options.indexerPort })
    indexer.start()
    await Promise.race([synced(indexer), ending(indexer)])
    const api = await apiOf(options, { indexerUrl, cache })
    parts.api = api
    const apiUrl = await api.start()
    return { apiUrl, indexerUrl, failed: Promise.race([ending(indexer), api.failed]), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const indexerOf = ({ chain, deployment, store, log }: ServiceOptions) =>
  createIndexer({
    store,
    deployment,
    chainId: deployment.chainId,
    rpcUrl: chain.url,
    rpcWsUrl: chain.wsUrl,
    finalityBlocks: FINALITY_BLOCKS,
    lagMax: LAG_MAX,
    log: log.child({ part: 'indexer' }),
  })

type Doors = Readonly<{ indexerUrl: string; cache: Cache<BucketName> }>

const apiOf = (options: ServiceOptions, { indexerUrl, cache }: Doors) => {
  const { chain, store, host, port, rest, deployment, version, log } = options
  const { chainId, lens } = deployment
  const settings = { ...rest.settings, chainId, lens }
  return createApi({
    host,
    port,
    reader: store.reader,
    accounts: accountDepsOf(store, { rpcUrl: chain.url, settings }),
    probes: probesOf({ pingCache: cache.ping, rpcUrl: chain.url, indexerUrl }),
    rates: { ...rest, consume: cache.consume },
    corsOrigins: rest.corsOrigins,
    options: { ...rest, environment: 'devnet', version },
    clock: {
      nowMs: Date.now,
      delay: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    },
    processMetrics: processMetrics(),
    logger: log.child({ part: 'api' }),
  })
}

/** Returns when nothing is left to read. */
async function synced(indexer: Indexer): Promise<void> {
  for (;;) {
    const { status, lag } = indexer.readiness()
    if (status === 'ready' && lag === 0) return
    await sleep(SYNC_POLL_MS)
  }
}

/** Never fulfilled: an indexer that was not stopped only ends with an error. */
const ending = async (indexer: Indexer): Promise<never> => {
  await indexer.ended
  return new Promise<never>(() => {})
}
