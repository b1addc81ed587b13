// Bounds the time that a client waits for an answer, independent of the database.

/** Deadline of an operation, ms. Database reads time out on their own after 7 s. */
export const OPERATION_MS_MAX = 10_000
/** Deadline for reading the first messages of a subscription, ms. */
export const SNAPSHOT_MS_MAX = 30_000

/** The deadline passed; a later result is discarded. */
export class TooLate extends Error {
  override name = 'TooLate'
}

type Deadline = Readonly<{ untilMs: number; reject: (error: TooLate) => void }>

export class Deadlines {
  readonly #monotonicMs: () => number
  readonly #waiting = new Set<Deadline>()

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Returns the result of `work`; rejects with `TooLate` in the first sweep after `ms`. */
  async within<T>(ms: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const waiting: Deadline = { untilMs: this.#monotonicMs() + ms, reject: late.reject }
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
