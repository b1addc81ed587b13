// Short-lived cache of account objects, each of one block. Interface 2.8.
import type { Header } from '@openvenue/core/events'
import type { AccountObject } from '@openvenue/wire/account'
import { jsonBytes } from '../http/cached-body.ts'
import type { Freshness } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { accountObject } from './account-object.ts'
import type { OwnedReads, ReadOptions } from './owned-reads.ts'
import { loadOwner, type Owner } from './owner.ts'
import type { Wallets } from './wallets.ts'

/** Accounts in the cache; the least recently read one is evicted. */
export const OVERVIEWS_MAX = 1000

type OverviewDeps = Readonly<{
  model: VenueModel
  settings: Readonly<{ accountCacheMs: number }>
  wallets: Wallets
  owned: OwnedReads
  clock: Readonly<{ monotonicMs: () => number }>
  freshness?: Pick<Freshness, 'currentMs'>
}>

/** An account at the block `head`. */
export type Overview = Readonly<{
  head: Header | undefined
  /** Time at which `head` was the newest block, ms; undefined when unknown. */
  currentMs: number | undefined
  object: AccountObject
  /** `object` as JSON. */
  bytes: Buffer
}>

type CachedOverview = Readonly<{ startedMs: number; overview: Promise<Overview> }> & {
  isRead: boolean
}

/** Account objects, each built at most once per `accountCacheMs` for all callers. */
export class Overviews {
  readonly #deps: OverviewDeps
  /** Cached overviews by wallet, in the order of their reads. */
  readonly #kept = new Map<string, CachedOverview>()

  constructor(deps: OverviewDeps) {
    this.#deps = deps
    deps.model.onLoad(() => this.#kept.clear())
  }

  /** Accounts in the cache. */
  get size(): number {
    return this.#kept.size
  }

  /**
   * Returns the account of a wallet (lower case), at most `accountCacheMs` old. A wallet unknown to
   * the chain has an empty account. Values that need a missing mark are null. Refuses with 503
   * while the number or the records of the account cannot be read from the database.
   */
  of(wallet: string, options?: ReadOptions): Promise<Overview> {
    const nowMs = this.#deps.clock.monotonicMs()
    const cached = this.#kept.get(wallet)
    if (cached !== undefined && (!cached.isRead || this.#isFresh(cached, nowMs)))
      return cached.overview
    const entry: CachedOverview = {
      startedMs: nowMs,
      overview: this.#read(wallet, options),
      isRead: false,
    }
    this.#keep(wallet, entry, nowMs)
    entry.overview.then(
      () => {
        entry.isRead = true
      },
      () => {
        if (this.#kept.get(wallet) === entry) this.#kept.delete(wallet)
      },
    )
    return entry.overview
  }

  /** Like `of`, at `block` or later; without `block`, the cached object may be returned. */
  async since(wallet: string, block: number | undefined): Promise<Overview> {
    const pending = this.of(wallet)
    const overview = await pending
    if (block === undefined || (overview.head?.number ?? -1) >= block) return overview
    // Unless another caller has already started a newer read.
    if (this.#kept.get(wallet)?.overview === pending) this.#kept.delete(wallet)
    return this.of(wallet)
  }

  /**
   * Returns the equity of a wallet (lower case), null while a mark is missing. Refuses like `of`.
   */
  async readEquity(wallet: string): Promise<string | null> {
    // Callers may read thousands of accounts: these do not stay in the model.
    const { object } = await this.of(wallet, { isPassing: true })
    return object.equity
  }

  /** Returns the account of `owner`, whose records the model has, at the model's head. */
  now(owner: Owner): Omit<Overview, 'bytes'> {
    const { model, freshness } = this.#deps
    return {
      head: model.head,
      currentMs: freshness?.currentMs,
      object: accountObject(model, owner),
    }
  }

  #isFresh({ startedMs }: CachedOverview, nowMs: number): boolean {
    return nowMs - startedMs < this.#deps.settings.accountCacheMs
  }

  #keep(wallet: string, entry: CachedOverview, nowMs: number): void {
    this.#kept.delete(wallet)
    this.#kept.set(wallet, entry)
    for (const [oldest, other] of this.#kept) {
      if (this.#kept.size <= OVERVIEWS_MAX && (!other.isRead || this.#isFresh(other, nowMs))) return
      this.#kept.delete(oldest)
    }
  }

  async #read(wallet: string, options?: ReadOptions): Promise<Overview> {
    const look = (owner: Owner) => this.now(owner)
    const seen = await loadOwner(this.#deps, wallet, look, options)
    return { ...seen, bytes: jsonBytes(seen.object) }
  }
}
