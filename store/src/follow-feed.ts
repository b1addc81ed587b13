// Keeps a copy of the venue at the head of the feed: a snapshot first, then entry by entry.
import type { Header } from '@openvenue/core/events'
import { goesOnFrom } from './feed-order.ts'
import { Signal } from './signal.ts'
import {
  type FeedEntry,
  FeedGone,
  type Reader,
  type Snapshot,
  type SnapshotWindows,
} from './store.ts'

/** Entries read at once. */
const FEED_ENTRIES_MAX = 500
/** A signal can be lost with a connection; the feed is read this often in any case. */
const POLL_MS = 1000
/** Pause before a database that failed is asked again. */
const RETRY_MS = 250

/** Where the feed is read, and what waiting and logging need. */
export type FeedSource = Readonly<{
  reader: Pick<Reader, 'snapshot' | 'feedAfter' | 'onSignal'>
  /** Resolves after so many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
  log: Readonly<{
    info: (facts: object, text: string) => void
    warn: (facts: object, text: string) => void
  }>
}>

/** Whose copy it is. */
export type FeedFollower = Readonly<{
  /** The entry last applied or loaded; -1 before the first snapshot. */
  seq: () => number
  /** Its block. */
  head: () => Header | undefined
  /** Returns how much of each history a snapshot is to bring. */
  windows: () => SnapshotWindows
  /** Puts a snapshot in the place of all that is there. */
  load: (snapshot: Snapshot) => void
  apply: (entry: FeedEntry) => void
  /** Called after the entries of one read were applied. */
  onApplied?: () => void
  /** Called whenever the database has answered what comes next. */
  onRead?: () => void
  /** Called whenever the feed does not go on from the head. */
  onBreak?: () => void
}>

/** Loads a snapshot; asks again until the database answers or `signal` aborts. */
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
 * applied, which is our own fault; while the database fails, the copy stays as it was.
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
      await grown.wait((quiet) => source.delay(POLL_MS, quiet))
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stopListening()
  }
}

/** Applies all that there is by now. */
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

/** Returns what comes after `seq`, or that the database has pruned it. */
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

/** Returns whether all went on from the head; what comes after one that does not is not taken. */
function applyAll(follower: FeedFollower, entries: readonly FeedEntry[]): boolean {
  for (const entry of entries) {
    if (!goesOnFrom(follower.head(), entry)) return false
    follower.apply(entry)
  }
  return true
}

/** Reads the tables anew: what the feed says cannot follow on what it said before. */
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

/** Reads until it works. Returns undefined when `signal` aborts first. */
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
