// Liveness and readiness, from cached checks of the dependencies.
import type { Health, Readiness } from '@openvenue/wire/service'
import type { Trading } from '@openvenue/wire/trading'
import type { Clock } from '../model/clock.ts'
import { areWithdrawalsStopped } from '../model/facts.ts'
import type { Freshness } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { keeperSign } from './keeper-liveness.ts'

/** Section 2.12. */
export type ReadinessCheck = Readonly<{ ok: boolean; error?: string }>
type RpcCheck = ReadinessCheck & Readonly<{ head?: number }>
/** `unknown`: the indexer has no readiness endpoint and was only reached. */
type IndexerCheck = ReadinessCheck & Readonly<{ lag?: number | 'unknown' }>

/** `head`: the head of the chain as the indexer sees it. */
export type IndexerAnswer = IndexerCheck & Readonly<{ head?: number }>

export type Probes = Readonly<{
  redis: () => Promise<ReadinessCheck>
  rpc: () => Promise<RpcCheck>
  indexer: () => Promise<IndexerAnswer>
}>

export type ServiceOptions = Readonly<{
  /** Name of the network, as `/health` and `/version` give it. */
  environment: string
  version: string
  readyCacheMs: number
}>

export type ServiceDeps = Readonly<{
  clock: Clock
  model: Pick<VenueModel, 'markets' | 'indexPrice'>
  probes: Probes
  freshness: Freshness
  options: ServiceOptions
  settings: Readonly<{ trading: Trading }>
}>

/**
 * Returns a function that gives the result of `ask`, at most `cacheMs` old. Concurrent callers
 * share one call.
 */
export function asked<T>(ask: () => Promise<T>, cacheMs: number, monotonicMs: () => number) {
  let answer: T
  let answeredMs = Number.NEGATIVE_INFINITY
  let asking: Promise<T> | undefined
  return (): Promise<T> => {
    if (asking !== undefined) return asking
    if (monotonicMs() - answeredMs < cacheMs) return Promise.resolve(answer)
    asking = ask()
      .then((fresh) => {
        answer = fresh
        answeredMs = monotonicMs()
        return fresh
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}

/** Returns the result of `probe`; a failed one counts as unreachable. */
export const runCheck = <T extends ReadinessCheck>(probe: () => Promise<T>): Promise<T> =>
  // All other members of a check are optional.
  probe().catch(() => ({ ok: false, error: 'unreachable' }) as T)

/**
 * Runs all three checks at once. `timestamp` is the time of the last answer; `canServe` is whether
 * a load balancer should send requests here.
 */
export async function checkReadiness({
  probes,
  clock,
  model,
  freshness,
}: ServiceDeps): Promise<Readonly<{ readiness: Readiness; canServe: boolean }>> {
  const askedMs = clock.monotonicMs()
  const [redis, rpc, progress] = await Promise.all([
    runCheck(probes.redis),
    runCheck(probes.rpc),
    runCheck(probes.indexer),
  ])
  if (rpc.head !== undefined) freshness.chainSeen(rpc.head, askedMs)
  const indexer = indexerCheck(progress, rpc, freshness)
  const isReady = redis.ok && rpc.ok && indexer.ok
  const keeper = keeperSign(model, clock.nowMs())
  const readiness = {
    status: isReady ? ('ready' as const) : ('not_ready' as const),
    checks: { redis, rpc, indexer },
    ...(keeper === undefined ? {} : { keeper }),
    timestamp: clock.nowMs(),
  }
  return { readiness, canServe: !isAloneBehind(indexer, progress, freshness) }
}

/**
 * Returns whether this node lags while an indexer is at the head. What all nodes share (cache
 * store, chain, database, indexers) does not count: nodes serve without it, and a load balancer
 * would have none left.
 */
const isAloneBehind = (own: IndexerCheck, indexer: IndexerAnswer, { lagMax }: Freshness) =>
  own.error === 'lagging' && indexer.ok && typeof indexer.lag === 'number' && indexer.lag <= lagMax

/**
 * Judges an indexer by this node: its distance from the highest published head. So a node at the
 * head is ready whichever indexer leads, and a node without news is not, whatever an indexer
 * reports. The indexer's own report counts when it has no head.
 */
function indexerCheck(
  { head, ...progress }: IndexerAnswer,
  rpc: RpcCheck,
  freshness: Freshness,
): IndexerCheck {
  const heads = [rpc.head, head].filter((number) => number !== undefined)
  const lag = heads.length === 0 ? undefined : freshness.lagTo(Math.max(...heads))
  if (freshness.isFeedSilent)
    return { ok: false, error: 'feed_stale', ...(lag === undefined ? {} : { lag }) }
  if (lag === undefined) return progress
  if (lag > freshness.lagMax) return { ok: false, error: 'lagging', lag }
  if (progress.ok) return progress
  return progress.lag === undefined || head !== undefined ? { ok: true, lag } : progress
}

/** Returns the health object: the host is alive regardless of its dependencies. */
export function describeHealth(redis: ReadinessCheck, deps: ServiceDeps): Health {
  const { clock, options, freshness, model, settings } = deps
  const isStale = freshness.isBehind || freshness.isFeedSilent
  const indexer: ReadinessCheck = {
    ok: false,
    error: freshness.isBehind ? 'lagging' : 'feed_stale',
  }
  const degraded = [...(redis.ok ? [] : ['redis']), ...(isStale ? ['indexer'] : [])]
  return {
    status: 'ok',
    degraded: degraded.length > 0,
    degradedDependencies: degraded,
    dependencies: { redis, ...(isStale ? { indexer } : {}) },
    timestamp: clock.nowMs(),
    environment: options.environment,
    version: options.version,
    withdrawals_stopped: areWithdrawalsStopped(model),
    trading: settings.trading,
  }
}
