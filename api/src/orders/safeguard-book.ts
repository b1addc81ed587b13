// Keeps in memory which rules of market-maker protection are frozen, so that a node refuses orders
// under them at once, and whose orders end with their connection. What changes is read by its
// number; a signal can be lost with a connection.
import { isFrozen, type MmpRule, type Safeguards, thawMs } from '@openvenue/store/safeguards'
import { Signal } from '@openvenue/store/signal'
import type { Clock } from '../model/clock.ts'

const POLL_MS = 1000

declare module 'fastify' {
  interface FastifyInstance {
    safeguardBook: SafeguardBook
  }
}

type SafeguardDeps = Readonly<{
  safeguards: Pick<Safeguards, 'changesAfter' | 'onChange'>
  clock: Pick<Clock, 'monotonicMs'>
  /** Resolves after so many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<unknown>
  log: Readonly<{ warn: (facts: object, text: string) => void }>
}>

const keyOf = (account: number, asset: string) => `${account} ${asset}`

export class SafeguardBook {
  readonly #deps: SafeguardDeps
  /** Frozen rules, by account and asset; the others refuse nobody. */
  readonly #frozen = new Map<string, MmpRule>()
  /** Accounts whose orders end with the connection over which they were made. */
  readonly #disconnecting = new Set<number>()
  #changed = -1
  #reading: Promise<void> = Promise.resolve()
  /** The database's clock less ours that nobody sets. */
  #aheadMs = 0

  constructor(deps: SafeguardDeps) {
    this.#deps = deps
  }

  /** Returns how long orders under protection on `asset` are refused; undefined: they are not. */
  frozenMs(account: number, asset: string): number | undefined {
    const rule = this.#frozen.get(keyOf(account, asset))
    const nowMs = this.#deps.clock.monotonicMs() + this.#aheadMs
    if (rule === undefined || !isFrozen(rule, nowMs)) return undefined
    return (thawMs(rule) ?? nowMs) - nowMs
  }

  /** Whether orders of an account end with their connection; undefined: it is not known yet. */
  endsWithConnection(account: number): boolean | undefined {
    return this.#changed < 0 ? undefined : this.#disconnecting.has(account)
  }

  /** Reads what has changed by now. One read at a time: the rules never go back. */
  refresh(): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read())
    return this.#reading
  }

  /** Follows the rules until `signal` aborts; while the database fails, they stay as they were. */
  async follow(signal: AbortSignal): Promise<void> {
    const { safeguards, delay, log } = this.#deps
    const news = new Signal()
    const stopListening = safeguards.onChange(() => news.set())
    const stop = () => news.set()
    signal.addEventListener('abort', stop, { once: true })
    try {
      while (!signal.aborted) {
        await this.refresh().catch((error: unknown) =>
          log.warn({ err: error }, 'the rules of accounts cannot be read'),
        )
        await news.wait(
          async (quiet) => void (await delay(POLL_MS, AbortSignal.any([quiet, signal]))),
        )
      }
    } finally {
      signal.removeEventListener('abort', stop)
      stopListening()
    }
  }

  async #read(): Promise<void> {
    const { safeguards, clock } = this.#deps
    const { changed, disconnects, mmp, nowMs } = await safeguards.changesAfter(this.#changed)
    for (const rule of mmp) {
      const key = keyOf(rule.account, rule.asset)
      if (isFrozen(rule, nowMs)) this.#frozen.set(key, rule)
      else this.#frozen.delete(key)
    }
    for (const { account, isEnabled } of disconnects)
      if (isEnabled) this.#disconnecting.add(account)
      else this.#disconnecting.delete(account)
    this.#changed = changed
    this.#aheadMs = nowMs - clock.monotonicMs()
  }
}
