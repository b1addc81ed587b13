// The indexer as one thing to start and stop: it watches the chain's head, follows it, and answers
// for itself. A process of its own (`main.ts`) and the devnet run the same.
import type { Store } from '@openvenue/store/store'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { ChainHeader } from './chain.ts'
import type { Deployment } from './deployment.ts'
import { compileEvents } from './events.ts'
import { Follower, type FollowWatch, StoreFailed } from './follow.ts'
import { HeadFeed, pause, watchHeads } from './heads.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type Progress, type Readiness, readinessOf } from './progress.ts'
import { connectRpc, type Rpc, RpcError } from './rpc.ts'

export type IndexerDeps = Readonly<{
  store: Store
  deployment: Deployment
  chainId: number
  rpcUrl: string
  /** WebSocket URL for newHeads; undefined: the head is polled. */
  rpcWsUrl?: string | undefined
  /** Pause between polls of the head without a subscription. */
  pollMs?: number
  /** Blocks this deep are never undone. */
  finalityBlocks: number
  /** `/ready` answers 200 up to this many blocks behind the head. */
  lagMax: number
  log: FastifyBaseLogger
}>

export type Indexer = Readonly<{
  /** `/ready`, `/snapshot`, `/metrics`; the caller listens and closes. */
  app: FastifyInstance
  start(): void
  /** Settles when it has ended: by `stop`, or rejected with what made going on impossible. */
  ended: Promise<void>
  /** Ends it; nothing is being written when this returns. */
  stop(): Promise<void>
  readiness(): Readiness
}>

/** Another chain answers than the one that was configured. */
export class WrongChain extends Error {
  override name = 'WrongChain'
}

const POLL_MS = 250
const CHAIN_ID_RETRY_MS = 500

/** Returns an indexer that writes `deployment` into `store`. It does nothing before `start`. */
export function createIndexer(deps: IndexerDeps): Indexer {
  const { store, lagMax, log } = deps
  const metrics = createMetrics()
  const progress: Progress = { head: undefined, headAtMs: 0, synced: undefined }
  const stopped = new AbortController()
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  // Whoever waits for it hears of a failure; if nobody does, it is in the log.
  ended.catch((error) => log.error({ err: error }, 'the indexer ended'))
  const readiness = () => readinessOf(progress, lagMax, Date.now())
  let isStarted = false
  return {
    app: createApp({ reader: store.reader, registry: metrics.registry, readiness, log }),
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

type Telling = Readonly<{ metrics: Metrics; progress: Progress }>

/** Runs until stopped; then, or when one of its parts fails, ends them all. */
async function run(deps: IndexerDeps, telling: Telling, stopped: AbortController): Promise<void> {
  const { signal } = stopped
  const { rpc, close } = connectRpc({ url: deps.rpcUrl })
  const heads = new HeadFeed()
  const watch = watchOf(deps.log, telling)
  const follower = new Follower({
    rpc,
    heads,
    watch,
    writer: deps.store.writer,
    events: compileEvents(deps.deployment),
    startBlock: deps.deployment.startBlock,
    finalityBlocks: deps.finalityBlocks,
  })
  const onHead = (header: ChainHeader) => {
    telling.progress.head = header
    telling.progress.headAtMs = Date.now()
    telling.metrics.head(header)
    heads.offer(header)
  }
  const { rpcWsUrl: wsUrl, pollMs = POLL_MS } = deps
  try {
    await expectChain(rpc, deps.chainId, { signal, failed: watch.failed })
    await allUntilOneEnds(stopped, [
      watchHeads({ rpc, wsUrl, pollMs, onHead, onError: watch.failed }, signal),
      follower.follow(signal),
    ])
  } finally {
    close()
  }
}

/** Waits for all of `works`; when one ends, `stopped` ends the others. Throws what one threw. */
async function allUntilOneEnds(stopped: AbortController, works: readonly Promise<void>[]) {
  const ends = await Promise.allSettled(works.map((work) => work.finally(() => stopped.abort())))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

type Waiting = Readonly<{ signal: AbortSignal; failed: FollowWatch['failed'] }>

/** Returns once the node tells that it serves `chainId`, or `signal` aborts. */
async function expectChain(rpc: Rpc, chainId: number, { signal, failed }: Waiting) {
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

function watchOf(log: FastifyBaseLogger, { metrics, progress }: Telling): FollowWatch {
  return {
    readingAnew: () => log.warn('stored for other contracts: the chain is read anew'),
    loaded: (synced) => {
      progress.synced = synced
      metrics.loaded(synced)
      log.info({ block: synced?.number }, 'state loaded')
    },
    committed: (commit) => {
      progress.synced = commit.synced
      metrics.committed(commit)
      const { synced, blocks, events, seconds } = commit
      log.debug({ block: synced.number, blocks, events, seconds }, 'committed')
    },
    undone: (from, toNumber) => {
      metrics.undone(from.number - toNumber)
      log.warn({ from: from.number, to: toNumber }, 'blocks undone')
    },
    failed: (error) => {
      metrics.failed(error instanceof StoreFailed ? 'database' : 'node')
      log.warn({ err: error }, 'failed, trying again')
    },
  }
}
