// Keeps in memory which rules of market-maker protection are frozen, so that a node refuses orders
// under them at once. What changes is read by its number; a signal can be lost with a connection.
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
  #changed = -1
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

  /** Follows the rules until `signal` aborts; while the database fails, they stay as they were. */
  async follow(signal: AbortSignal): Promise<void> {
    const { safeguards, delay, log } = this.#deps
    const news = new Signal()
    const stopListening = safeguards.onChange(() => news.set())
    const stop = () => news.set()
    signal.addEventListener('abort', stop, { once: true })
    try {
      while (!signal.aborted) {
        await this.#read().catch((error: unknown) =>
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
    const { changed, mmp, nowMs } = await safeguards.changesAfter(this.#changed)
    for (const rule of mmp) {
      const key = keyOf(rule.account, rule.asset)
      if (isFrozen(rule, nowMs)) this.#frozen.set(key, rule)
      else this.#frozen.delete(key)
    }
    this.#changed = changed
    this.#aheadMs = nowMs - clock.monotonicMs()
  }
}
