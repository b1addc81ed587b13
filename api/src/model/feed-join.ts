// Joins rows of the database with the feed: a read made while the feed goes on belongs to some
// entry, and the changes after that entry are applied to it.
import type { ReadAt } from '@openvenue/store/store'

/** Changes kept during a read; a more active key cannot be read for now. */
export const HEARD_MAX = 10_000

/** The rows cannot be brought to the model's position: read again. */
class JoinFailed extends Error {
  override name = 'JoinFailed'
}

/** `T` is the type of the rows; `C` a change of the feed, or what is kept of it. */
export class FeedJoin<T, C> {
  readonly #fromSeq: number
  #heard: { readonly seq: number; readonly change: C }[] = []
  #reading: ReadAt<T> | undefined

  /** `fromSeq`: the model's position when the read begins. */
  constructor(fromSeq: number) {
    this.#fromSeq = fromSeq
  }

  /** Records a change of the entry `seq`. */
  hear(seq: number, change: C): void {
    if (this.#reading !== undefined && seq <= this.#reading.seq) return
    // One more than allowed marks that there were too many.
    if (this.#heard.length <= HEARD_MAX) this.#heard.push({ seq, change })
  }

  /** Takes the database's rows. Throws `JoinFailed` when earlier changes may be missing. */
  arrive(reading: ReadAt<T>): void {
    const { seq } = reading
    if (!(seq >= this.#fromSeq))
      throw new JoinFailed(`the database is at entry ${seq}, behind ${this.#fromSeq}`)
    if (this.#heard.length > HEARD_MAX)
      throw new JoinFailed(`more than ${HEARD_MAX} changes while the database read`)
    this.#heard = this.#heard.filter((heard) => heard.seq > seq)
    this.#reading = reading
  }

  /** Returns the rows and the changes since, once the model has reached them; else undefined. */
  at(modelSeq: number): Readonly<{ rows: T; since: readonly C[] }> | undefined {
    if (this.#reading === undefined || this.#reading.seq > modelSeq) return undefined
    return { rows: this.#reading.rows, since: this.#heard.map(({ change }) => change) }
  }
}

/** A pending read of one key. */
export type PendingJoin<K, T, C> = Readonly<{
  key: K
  join: FeedJoin<T, C>
  /** Resolves when the key is in the model, or when it must be read again. */
  done: PromiseWithResolvers<void>
}>

type JoinsDeps<K, T, C> = Readonly<{
  /** The model's position. */
  seq: () => number
  /** Loads a key into the model: its rows, and the changes since. */
  take: (key: K, rows: T, since: readonly C[]) => void
}>

/** Reads from the database while the feed goes on, by key. */
export class FeedJoins<K, T, C> {
  readonly #deps: JoinsDeps<K, T, C>
  readonly #joining = new Map<K, PendingJoin<K, T, C>>()
  /** Completed reads of an entry that the model has yet to reach. */
  readonly #waiting = new Set<PendingJoin<K, T, C>>()

  constructor(deps: JoinsDeps<K, T, C>) {
    this.#deps = deps
  }

  /** Number of pending reads. */
  get size(): number {
    return this.#joining.size
  }

  has(key: K): boolean {
    return this.#joining.has(key)
  }

  /** Starts to record the changes of a key, or returns the pending read; rows go to `arrive`. */
  begin(key: K): PendingJoin<K, T, C> {
    const pending = this.#joining.get(key)
    if (pending !== undefined) return pending
    const join = new FeedJoin<T, C>(this.#deps.seq())
    const joining = { key, join, done: Promise.withResolvers<void>() }
    // The caller may be gone by the time it fails.
    joining.done.promise.catch(() => {})
    this.#joining.set(key, joining)
    return joining
  }

  /** Records a change of the entry `seq`, if the key is being read. */
  hear(key: K, seq: number, change: C): void {
    this.#joining.get(key)?.join.hear(seq, change)
  }

  /** Takes the rows. Returns false while the model has yet to reach them. */
  arrive(joining: PendingJoin<K, T, C>, reading: ReadAt<T>): boolean {
    if (this.#joining.get(joining.key) !== joining) return true
    try {
      joining.join.arrive(reading)
    } catch (error) {
      this.fail(joining, error)
      return true
    }
    this.#waiting.add(joining)
    this.settle()
    return !this.#waiting.has(joining)
  }

  /** Rejects a read that failed, or whose entry the model does not reach. */
  fail(joining: PendingJoin<K, T, C>, error: unknown): void {
    if (this.#joining.get(joining.key) !== joining) return
    this.#forget(joining)
    joining.done.reject(error)
  }

  /** Called after each entry: completes reads that waited for it. */
  settle(): void {
    for (const joining of this.#waiting) {
      const joined = joining.join.at(this.#deps.seq())
      if (joined === undefined) continue
      this.end(joining.key)
      this.#deps.take(joining.key, joined.rows, joined.since)
    }
  }

  /** Ends a read that is no longer needed; waiting callers check the model again. */
  end(key: K): void {
    const joining = this.#joining.get(key)
    if (joining === undefined) return
    this.#forget(joining)
    joining.done.resolve()
  }

  /** The model was reloaded. */
  reset(): void {
    for (const key of [...this.#joining.keys()]) this.end(key)
  }

  #forget(joining: PendingJoin<K, T, C>): void {
    this.#joining.delete(joining.key)
    this.#waiting.delete(joining)
  }
}

/** Time in which the model must reach the database's entry, ms. */
const JOIN_MS_MAX = 5000

/**
 * Loads the keys of `joinings` into the model with the rows of `ask`. Fails those that cannot be
 * read, or that the model does not reach within `joinMsMax`.
 */
export async function joinAll<K, T, C>(
  joins: FeedJoins<K, T, C>,
  joinings: readonly PendingJoin<K, T, C>[],
  ask: () => Promise<(key: K) => ReadAt<T>>,
  joinMsMax = JOIN_MS_MAX,
): Promise<void> {
  try {
    const readingOf = await ask()
    const late = joinings.filter((joining) => !joins.arrive(joining, readingOf(joining.key)))
    if (late.length === 0) return
    const failLate = () => {
      for (const joining of late)
        joins.fail(joining, new JoinFailed('the feed is behind the database'))
    }
    AbortSignal.timeout(joinMsMax).addEventListener('abort', failLate, { once: true })
  } catch (error) {
    for (const joining of joinings) joins.fail(joining, error)
  }
}
