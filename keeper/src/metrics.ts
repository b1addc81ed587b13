// Prometheus metrics of the keeper.
import { Counter, Gauge, Registry } from 'prom-client'
import type { Outcome } from './pending-tx.ts'
import { TASKS, type TaskName } from './task.ts'

const WEI_PER_COIN = 1e18

export type Metrics = Readonly<{
  registry: Registry
  /** Records a successful round of a task. */
  done(name: TaskName, nowMs: number): void
  /** Records a failed round; `backoffMs` is the pause that follows. */
  failed(name: TaskName, backoffMs: number): void
  /** Records the outcome of a task's transaction. */
  outcome(name: TaskName, outcome: Outcome): void
  /** Sets the number of waiting calls, and since when the oldest one waits. */
  pending(count: number, oldestMs?: number): void
  /** Sets the wallet's balance, in wei, and the number of typical transactions it pays for. */
  funds(wei: bigint, transactions: number): void
  replaced(): void
  resent(): void
  leads(isLeader: boolean): void
  /** Counts a feed that did not continue from the head. */
  feedBroke(): void
}>

/** Returns metrics in a registry of their own, so that several keepers fit in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const named = (name: string, help: string) => ({
    name: `openvenue_keeper_${name}`,
    help,
    registers: [registry],
  })
  const byTask = (name: string, help: string) => ({
    ...named(name, help),
    labelNames: ['task'] as const,
  })
  const runs = new Counter(byTask('runs_total', 'Rounds that were done'))
  const sent = new Counter(byTask('sent_total', 'Transactions that got into a block and worked'))
  const failures = new Counter(byTask('failed_total', 'Rounds and transactions that failed'))
  const success = new Gauge(byTask('last_success_seconds', 'Unix time of the last good round'))
  const backoff = new Gauge(
    byTask('backoff_seconds', 'Pause before the next try; 0 when all is well'),
  )
  const pending = new Gauge(named('pending_transactions', 'Transactions that wait for a block'))
  const since = new Gauge(
    named('pending_since_seconds', 'Unix time since when the oldest of them waits; 0: none does'),
  )
  const balance = new Gauge(named('balance_coins', 'Coins in the wallet'))
  const left = new Gauge(named('transactions_left', 'Usual transactions that they pay for'))
  const replaced = new Counter(named('replaced_total', 'Stuck transactions that got a higher fee'))
  const resent = new Counter(named('resent_total', 'Dropped or undone transactions sent again'))
  const feedBreaks = new Counter(
    named('feed_breaks_total', 'Times that the feed did not go on from the head'),
  )
  const leader = new Gauge(named('is_leader', '1 while this process is the one that sends'))
  for (const task of TASKS) for (const counter of [runs, sent, failures]) counter.inc({ task }, 0)
  return {
    registry,
    done: (task, nowMs) => {
      runs.inc({ task })
      success.set({ task }, nowMs / 1000)
      backoff.set({ task }, 0)
    },
    failed: (task, backoffMs) => {
      failures.inc({ task })
      backoff.set({ task }, backoffMs / 1000)
    },
    outcome: (task, { kind }) => {
      if (kind === 'included') sent.inc({ task })
      else if (kind === 'reverted') failures.inc({ task })
    },
    pending: (count, oldestMs = 0) => {
      pending.set(count)
      since.set(oldestMs / 1000)
    },
    funds: (wei, transactions) => {
      balance.set(Number(wei) / WEI_PER_COIN)
      left.set(transactions)
    },
    replaced: () => replaced.inc(),
    resent: () => resent.inc(),
    feedBroke: () => feedBreaks.inc(),
    leads: (isLeader) => leader.set(isLeader ? 1 : 0),
  }
}
