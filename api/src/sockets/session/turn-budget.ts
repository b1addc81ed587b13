// Spreads the work of a storm of clients over turns of the event loop: frames and requests of
// connected clients are handled between two turns.

/** New connections begun in one turn. */
export const HANDSHAKES_PER_TURN = 2
/** New connections that may wait for their turn: more than the kernel holds before them. */
export const HANDSHAKES_WAITING_MAX = 8_192
/** Subscriptions begun in one turn, with their snapshots. A connection waits with one at most. */
export const SUBSCRIBES_PER_TURN = 2
/** Concurrent queries of keys by authentications. A connection waits with one at most. */
export const AUTHENTICATIONS_MAX = 32

/** Runs at most a number of pieces of work per turn, in the order in which they came. */
export class TurnBudget {
  readonly #perTurn: number
  readonly #nextTurn: (run: () => void) => void
  #waiting: (() => void)[] = []
  #used = 0
  #isScheduled = false

  constructor(perTurn: number, nextTurn: (run: () => void) => void = setImmediate) {
    this.#perTurn = perTurn
    this.#nextTurn = nextTurn
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs `work` at once if this turn has room for it, else in a later turn. */
  run(work: () => void): void {
    if (this.#used < this.#perTurn && this.#waiting.length === 0) {
      this.#used += 1
      this.#schedule()
      work()
      return
    }
    this.#waiting.push(work)
    this.#schedule()
  }

  /** Returns undefined when this turn has room, else a promise of a later turn. */
  take(): Promise<void> | undefined {
    if (this.#used < this.#perTurn && this.#waiting.length === 0) {
      this.run(() => {})
      return undefined
    }
    return new Promise((resolve) => this.run(resolve))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#nextTurn(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    const begun = this.#waiting.slice(0, this.#perTurn)
    this.#waiting = this.#waiting.slice(begun.length)
    this.#used = begun.length
    if (begun.length > 0) this.#schedule()
    for (const work of begun) work()
  }
}

/** Lets a number of pieces of work run at once; others wait in the order in which they came. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs `work` once a slot is free, and returns its result. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
