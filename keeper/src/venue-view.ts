// The venue as the keeper holds it: the indexer's state, by a snapshot and the feed after it,
// without what no task asks for. Its memory is bounded by what rests and stands in the venue at a
// time.
import type { Change } from '@openvenue/core/changes'
import { emptyState, fold, type StateKind, type VenueState } from '@openvenue/core/state'
import { type FeedFollower, followFeed, loadSnapshot } from '@openvenue/store/follow-feed'
import type { FeedEntry, Reader, Snapshot } from '@openvenue/store/store'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

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

  /** Whether a block of the venue is known: a database that no indexer has written to is empty. */
  get isKnown(): boolean {
    return this.#state.head !== undefined
  }

  /** Calls `listener` whenever the state has changed. Returns what stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Calls `follower` after each entry of the feed with what of it the state has taken. A state that
   * is loaded anew is another object, and nothing is said of it. Returns what stops it.
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
    const { reader, clock, log } = this.#deps
    const source = { reader, delay: clock.delay, log }
    const follower = this.#follower()
    await loadSnapshot(source, follower, signal)
    await followFeed(source, follower, signal)
  }

  #follower(): FeedFollower {
    return {
      seq: () => this.#seq,
      head: () => this.#state.head,
      windows: () => {
        const nowSeconds = Math.floor(this.#deps.clock.nowMs() / 1000)
        return { ...NO_WINDOWS, priceSeconds: nowSeconds, poolHoursFrom: nowSeconds }
      },
      load: (snapshot) => this.#load(snapshot),
      apply: (entry) => this.#take(entry),
      onApplied: () => this.#emit(),
      onBreak: () => this.#deps.onFeedBreak?.(),
    }
  }

  #load({ seq, state }: Snapshot): void {
    this.#state = state
    this.#seq = seq
    this.#emit()
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
}

const isKept = ({ what }: Change) => (KEPT as readonly string[]).includes(what)
