// Prometheus metrics of the relayer, in addition to those of the keeper.
import type { RelayStatus } from '@openvenue/core/relay'
import type { IntentState } from '@openvenue/store/intents/intents'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { TxSenderWatch } from '../tx-sender-watch.ts'

/** Outcome of a lane's transaction. `untaken`: no node accepted it. */
export type RelayTxEnd = 'included' | 'reverted' | 'untaken'

export type RelayMetrics = Readonly<{
  leads(isLeader: boolean): void
  /** Sets the block that the state must reach before a turn; undefined: none. */
  awaits(block: number | undefined): void
  /** Sets the relayer's status, and since when its oldest intent waits. */
  status(status: RelayStatus, oldestMs: number): void
  /** Sets the number of orders, or cancels, that the wallet of a lane pays for. */
  ordersLeft(lane: string, orders: number): void
  txEnded(lane: string, end: RelayTxEnd): void
  /** Counts a step of an intent by this process. */
  moved(state: IntentState): void
  /** Records the time from the receipt of an order to its block. */
  included(seconds: number): void
  /** Returns the callbacks for the sender of a lane. */
  watch(lane: string): Pick<TxSenderWatch, 'replaced' | 'resent' | 'pending'>
}>

const WEI_PER_COIN = 1e18
/** Upper bounds in seconds, for chains with a block in a fraction of a second to twelve. */
const INCLUSION_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 30, 60]

/** Registers the relayer's metrics. */
export function createRelayMetrics(registry: Registry): RelayMetrics {
  const named = (name: string, help: string) => ({
    name: `openvenue_relayer_${name}`,
    help,
    registers: [registry],
  })
  const byLane = (name: string, help: string) => ({
    ...named(name, help),
    labelNames: ['lane'] as const,
  })
  const queued = new Gauge(byLane('queued_intents', 'Intents waiting for a transaction'))
  const sent = new Gauge(byLane('sent_intents', 'Intents in a pending transaction'))
  const gas = new Gauge(byLane('waiting_gas', 'Gas of queued and sent intents'))
  const balance = new Gauge(byLane('balance_coins', "Balance of the lane's wallet, native coins"))
  const funded = new Gauge(byLane('is_funded', "1 while the lane's wallet can pay for gas"))
  const oldest = new Gauge(named('oldest_seconds', 'Age of the oldest waiting intent'))
  const left = new Gauge(byLane('orders_left', "Orders that the lane's wallet pays for"))
  const since = new Gauge(
    byLane('pending_since_seconds', 'Unix time since which the oldest one is pending; 0: none'),
  )
  const pending = new Gauge(byLane('pending_transactions', 'Pending transactions'))
  const replaced = new Counter(byLane('replaced_total', 'Transactions replaced at a higher fee'))
  const resent = new Counter(byLane('resent_total', 'Dropped or undone transactions sent again'))
  const ends = new Counter({
    ...named('transactions_total', 'Transactions by outcome'),
    labelNames: ['lane', 'end'] as const,
  })
  return {
    ...turnMetrics(named),
    ...stepMetrics(named),
    status: ({ lanes }, oldestMs) => {
      oldest.set(oldestMs / 1_000)
      for (const lane of lanes) {
        const labels = { lane: lane.name }
        queued.set(labels, lane.queued)
        sent.set(labels, lane.sent)
        gas.set(labels, lane.gas)
        balance.set(labels, Number(lane.balance) / WEI_PER_COIN)
        funded.set(labels, lane.isFunded ? 1 : 0)
      }
    },
    ordersLeft: (lane, orders) => left.set({ lane }, orders),
    txEnded: (lane, end) => ends.inc({ lane, end }),
    watch: (lane) => ({
      replaced: () => replaced.inc({ lane }),
      resent: () => resent.inc({ lane }),
      pending: (count, oldestMs = 0) => {
        pending.set({ lane }, count)
        since.set({ lane }, oldestMs / 1_000)
      },
    }),
  }
}

type MetricOptions = (
  name: string,
  help: string,
) => Readonly<{ name: string; help: string; registers: Registry[] }>

function stepMetrics(named: MetricOptions): Pick<RelayMetrics, 'moved' | 'included'> {
  const steps = new Counter({
    ...named('steps_total', 'Intent steps made by this process'),
    labelNames: ['state'] as const,
  })
  const inclusion = new Histogram({
    ...named('inclusion_seconds', 'Time from the receipt of an order to its inclusion'),
    buckets: INCLUSION_BUCKETS,
  })
  return {
    moved: (state) => steps.inc({ state }),
    included: (seconds) => inclusion.observe(seconds),
  }
}

function turnMetrics(named: MetricOptions): Pick<RelayMetrics, 'leads' | 'awaits'> {
  const leader = new Gauge(named('is_leader', '1 while this process leads and relays'))
  const awaited = new Gauge(
    named('awaited_block', 'Block that the state must reach before the relayer starts; 0: none'),
  )
  return {
    leads: (isLeader) => leader.set(isLeader ? 1 : 0),
    awaits: (block = 0) => awaited.set(block),
  }
}
