// Bounds how long a client waits for an answer, whatever becomes of the database.

/** An operation that takes longer is refused. A look at the database ends by itself after 7 s. */
export const OPERATION_MS_MAX = 10_000
/** A subscription whose first messages cannot be read in this time ends. */
export const SNAPSHOT_MS_MAX = 30_000

/** It took too long. What comes of it later is of no use. */
export class TooLate extends Error {
  override name = 'TooLate'
}

type Waiting = Readonly<{ untilMs: number; reject: (error: TooLate) => void }>

export class Deadlines {
  readonly #monotonicMs: () => number
  readonly #waiting = new Set<Waiting>()

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Returns what `work` gives; rejects with `TooLate` once it has taken `ms`, when swept. */
  async within<T>(ms: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const waiting: Waiting = { untilMs: this.#monotonicMs() + ms, reject: late.reject }
    this.#waiting.add(waiting)
    try {
      return await Promise.race([work, late.promise])
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  sweep(): void {
    const nowMs = this.#monotonicMs()
    for (const { untilMs, reject } of this.#waiting)
      if (untilMs <= nowMs) reject(new TooLate('no answer came in time'))
  }
}
