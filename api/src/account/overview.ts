// Account objects, each of one block, kept for a moment. Interface 2.8.
import type { Header } from '@openvenue/core/events'
import type { AccountObject } from '@openvenue/wire/account'
import { jsonBytes } from '../http/cached-body.ts'
import type { Freshness } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { accountObject } from './account-object.ts'
import type { LookOptions, OwnedReads } from './owned-reads.ts'
import { lookAtOwner, type Owner } from './owner.ts'
import type { Wallets } from './wallets.ts'

/** Accounts remembered for a moment; the one read longest ago is forgotten. */
export const OVERVIEWS_MAX = 1000

export type OverviewDeps = Readonly<{
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
  /** When it was the newest there was; undefined: nobody says. */
  currentMs: number | undefined
  object: AccountObject
  /** `object` as JSON. */
  bytes: Buffer
}>

type Kept = Readonly<{ startedMs: number; overview: Promise<Overview> }> & { isRead: boolean }

/** Account objects, each made at most once in `accountCacheMs`, whoever asks. */
export class Overviews {
  readonly #deps: OverviewDeps
  /** By wallet, in the order in which they were read. */
  readonly #kept = new Map<string, Kept>()

  constructor(deps: OverviewDeps) {
    this.#deps = deps
    deps.model.onLoad(() => this.#kept.clear())
  }

  /** Accounts remembered. */
  get size(): number {
    return this.#kept.size
  }

  /**
   * Returns the account of a wallet (lower case), at most `accountCacheMs` old. One that the chain
   * does not know has nothing. Values that need a mark that is missing are null. Refuses with 503
   * while the database cannot know which account it is, or what it owns.
   */
  of(wallet: string, options?: LookOptions): Promise<Overview> {
    const nowMs = this.#deps.clock.monotonicMs()
    const known = this.#kept.get(wallet)
    if (known !== undefined && (!known.isRead || this.#isFresh(known, nowMs))) return known.overview
    const kept: Kept = { startedMs: nowMs, overview: this.#read(wallet, options), isRead: false }
    this.#keep(wallet, kept, nowMs)
    kept.overview.then(
      () => {
        kept.isRead = true
      },
      () => {
        if (this.#kept.get(wallet) === kept) this.#kept.delete(wallet)
      },
    )
    return kept.overview
  }

  /** As `of`, at `block` or later; without it as new as is kept. */
  async since(wallet: string, block: number | undefined): Promise<Overview> {
    const kept = this.of(wallet)
    const known = await kept
    if (block === undefined || (known.head?.number ?? -1) >= block) return known
    // Unless somebody else has it read anew already.
    if (this.#kept.get(wallet)?.overview === kept) this.#kept.delete(wallet)
    return this.of(wallet)
  }

  /** Returns the equity of a wallet (lower case), or null while a mark is missing. As `of`. */
  async readEquity(wallet: string): Promise<string | null> {
    // Thousands may be asked for in turn: none of them stays for it.
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

  #isFresh({ startedMs }: Kept, nowMs: number): boolean {
    return nowMs - startedMs < this.#deps.settings.accountCacheMs
  }

  #keep(wallet: string, kept: Kept, nowMs: number): void {
    this.#kept.delete(wallet)
    this.#kept.set(wallet, kept)
    for (const [oldest, other] of this.#kept) {
      if (this.#kept.size <= OVERVIEWS_MAX && (!other.isRead || this.#isFresh(other, nowMs))) return
      this.#kept.delete(oldest)
    }
  }

  async #read(wallet: string, options?: LookOptions): Promise<Overview> {
    const look = (owner: Owner) => this.now(owner)
    const seen = await lookAtOwner(this.#deps, wallet, look, options)
    return { ...seen, bytes: jsonBytes(seen.object) }
  }
}
