// Keeps what was last sent of a channel of one object, so that only another text goes out.
import type { Frame } from '../streams/channel.ts'

export class ChangingText {
  readonly #write: () => string
  #sent: string | undefined

  constructor(write: () => string) {
    this.#write = write
    this.#sent = write()
  }

  /** Returns the text of now. A change that is not sent yet will be, whatever it is by then. */
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
