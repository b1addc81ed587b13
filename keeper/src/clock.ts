// Passes time in, so that tests have their own.

export type Clock = Readonly<{
  nowMs: () => number
  /** Resolves after so many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
}>

/** A bell that may ring before anybody listens. */
export class Bell {
  #isRung = false
  #listener: (() => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#listener?.()
  }

  /**
   * Resolves when the bell has rung since the last call, or after `ms`, or when `signal` aborts.
   */
  async heard({ delay }: Clock, ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung) {
      const quiet = new AbortController()
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#listener = resolve
        }),
        delay(ms, AbortSignal.any([quiet.signal, signal])),
      ])
      quiet.abort()
      this.#listener = undefined
    }
    this.#isRung = false
  }
}
