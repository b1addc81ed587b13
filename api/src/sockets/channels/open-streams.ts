// The channels that somebody listens to, and how an entry of the feed reaches those it affects.
import type { VenueModel } from '../../model/venue-model.ts'
import type { Clock } from '../../rest/route.ts'
import { type Affected, affectedBy } from './affected.ts'

/** How often open channels are asked whether time alone changed something. */
export const TICK_MS = 50

/** Calls `act` every `ms` milliseconds. Returns a function that stops it. */
export type Every = (ms: number, act: () => void) => () => void

export type ChannelClock = Clock & Readonly<{ every: Every }>

/** What reaches an open channel. */
export type Listener = Readonly<{
  /** An entry was folded in that affects what it listens to. */
  take: (affected: Affected) => void
  /** The model started again from a snapshot. */
  reload: () => void
  /** Time has passed: it is `nowMs` by the wall clock. */
  tick?: (nowMs: number) => void
}>

/** What a channel listens to. */
export type Subject =
  | Readonly<{ kind: 'market'; id: string }>
  /** All markets of the asset, and its index price. */
  | Readonly<{ kind: 'asset'; asset: string }>
  | Readonly<{ kind: 'account'; account: number }>
  /** The opening of its account. */
  | Readonly<{ kind: 'wallet'; wallet: string }>
  | Readonly<{ kind: 'all' }>

export class OpenStreams {
  readonly #model: VenueModel
  readonly #clock: ChannelClock
  readonly #byMarket = new Map<string, Set<Listener>>()
  readonly #byAsset = new Map<string, Set<Listener>>()
  readonly #byAccount = new Map<number, Set<Listener>>()
  readonly #byWallet = new Map<string, Set<Listener>>()
  readonly #toAll = new Set<Listener>()
  readonly #ticking = new Set<Listener>()
  /** Every listener once per subject. */
  #count = 0
  #stopTicking: (() => void) | undefined

  constructor(model: VenueModel, clock: ChannelClock) {
    this.#model = model
    this.#clock = clock
    model.onEntry((entry) => {
      if (this.#count > 0) this.#tell(affectedBy(model, entry))
    })
    model.onLoad(() => {
      for (const listener of this.#listeners()) listener.reload()
    })
  }

  /** Lets `listener` hear of `subject`. Returns a function that ends it. */
  add(subject: Subject, listener: Listener): () => void {
    const [listeners, forget] = this.#listenersOf(subject)
    listeners.add(listener)
    this.#count += 1
    if (listener.tick !== undefined) {
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
    for (const listener of this.#ticking) listener.tick?.(nowMs)
  }

  #listenersOf(subject: Subject): [listeners: Set<Listener>, forget: () => void] {
    switch (subject.kind) {
      case 'market':
        return setOf(this.#byMarket, subject.id)
      case 'asset':
        return setOf(this.#byAsset, subject.asset)
      case 'account':
        return setOf(this.#byAccount, subject.account)
      case 'wallet':
        return setOf(this.#byWallet, subject.wallet)
      case 'all':
        return [this.#toAll, () => {}]
    }
  }

  *#listeners(): Generator<Listener, void, undefined> {
    for (const sets of [this.#byMarket, this.#byAsset, this.#byWallet])
      for (const listeners of [...sets.values()]) yield* [...listeners]
    yield* [...this.#toAll]
  }

  #tell(affected: Affected): void {
    for (const listener of this.#toAll) listener.take(affected)
    tellEach(this.#byMarket, affected.markets.keys(), affected)
    if (this.#byAsset.size > 0) tellEach(this.#byAsset, this.#assetsOf(affected), affected)
    // An account is heard of from its opening on, and until that is undone.
    tellEach(this.#byWallet, walletsOf(affected, true), affected)
    tellEach(this.#byAccount, affected.accounts.keys(), affected)
    tellEach(this.#byWallet, walletsOf(affected, false), affected)
  }

  #assetsOf(affected: Affected): Set<string> {
    const assets = new Set(affected.assets)
    for (const { market } of this.#model.markets)
      if (affected.markets.has(market.id)) assets.add(market.asset)
    return assets
  }
}

const walletsOf = ({ opened }: Affected, isOpen: boolean) =>
  opened
    .filter(({ after }) => (after !== undefined) === isOpen)
    .map(({ before, after }) => (after ?? before)?.wallet ?? '')

function tellEach<K>(sets: Map<K, Set<Listener>>, keys: Iterable<K>, affected: Affected): void {
  if (sets.size === 0) return
  for (const key of keys) for (const listener of sets.get(key) ?? NOBODY) listener.take(affected)
}

const NOBODY: readonly Listener[] = []

function setOf<K>(sets: Map<K, Set<Listener>>, key: K): [Set<Listener>, () => void] {
  const found = sets.get(key)
  if (found !== undefined) return [found, () => forgetEmpty(sets, key, found)]
  const made = new Set<Listener>()
  sets.set(key, made)
  return [made, () => forgetEmpty(sets, key, made)]
}

function forgetEmpty<K>(sets: Map<K, Set<Listener>>, key: K, set: Set<Listener>): void {
  if (sets.get(key) === set) sets.delete(key)
}
