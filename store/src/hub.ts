// Wakes readers, and hands them the newest entries without a way through the database when the
// writer is in this process.
import { type Db, WAKE_CHANNEL } from './db.ts'
import type { FeedEntry } from './store.ts'

/** Entries held for readers of this process, also through a backfill's large batches. */
const RECENT_ENTRIES_MAX = 4096
/** Changes held; a backfill's blocks are large. The newest entry is held whatever its size. */
const RECENT_CHANGES_MAX = 50_000

export type Hub = Readonly<{
  /** Takes over entries that were just committed, and wakes readers. */
  publish(entries: readonly FeedEntry[]): void
  /** Forgets everything: another writer may have written. Wakes readers. */
  reset(): void
  /** Returns entries after `seq`, or undefined where only the database knows. */
  after(seq: number, limit: number): readonly FeedEntry[] | undefined
  onWake(wake: () => void): () => void
  close(): void
}>

export function createHub(db: Db): Hub {
  const wakes = new Set<() => void>()
  /** Without a gap in `seq`. */
  let recent: FeedEntry[] = []
  let changes = 0
  let stopListening: (() => void) | undefined
  const wakeAll = () => {
    for (const wake of wakes) wake()
  }
  const stop = () => {
    stopListening?.()
    stopListening = undefined
  }
  return {
    publish(entries) {
      recent = recent.concat(entries)
      changes += sizeOf(entries)
      while (
        recent.length > 1 &&
        (recent.length > RECENT_ENTRIES_MAX || changes > RECENT_CHANGES_MAX)
      ) {
        // In bulk, so that not every commit moves the whole list.
        changes -= sizeOf(recent.splice(0, Math.ceil(recent.length / 8)))
      }
      wakeAll()
    },
    reset() {
      recent = []
      changes = 0
      wakeAll()
    },
    after(seq, limit) {
      const start = seq + 1 - (recent[0]?.seq ?? Number.POSITIVE_INFINITY)
      return start < 0 || start > recent.length ? undefined : recent.slice(start, start + limit)
    },
    onWake(wake) {
      // One function may be given twice: each gets its own place in the set.
      const own = () => wake()
      wakes.add(own)
      stopListening ??= db.listen(WAKE_CHANNEL, wakeAll)
      return () => {
        wakes.delete(own)
        if (wakes.size === 0) stop()
      }
    },
    close() {
      wakes.clear()
      stop()
    },
  }
}

const sizeOf = (entries: readonly FeedEntry[]) =>
  entries.reduce((sum, entry) => sum + entry.changes.length, 0)
