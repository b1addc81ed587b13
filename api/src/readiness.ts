// Liveness and readiness: what the dependencies said when they were last asked.
import type { Health, Readiness } from '@openvenue/wire/service'
import type { Check, Probes } from './probes.ts'
import type { Clock, RestOptions } from './rest/route.ts'

export type ServiceDeps = Readonly<{
  clock: Clock
  probes: Probes
  options: Pick<RestOptions, 'environment' | 'version' | 'readyCacheMs'>
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
export const checkOf = <T extends Check>(probe: () => Promise<T>): Promise<T | Check> =>
  probe().catch(() => ({ ok: false, error: 'unreachable' }))

/** Asks all three at once. `timestamp` is when they had all answered. */
export async function readinessOf(probes: Probes, nowMs: () => number): Promise<Readiness> {
  const [redis, rpc, indexer] = await Promise.all([
    checkOf(probes.redis),
    checkOf(probes.rpc),
    checkOf(probes.indexer),
  ])
  const isReady = redis.ok && rpc.ok && indexer.ok
  return {
    status: isReady ? 'ready' : 'not_ready',
    checks: { redis, rpc, indexer },
    timestamp: nowMs(),
  }
}

/** Returns the health object: the server lives, whatever its dependencies do. */
export function healthOf(redis: Check, { clock, options }: ServiceDeps): Health {
  return {
    status: 'ok',
    degraded: !redis.ok,
    degradedDependencies: redis.ok ? [] : ['redis'],
    dependencies: { redis },
    timestamp: clock.nowMs(),
    environment: options.environment,
    version: options.version,
  }
}
