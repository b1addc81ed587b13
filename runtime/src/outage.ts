// One log line when a dependency stops answering, and one when it answers again, however often it
// is tried meanwhile.

export type OutageLog = Readonly<{
  info: (facts: object, text: string) => void
  warn: (facts: object, text: string) => void
}>

type OutageOptions = Readonly<{
  log: OutageLog
  /** Logged with the first error. */
  down: string
  /** Logged with the number of failed attempts and the seconds since the first. */
  up: string
  nowMs?: () => number
  /** Time without a failure after which a success counts, 0 by default: some may still succeed. */
  quietMs?: number
}>

export class Outage {
  readonly #options: OutageOptions
  #failures = 0
  #lastMs = 0
  #sinceMs = 0

  constructor(options: OutageOptions) {
    this.#options = options
  }

  /** True from a failure to the next success. */
  get isDown(): boolean {
    return this.#failures > 0
  }

  /** Records a failed attempt. Only the first since the last success is logged. */
  failed(error: unknown, facts: object = {}): void {
    const { log, down } = this.#options
    this.#lastMs = this.#nowMs()
    if (this.#failures++ > 0) return
    this.#sinceMs = this.#lastMs
    log.warn({ err: error, ...facts }, down)
  }

  /** Records a success. It is logged if the attempt before it failed. */
  recovered(facts: object = {}): void {
    const { quietMs = 0 } = this.#options
    if (this.#failures === 0 || this.#nowMs() - this.#lastMs < quietMs) return
    const seconds = Math.round(this.#nowMs() - this.#sinceMs) / 1000
    this.#options.log.info({ failures: this.#failures, seconds, ...facts }, this.#options.up)
    this.#failures = 0
  }

  /** Runs `work` and records its outcome. Rejects as `work` does. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.recovered()
      return result
    } catch (error) {
      this.failed(error)
      throw error
    }
  }

  /** Returns a log for code that warns of each failed attempt: errors go to this outage. */
  asLog(): OutageLog {
    const { log } = this.#options
    return {
      info: (facts, text) => log.info(facts, text),
      warn: (facts, text) => {
        if ('err' in facts) this.failed(facts.err)
        else log.warn(facts, text)
      },
    }
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? performance.now.bind(performance))()
  }
}

/** A log that drops every line. */
export const NO_LOG: OutageLog = { info: () => {}, warn: () => {} }

/** Texts for a database that is asked again and again. */
export const DATABASE_TEXTS = {
  down: 'the database does not answer',
  up: 'the database answers again',
} as const
