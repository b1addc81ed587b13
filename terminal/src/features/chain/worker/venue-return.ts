// Signals when the venue can be asked again: its API answers, or its chain is shown instead.

export class VenueReturn {
  readonly #waiting = new Set<() => void>()
  #count = 0

  get count(): number {
    return this.#count
  }

  happen(): void {
    this.#count++
    for (const goOn of [...this.#waiting]) goOn()
  }

  /** Waits `ms`, or until the venue is back. True if it came back after the count was `since`. */
  wait(ms: number, since: number): Promise<boolean> {
    if (since !== this.#count) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (isBack: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(goOn)
        resolve(isBack)
      }
      const goOn = () => end(true)
      const timer = setTimeout(() => end(false), ms)
      this.#waiting.add(goOn)
    })
  }
}
