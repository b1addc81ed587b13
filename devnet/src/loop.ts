// Repeats work until it is stopped.

/** Repeats `work`, never twice at once. A failure goes to `onError` and does not end it. */
export class Loop {
  readonly #work: () => Promise<void>
  readonly #pauseMs: (tookMs: number) => number
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #isOn = false

  /** `pauseMs` returns the pause after a turn that took `tookMs`; negative counts as zero. */
  constructor(
    work: () => Promise<void>,
    pauseMs: (tookMs: number) => number,
    onError: (error: unknown) => void,
  ) {
    this.#work = work
    this.#pauseMs = pauseMs
    this.#onError = onError
  }

  /** Starts with a pause. */
  start(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#wait(0)
  }

  /** Resolves when the current turn has ended. */
  async stop(): Promise<void> {
    this.#isOn = false
    clearTimeout(this.#timer)
    await this.#working
  }

  #wait(tookMs: number): void {
    if (!this.#isOn) return
    this.#timer = setTimeout(
      () => {
        this.#working = this.#turn()
      },
      Math.max(0, this.#pauseMs(tookMs)),
    )
  }

  async #turn(): Promise<void> {
    const startMs = Date.now()
    await this.#work().catch(this.#onError)
    this.#wait(Date.now() - startMs)
  }
}

/** Runs works one after the other, in order of arrival. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
