// Records of recently requested accounts, in the model's state beside all public records, and kept
// at its head by the feed. The least recently used accounts are evicted.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import { fold, type StateKind, type VenueState } from '@openvenue/core/state'
import { OWNED_KINDS, type OwnedKind } from '@openvenue/store/history/owner-records'
import { FeedJoins } from './feed-join.ts'

/** Accounts in memory. */
const ACCOUNTS_HELD_MAX = 10_000
/** Records in memory: an account has a few for each of its markets and tokens. */
const RECORDS_HELD_MAX = 200_000

/** Public kinds of records; the other kinds are loaded by owner, or not at all. */
export const PUBLIC_KINDS = [
  'token',
  'market',
  'order',
  'candle',
  'ticker',
  'indexPrice',
  'custody',
  'mark',
  'priceMinute',
  'funding',
  'pool',
  'poolToken',
  'poolHour',
] as const satisfies readonly StateKind[]

type OwnedChange = ChangeOf<OwnedKind>
type RecordKey = Readonly<{ what: OwnedKind; key: string }>

const isPublic: ReadonlySet<string> = new Set(PUBLIC_KINDS)
const isOwned: ReadonlySet<string> = new Set(OWNED_KINDS)

/** An account's slots of the state, and the number of its pins. */
type PinnedSlots = { readonly slots: RecordKey[]; pins: number }

/** The members of the model that this class uses. */
type Model = Readonly<{ state: VenueState; seq: number }>

type OwnedLimits = Readonly<{ accounts: number; records: number }>

export class OwnedRecords {
  readonly #model: Model
  readonly #limits: OwnedLimits
  /** Accounts in memory, the least recently used first. */
  readonly #held = new Map<number, PinnedSlots>()
  /** Pending reads of accounts. */
  readonly joins: FeedJoins<number, readonly Change[], Change>
  #records = 0

  constructor(
    model: Model,
    limits: OwnedLimits = { accounts: ACCOUNTS_HELD_MAX, records: RECORDS_HELD_MAX },
  ) {
    this.#model = model
    this.#limits = limits
    this.joins = new FeedJoins({
      seq: () => model.seq,
      take: (account, rows, since) => this.#hold(account, [...rows, ...since]),
    })
  }

  /** Accounts held. */
  get size(): number {
    return this.#held.size
  }

  /** Records held. */
  get records(): number {
    return this.#records
  }

  /** Returns whether the state has all records of an account, at the model's head. */
  has(account: number): boolean {
    return this.#held.has(account)
  }

  /** Returns the keys of an account's records of a kind, empty when it is not in memory. */
  keys(account: number, kind: OwnedKind): string[] {
    const { slots = [] } = this.#held.get(account) ?? {}
    return slots.filter((slot) => slot.what === kind).map(({ key }) => key)
  }

  /** Like `has`, and marks the account as used, so that it stays longer. */
  use(account: number): boolean {
    const pinned = this.#held.get(account)
    if (pinned === undefined) return false
    this.#held.delete(account)
    this.#held.set(account, pinned)
    return true
  }

  /**
   * Pins an account in memory: it is evicted only after all others. Returns a function that unpins
   * it.
   */
  pin(account: number): () => void {
    const pinned = this.#held.get(account)
    if (pinned === undefined) return () => {}
    pinned.pins += 1
    let isOver = false
    return () => {
      if (!isOver) pinned.pins -= 1
      isOver = true
    }
  }

  /** Evicts an account unless it is pinned. */
  release(account: number): void {
    const pinned = this.#held.get(account)
    if (pinned?.pins === 0) this.#drop(account, pinned)
  }

  /**
   * Returns the changes that belong into the state, and records the others for pending reads.
   * Called with the entry's number, before the changes are applied.
   */
  kept(seq: number, changes: readonly Change[]): Change[] {
    // A newly opened account has no earlier records, so nothing must be read.
    for (const { what, before, after } of changes)
      if (what === 'account' && before === undefined && after !== undefined)
        this.#open(after.account)
    return changes.filter(
      (change) =>
        isPublic.has(change.what) ||
        (isOwned.has(change.what) && this.#keeps(seq, change as OwnedChange)),
    )
  }

  /** Loads reads that waited for the model's entry, and evicts what exceeds the bounds. */
  settle(): void {
    this.joins.settle()
    this.#trim()
  }

  /** The model was reloaded: no account is in memory. */
  reset(): void {
    this.#held.clear()
    this.#records = 0
    this.joins.reset()
  }

  #open(account: number): void {
    if (this.#held.has(account)) return
    this.#held.set(account, { slots: [], pins: 0 })
    this.joins.end(account)
  }

  #keeps(seq: number, change: OwnedChange): boolean {
    const account = (change.after ?? change.before)?.account
    if (account === undefined) return false
    const pinned = this.#held.get(account)
    if (pinned === undefined) this.joins.hear(account, seq, change as Change)
    else this.#count(pinned, change)
    return pinned !== undefined
  }

  #hold(account: number, changes: readonly Change[]): void {
    const pinned: PinnedSlots = { slots: [], pins: 0 }
    this.#held.set(account, pinned)
    for (const change of changes) {
      this.#count(pinned, change as OwnedChange)
      fold(this.#model.state, [change])
    }
    this.#trim()
  }

  /** Called before the change is applied. */
  #count({ slots }: PinnedSlots, { what, key, after }: OwnedChange): void {
    const at = slots.findIndex((slot) => slot.key === key && slot.what === what)
    if (at >= 0 === (after !== undefined)) return
    if (after !== undefined) slots.push({ what, key })
    else slots.splice(at, 1)
    this.#records += after === undefined ? -1 : 1
  }

  /** Evicts the least recently used accounts, pinned ones last. */
  #trim(): void {
    if (!this.#isFull) return
    for (const isAll of [false, true])
      for (const [account, held] of this.#held) {
        if (!this.#isFull) return
        if (isAll || held.pins === 0) this.#drop(account, held)
      }
  }

  get #isFull(): boolean {
    return this.#held.size > this.#limits.accounts || this.#records > this.#limits.records
  }

  #drop(account: number, { slots }: PinnedSlots): void {
    this.#held.delete(account)
    this.#records -= slots.length
    fold(
      this.#model.state,
      slots.map(({ what, key }) => ({ what, key, before: undefined, after: undefined }) as Change),
    )
  }
}
