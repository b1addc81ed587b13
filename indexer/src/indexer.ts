// Starts and stops the indexer as a unit: it watches the chain's head, follows it, and serves its
// state. The standalone process (`main.ts`) and the devnet share this code.

import { RpcError } from '@openvenue/runtime/json-rpc'
import { Outage } from '@openvenue/runtime/outage'
import { readServerState } from '@openvenue/store/maintenance/server-state'
import type { Store } from '@openvenue/store/store'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ChainHeader } from './chain.ts'
import type { IndexerDeployment } from './deployment.ts'
import { Endpoints } from './endpoints.ts'
import { compileEvents } from './events.ts'
import { Follower, type FollowWatch, isOnStandby, StoreFailed } from './follow.ts'
import { HeadFeed, type HeadWay, pause, watchHeads } from './heads.ts'
import { createHost } from './host.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { assessReadiness, noteHead, type Progress, type Readiness } from './progress.ts'
import { connectRpc, type Rpc } from './rpc.ts'
import { Solvency } from './solvency.ts'

type IndexerOptions = Readonly<{
  store: Store
  deployment: IndexerDeployment
  chainId: number
  /** RPC endpoints of the chain, the preferred one first. */
  rpcUrls: readonly string[]
  /** WebSocket URLs for newHeads, in the same order; without one, the head is polled. */
  rpcWsUrls?: readonly string[]
  /** Poll interval of the head without a subscription. */
  pollMs?: number
  /** Depth at which blocks are final. */
  finalityBlocks: number
  /** Maximum number of blocks behind the head at which `/ready` answers 200. */
  lagMax: number
  log: FastifyBaseLogger
}>

export type Indexer = Readonly<{
  /** `/ready`, `/snapshot`, `/metrics`; the caller listens and closes. */
  host: FastifyInstance
  start(): void
  /** Resolves after `stop`; rejects with the error that ended the indexer. */
  ended: Promise<void>
  /** Stops the indexer; nothing is being written when this returns. */
  stop(): Promise<void>
  readiness(): Readiness
}>

/** Thrown when a chain other than the configured one answers. */
class WrongChain extends Error {
  override name = 'WrongChain'
}

const POLL_MS = 250
/** Timeout of one of several nodes. */
const PEER_TIMEOUT_MS = 4_000
/** Log interval of failures of a node without the state of older blocks. */
const SAID_AGAIN_MS = 10_000
const CHAIN_ID_RETRY_MS = 500
/** Interval between two measurements of the database server. */
const DATABASE_MS = 10_000

/** Returns an indexer that writes `deployment` into `store`. It is idle until `start`. */
export function createIndexer(deps: IndexerOptions): Indexer {
  const { store, lagMax, log } = deps
  const metrics = createMetrics()
  const progress: Progress = {
    head: undefined,
    headAtMs: 0,
    behindSinceMs: undefined,
    synced: undefined,
  }
  const stopped = new AbortController()
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  // Callers that await it get the failure; otherwise it is logged here.
  ended.catch((error) => log.error({ err: error }, 'the indexer ended'))
  const readiness = () => assessReadiness(progress, lagMax, monotonicMs())
  let isStarted = false
  return {
    host: createHost({ store, registry: metrics.registry, readiness, log }),
    start() {
      isStarted = true
      run(deps, { metrics, progress }, stopped).then(resolve, reject)
    },
    ended,
    async stop() {
      stopped.abort()
      if (!isStarted) resolve()
      await ended.catch(() => undefined)
    },
    readiness,
  }
}

type Observers = Readonly<{ metrics: Metrics; progress: Progress }>

/** Runs until stopped. When stopped, or when one part fails, ends every part. */
async function run(
  deps: IndexerOptions,
  observers: Observers,
  stopped: AbortController,
): Promise<void> {
  const { signal } = stopped
  const nodes = connectAll(deps.rpcUrls)
  const rpcs = nodes.map(({ rpc }) => rpc)
  const endpoints = new Endpoints(rpcs, { nowMs: monotonicMs, areAdmitted: false })
  const heads = new HeadFeed(endpoints.isIgnored)
  const solvency = compareHoldings(deps, observers, endpoints)
  const follower = new Follower({
    endpoints,
    heads,
    watch: makeWatch(deps.log, observers, solvency),
    nowMs: monotonicMs,
    writer: deps.store.writer,
    events: compileEvents(deps.deployment),
    startBlock: deps.deployment.startBlock,
    finalityBlocks: deps.finalityBlocks,
  })
  const onHead = (header: ChainHeader) => {
    endpoints.recordHead(header.source.endpoint, header)
    const newest = endpoints.head ?? header
    noteHead(observers.progress, newest, monotonicMs())
    observers.metrics.head(newest)
    heads.offer(header)
  }
  const headKnown = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => headKnown.resolve(), { once: true })
  try {
    await allUntilOneEnds(stopped, [
      ...rpcs.map(async (rpc, endpoint) => {
        const failures = headFailures(deps.log, observers.metrics, endpoint)
        const failed = (error: unknown) => failures.failed(error, 'polled')
        await expectChain(rpc, deps.chainId, { signal, failed })
        endpoints.admit(endpoint)
        headKnown.resolve()
        const { rpcWsUrls, pollMs = POLL_MS } = deps
        const polled: Rpc = (calls) =>
          rpc(calls).catch((error: unknown) => {
            endpoints.penalise(endpoint)
            throw error
          })
        const source = { rpc: polled, endpoint, wsUrl: rpcWsUrls?.[endpoint], pollMs }
        const report = (header: ChainHeader) => {
          failures.recovered(header.source.way === 'pushed' ? 'pushed' : 'polled')
          onHead(header)
        }
        await watchHeads({ ...source, onHead: report, onError: failures.failed }, signal)
      }),
      follower.follow(signal),
      ...(deps.store.db.engine === 'postgres' ? [measureDatabase(deps, observers, signal)] : []),
      // No node may be asked before one is known to serve the chain.
      headKnown.promise.then(() => solvency.run(signal)),
    ])
  } finally {
    for (const { close } of nodes) close()
  }
}

/** Reports failures to read a node's head. Polls and the subscription can fail independently. */
function headFailures(log: FastifyBaseLogger, metrics: Metrics, endpoint: number) {
  const outages = { polled: new Outage({ log, ...TEXTS }), pushed: new Outage({ log, ...TEXTS }) }
  return {
    failed: (error: unknown, way: HeadWay) => {
      metrics.failed('node')
      outages[way].failed(error, { source: 'node', endpoint, way })
    },
    recovered: (way: HeadWay) => outages[way].recovered({ source: 'node', endpoint, way }),
  }
}

/** Measures the database server until stopped. */
async function measureDatabase(
  { store }: IndexerOptions,
  { metrics }: Observers,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const state = readServerState(store.db.primary, Date.now)
    metrics.database(await state.catch(() => undefined))
    await pause(DATABASE_MS, signal)
  }
}

function compareHoldings(deps: IndexerOptions, { metrics }: Observers, endpoints: Endpoints) {
  let saidMs = Number.NEGATIVE_INFINITY
  return new Solvency({
    rpc: endpoints.rpc,
    deployment: deps.deployment,
    headNumber: () => endpoints.head?.number,
    compared: metrics.compared,
    turned: (block, { engine, token, symbol, claimed, held }) =>
      deps.log.error(
        { block, engine, token, symbol, claimed: String(claimed), held: String(held) },
        claimed > held ? 'an engine holds less than is claimed' : 'it holds what is claimed again',
      ),
    failed: (error) => {
      if (monotonicMs() - saidMs < SAID_AGAIN_MS) return
      saidMs = monotonicMs()
      deps.log.warn({ err: error }, 'holdings are not compared, trying again')
    },
  })
}

const monotonicMs = () => performance.now()

/** With several nodes, a failed request goes to the next instead of being retried. */
const connectAll = (urls: readonly string[]) =>
  urls.map((url) =>
    connectRpc(urls.length === 1 ? { url } : { url, attempts: 1, timeoutMs: PEER_TIMEOUT_MS }),
  )

/** Waits for all of `works`; when one ends, `stopped` ends the others. Throws the first error. */
async function allUntilOneEnds(stopped: AbortController, works: readonly Promise<void>[]) {
  const ends = await Promise.allSettled(works.map((work) => work.finally(() => stopped.abort())))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

type WaitOptions = Readonly<{ signal: AbortSignal; failed: (error: unknown) => void }>

/** Returns once the node reports `chainId`, or `signal` aborts. */
async function expectChain(rpc: Rpc, chainId: number, { signal, failed }: WaitOptions) {
  while (!signal.aborted) {
    try {
      const [answer] = await rpc([{ method: 'eth_chainId', params: [] }])
      if (Number(answer) === chainId) return
      throw new WrongChain(`the node serves chain ${chainId} (it serves ${Number(answer)})`)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      failed(error)
      await pause(CHAIN_ID_RETRY_MS, signal)
    }
  }
}

const TEXTS = { down: 'failed, trying again', up: 'succeeds again' }

function makeWatch(
  log: FastifyBaseLogger,
  { metrics, progress }: Observers,
  solvency: Solvency,
): FollowWatch {
  let isLagging = false
  let isStandby = false
  const outages = { node: new Outage({ log, ...TEXTS }), database: new Outage({ log, ...TEXTS }) }
  return {
    readingAnew: () => log.warn('stored for other contracts: reindexing the chain'),
    loaded: (synced, state) => {
      solvency.loaded(state)
      isStandby = false
      progress.synced = synced
      metrics.loaded(synced)
      log.info({ block: synced?.number }, 'state loaded')
    },
    committed: (commit) => {
      isLagging = false
      // Only a commit needs both: a load succeeds while the disk is full.
      outages.node.recovered({ source: 'node' })
      outages.database.recovered({ source: 'database' })
      progress.synced = commit.synced
      metrics.committed(commit)
      solvency.committed(commit.changes)
      const { synced, blocks, events, seconds } = commit
      log.debug({ block: synced.number, blocks, events, seconds }, 'committed')
    },
    undone: (from, toNumber) => {
      metrics.undone(from.number - toNumber)
      log.warn({ from: from.number, to: toNumber }, 'blocks undone')
    },
    doubted: (why, { number, source }) => {
      metrics.doubted(why)
      // A lagging node reports it with every poll: once is enough.
      if (why === 'lagging' && isLagging) return
      isLagging = why === 'lagging'
      log.warn({ why, block: number, endpoint: source.endpoint }, 'a node was not believed')
    },
    rereading: (error, depth) => {
      metrics.reread()
      log.error({ err: error, depth }, 'impossible blocks: what is not final is read again')
    },
    failed: (error) => {
      if (isOnStandby(error)) {
        // Called twice a second while the other process writes.
        if (!isStandby) log.info('on standby: another process writes')
        isStandby = true
        metrics.leads(false)
        return
      }
      const source = error instanceof StoreFailed ? 'database' : 'node'
      metrics.failed(source)
      outages[source].failed(error, { source })
    },
  }
}
