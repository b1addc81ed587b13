// A user of one API node: sends ten requests a second without waiting for answers, and records
// them.
import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
/** Timeout of a user. */
const ANSWER_MS_MAX = 5_000
/** Maximum number of pending requests. */
const PENDING_MAX = 20

/** `status` is a number, or the reason why there was none. */
export type ObservedAnswer = Readonly<{
  askedMs: number
  atMs: number
  isPrivate: boolean
  status: number | 'refused' | 'no answer'
  /** The block of the answer, if it has one. */
  block: number | undefined
}>

type RestUserOptions = Readonly<{
  apiUrl: string
  publicPaths: readonly string[]
  privatePaths: readonly string[]
  /** Credentials of the account for private pages. */
  headers: Readonly<Record<string, string>>
}>

export class RestUser {
  readonly seen: ObservedAnswer[] = []
  readonly #options: RestUserOptions
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #pending = 0

  constructor(options: RestUserOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  get apiUrl(): string {
    return this.#options.apiUrl
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { publicPaths, privatePaths } = this.#options
    const paths = [...publicPaths, ...privatePaths]
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt++) {
      const path = paths[attempt % paths.length] ?? '/markets'
      if (this.#pending < PENDING_MAX) void this.#ask(path, privatePaths.includes(path))
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #ask(path: string, isPrivate: boolean): Promise<void> {
    const askedMs = performance.now()
    const timeout = AbortSignal.timeout(ANSWER_MS_MAX)
    this.#pending += 1
    const answer = await this.#answerTo(path, isPrivate, timeout)
    this.#pending -= 1
    if (this.#stopping.signal.aborted) return
    this.seen.push({ askedMs, atMs: performance.now(), isPrivate, ...answer })
  }

  async #answerTo(path: string, isPrivate: boolean, timeout: AbortSignal) {
    const { apiUrl, headers } = this.#options
    const signal = AbortSignal.any([timeout, this.#stopping.signal])
    try {
      const response = await fetch(new URL(path, apiUrl), {
        signal,
        ...(isPrivate ? { headers } : {}),
      })
      await response.arrayBuffer()
      const block = response.headers.get('x-block-number')
      return { status: response.status, block: block === null ? undefined : Number(block) }
    } catch {
      return {
        status: timeout.aborted ? ('no answer' as const) : ('refused' as const),
        block: undefined,
      }
    }
  }
}
