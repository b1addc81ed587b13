// Liveness and readiness: what the dependencies said when they were last asked.
import type { Health, Readiness } from '@openvenue/wire/service'
import type { Trading } from '@openvenue/wire/trading'
import type { Clock } from '../model/clock.ts'
import { areWithdrawalsStopped } from '../model/facts.ts'
import type { Freshness } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { keeperSign } from './keeper-sign.ts'

/** Section 2.12. */
export type Check = Readonly<{ ok: boolean; error?: string }>
export type RpcCheck = Check & Readonly<{ head?: number }>
/** `unknown`: the indexer has no readiness endpoint, it was only reached. */
export type IndexerCheck = Check & Readonly<{ lag?: number | 'unknown' }>

/** `head`: what the indexer takes for the head of the chain. */
export type IndexerAnswer = IndexerCheck & Readonly<{ head?: number }>

export type Probes = Readonly<{
  redis: () => Promise<Check>
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
 * Returns a function that gives what `ask` says, at most `cacheMs` old. Callers that come while it
 * is being asked share that answer.
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

/** Returns what `probe` says; one that fails has not answered. */
export const runCheck = <T extends Check>(probe: () => Promise<T>): Promise<T> =>
  // All else that a check says is optional.
  probe().catch(() => ({ ok: false, error: 'unreachable' }) as T)

/** Asks all three at once. `timestamp` is when they had all answered. */
export async function checkReadiness({
  probes,
  clock,
  model,
  freshness,
}: ServiceDeps): Promise<Readiness> {
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
  return {
    status: isReady ? 'ready' : 'not_ready',
    checks: { redis, rpc, indexer },
    ...(keeper === undefined ? {} : { keeper }),
    timestamp: clock.nowMs(),
  }
}

/**
 * Judges an indexer by what is seen in this node: its distance from the highest head that anybody
 * published. So a node at the head is ready whichever indexer leads, and one that hears nothing new
 * is not, whatever an indexer says. What the indexer says of itself counts where it says no head.
 */
function indexerCheck(
  { head, ...progress }: IndexerAnswer,
  rpc: RpcCheck,
  freshness: Freshness,
): IndexerCheck {
  const heads = [rpc.head, head].filter((one) => one !== undefined)
  const lag = heads.length === 0 ? undefined : freshness.lagTo(Math.max(...heads))
  if (freshness.isFeedSilent)
    return { ok: false, error: 'feed_stale', ...(lag === undefined ? {} : { lag }) }
  if (lag === undefined) return progress
  if (lag > freshness.lagMax) return { ok: false, error: 'lagging', lag }
  if (progress.ok) return progress
  return progress.lag === undefined || head !== undefined ? { ok: true, lag } : progress
}

/** Returns the health object: the host lives, whatever its dependencies do. */
export function describeHealth(redis: Check, deps: ServiceDeps): Health {
  const { clock, options, freshness, model, settings } = deps
  const isStale = freshness.isBehind || freshness.isFeedSilent
  const indexer: Check = { ok: false, error: freshness.isBehind ? 'lagging' : 'feed_stale' }
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
