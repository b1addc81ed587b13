// Says when the venue can be asked again: its API answers, or its chain is shown in place of it.

export class VenueReturn {
  readonly #waiting = new Set<() => void>()
  #count = 0

  /** How often it came back. */
  get count(): number {
    return this.#count
  }

  /** It is back: whoever waits for that goes on. */
  happen(): void {
    this.#count++
    for (const goOn of [...this.#waiting]) goOn()
  }

  /** Waits so long, or until it is back; true where it came back since it had done so `since`. */
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
