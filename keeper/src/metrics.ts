// What the keeper counts, for Prometheus.
import { Counter, Gauge, Registry } from 'prom-client'
import { DUTIES, type DutyName } from './duty.ts'
import type { Outcome } from './flight.ts'

export type Metrics = Readonly<{
  registry: Registry
  /** A round of a duty went well. */
  done(name: DutyName, nowMs: number): void
  /** It did not; `backoffMs` is the pause that follows. */
  failed(name: DutyName, backoffMs: number): void
  /** What became of a transaction of a duty. */
  outcome(name: DutyName, outcome: Outcome): void
  inFlight(count: number): void
  replaced(): void
  resent(): void
  leads(isLeader: boolean): void
  /** The feed did not go on from the head. */
  feedBroke(): void
}>

/** Returns counters of their own registry, so that several keepers fit in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const named = (name: string, help: string) => ({
    name: `openvenue_keeper_${name}`,
    help,
    registers: [registry],
  })
  const byDuty = (name: string, help: string) => ({
    ...named(name, help),
    labelNames: ['loop'] as const,
  })
  const runs = new Counter(byDuty('runs_total', 'Rounds that were done'))
  const sent = new Counter(byDuty('sent_total', 'Transactions that got into a block and worked'))
  const failures = new Counter(byDuty('failed_total', 'Rounds and transactions that failed'))
  const success = new Gauge(byDuty('last_success_seconds', 'Unix time of the last good round'))
  const backoff = new Gauge(
    byDuty('backoff_seconds', 'Pause before the next try; 0 when all is well'),
  )
  const inFlight = new Gauge(named('in_flight', 'Transactions that wait for a block'))
  const replaced = new Counter(named('replaced_total', 'Stuck transactions that got a higher fee'))
  const resent = new Counter(named('resent_total', 'Dropped or undone transactions sent again'))
  const feedBreaks = new Counter(
    named('feed_breaks_total', 'Times that the feed did not go on from the head'),
  )
  const leader = new Gauge(named('is_leader', '1 while this process is the one that sends'))
  for (const loop of DUTIES) for (const counter of [runs, sent, failures]) counter.inc({ loop }, 0)
  return {
    registry,
    done: (loop, nowMs) => {
      runs.inc({ loop })
      success.set({ loop }, nowMs / 1000)
      backoff.set({ loop }, 0)
    },
    failed: (loop, backoffMs) => {
      failures.inc({ loop })
      backoff.set({ loop }, backoffMs / 1000)
    },
    outcome: (loop, { kind }) => {
      if (kind === 'included') sent.inc({ loop })
      else if (kind === 'reverted') failures.inc({ loop })
    },
    inFlight: (count) => inFlight.set(count),
    replaced: () => replaced.inc(),
    resent: () => resent.inc(),
    feedBroke: () => feedBreaks.inc(),
    leads: (isLeader) => leader.set(isLeader ? 1 : 0),
  }
}
