// The keeper's view of the venue: the indexer's state from a snapshot and the feed after it,
// limited to records that tasks read. Its memory is bounded by the open orders and positions.
import type { Change } from '@openvenue/core/changes'
import { emptyState, fold, type StateKind, type VenueState } from '@openvenue/core/state'
import { DATABASE_TEXTS, Outage } from '@openvenue/runtime/outage'
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import { type FeedFollower, followFeed, loadSnapshot } from '@openvenue/store/feed/follow-feed'
import type { FeedEntry, Reader, Snapshot } from '@openvenue/store/store'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

/** Record kinds that tasks read. */
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

/** A snapshot without histories. */
const NO_WINDOWS = { kinds: KEPT, trades: 0, candles: {}, settlements: 0 }

type VenueViewDeps = Readonly<{
  reader: Reader
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  /** With a message server blocks may come without a notification, so the feed is polled. */
  isCarried?: boolean
  /** Called each time the feed does not continue from the head. */
  onFeedBreak?: () => void
}>

/** Receives the changes applied to the state. */
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

  /** The state at its `head`; undefined before the first block. Only the view changes it. */
  get state(): VenueState {
    return this.#state
  }

  /** Sequence number of the last applied feed entry; -1 before the snapshot. */
  get seq(): number {
    return this.#seq
  }

  /** True once a block is known: a database without an indexer is empty. */
  get isKnown(): boolean {
    return this.#state.head !== undefined
  }

  /** Calls `listener` after each change of the state. Returns the function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Calls `follower` after each feed entry with the changes applied to the state. A reload creates
   * a new state object and is not reported. Returns the function that stops it.
   */
  onFold(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  /**
   * Follows the feed until `signal` aborts. Rejects only when an entry cannot be applied, which is
   * a bug; while the database fails, the state stays as it was.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const { reader, clock, log } = this.#deps
    const database = new Outage({ log, ...DATABASE_TEXTS, nowMs: clock.nowMs })
    const source = {
      reader,
      delay: clock.delay,
      ...(this.#deps.isCarried === true ? {} : { pollMs: LISTEN_FALLBACK_MS }),
      log: database.asLog(),
    }
    const follower = { ...this.#follower(), onRead: () => database.recovered() }
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
    const keptChanges = changes.filter(isKept)
    fold(this.#state, keptChanges)
    this.#state.head = header
    this.#seq = seq
    for (const follower of this.#followers) follower(keptChanges)
  }

  #emit(): void {
    for (const listener of this.#listeners) listener()
  }
}

const isKept = ({ what }: Change) => (KEPT as readonly string[]).includes(what)
