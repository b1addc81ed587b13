// An API node: a model that follows the feed, and the host that serves it.
import type { Reader } from '@openvenue/store/store'
import type { FastifyBaseLogger } from 'fastify'
import { closeHost } from '../http/host.ts'
import type { Host } from '../http/host-type.ts'
import type { RateOptions } from '../http/limits.ts'
import { type ListenAddress, listenAt } from '../http/starting-port.ts'
import type { Clock } from '../model/clock.ts'
import { feedOutage } from '../model/feed-outage.ts'
import type { FollowDeps } from '../model/follow.ts'
import { createFollowing } from '../model/following.ts'
import { Freshness, LAG_MAX, watchHead } from '../model/freshness.ts'
import { VenueModel } from '../model/venue-model.ts'
import type { PublishedVenue } from '../rest/published.ts'
import type { Probes } from '../rest/readiness.ts'
import type { RestOptions } from '../rest/route.ts'
import type { Terminal } from '../rest/terminal-files.ts'
import { SWEEP_MS } from '../sockets/sockets.ts'
import type { AccountDeps } from './account-deps.ts'
import { createApiHost } from './api-host.ts'
import { sampleEquity } from './equity-sampler.ts'
import type { Metrics } from './metrics.ts'
import { type ProbePort, reportState } from './probe-port.ts'

export type ApiNodeDeps = ListenAddress &
  Readonly<{
    reader: Reader
    accounts: AccountDeps
    published?: PublishedVenue
    terminal?: Terminal | undefined
    terminalProblem?: string | undefined
    probes: Probes
    /** INDEXER_LAG_MAX; LAG_MAX by default. */
    lagMax?: number
    rates: RateOptions
    corsOrigins: readonly string[]
    options: RestOptions
    clock: Clock & Readonly<{ delay: FollowDeps['delay'] }>
    processMetrics?: Metrics
    /** Answers probes apart from the clients; none by default. */
    probePort?: ProbePort | undefined
    logger: FastifyBaseLogger
  }>

export type ApiNode = Readonly<{
  host: Host
  model: VenueModel
  freshness: Freshness
  /** Loads the model, follows the feed and listens. Returns the URL. */
  start: () => Promise<string>
  /**
   * Stops: is not ready from then on, lets sockets read what was sent to them, answers open
   * requests, and cuts connections whose answers are not read within STOP_MS_MAX.
   */
  stop: () => Promise<void>
  /** Rejects when the node cannot go on, and must end. */
  failed: Promise<never>
}>

/** Returns a node, not yet started. */
export async function createApiNode(deps: ApiNodeDeps): Promise<ApiNode> {
  const { reader, clock, logger } = deps
  const model = new VenueModel()
  const freshness = new Freshness({ model, clock, lagMax: deps.lagMax ?? LAG_MAX })
  const host = await createApiHost({ ...deps, model, freshness })
  const following = createFollowing({
    model,
    reader,
    nowMs: clock.nowMs,
    delay: clock.delay,
    ...feedOutage(deps, () => freshness.feedRead()),
  })
  const { stopping } = following
  /** Tasks that run until the node stops. */
  let running: readonly Promise<void>[] = []
  /** Connections end until the host is closed. */
  const closed = new AbortController()
  let ending = Promise.resolve()
  let reporting = Promise.resolve()
  return {
    host,
    model,
    freshness,
    failed: following.failed,
    start: async () => {
      await following.start()
      const { intentBook, safeguardBook, connectionEnds, sampler } = host
      // Until intents are loaded no order is accepted; everything else is answered.
      const promising = intentBook.load(stopping).then(() => intentBook.follow(stopping))
      const isFull = deps.accounts.settings.edge === undefined
      if (isFull) ending = connectionEnds.follow(closed.signal)
      running = [
        promising,
        safeguardBook.follow(stopping),
        sweep(host, clock, stopping),
        watchHead({ freshness, askHead: deps.probes.rpc, clock, log: logger }, stopping),
        ...(isFull ? [sampleEquity({ sampler, delay: clock.delay, log: logger }, stopping)] : []),
      ]
      const url = await listenAt(host, deps)
      reporting = reportState(host, deps, closed.signal)
      return url
    },
    stop: async () => {
      host.stopping.abort()
      // Meanwhile the model follows the chain, and requests are answered.
      await host.sockets.close()
      const unfollowed = following.stop()
      await closeHost(host, clock.delay)
      closed.abort()
      await Promise.all([ending, reporting])
      await unfollowed
      await Promise.all(running)
    },
  }
}

async function sweep(
  { sockets }: Host,
  { delay }: ApiNodeDeps['clock'],
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    await delay(SWEEP_MS, stopping)
    sockets.sweep()
  }
}
