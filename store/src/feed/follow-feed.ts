// Keeps a copy of the venue at the head of the feed: first a snapshot, then entry by entry.
import type { Header } from '@openvenue/core/events'
import { Signal } from '@openvenue/runtime/signal'
import {
  type FeedEntry,
  FeedGone,
  type Reader,
  type Snapshot,
  type SnapshotWindows,
} from '../store.ts'
import { goesOnFrom } from './feed-order.ts'

/** Maximum number of entries per read. */
const FEED_ENTRIES_MAX = 500
/** Default poll interval of the feed, since a signal can be lost with a connection. */
const POLL_MS = 1000
/** Pause after a database failure. */
const RETRY_MS = 250

/** Access to the feed, delays and logging. */
export type FeedSource = Readonly<{
  reader: Pick<Reader, 'snapshot' | 'feedAfter' | 'onSignal'>
  /** Resolves after that many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
  /** Absent: `POLL_MS`. */
  pollMs?: number
  log: Readonly<{
    info: (facts: object, text: string) => void
    warn: (facts: object, text: string) => void
  }>
}>

/** The owner of the copy. */
export type FeedFollower = Readonly<{
  /** The entry last applied or loaded; -1 before the first snapshot. */
  seq: () => number
  /** Its block. */
  head: () => Header | undefined
  /** Returns the length of each history in a snapshot. */
  windows: () => SnapshotWindows
  /** Replaces everything by a snapshot. */
  load: (snapshot: Snapshot) => void
  apply: (entry: FeedEntry) => void
  /** Called after the entries of one read were applied. */
  onApplied?: () => void
  /** Called after each answer of the database to a read. */
  onRead?: () => void
  /** Called when the feed does not continue from the head. */
  onBreak?: () => void
}>

/** Loads a snapshot; retries until the database answers or `signal` aborts. */
export async function loadSnapshot(
  source: FeedSource,
  follower: FeedFollower,
  signal: AbortSignal,
): Promise<void> {
  const read = () => source.reader.snapshot(follower.windows())
  const snapshot = await untilRead(source, signal, read)
  if (snapshot === undefined) return
  follower.load(snapshot)
  source.log.info({ seq: snapshot.seq, head: follower.head()?.number }, 'model loaded')
}

/**
 * Applies the feed as it grows, until `signal` aborts. Rejects only when an entry cannot be
 * applied, which is a bug; while the database fails, the copy stays as it was.
 */
export async function followFeed(
  source: FeedSource,
  follower: FeedFollower,
  signal: AbortSignal,
): Promise<void> {
  const grown = new Signal()
  const stopListening = source.reader.onSignal(() => grown.set())
  const stop = () => grown.set()
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      await drain(source, follower, signal)
      await grown.wait((quiet) => source.delay(source.pollMs ?? POLL_MS, quiet))
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stopListening()
  }
}

/** Applies all current entries. */
async function drain(
  source: FeedSource,
  follower: FeedFollower,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const entries = await untilRead(source, signal, () => entriesAfter(source, follower.seq()))
    if (signal.aborted || entries === undefined) return
    follower.onRead?.()
    if (entries === 'gone') await loadSnapshot(source, follower, signal)
    else if (entries.length === 0) return
    else {
      if (!applyAll(follower, entries)) await resync(source, follower, signal)
      follower.onApplied?.()
    }
  }
}

/** Returns the entries after `seq`, or that the database has pruned them. */
async function entriesAfter(
  { reader }: FeedSource,
  seq: number,
): Promise<readonly FeedEntry[] | 'gone'> {
  try {
    return await reader.feedAfter(seq, FEED_ENTRIES_MAX)
  } catch (error) {
    if (error instanceof FeedGone) return 'gone'
    throw error
  }
}

/** Returns whether all entries continued from the head; entries after a break are not applied. */
function applyAll(follower: FeedFollower, entries: readonly FeedEntry[]): boolean {
  for (const entry of entries) {
    if (!goesOnFrom(follower.head(), entry)) return false
    follower.apply(entry)
  }
  return true
}

/** Reloads the tables, since the feed does not continue from its earlier entries. */
async function resync(
  source: FeedSource,
  follower: FeedFollower,
  signal: AbortSignal,
): Promise<void> {
  follower.onBreak?.()
  const facts = { seq: follower.seq(), head: follower.head() }
  source.log.warn(facts, 'the feed does not go on from the head')
  await source.delay(RETRY_MS, signal)
  await loadSnapshot(source, follower, signal)
}

/** Reads until it succeeds. Returns undefined when `signal` aborts first. */
async function untilRead<T>(
  { delay, log }: FeedSource,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer')
      await delay(RETRY_MS, signal)
    }
  }
  return undefined
}
