// A signal that may be set before it is awaited.

/** How long to wait at most: resolves after a time, or at once when its own signal aborts. */
type Timeout = (quiet: AbortSignal) => Promise<void>

export class Signal {
  #isSet = false
  #listener: (() => void) | undefined

  set(): void {
    this.#isSet = true
    this.#listener?.()
  }

  /** Resolves when the signal was set since the last call, or when `timeout` does. */
  async wait(timeout: Timeout): Promise<void> {
    if (!this.#isSet) {
      const quiet = new AbortController()
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#listener = resolve
        }),
        timeout(quiet.signal),
      ])
      quiet.abort()
      this.#listener = undefined
    }
    this.#isSet = false
  }
}
