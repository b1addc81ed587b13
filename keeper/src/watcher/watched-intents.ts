// Tracks the intents that the watcher acts on from the log: live or with resting orders.

import type { Outage } from '@openvenue/runtime/outage'
import { Signal } from '@openvenue/runtime/signal'
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import { entriesAfter } from '@openvenue/store/intents/intent-tail'
import type { Intent, IntentLogEntry, Intents } from '@openvenue/store/intents/intents'
import { LIVE_STATES } from '@openvenue/store/intents/intents'
import type { Clock } from '../clock.ts'

/** Maximum number of log entries per read. */
const ENTRIES_MAX = 500
const RETRY_MS = 250

type IntentsDeps = Readonly<{
  intents: Pick<Intents, 'live' | 'logAfter' | 'find' | 'onLog'>
  clock: Clock
  /** Outage of the log. */
  outage: Pick<Outage, 'failed' | 'recovered'>
  /** Called when the intents were reloaded. */
  onLoad: (intents: readonly Intent[]) => void
  /** Called for each step of an intent. */
  onStep: (intent: Intent) => void
  /** Called after the steps of one read. */
  onRead: () => void
}>

export const isLive = ({ state }: Intent): boolean =>
  (LIVE_STATES as readonly string[]).includes(state)

export class WatchedIntents {
  readonly #deps: IntentsDeps
  readonly #byId = new Map<string, Intent>()
  readonly #grown = new Signal()
  #seq = 0

  constructor(deps: IntentsDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: string): Intent | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<Intent> {
    return this.#byId.values()
  }

  /** Drops an included intent whose order no longer rests. */
  forget(id: string): void {
    this.#byId.delete(id)
  }

  /** Triggers a read of the log without waiting for its signal. */
  look(): void {
    this.#grown.set()
  }

  /** Loads the live intents; retries until the database answers or `signal` aborts. */
  async load(signal: AbortSignal): Promise<void> {
    const { intents, clock, outage, onLoad } = this.#deps
    while (!signal.aborted) {
      try {
        const { seq, intents: live } = await intents.live()
        this.#seq = seq
        this.#byId.clear()
        for (const intent of live) this.#byId.set(intent.id, intent)
        return onLoad(live)
      } catch (error) {
        outage.failed(error)
        await clock.delay(RETRY_MS, signal)
      }
    }
  }

  /** Follows the log until `signal` aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { intents, clock, outage } = this.#deps
    const stop = intents.onLog(() => this.#grown.set())
    const end = () => this.#grown.set()
    signal.addEventListener('abort', end, { once: true })
    try {
      while (!signal.aborted) {
        let pauseMs = LISTEN_FALLBACK_MS
        await this.#read(signal).then(
          () => outage.recovered(),
          (error: unknown) => {
            pauseMs = RETRY_MS
            outage.failed(error)
          },
        )
        await this.#grown.wait((quiet) => clock.delay(pauseMs, AbortSignal.any([quiet, signal])))
      }
    } finally {
      signal.removeEventListener('abort', end)
      stop()
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { intents, onRead } = this.#deps
    for (;;) {
      const entries = await entriesAfter(intents, this.#seq, ENTRIES_MAX)
      if (entries === 'gone') return this.load(signal)
      if (entries.length === 0) return
      await this.#findReturned(entries)
      for (const entry of entries) this.#take(entry)
      this.#seq = entries.at(-1)?.seq ?? this.#seq
      onRead()
    }
  }

  /** Reads intents that are live again because a reorganisation undid their end. */
  async #findReturned(entries: readonly IntentLogEntry[]): Promise<void> {
    const begun = new Set(entries.flatMap(({ id, intent }) => (intent === undefined ? [] : id)))
    const ids = entries.flatMap(({ id }) => (begun.has(id) || this.#byId.has(id) ? [] : id))
    if (ids.length === 0) return
    for (const intent of await this.#deps.intents.find([...new Set(ids)]))
      this.#byId.set(intent.id, intent)
  }

  #take({ id, state, txHash, blockNumber, reason, atNs, intent }: IntentLogEntry): void {
    const before = intent ?? this.#byId.get(id)
    if (before === undefined) return
    const hash = txHash ?? before.txHash
    const now = { ...before, state, txHash: hash, blockNumber, reason, updatedNs: atNs }
    if (isLive(now) || state === 'included') this.#byId.set(id, now)
    else this.#byId.delete(id)
    this.#deps.onStep(now)
  }
}
