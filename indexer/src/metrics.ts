// Prometheus metrics of the indexer: blocks, reorgs and rejected answers.
import type { Header } from '@openvenue/core/events'
import type { ServerState } from '@openvenue/store/maintenance/server-state'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Commit, Doubt } from './follow.ts'
import type { Holding } from './solvency.ts'

export type Metrics = Readonly<{
  registry: Registry
  head(header: Header): void
  loaded(synced: Header | undefined): void
  committed(commit: Commit): void
  undone(blocks: number): void
  doubted(why: Doubt): void
  reread(): void
  failed(source: 'node' | 'database'): void
  /** Sets whether this process writes. */
  leads(isLeader: boolean): void
  compared(block: number, holding: Holding): void
  /** Records the state of the database server; undefined while it does not answer. */
  database(state: ServerState | undefined): void
}>

const REORG_BUCKETS = [1, 2, 4, 8, 16, 32, 64]
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Returns metrics in a registry of their own, so that several indexers fit in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const made = { registers: [registry] }
  const named = (name: string, help: string) => ({
    name: `openvenue_indexer_${name}`,
    help,
    ...made,
  })
  const synced = new Gauge(named('synced_block', 'Last committed block'))
  const blocks = new Counter(named('blocks_total', 'Blocks committed'))
  const events = new Counter(named('events_total', 'Events committed'))
  const reorgs = new Counter(named('reorgs_total', 'Times that blocks were undone'))
  const undone = new Counter(named('undone_blocks_total', 'Blocks undone'))
  const depths = new Histogram({
    ...named('reorg_blocks', 'Blocks that were undone at a time'),
    buckets: [...REORG_BUCKETS],
  })
  const leader = new Gauge(named('is_leader', '1 while this process is the one that writes'))
  const doubts = new Counter({
    ...named('doubted_total', 'Answers of nodes that were rejected or completed'),
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
    head: headGauges(registry),
    loaded: (header) => {
      synced.set(header?.number ?? 0)
      leader.set(1)
    },
    leads: (isLeader) => leader.set(isLeader ? 1 : 0),
    compared: solvencyGauges(registry),
    database: databaseGauges(registry),
    committed: (commit) => {
      synced.set(commit.synced.number)
      blocks.inc(commit.blocks)
      events.inc(commit.events)
      commits.observe(commit.seconds)
    },
    undone: (count) => {
      reorgs.inc()
      undone.inc(count)
      depths.observe(count)
    },
    doubted: (why) => doubts.inc({ why }),
    reread: () => rereads.inc(),
    failed: (source) => failures.inc({ source }),
  }
}

function headGauges(registry: Registry): Metrics['head'] {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `openvenue_indexer_${name}`, help, registers: [registry] })
  const number = gauge('head_block', 'Newest block of the chain')
  const time = gauge('head_seconds', 'Unix time of the newest block')
  return (header) => {
    number.set(header.number)
    time.set(header.seconds)
  }
}

/** The embedded database, which is not measured, counts as a primary without limits. */
function databaseGauges(registry: Registry): Metrics['database'] {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `openvenue_indexer_database_${name}`, help, registers: [registry] })
  const isPrimary = gauge('is_primary', '1 while the database answers as a primary, else 0')
  const isUnprotected = gauge('standby_missing', '1 while commits wait for a synchronous standby')
  const isFailing = gauge('archive_failing', '1 while the write-ahead log cannot be archived')
  const left = gauge('connections_left', 'Share of the connections that is free, 0 to 1')
  const clock = gauge('clock_seconds', 'Clock of the database minus that of this process')
  isPrimary.set(1)
  left.set(1)
  return (state) => {
    isPrimary.set(state?.isPrimary ? 1 : 0)
    // The rest is unknown while it does not answer.
    if (state === undefined) return
    isUnprotected.set(state.needsStandby && state.synchronousStandbys === 0 ? 1 : 0)
    isFailing.set(state.archive === 'failing' ? 1 : 0)
    left.set(state.connectionsLeft / state.connectionsMax)
    clock.set(state.clockSeconds)
  }
}

/** The flag is exact; amounts are the nearest double. */
function solvencyGauges(registry: Registry): Metrics['compared'] {
  const gauge = (name: string, help: string) =>
    new Gauge({
      name: `openvenue_indexer_${name}`,
      help,
      labelNames: ['engine', 'token', 'symbol'] as const,
      registers: [registry],
    })
  const isCovered = gauge('is_covered', '1 while the engine holds what accounts may claim, else 0')
  const uncovered = gauge(
    'uncovered_blocks',
    'Blocks since the engine held enough; 0 while it does',
  )
  /** The first block of each shortfall, by engine and token. */
  const since = new Map<string, number>()
  const shortfall = gauge('shortfall_tokens', 'Shortfall of the engine; 0 when claims are covered')
  const claimed = gauge('claimed_tokens', 'Total claims of all accounts to a token')
  const balance = gauge('held_tokens', 'Balance of the engine')
  const comparedBlock = gauge('compared_block', 'Block at which both were compared last')
  return (block, { engine, token, symbol, scale, ...of }) => {
    const labels = { engine, token, symbol }
    const lacking = of.claimed > of.held ? of.claimed - of.held : 0n
    isCovered.set(labels, lacking === 0n ? 1 : 0)
    const key = `${engine} ${token}`
    // A reorganisation may move the beginning to an earlier block.
    const first = Math.min(block, since.get(key) ?? block)
    if (lacking === 0n) since.delete(key)
    else since.set(key, first)
    uncovered.set(labels, lacking === 0n ? 0 : block - first + 1)
    shortfall.set(labels, Number(lacking) / Number(scale))
    claimed.set(labels, Number(of.claimed) / Number(scale))
    balance.set(labels, Number(of.held) / Number(scale))
    comparedBlock.set(labels, block)
  }
}
