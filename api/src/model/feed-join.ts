// Joins what the database says of one thing to what the feed says of it: what is read while the
// feed goes on is of some entry, and the changes after that entry are folded in.
import type { ReadAt } from '@openvenue/store/store'

/** Changes remembered while the database reads; a thing that changes more is not read for now. */
export const HEARD_MAX = 10_000

/** The rows that were read cannot be brought to where the model stands: read again. */
export class JoinFailed extends Error {
  override name = 'JoinFailed'
}

/** `T` is what the database returns; `C` a change of the feed, or whatever is taken of one. */
export class FeedJoin<T, C> {
  readonly #fromSeq: number
  #heard: { readonly seq: number; readonly change: C }[] = []
  #reading: ReadAt<T> | undefined

  /** `fromSeq`: where the model stands as the reading begins. */
  constructor(fromSeq: number) {
    this.#fromSeq = fromSeq
  }

  /** Takes a change of the entry `seq`. */
  hear(seq: number, change: C): void {
    if (this.#reading !== undefined && seq <= this.#reading.seq) return
    // One more than are allowed says that there were too many.
    if (this.#heard.length <= HEARD_MAX) this.#heard.push({ seq, change })
  }

  /**
   * Takes what the database returned. Throws `JoinFailed` where changes before it may be missing.
   */
  arrive(reading: ReadAt<T>): void {
    const { seq } = reading
    if (!(seq >= this.#fromSeq))
      throw new JoinFailed(`the database is at entry ${seq}, behind ${this.#fromSeq}`)
    if (this.#heard.length > HEARD_MAX)
      throw new JoinFailed(`more than ${HEARD_MAX} changes while the database read`)
    this.#heard = this.#heard.filter((heard) => heard.seq > seq)
    this.#reading = reading
  }

  /** Returns what was read and the changes since, once the model stands there; else undefined. */
  at(modelSeq: number): Readonly<{ rows: T; since: readonly C[] }> | undefined {
    if (this.#reading === undefined || this.#reading.seq > modelSeq) return undefined
    return { rows: this.#reading.rows, since: this.#heard.map(({ change }) => change) }
  }
}

/** A thing that the database is asked about. */
export type Joining<K, T, C> = Readonly<{
  key: K
  join: FeedJoin<T, C>
  /** Resolves when it is in the model, or when all is to be asked again. */
  done: PromiseWithResolvers<void>
}>

export type JoinsDeps<K, T, C> = Readonly<{
  /** Where the model stands. */
  seq: () => number
  /** Takes a thing into the model: what was read, and what the feed said since. */
  take: (key: K, rows: T, since: readonly C[]) => void
}>

/** Things that are read from the database while the feed goes on. */
export class FeedJoins<K, T, C> {
  readonly #deps: JoinsDeps<K, T, C>
  readonly #joining = new Map<K, Joining<K, T, C>>()
  /** Those that are read, of an entry that the model has yet to reach. */
  readonly #waiting = new Set<Joining<K, T, C>>()

  constructor(deps: JoinsDeps<K, T, C>) {
    this.#deps = deps
  }

  /** Things that the database is asked about. */
  get size(): number {
    return this.#joining.size
  }

  has(key: K): boolean {
    return this.#joining.has(key)
  }

  /** Begins to hear of a thing, or returns what has begun; what is read is to `arrive`. */
  begin(key: K): Joining<K, T, C> {
    const known = this.#joining.get(key)
    if (known !== undefined) return known
    const join = new FeedJoin<T, C>(this.#deps.seq())
    const joining = { key, join, done: Promise.withResolvers<void>() }
    // Whoever asked may be gone by the time it fails.
    joining.done.promise.catch(() => {})
    this.#joining.set(key, joining)
    return joining
  }

  /** Takes a change of the entry `seq`, if the thing is being read. */
  hear(key: K, seq: number, change: C): void {
    this.#joining.get(key)?.join.hear(seq, change)
  }

  /** Takes what was read. Returns false while the model has yet to come to it. */
  arrive(joining: Joining<K, T, C>, reading: ReadAt<T>): boolean {
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

  /** Rejects a join: its rows could not be read, or the model does not come to them. */
  fail(joining: Joining<K, T, C>, error: unknown): void {
    if (this.#joining.get(joining.key) !== joining) return
    this.#forget(joining)
    joining.done.reject(error)
  }

  /** After each entry: takes what waited for it. */
  settle(): void {
    for (const joining of this.#waiting) {
      const joined = joining.join.at(this.#deps.seq())
      if (joined === undefined) continue
      this.end(joining.key)
      this.#deps.take(joining.key, joined.rows, joined.since)
    }
  }

  /** The model has the thing by itself, or none is left: whoever waits looks again. */
  end(key: K): void {
    const joining = this.#joining.get(key)
    if (joining === undefined) return
    this.#forget(joining)
    joining.done.resolve()
  }

  /** The model begins anew. */
  reset(): void {
    for (const key of [...this.#joining.keys()]) this.end(key)
  }

  #forget(joining: Joining<K, T, C>): void {
    this.#joining.delete(joining.key)
    this.#waiting.delete(joining)
  }
}

/** How long the model may take to come to what the database returned, unless it is cut off. */
const JOIN_MS_MAX = 5000

/**
 * Brings what `ask` reads of the things that `joinings` are about into the model. What cannot be
 * read, or lies ahead of where the model comes within `joinMsMax`, fails.
 */
export async function joinAll<K, T, C>(
  joins: FeedJoins<K, T, C>,
  joinings: readonly Joining<K, T, C>[],
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
