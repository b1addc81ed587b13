// Stops what was started, in reverse order.
import type { Logger } from 'pino'

type StackLayer = Readonly<{ name: string; end: () => Promise<void> }>

export class Stack {
  readonly #log: Logger
  readonly #parts: StackLayer[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  get depth(): number {
    return this.#parts.length
  }

  push(name: string, end: () => Promise<void>): void {
    this.#parts.push({ name, end })
  }

  /** Stops everything above `depth`, newest first; a failure does not stop the others. */
  async unwind(depth = 0): Promise<void> {
    while (this.#parts.length > depth) {
      const part = this.#parts.pop()
      await part
        ?.end()
        .catch((error: unknown) => this.#log.error({ err: error }, `${part.name} did not end well`))
    }
  }
}
