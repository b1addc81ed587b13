// Wakes readers, and hands them the newest entries without a way through the database when the
// writer is in this process.
import type { Db } from './db.ts'
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
  let recent: FeedEntry[] = []
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
      recent = newest([...recent, ...entries])
      wakeAll()
    },
    reset() {
      recent = []
      wakeAll()
    },
    after(seq, limit) {
      const start = recent.findIndex((entry) => entry.seq === seq + 1)
      if (start >= 0) return recent.slice(start, start + limit)
      return recent.at(-1)?.seq === seq ? [] : undefined
    },
    onWake(wake) {
      // One function may be given twice: each gets its own place in the set.
      const own = () => wake()
      wakes.add(own)
      stopListening ??= db.listen(wakeAll)
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

function newest(entries: readonly FeedEntry[]): FeedEntry[] {
  let changes = 0
  let start = entries.length
  while (start > 0 && entries.length - start < RECENT_ENTRIES_MAX) {
    changes += entries[start - 1]?.changes.length ?? 0
    if (changes > RECENT_CHANGES_MAX && start < entries.length) break
    start -= 1
  }
  return entries.slice(start)
}
