// Dispatches each feed entry, and the passing of time, to the open channels that it affects.
import type { Clock } from '../../model/clock.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import { type Affected, affectedBy } from './affected.ts'
import type { Subject } from './channel.ts'

/** Interval at which open channels are checked for changes caused by time, ms. */
export const TICK_MS = 50

export type ChannelClock = Clock &
  Readonly<{
    /** Calls `act` every `ms` milliseconds. Returns a function that stops it. */
    every: (ms: number, act: () => void) => () => void
  }>

/** An open channel. */
type StreamListener = Readonly<{
  /** Called for an entry that affects its subject, after the model has applied it. */
  onEntry: (affected: Affected) => void
  /** Called after the model was reloaded from a snapshot. */
  onLoad?: () => void
  /** Called as time passes; `nowMs` is the wall clock. */
  onTick?: (nowMs: number) => void
}>

export class OpenStreams {
  readonly #model: VenueModel
  readonly #clock: ChannelClock
  readonly #byMarket = new Map<string, Set<StreamListener>>()
  readonly #byAsset = new Map<string, Set<StreamListener>>()
  readonly #byAccount = new Map<number, Set<StreamListener>>()
  readonly #byWallet = new Map<string, Set<StreamListener>>()
  readonly #toAll = new Set<StreamListener>()
  readonly #ticking = new Set<StreamListener>()
  /** Number of listeners, each counted once per subject. */
  #count = 0
  #stopTicking: (() => void) | undefined

  constructor(model: VenueModel, clock: ChannelClock) {
    this.#model = model
    this.#clock = clock
    model.onEntry((entry) => {
      if (this.#count > 0) this.#dispatch(affectedBy(model, entry))
    })
    model.onLoad(() => {
      for (const listener of this.#listeners()) listener.onLoad?.()
    })
  }

  /** Subscribes `listener` to `subject`. Returns a function that ends it. */
  add(subject: Subject, listener: StreamListener): () => void {
    const [listeners, forget] = this.#listenersTo(subject)
    listeners.add(listener)
    this.#count += 1
    if (listener.onTick !== undefined) {
      this.#ticking.add(listener)
      this.#stopTicking ??= this.#clock.every(TICK_MS, () => this.#tick())
    }
    return () => {
      if (!listeners.delete(listener)) return
      this.#count -= 1
      if (listeners.size === 0) forget()
      this.#ticking.delete(listener)
      if (this.#ticking.size > 0) return
      this.#stopTicking?.()
      this.#stopTicking = undefined
    }
  }

  #tick(): void {
    const nowMs = this.#clock.nowMs()
    for (const listener of this.#ticking) listener.onTick?.(nowMs)
  }

  #listenersTo(subject: Subject): [listeners: Set<StreamListener>, forget: () => void] {
    switch (subject.kind) {
      case 'market':
        return setAt(this.#byMarket, subject.id)
      case 'asset':
        return setAt(this.#byAsset, subject.asset)
      case 'account':
        return setAt(this.#byAccount, subject.account)
      case 'wallet':
        return setAt(this.#byWallet, subject.wallet)
      case 'all':
        return [this.#toAll, () => {}]
    }
  }

  *#listeners(): Generator<StreamListener, void, undefined> {
    for (const sets of [this.#byMarket, this.#byAsset, this.#byWallet])
      for (const listeners of [...sets.values()]) yield* [...listeners]
    yield* [...this.#toAll]
  }

  #dispatch(affected: Affected): void {
    for (const listener of this.#toAll) listener.onEntry(affected)
    dispatchEach(this.#byMarket, affected.markets.keys(), affected)
    if (this.#byAsset.size > 0) dispatchEach(this.#byAsset, this.#assetsIn(affected), affected)
    // Entries of an account are dispatched from its opening on, until that is undone.
    dispatchEach(this.#byWallet, openedWallets(affected, true), affected)
    dispatchEach(this.#byAccount, affected.accounts.keys(), affected)
    dispatchEach(this.#byWallet, openedWallets(affected, false), affected)
  }

  #assetsIn(affected: Affected): Set<string> {
    const assets = new Set(affected.assets)
    for (const { market } of this.#model.markets)
      if (affected.markets.has(market.id)) assets.add(market.asset)
    return assets
  }
}

/** Returns the wallets of accounts that were opened, or whose opening was undone. */
const openedWallets = ({ opened }: Affected, isOpen: boolean) =>
  opened
    .filter(({ after }) => (after !== undefined) === isOpen)
    .map(({ before, after }) => (after ?? before)?.wallet ?? '')

function dispatchEach<K>(
  sets: ReadonlyMap<K, ReadonlySet<StreamListener>>,
  keys: Iterable<K>,
  affected: Affected,
): void {
  if (sets.size === 0) return
  for (const key of keys) for (const listener of sets.get(key) ?? []) listener.onEntry(affected)
}

function setAt<K>(
  sets: Map<K, Set<StreamListener>>,
  key: K,
): [Set<StreamListener>, forget: () => void] {
  const set = sets.get(key) ?? new Set<StreamListener>()
  sets.set(key, set)
  const forget = () => {
    if (sets.get(key) === set) sets.delete(key)
  }
  return [set, forget]
}
