// Remembers the last text sent on a channel of one object, so that only a different text is sent.
import type { Frame } from '../streams/channel.ts'

export class ChangingText {
  readonly #write: () => string
  #sent: string | undefined

  constructor(write: () => string) {
    this.#write = write
    this.#sent = write()
  }

  /** Returns the current text. A pending change is still sent to the subscribers later. */
  snapshot(): string {
    const now = this.#write()
    if (now !== this.#sent) this.#sent = undefined
    return now
  }

  changes(): readonly Frame[] {
    const now = this.#write()
    if (now === this.#sent) return []
    this.#sent = now
    return [{ type: 'update', data: now }]
  }

  reset(): void {
    this.#sent = this.#write()
  }
}
