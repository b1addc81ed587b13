// Holds what accounts own, of those that somebody asked for: in the model's state with all that is
// public, and kept at its head by the feed. The accounts used longest ago leave it again.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import { fold, type StateKind, type VenueState } from '@openvenue/core/state'
import { OWNED_KINDS, type OwnedKind } from '@openvenue/store/owned'
import { FeedJoins } from './feed-join.ts'

/** Accounts whose records are held. */
export const ACCOUNTS_HELD_MAX = 10_000
/** Records held in all: an account has a few of each market and token that it is in. */
export const RECORDS_HELD_MAX = 200_000

/** Kinds that everybody may ask for; the rest of a state is kept for nobody, or for its owner. */
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
type Slot = Readonly<{ what: OwnedKind; key: string }>

const isPublic: ReadonlySet<string> = new Set(PUBLIC_KINDS)
const isOwned: ReadonlySet<string> = new Set(OWNED_KINDS)

/** An account's slots of the state, and how many want them to stay. */
type Held = { readonly slots: Slot[]; pins: number }

/** The model as its own part sees it. */
type Model = Readonly<{ state: VenueState; seq: number }>

export type OwnedLimits = Readonly<{ accounts: number; records: number }>

export class OwnedRecords {
  readonly #model: Model
  readonly #limits: OwnedLimits
  /** By account, the one used longest ago first. */
  readonly #held = new Map<number, Held>()
  /** Accounts that the database is asked about. */
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

  /** Whether the state has all that an account owns, at the model's head. */
  has(account: number): boolean {
    return this.#held.has(account)
  }

  /** Returns the keys of an account's records of a kind, none where it is not held. */
  keys(account: number, what: OwnedKind): string[] {
    const { slots = [] } = this.#held.get(account) ?? {}
    return slots.filter((slot) => slot.what === what).map(({ key }) => key)
  }

  /** As `has`; an account that is used stays longer. */
  use(account: number): boolean {
    const held = this.#held.get(account)
    if (held === undefined) return false
    this.#held.delete(account)
    this.#held.set(account, held)
    return true
  }

  /**
   * Wishes that an account which is held stays: it leaves only where all others have. Returns what
   * ends the wish.
   */
  pin(account: number): () => void {
    const held = this.#held.get(account)
    if (held === undefined) return () => {}
    held.pins += 1
    let isOver = false
    return () => {
      if (!isOver) held.pins -= 1
      isOver = true
    }
  }

  /** Lets an account go, unless somebody wants it to stay. */
  release(account: number): void {
    const held = this.#held.get(account)
    if (held?.pins === 0) this.#drop(account, held)
  }

  /**
   * Returns the changes that the state is to hold, and hears the others of accounts that are being
   * read. Before they are folded, with the entry's number.
   */
  kept(seq: number, changes: readonly Change[]): Change[] {
    // Who is opened owns nothing before: nobody has to be asked.
    for (const { what, before, after } of changes)
      if (what === 'account' && before === undefined && after !== undefined)
        this.#open(after.account)
    return changes.filter(
      (change) =>
        isPublic.has(change.what) ||
        (isOwned.has(change.what) && this.#keeps(seq, change as OwnedChange)),
    )
  }

  /** Holds what waited for the entry that the model has come to, and lets go what is too much. */
  settle(): void {
    this.joins.settle()
    this.#trim()
  }

  /** The model begins anew: of nobody anything is held. */
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
    const held = this.#held.get(account)
    if (held === undefined) this.joins.hear(account, seq, change as Change)
    else this.#count(held, change)
    return held !== undefined
  }

  #hold(account: number, changes: readonly Change[]): void {
    const held: Held = { slots: [], pins: 0 }
    this.#held.set(account, held)
    for (const change of changes) {
      this.#count(held, change as OwnedChange)
      fold(this.#model.state, [change])
    }
    this.#trim()
  }

  /** Before the change is folded. */
  #count({ slots }: Held, { what, key, after }: OwnedChange): void {
    const at = slots.findIndex((slot) => slot.key === key && slot.what === what)
    if (at >= 0 === (after !== undefined)) return
    if (after !== undefined) slots.push({ what, key })
    else slots.splice(at, 1)
    this.#records += after === undefined ? -1 : 1
  }

  /** Lets the accounts used longest ago go; those that are wanted, last. */
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

  #drop(account: number, { slots }: Held): void {
    this.#held.delete(account)
    this.#records -= slots.length
    fold(
      this.#model.state,
      slots.map(({ what, key }) => ({ what, key, before: undefined, after: undefined }) as Change),
    )
  }
}
