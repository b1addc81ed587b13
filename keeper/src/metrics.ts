// Prometheus metrics of the keeper.
import { Counter, Gauge, Registry } from 'prom-client'
import type { TxResult } from './pending-tx.ts'
import { TASKS, type TaskName } from './task.ts'
import type { VenueView } from './venue-view.ts'

const WEI_PER_COIN = 1e18

export type Metrics = Readonly<{
  registry: Registry
  /** Records a successful round of a task. */
  done(name: TaskName, nowMs: number): void
  /** Records a failed round; `backoffMs` is the pause that follows. */
  failed(name: TaskName, backoffMs: number): void
  /** Records the outcome of a task's transaction. */
  countOutcome(name: TaskName, outcome: TxResult): void
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
  const runs = new Counter(byTask('runs_total', 'Successful rounds'))
  const sent = new Counter(byTask('sent_total', 'Transactions included with success'))
  const failures = new Counter(byTask('failed_total', 'Failed rounds and transactions'))
  const success = new Gauge(byTask('last_success_seconds', 'Unix time of the last success'))
  const backoff = new Gauge(
    byTask('backoff_seconds', 'Backoff before the next attempt; 0 after a success'),
  )
  const pending = new Gauge(named('pending_transactions', 'Pending transactions'))
  const since = new Gauge(
    named('pending_since_seconds', 'Unix time since which the oldest one is pending; 0: none'),
  )
  const balance = new Gauge(named('balance_coins', 'Balance of the wallet, native coins'))
  const left = new Gauge(named('transactions_left', 'Typical transactions that it pays for'))
  const replaced = new Counter(named('replaced_total', 'Transactions replaced at a higher fee'))
  const resent = new Counter(named('resent_total', 'Dropped or undone transactions sent again'))
  const feedBreaks = new Counter(
    named('feed_breaks_total', 'Times that the feed did not continue from the head'),
  )
  const leader = new Gauge(named('is_leader', '1 while this process leads and sends'))
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
    countOutcome: (task, { kind }) => {
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

/** Returns a function that exports the number of other keepers whose settings differ. */
export function createPeersGauge(registry: Registry): (peers: number) => void {
  const differing = new Gauge({
    name: 'openvenue_keeper_settings_differ',
    help: 'Other keepers of the database whose settings differ',
    registers: [registry],
  })
  return (peers) => differing.set(peers)
}

/** Exports the time of the newest index price of each asset that a perpetual market uses. */
export function showOracleAge(
  registry: Registry,
  view: Pick<VenueView, 'state'>,
  perps: string,
): void {
  new Gauge({
    name: 'openvenue_keeper_index_price_seconds',
    help: 'Unix time of the newest index price of an asset; 0: none yet',
    labelNames: ['asset'] as const,
    registers: [registry],
    collect() {
      const { market, indexPrice } = view.state.records
      for (const { engine, asset } of market.values())
        if (engine === perps.toLowerCase()) this.set({ asset }, indexPrice.get(asset)?.seconds ?? 0)
    },
  })
}
