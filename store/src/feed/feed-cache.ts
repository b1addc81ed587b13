// Caches the newest feed entries for readers in the writer's process, and signals readers.
import type { Broadcast } from '../broadcast/broadcast.ts'
import { type Db, SIGNAL_CHANNEL } from '../db/db.ts'
import type { FeedEntry } from '../store.ts'
import { FeedMirror } from './feed-mirror.ts'

/** Maximum number of entries, also through large batches of a backfill. */
const RECENT_ENTRIES_MAX = 4096
/** Maximum number of changes; a backfill's blocks are large. The newest entry is always kept. */
const RECENT_CHANGES_MAX = 50_000

/** Takes the entries after `seq`; complete: the database had no more. */
type FeedRead = (seq: number, entries: readonly FeedEntry[], isComplete: boolean) => void

export class FeedCache {
  readonly #db: Db
  readonly #seen: { feed: number }
  readonly #listeners = new Set<() => void>()
  /** Without a gap in `seq`. */
  #recent: FeedEntry[] = []
  #changes = 0
  #stopListening: (() => void) | undefined
  /** Entries of another process; undefined without a message server. */
  readonly #mirror: FeedMirror | undefined

  /** `seen` has the newest number that this process wrote or read. */
  constructor(db: Db, seen = { feed: 0 }, broadcast?: Broadcast) {
    this.#db = db
    this.#seen = seen
    this.#mirror =
      broadcast &&
      new FeedMirror(broadcast, {
        grown: (seq) => this.#grown(seq),
        signal: (seq) => this.#signalOthers(seq),
      })
  }

  /** Records that the feed has reached `seq`. */
  see(seq: number): void {
    this.#seen.feed = Math.max(this.#seen.feed, seq)
  }

  /** Adds entries that were just committed, and signals readers. */
  publish(entries: readonly FeedEntry[], isCarried = false): void {
    this.#recent = this.#recent.concat(entries)
    this.see(entries.at(-1)?.seq ?? 0)
    this.#changes += countChanges(entries)
    while (
      this.#recent.length > 1 &&
      (this.#recent.length > RECENT_ENTRIES_MAX || this.#changes > RECENT_CHANGES_MAX)
    ) {
      // In bulk, so that not every commit moves the whole list.
      const dropped = this.#recent.splice(0, Math.ceil(this.#recent.length / 8))
      this.#changes -= countChanges(dropped)
    }
    this.#signalAll()
    this.#mirror?.send(entries, isCarried)
  }

  /** Returns whether `entries` can be expected to reach readers as messages. */
  carries(entries: readonly FeedEntry[]): boolean {
    return this.#mirror?.carries(entries) ?? false
  }

  /** Drops everything, since another writer may have written. Signals readers. */
  reset(): void {
    this.#recent = []
    this.#changes = 0
    this.#signalAll()
  }

  /** Returns entries after `seq`, or undefined when only the database has them. */
  after(seq: number, limit: number): readonly FeedEntry[] | undefined {
    const start = seq + 1 - (this.#recent[0]?.seq ?? Number.POSITIVE_INFINITY)
    if (start < 0 || start > this.#recent.length) return this.#mirror?.after(seq, limit)
    return this.#recent.slice(start, start + limit)
  }

  /** Called before the database is read. Returns the function that takes the result. */
  reading(): FeedRead {
    const taken = this.#mirror?.reading()
    return (seq, entries, isComplete) => {
      this.see(entries.at(-1)?.seq ?? seq)
      taken?.(seq, entries, isComplete)
    }
  }

  /** Called when the feed does not continue from a reader's entry. */
  gone(): void {
    this.#mirror?.reset()
  }

  /** Calls `signal` when any process may have added entries. Returns the function that stops it. */
  onSignal(signal: () => void): () => void {
    // A function may be passed twice: each call is a separate entry of the set.
    const listener = () => signal()
    this.#listeners.add(listener)
    this.#stopListening ??= this.#listen()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  close(): void {
    this.#listeners.clear()
    this.#stop()
  }

  #listen(): () => void {
    const mirror = this.#mirror
    if (mirror === undefined)
      return this.#db.listen(
        SIGNAL_CHANNEL,
        () => this.#signalAll(),
        () => this.#signalAll(),
      )
    mirror.start()
    const onMessage = (payload: string | undefined) => mirror.heard(Number(payload ?? 0))
    const stop = this.#db.listen(SIGNAL_CHANNEL, onMessage, () => mirror.readTable())
    return () => {
      stop()
      mirror.stop()
    }
  }

  /** Signals other processes after the commit, since a message was not delivered. */
  #signalOthers(seq: number): void {
    const text = `SELECT pg_notify('${SIGNAL_CHANNEL}', $1)::text`
    // A failure of the database is reported where it is read.
    void this.#db.primary.query(text, [`${seq}`]).catch(() => {})
  }

  #grown(seq: number): void {
    this.see(seq)
    this.#signalAll()
  }

  #signalAll(): void {
    for (const signal of this.#listeners) signal()
  }

  #stop(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
  }
}

const countChanges = (entries: readonly FeedEntry[]) =>
  entries.reduce((sum, entry) => sum + entry.changes.length, 0)
