// The venue as the keeper holds it: the indexer's state, by a snapshot and the feed after it,
// without what no task asks for. Its memory is bounded by what rests and stands in the venue at a
// time.
import type { Change } from '@openvenue/core/changes'
import { emptyState, fold, type StateKind, type VenueState } from '@openvenue/core/state'
import { goesOnFrom } from '@openvenue/store/feed-order'
import { type FeedEntry, FeedGone, type Reader } from '@openvenue/store/store'
import type { Logger } from 'pino'
import { Bell, type Clock } from './clock.ts'

/** Kinds of records that tasks read. */
const KEPT: readonly StateKind[] = [
  'market',
  'order',
  'unswept',
  'position',
  'collateral',
  'mark',
  'funding',
  'indexPrice',
]

/** Entries read at once. */
const FEED_ENTRIES_MAX = 500
/** A wake can be lost with a connection; the feed is read this often in any case. */
const POLL_MS = 1_000
/** Pause before a database that failed is asked again. */
const RETRY_MS = 250
/** Histories that a snapshot could hold as well. */
const NO_WINDOWS = { kinds: KEPT, trades: 0, candles: {}, settlements: 0 }

type VenueViewDeps = Readonly<{
  reader: Reader
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  /** Hears of each time that the feed did not go on from the head. */
  onFeedBreak?: () => void
}>

/** Hears what the state has taken. */
export type Follower = (changes: readonly Change[]) => void

export class VenueView {
  readonly #deps: VenueViewDeps
  readonly #listeners = new Set<() => void>()
  readonly #followers = new Set<Follower>()
  #state: VenueState = emptyState()
  #seq = -1

  constructor(deps: VenueViewDeps) {
    this.#deps = deps
  }

  /** The state at its `head`, which is undefined before the first block. Nobody else changes it. */
  get state(): VenueState {
    return this.#state
  }

  /** The feed entry last folded in; -1 before the snapshot. */
  get seq(): number {
    return this.#seq
  }

  /** Calls `listener` whenever the state has changed. Returns what stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Calls `follower` after each entry of the feed with what of it the state has taken. A state that
   * is loaded anew is another object, and nothing is told of it. Returns what stops it.
   */
  onFold(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  /**
   * Follows the feed until `signal` aborts. Rejects only when an entry cannot be folded in, which
   * is our own fault; while the database fails, the state stays as it was.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const { reader, clock } = this.#deps
    const bell = new Bell()
    const stopWaking = reader.onWake(() => bell.ring())
    try {
      await this.#load(signal)
      while (!signal.aborted) {
        await this.#drain(signal)
        await bell.heard(clock, POLL_MS, signal)
      }
    } finally {
      stopWaking()
    }
  }

  async #load(signal: AbortSignal): Promise<void> {
    const { reader, clock, log } = this.#deps
    const nowSeconds = Math.floor(clock.nowMs() / 1000)
    const windows = { ...NO_WINDOWS, priceSeconds: nowSeconds, poolHoursFrom: nowSeconds }
    const snapshot = await this.#untilRead(signal, () => reader.snapshot(windows))
    if (snapshot === undefined) return
    this.#state = snapshot.state
    this.#seq = snapshot.seq
    log.info({ seq: snapshot.seq, block: snapshot.state.head?.number }, 'state loaded')
    this.#emit()
  }

  async #drain(signal: AbortSignal): Promise<void> {
    const { reader } = this.#deps
    while (!signal.aborted) {
      const entries = await this.#untilRead(signal, async () => {
        try {
          return await reader.feedAfter(this.#seq, FEED_ENTRIES_MAX)
        } catch (error) {
          if (error instanceof FeedGone) return 'gone'
          throw error
        }
      })
      if (entries === 'gone') await this.#load(signal)
      else if (entries === undefined || entries.length === 0) return
      else {
        if (!this.#takeAll(entries)) await this.#resync(signal)
        this.#emit()
      }
    }
  }

  /** Returns whether all went on from the head; what comes after one that does not is not taken. */
  #takeAll(entries: readonly FeedEntry[]): boolean {
    for (const entry of entries) {
      if (!goesOnFrom(this.#state.head, entry)) return false
      this.#take(entry)
    }
    return true
  }

  /** What the feed says cannot be after what it said before: the database's tables decide. */
  async #resync(signal: AbortSignal): Promise<void> {
    const { clock, log, onFeedBreak } = this.#deps
    onFeedBreak?.()
    const facts = { seq: this.#seq, head: this.#state.head }
    log.warn(facts, 'the feed does not go on from the head')
    await clock.delay(RETRY_MS, signal)
    await this.#load(signal)
  }

  #take({ seq, header, changes }: FeedEntry): void {
    const kept = changes.filter(isKept)
    fold(this.#state, kept)
    this.#state.head = header
    this.#seq = seq
    for (const follower of this.#followers) follower(kept)
  }

  #emit(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Reads until it works. Returns undefined when `signal` aborts first. */
  async #untilRead<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T | undefined> {
    const { clock, log } = this.#deps
    while (!signal.aborted) {
      try {
        return await read()
      } catch (error) {
        log.warn({ err: error }, 'the database does not answer')
        await clock.delay(RETRY_MS, signal)
      }
    }
    return undefined
  }
}

const isKept = ({ what }: Change) => (KEPT as readonly string[]).includes(what)
