// Reads rows from the database that are never older than what this node has published (decision
// 0029).
import type { BlockRead, ReadFrom } from '@openvenue/store/block-read'
import type { VenueModel } from './venue-model.ts'

/** A replica that is behind is asked again after these pauses: 500 ms in all. */
export const REPLICA_PAUSES_MS: readonly number[] = [10, 20, 40, 80, 150, 200]
/** A replica that did not come as far in that time is left alone for so long. */
export const REPLICA_LEFT_MS = 1000
/**
 * Reads of the primary in its place, at one time: beyond them the answer is to come back later.
 * Half of the connections that notifications, equity and relays have there.
 */
export const PRIMARY_READS_MAX = 2
/** How long a read waits for the feed to bring what the database had already. */
export const FEED_WAIT_MS_MAX = 5000

/** The data cannot be read as new as it must be. */
export class NotFresh extends Error {
  override name = 'NotFresh'
}

type Ask<T> = (from: ReadFrom) => Promise<BlockRead<T>>
type IsEnough = (read: BlockRead<unknown>) => boolean

export type FreshReadDeps = Readonly<{
  model: VenueModel
  monotonicMs: () => number
  /** Absent: nothing is waited for, the primary is asked at once. */
  delay?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
}>

type Waiting = Readonly<{ seq: number; resolve: () => void }>

export class FreshReads {
  readonly #deps: FreshReadDeps
  readonly #waiting = new Set<Waiting>()
  #replicaLeftUntilMs = Number.NEGATIVE_INFINITY
  #primaryReads = 0

  constructor(deps: FreshReadDeps) {
    this.#deps = deps
    deps.model.onEntry(() => this.#release())
    deps.model.onLoad(() => this.#release())
  }

  /**
   * Returns what `ask` reads in a view that has all that this node had published when it was
   * called, or that `isEnough` of: from the replica, within half a second; then from the primary.
   * Throws `NotFresh` where neither has it.
   */
  async read<T>(ask: Ask<T>, isEnough: IsEnough = this.#asFarAsNow()): Promise<BlockRead<T>> {
    return (await this.#askReplica(ask, isEnough)) ?? this.#askPrimary(ask, isEnough)
  }

  /**
   * As `read`, once this node has published all that the view has: it is where the feed goes on
   * from.
   */
  async readCaughtUp<T>(ask: Ask<T>): Promise<BlockRead<T>> {
    const read = await this.read(ask)
    if (this.#deps.model.seq < read.seq) await this.#caughtUp(read.seq)
    return read
  }

  #asFarAsNow(): IsEnough {
    const { seq } = this.#deps.model
    return (read) => read.seq >= seq
  }

  async #askReplica<T>(ask: Ask<T>, isEnough: IsEnough): Promise<BlockRead<T> | undefined> {
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

  async #askPrimary<T>(ask: Ask<T>, isEnough: IsEnough): Promise<BlockRead<T>> {
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
    const waiting: Waiting = { seq, resolve: arrived.resolve }
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
