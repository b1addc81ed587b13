// Runs the venue's indexer.
import { setTimeout as sleep } from 'node:timers/promises'
import { createIndexer, type Indexer } from '@openvenue/indexer/indexer'
import type { Store } from '@openvenue/store/store'
import type { Logger } from 'pino'
import type { Chain } from './chain.ts'
import type { DevnetDeployment } from './deployment.ts'
import type { Startup } from './startup.ts'

type IndexingOptions = Readonly<{
  chain: Chain
  deployment: DevnetDeployment
  store: Store
  host: string
  /** 0 picks a free one. */
  indexerPort: number
  log: Logger
}>

export type RunningIndexer = Readonly<{
  indexerUrl: string
  /** Resolves when everything is indexed; rejects when the indexer cannot continue. */
  synced: (startup: Startup) => Promise<void>
  /** Rejects when the indexer cannot continue. */
  failed: Promise<never>
  stop: () => Promise<void>
}>

/**
 * The chain loses at most the blocks since its save before last; that many can be undone. Saves are
 * at most 90 seconds apart, with five blocks per second.
 */
const FINALITY_BLOCKS = 1_000
const LAG_MAX = 20
const SYNC_POLL_MS = 10

/** Starts to follow the chain; resolves when the indexer's port is open. */
export async function startIndexing(options: IndexingOptions): Promise<RunningIndexer> {
  const { host, indexerPort: port } = options
  const indexer = createNode(options)
  const indexerUrl = await indexer.host.listen({ host, port })
  indexer.start()
  const failed = failing(indexer)
  // Avoids unhandled rejections for callers that do not await it.
  failed.catch(() => {})
  return {
    indexerUrl,
    failed,
    synced: async (startup) => {
      startup.begin('indexing')
      await Promise.race([caughtUp(indexer, startup), failed])
    },
    stop: async () => {
      await indexer.stop()
      await indexer.host.close()
    },
  }
}

const createNode = ({ chain, deployment, store, log }: IndexingOptions) =>
  createIndexer({
    store,
    deployment,
    chainId: deployment.chainId,
    rpcUrls: [chain.url],
    rpcWsUrls: [chain.wsUrl],
    finalityBlocks: FINALITY_BLOCKS,
    lagMax: LAG_MAX,
    log: log.child({ part: 'indexer' }),
  })

/** Resolves when everything is indexed. */
async function caughtUp(indexer: Indexer, startup: Startup): Promise<void> {
  for (;;) {
    const { status, lag, head, synced: done } = indexer.readiness()
    if (status === 'ready' && lag === 0) return
    startup.advance({ done: done ?? 0, of: head ?? 0, unit: 'blocks' })
    await sleep(SYNC_POLL_MS)
  }
}

/** Never resolves: an indexer that was not stopped only ends with an error. */
const failing = async (indexer: Indexer): Promise<never> => {
  await indexer.ended
  return new Promise<never>(() => {})
}
