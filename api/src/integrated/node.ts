// The second host as a component that starts and stops: the host and its token list.
import type { FastifyBaseLogger } from 'fastify'
import { closeHost } from '../http/host.ts'
import type { Host } from '../http/host-type.ts'
import { type ListenAddress, listenAt } from '../http/starting-port.ts'
import type { Clock } from '../model/clock.ts'
import { feedOutage } from '../model/feed-outage.ts'
import type { FollowDeps } from '../model/follow.ts'
import { createFollowing } from '../model/following.ts'
import { Freshness, LAG_MAX, watchHead } from '../model/freshness.ts'
import { VenueModel } from '../model/venue-model.ts'
import { createIntegratedHost, type IntegratedHostDeps } from './host.ts'
import { isUrl } from './token-list.ts'
import { awaitNames, readNames, TokenNames } from './token-names.ts'

type IntegratedListenerDeps = Omit<IntegratedHostDeps, 'names' | 'clock' | 'logger'> &
  ListenAddress &
  Readonly<{
    clock: Clock & Readonly<{ delay: FollowDeps['delay'] }>
    /** Path or https URL; undefined: tokens keep their own names. */
    tokenList: string | undefined
    /** Fetches a list at a URL; the platform's own unless given. */
    fetch?: typeof globalThis.fetch
    logger: FastifyBaseLogger
  }>

export type IntegratedListener = Readonly<{
  host: Host
  /** Reads a token list that is a file, and listens. Returns the URL. */
  start: () => Promise<string>
  /** Stops listening; open requests are answered first. */
  stop: () => Promise<void>
}>

/** Returns the host over a model that another component keeps at the head. */
export async function createIntegratedListener(
  deps: IntegratedListenerDeps,
): Promise<IntegratedListener> {
  const { clock, logger, settings, tokenList } = deps
  const names = new TokenNames()
  const host = await createIntegratedHost({ ...deps, names })
  const stopping = new AbortController()
  let naming = Promise.resolve()
  const nameTokens = async (source: string) => {
    const { delay } = clock
    const { chainId } = settings
    const ask = deps.fetch === undefined ? {} : { fetch: deps.fetch }
    const from = { names, source, chainId, delay, log: logger, ...ask }
    if (isUrl(source)) naming = awaitNames(from, stopping.signal)
    else await readNames(from)
  }
  return {
    host,
    start: async () => {
      if (tokenList !== undefined) await nameTokens(tokenList)
      return listenAt(host, deps)
    },
    stop: async () => {
      stopping.abort()
      host.stopping.abort()
      await closeHost(host, clock.delay)
      await naming
    },
  }
}

export type IntegratedNodeDeps = Omit<IntegratedListenerDeps, 'model' | 'freshness'> &
  Pick<FollowDeps, 'reader'> &
  /** INDEXER_LAG_MAX; LAG_MAX by default. */
  Readonly<{ lagMax?: number }>

type IntegratedNode = IntegratedListener &
  Readonly<{
    /** Rejects when the node cannot go on and must end. */
    failed: Promise<never>
  }>

/** Returns the host with a model of its own. */
export async function createIntegratedNode(deps: IntegratedNodeDeps): Promise<IntegratedNode> {
  const { reader, clock, logger } = deps
  const model = new VenueModel()
  const freshness = new Freshness({ model, clock, lagMax: deps.lagMax ?? LAG_MAX })
  const integrated = await createIntegratedListener({ ...deps, model, freshness })
  const watched = feedOutage(deps, () => freshness.feedRead())
  const following = createFollowing({ model, reader, ...clock, ...watched })
  let watching = Promise.resolve()
  return {
    host: integrated.host,
    failed: following.failed,
    start: async () => {
      await following.start()
      const askHead = deps.probes.rpc
      watching = watchHead({ freshness, askHead, clock, log: logger }, following.stopping)
      return integrated.start()
    },
    stop: async () => {
      const unfollowed = following.stop()
      await integrated.stop()
      await unfollowed
      await watching
    },
  }
}
