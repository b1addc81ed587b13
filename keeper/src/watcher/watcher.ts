// Acts for silent accounts while it holds its lease: triggers, brackets, ends of held orders,
// timers, closed connections and market-maker protection. Its work is in the database and the feed,
// so that a successor continues where it stopped.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import { Outage } from '@openvenue/runtime/outage'
import { Signal } from '@openvenue/runtime/signal'
import type { Intent } from '@openvenue/store/intents/intents'
import { CancelTimers } from './cancel-timers.ts'
import { Disconnects } from './disconnects.ts'
import { Protection } from './maker-protection.ts'
import { OrderWatch } from './order-watch.ts'
import { Retractions } from './retractions.ts'
import { isLive, WatchedIntents } from './watched-intents.ts'
import type { WatcherContext, WatcherOptions } from './watcher-parts.ts'

/** Pause between idle rounds. */
const LOOK_MS = 250
const RETRY_MS = 250
/** A round that writes nothing succeeds during an outage. */
const QUIET_MS = 2_000
const ROUND_TEXTS = { down: 'the watcher failed, trying again', up: 'the watcher succeeds again' }
const LOG_TEXTS = {
  down: 'the watcher cannot read the log of intents, trying again',
  up: 'the watcher reads the log of intents again',
}

/** Watches until `signal` aborts. */
export async function watch(deps: WatcherOptions, signal: AbortSignal): Promise<void> {
  const watcher = new Watcher(deps)
  await watcher.run(signal)
}

export class Watcher {
  readonly #deps: WatcherOptions
  readonly #watched: WatchedIntents
  readonly #retractions: Retractions
  readonly #orders: OrderWatch
  readonly #timers: CancelTimers
  readonly #disconnects: Disconnects
  readonly #protection: Protection
  readonly #news = new Signal()
  readonly #outage: Outage

  constructor(deps: WatcherOptions) {
    this.#deps = deps
    this.#outage = new Outage({ log: deps.log, ...ROUND_TEXTS, quietMs: QUIET_MS })
    this.#watched = new WatchedIntents({
      ...deps,
      outage: new Outage({ log: deps.log, ...LOG_TEXTS }),
      onLoad: (intents) => this.#load(intents),
      onStep: (intent) => this.#step(intent),
      onRead: () => this.#news.set(),
    })
    const { view } = deps
    this.#retractions = new Retractions({ ...deps, state: () => view.state })
    const parts: WatcherContext = {
      ...deps,
      watched: this.#watched,
      retractions: this.#retractions,
      seconds: () => view.state.head?.seconds ?? 0,
    }
    this.#orders = new OrderWatch(parts)
    this.#timers = new CancelTimers(parts)
    this.#disconnects = new Disconnects(parts)
    this.#protection = new Protection(parts)
  }

  /** Number of watched held orders. */
  get held(): number {
    return this.#orders.held
  }

  async run(signal: AbortSignal): Promise<void> {
    const { view, safeguards, clock } = this.#deps
    await this.#watched.load(signal)
    const end = () => this.#news.set()
    signal.addEventListener('abort', end, { once: true })
    const stops = [
      view.onFold((changes) => this.#see(changes)),
      view.onChange(() => this.#news.set()),
      safeguards.onChange(() => {
        this.#protection.news()
        this.#disconnects.news()
        this.#news.set()
      }),
    ]
    const following = this.#watched.follow(signal)
    try {
      while (!signal.aborted) {
        const round = this.#outage.attempt(() => this.round())
        await round.catch(() => clock.delay(RETRY_MS, signal))
        await this.#news.wait((quiet) => clock.delay(LOOK_MS, AbortSignal.any([quiet, signal])))
      }
    } finally {
      signal.removeEventListener('abort', end)
      for (const stop of stops) stop()
      await following
    }
  }

  /** Runs one round. A part that fails does not stop the others. */
  async round(): Promise<void> {
    const { view, mayAct } = this.#deps
    if (view.state.head === undefined || !mayAct()) return
    const parts = [this.#protection, this.#orders, this.#timers, this.#disconnects]
    const ends = await Promise.allSettled(parts.map((part) => part.round()))
    if (mayAct() && this.#retractions.size > 0) await this.#retractions.round()
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  #load(intents: readonly Intent[]): void {
    this.#orders.clear()
    this.#disconnects.clear()
    for (const intent of intents) this.#step(intent)
    this.#news.set()
  }

  #step(intent: Intent): void {
    if (intent.payload.kind !== 'order') {
      if (!isLive(intent)) this.#watched.forget(intent.id)
      return
    }
    this.#orders.step(intent)
    this.#disconnects.step(intent)
    this.#protection.step(intent)
    if (intent.state === 'included') this.#settle(intent)
  }

  /** Drops an included order that does not rest: it was filled or cancelled at once. */
  #settle({ id, blockNumber = 0 }: Intent): void {
    const { view, resting } = this.#deps
    if ((view.state.head?.number ?? 0) < blockNumber || resting.find(id) !== undefined) return
    this.#forget(id)
  }

  #forget(id: string): void {
    this.#watched.forget(id)
    this.#orders.drop(id)
    this.#disconnects.drop(id)
  }

  /** Applies the changes of a block. */
  #see(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.what === 'position') this.#seePosition(change)
      if (change.what !== 'order') continue
      const { before, after } = change
      const ref = (after ?? before)?.ref
      if (ref == null) continue
      this.#protection.see(ref, before, after)
      this.#orders.changed(ref)
      const isGone = after === undefined || after.restingLots === 0n
      if (isGone && this.#watched.get(ref)?.state === 'included') this.#forget(ref)
    }
  }

  #seePosition({ before, after }: ChangeOf<'position'>): void {
    const { market, account } = after ?? before ?? {}
    if (market !== undefined && account !== undefined) this.#orders.positionChanged(market, account)
  }
}
