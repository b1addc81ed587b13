// Database reads that are never older than what this node has published (decision 0029).
import type { BlockRead, ReadFrom } from '@openvenue/store/db/block-read'
import type { VenueModel } from './venue-model.ts'

/** Pauses between queries of a replica that is behind, 500 ms in all. */
export const REPLICA_PAUSES_MS: readonly number[] = [10, 20, 40, 80, 150, 200]
/** Time for which a replica that did not catch up is skipped, ms. */
const REPLICA_LEFT_MS = 1000
/**
 * Concurrent reads of the primary instead; further ones are refused for now. Half of its
 * connections for notifications, equity and relays.
 */
export const PRIMARY_READS_MAX = 2
/** Maximum wait for the feed to reach the database's entry, ms. */
const FEED_WAIT_MS_MAX = 5000

/** The data cannot be read as recent as required. */
export class NotFresh extends Error {
  override name = 'NotFresh'
}

type ReadQuery<T> = (from: ReadFrom) => Promise<BlockRead<T>>
type FreshnessTest = (read: BlockRead<unknown>) => boolean

type FreshReadDeps = Readonly<{
  model: VenueModel
  monotonicMs: () => number
  /** Absent: the primary is queried at once, without waiting. */
  delay?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
}>

type BlockWaiter = Readonly<{ seq: number; resolve: () => void }>

export class FreshReads {
  readonly #deps: FreshReadDeps
  readonly #waiting = new Set<BlockWaiter>()
  #replicaLeftUntilMs = Number.NEGATIVE_INFINITY
  #primaryReads = 0

  constructor(deps: FreshReadDeps) {
    this.#deps = deps
    deps.model.onEntry(() => this.#release())
    deps.model.onLoad(() => this.#release())
  }

  /**
   * Returns the result of `ask` in a view that contains everything this node had published when it
   * was called, or that `isEnough` accepts: from the replica, within half a second; then from the
   * primary. Throws `NotFresh` when neither has it.
   */
  async read<T>(
    ask: ReadQuery<T>,
    isEnough: FreshnessTest = this.#asFarAsNow(),
  ): Promise<BlockRead<T>> {
    return (await this.#askReplica(ask, isEnough)) ?? this.#askPrimary(ask, isEnough)
  }

  /**
   * Like `read`, once this node has published everything in the view: the feed continues from
   * there.
   */
  async readCaughtUp<T>(ask: ReadQuery<T>): Promise<BlockRead<T>> {
    const read = await this.read(ask)
    if (this.#deps.model.seq < read.seq) await this.#caughtUp(read.seq)
    return read
  }

  #asFarAsNow(): FreshnessTest {
    const { seq } = this.#deps.model
    return (read) => read.seq >= seq
  }

  async #askReplica<T>(
    ask: ReadQuery<T>,
    isEnough: FreshnessTest,
  ): Promise<BlockRead<T> | undefined> {
    const { monotonicMs, delay } = this.#deps
    if (monotonicMs() < this.#replicaLeftUntilMs) return undefined
    const first = await ask('replica')
    if (isEnough(first)) return first
    for (const pauseMs of delay === undefined ? [] : REPLICA_PAUSES_MS) {
      await delay?.(pauseMs, NEVER)
      const read = await ask('replica')
      if (isEnough(read)) return read
    }
    this.#replicaLeftUntilMs = monotonicMs() + REPLICA_LEFT_MS
    return undefined
  }

  async #askPrimary<T>(ask: ReadQuery<T>, isEnough: FreshnessTest): Promise<BlockRead<T>> {
    if (this.#primaryReads >= PRIMARY_READS_MAX)
      throw new NotFresh('the replica is behind, and the primary has enough to do')
    this.#primaryReads += 1
    try {
      const read = await ask('primary')
      if (isEnough(read)) return read
      throw new NotFresh('the database is behind what this node has published')
    } finally {
      this.#primaryReads -= 1
    }
  }

  async #caughtUp(seq: number): Promise<void> {
    const stopping = new AbortController()
    const arrived = Promise.withResolvers<void>()
    const waiting: BlockWaiter = { seq, resolve: arrived.resolve }
    this.#waiting.add(waiting)
    const { delay } = this.#deps
    const late = async () => {
      await delay?.(FEED_WAIT_MS_MAX, stopping.signal)
      throw new NotFresh('the feed has not brought what the database has')
    }
    try {
      await (delay === undefined ? arrived.promise : Promise.race([arrived.promise, late()]))
    } finally {
      this.#waiting.delete(waiting)
      stopping.abort()
    }
  }

  #release(): void {
    for (const { seq, resolve } of this.#waiting) if (seq <= this.#deps.model.seq) resolve()
  }
}

const NEVER = new AbortController().signal
