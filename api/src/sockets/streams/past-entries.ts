// Keeps the effects of the newest feed entries on markets and accounts, once per node. From them a
// channel can be rebuilt for a returning client: the only one, one of another node, or after a
// restart. Their size does not depend on what clients subscribe to.
import type { Header } from '@openvenue/core/events'
import { goesOnFrom } from '@openvenue/store/feed/feed-order'
import { type FeedEntry, FeedGone, type Reader } from '@openvenue/store/store'
import type { VenueModel } from '../../model/venue-model.ts'
import { Affected, pastOf } from './affected.ts'

/** Entries held: as many as the database keeps, 13 minutes of blocks of 200 ms. */
const PAST_ENTRIES_MAX = 4_096
/** Rows (orders, trades, fills, payments, transfers) held by all entries: about 50 MB. */
export const PAST_ROWS_MAX = 50_000
/** Entries read from the database at once. */
const READ_ENTRIES_MAX = 250
/** Maximum wait of a client for a node that is behind it, ms. */
export const AHEAD_MS_MAX = 5_000
/** Entries that a node may be behind a client; beyond it they are of another history. */
const AHEAD_ENTRIES_MAX = 1_000

/** One entry: its effects, and the chain's head after it. */
export type PastEntry = Readonly<{ seq: number; header: Header; affected: Affected; rows: number }>
/** The entries after `since`, the client's position. */
export type Past = Readonly<{ since: Header; entries: readonly PastEntry[] }>

type PastDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'feedAfter'>
  every: (ms: number, act: () => void) => () => void
  monotonicMs: () => number
}>

/** A request that waits for an entry. */
type Waiter = Readonly<{ seq: number; untilMs: number; resolve: () => void }>

export class PastEntries {
  readonly #deps: PastDeps
  /** Contiguous, oldest first. */
  #entries: PastEntry[] = []
  #rows = 0
  /** Entries before this one are not in the database, or too many to hold. */
  #goneSeq = 0
  #reading: Promise<void> = Promise.resolve()
  readonly #waiters = new Set<Waiter>()
  #stopWaiting: (() => void) | undefined

  constructor(deps: PastDeps) {
    this.#deps = deps
    deps.model.onEntry((entry) => this.#add(entry))
    deps.model.onLoad(() => this.#restart())
    this.#restart()
  }

  /**
   * Resolves once `after(seq)` returns everything; undefined when it already does. Waits for a node
   * that is behind the client, and reads older entries from the database, each once. Rejects when
   * the database does not answer.
   */
  reach(seq: number): Promise<void> | undefined {
    const { model } = this.#deps
    if (seq > model.seq) return seq - model.seq > AHEAD_ENTRIES_MAX ? undefined : this.#wait(seq)
    const first = this.#entries[0]?.seq ?? model.seq + 1
    if (seq >= first || seq < this.#oldestSeq()) return undefined
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read(seq))
    return this.#reading
  }

  /** Returns the entries after `seq`, or undefined when some of them are not held. */
  after(seq: number): Past | undefined {
    const first = this.#entries[0]
    if (first === undefined || seq < first.seq) return undefined
    const since = this.#entries[seq - first.seq]
    return since && { since: since.header, entries: this.#entries.slice(seq - first.seq + 1) }
  }

  /** Returns the oldest entry that the database may still have and that may be held here. */
  #oldestSeq(): number {
    return Math.max(this.#goneSeq, this.#deps.model.seq - PAST_ENTRIES_MAX)
  }

  #restart(): void {
    const { seq, head } = this.#deps.model
    this.#rows = 0
    this.#goneSeq = 0
    this.#entries =
      head === undefined ? [] : [{ seq, header: head, affected: new Affected(false), rows: 0 }]
  }

  #add(entry: FeedEntry): void {
    const past = toPast(entry)
    this.#entries.push(past)
    this.#rows += past.rows
    let dropped = 0
    for (const { rows } of this.#entries) {
      const isOver = this.#entries.length - dropped > PAST_ENTRIES_MAX || this.#rows > PAST_ROWS_MAX
      if (!isOver || dropped === this.#entries.length - 1) break
      this.#rows -= rows
      dropped += 1
    }
    if (dropped > 0) {
      this.#entries.splice(0, dropped)
      this.#goneSeq = this.#entries[0]?.seq ?? 0
    }
    for (const waiter of this.#waiters) if (waiter.seq <= entry.seq) this.#end(waiter)
  }

  /** Loads older entries, from `seq` to the oldest one held. */
  async #read(seq: number): Promise<void> {
    const first = this.#entries[0]
    if (first === undefined || seq >= first.seq || seq < this.#oldestSeq()) return
    const older = await this.#readOlder(seq, first)
    // The model may have been reloaded meanwhile, or have dropped the next entry.
    if (this.#entries[0] !== first) return
    if (older === undefined) {
      this.#goneSeq = Math.max(this.#goneSeq, seq + 1)
      return
    }
    this.#entries = [...older, ...this.#entries.slice(1)]
    this.#rows += older.reduce((sum, { rows }) => sum + rows, -first.rows)
  }

  /** Returns the entries from `seq` to `last`; undefined when some are gone or too many to hold. */
  async #readOlder(seq: number, last: PastEntry): Promise<PastEntry[] | undefined> {
    const entries: PastEntry[] = []
    let rows = this.#rows - last.rows
    let head: Header | undefined
    for (let at = seq - 1; at < last.seq; at = entries.at(-1)?.seq ?? last.seq) {
      const limit = Math.min(READ_ENTRIES_MAX, last.seq - at)
      const read = await this.#deps.reader.feedAfter(at, limit).catch((error: unknown) => {
        if (error instanceof FeedGone) return []
        throw error
      })
      if (read.length === 0) return undefined
      for (const entry of read) {
        if (head !== undefined && !goesOnFrom(head, entry)) return undefined
        head = entry.header
        const past = toPast(entry)
        entries.push(past)
        rows += past.rows
      }
      if (rows > PAST_ROWS_MAX) return undefined
    }
    return head?.hash === last.header.hash ? entries : undefined
  }

  #wait(seq: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiters.add({ seq, resolve, untilMs: this.#deps.monotonicMs() + AHEAD_MS_MAX })
    this.#stopWaiting ??= this.#deps.every(AHEAD_MS_MAX / 10, () => {
      const nowMs = this.#deps.monotonicMs()
      for (const waiter of this.#waiters) if (waiter.untilMs <= nowMs) this.#end(waiter)
    })
    return promise
  }

  #end(waiter: Waiter): void {
    this.#waiters.delete(waiter)
    waiter.resolve()
    if (this.#waiters.size > 0) return
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
  }
}

function toPast({ seq, kind, header, changes }: FeedEntry): PastEntry {
  const { affected, rows } = pastOf(kind, changes)
  return { seq, header, affected, rows }
}
