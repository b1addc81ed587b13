// Progress of the indexer, for readiness, metrics and operators.
import type { Header } from '@openvenue/core/events'

/** The chain's head and the last committed block. */
export type Progress = {
  head: Header | undefined
  /** Time of a node's last head, milliseconds of the monotonic clock. */
  headAtMs: number
  /** Time since which heads are below the committed block, same clock; undefined: they are not. */
  behindSinceMs: number | undefined
  synced: Header | undefined
}

/** Answer of `/ready`; `error` is a fixed word. Numbers are null until known. */
export type Readiness = Readonly<{
  status: 'ready' | 'not_ready'
  head: number | null
  synced: number | null
  /** Blocks between the two. */
  lag: number | null
  error?: 'no_head' | 'head_stale' | 'node_behind' | 'not_synced' | 'lagging'
}>

/** Age beyond which a head no longer counts as current. */
const HEAD_AGE_MS_MAX = 15_000

/** Records the newest known head of the chain. */
export function noteHead(progress: Progress, head: Header, nowMs: number): void {
  progress.head = head
  progress.headAtMs = nowMs
  const isBehind = head.number < (progress.synced?.number ?? 0)
  progress.behindSinceMs = isBehind ? (progress.behindSinceMs ?? nowMs) : undefined
}

/** Returns whether `progress` is within `lagMax` blocks of a recent head. */
export function assessReadiness(progress: Progress, lagMax: number, nowMs: number): Readiness {
  const head = progress.head?.number ?? null
  const synced = progress.synced?.number ?? null
  const lag = head === null || synced === null ? null : Math.max(0, head - synced)
  const facts = { head, synced, lag }
  if (head === null) return { status: 'not_ready', ...facts, error: 'no_head' }
  if (nowMs - progress.headAtMs > HEAD_AGE_MS_MAX)
    return { status: 'not_ready', ...facts, error: 'head_stale' }
  // Heads of lagging nodes do not show the current lag.
  if (nowMs - (progress.behindSinceMs ?? nowMs) > HEAD_AGE_MS_MAX)
    return { status: 'not_ready', ...facts, lag: null, error: 'node_behind' }
  if (lag === null) return { status: 'not_ready', ...facts, error: 'not_synced' }
  if (lag > lagMax) return { status: 'not_ready', ...facts, error: 'lagging' }
  return { status: 'ready', ...facts }
}
