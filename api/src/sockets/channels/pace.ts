// How often a channel speaks: at once after a rest, and at most once in an interval.

/** Says what there is to say. Returns whether that was anything. */
type Say = () => boolean

export class Pace {
  readonly #intervalMs: number
  readonly #monotonicMs: () => number
  readonly #say: Say
  #saidMs = Number.NEGATIVE_INFINITY
  #isDue = false

  /** An interval of 0 is no limit. */
  constructor(intervalMs: number, monotonicMs: () => number, say: Say) {
    this.#intervalMs = intervalMs
    this.#monotonicMs = monotonicMs
    this.#say = say
  }

  /** Something changed. */
  changed(): void {
    this.#isDue = true
    this.tick()
  }

  /** Time has passed. */
  tick(): void {
    const nowMs = this.#monotonicMs()
    if (!this.#isDue || nowMs - this.#saidMs < this.#intervalMs) return
    this.#isDue = false
    if (this.#say()) this.#saidMs = nowMs
  }

  /** Nothing is left to say. */
  rest(): void {
    this.#isDue = false
  }
}
