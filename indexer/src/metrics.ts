// Counts blocks, reorgs and doubts of the indexer, for Prometheus.
import type { Header } from '@openvenue/core/events'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Commit, Doubt } from './follow.ts'

export type Metrics = Readonly<{
  registry: Registry
  head(header: Header): void
  loaded(synced: Header | undefined): void
  committed(commit: Commit): void
  undone(blocks: number): void
  doubted(why: Doubt): void
  reread(): void
  failed(source: 'node' | 'database'): void
}>

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Returns counters of their own registry, so that several indexers fit in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const made = { registers: [registry] }
  const named = (name: string, help: string) => ({
    name: `openvenue_indexer_${name}`,
    help,
    ...made,
  })
  const head = new Gauge(named('head_block', 'Newest block of the chain'))
  const synced = new Gauge(named('synced_block', 'Last committed block'))
  const blocks = new Counter(named('blocks_total', 'Blocks committed'))
  const events = new Counter(named('events_total', 'Events committed'))
  const reorgs = new Counter(named('reorgs_total', 'Times that blocks were undone'))
  const undone = new Counter(named('undone_blocks_total', 'Blocks undone'))
  const doubts = new Counter({
    ...named('doubted_total', 'Things that nodes said and that were not believed'),
    labelNames: ['why'] as const,
  })
  const rereads = new Counter(
    named('rereads_total', 'Times that impossible blocks were read again'),
  )
  for (const why of ['lagging', 'outvoted', 'short'] as const) doubts.inc({ why }, 0)
  const failures = new Counter({
    ...named('failures_total', 'Failed steps, which are tried again'),
    labelNames: ['source'],
  })
  const commits = new Histogram({
    ...named('commit_seconds', 'Time of a database transaction'),
    buckets: SECONDS_BUCKETS,
  })
  return {
    registry,
    head: (header) => head.set(header.number),
    loaded: (header) => synced.set(header?.number ?? 0),
    committed: (commit) => {
      synced.set(commit.synced.number)
      blocks.inc(commit.blocks)
      events.inc(commit.events)
      commits.observe(commit.seconds)
    },
    undone: (count) => {
      reorgs.inc()
      undone.inc(count)
    },
    doubted: (why) => doubts.inc({ why }),
    reread: () => rereads.inc(),
    failed: (source) => failures.inc({ source }),
  }
}
