// Joins what the database says of one thing to what the feed says of it: what is read while the feed
// goes on is of some entry, and the changes after that entry are folded in.
import type { ReadAt } from '@openvenue/store/store'

/** Changes remembered while the database reads; a thing that changes more is not read for now. */
export const HEARD_MAX = 10_000

/** What was read cannot be brought to where the model stands: read again. */
export class JoinFailed extends Error {
  override name = 'JoinFailed'
}

/** `T` is what the database tells; `C` a change of the feed, or whatever is taken of one. */
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

  /** Takes what the database told. Throws `JoinFailed` where changes before it may be missing. */
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
