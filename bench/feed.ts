// Measures how 50 followers in processes of their own get new blocks: by LISTEN and reads, and over
// NATS. Both take turns in one run, and what PostgreSQL spends without followers is its baseline.
import type { FeedMode, FeedResult } from './feed-run.ts'
import { besideServices } from './services.ts'
import { median, type Section } from './table.ts'

const GOAL_MS = 50
/** A follower has a few connections. */
const POSTGRES_SETTINGS = 'max_connections=400'

export async function measureFeed(followers: number): Promise<Section> {
  process.env.POSTGRES_SETTINGS ??= POSTGRES_SETTINGS
  const results = await besideServices<readonly FeedResult[]>('./feed-run.ts', [`${followers}`])
  const of = (mode: FeedMode) => results.filter((result) => result.mode === mode)
  const cpu = (mode: FeedMode) => median(of(mode).map(({ cpuMs }) => cpuMs))
  const row = (mode: FeedMode, name: string) => [
    name,
    ...(['p50', 'p99'] as const).map((key) => median(of(mode).map((r) => r[key])).toFixed(1)),
    cpu(mode).toFixed(1),
    (cpu(mode) / cpu('listen')).toFixed(2),
    of(mode)
      .reduce((sum, { reads }) => sum + reads, 0)
      .toString(),
  ]
  return {
    title: `${followers} followers of the feed; goal: p99 ${GOAL_MS} ms, a third of LISTEN's CPU`,
    columns: ['followers', 'ms p50', 'ms p99', 'PostgreSQL ms/block', 'of LISTEN', 'reads'],
    rows: [row('none', 'none'), row('listen', 'LISTEN'), row('nats', 'NATS')],
  }
}
