// Keeps the newest entries of the feed for readers in the writer's process, and signals readers.
import { type Db, SIGNAL_CHANNEL } from './db.ts'
import type { FeedEntry } from './store.ts'

/** Entries held for readers of this process, also through a backfill's large batches. */
const RECENT_ENTRIES_MAX = 4096
/** Changes held; a backfill's blocks are large. The newest entry is held whatever its size. */
const RECENT_CHANGES_MAX = 50_000

export class FeedCache {
  readonly #db: Db
  readonly #listeners = new Set<() => void>()
  /** Without a gap in `seq`. */
  #recent: FeedEntry[] = []
  #changes = 0
  #stopListening: (() => void) | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Takes over entries that were just committed, and signals readers. */
  publish(entries: readonly FeedEntry[]): void {
    this.#recent = this.#recent.concat(entries)
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
  }

  /** Forgets everything: another writer may have written. Signals readers. */
  reset(): void {
    this.#recent = []
    this.#changes = 0
    this.#signalAll()
  }

  /** Returns entries after `seq`, or undefined where only the database knows. */
  after(seq: number, limit: number): readonly FeedEntry[] | undefined {
    const start = seq + 1 - (this.#recent[0]?.seq ?? Number.POSITIVE_INFINITY)
    if (start < 0 || start > this.#recent.length) return undefined
    return this.#recent.slice(start, start + limit)
  }

  /** Calls `signal` when entries may have been added, by any process. Returns what stops it. */
  onSignal(signal: () => void): () => void {
    // One function may be given twice: each is an entry of its own in the set.
    const own = () => signal()
    this.#listeners.add(own)
    this.#stopListening ??= this.#db.listen(SIGNAL_CHANNEL, () => this.#signalAll())
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  close(): void {
    this.#listeners.clear()
    this.#stop()
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
