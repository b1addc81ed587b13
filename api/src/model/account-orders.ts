// Resting orders by account: updated by every order change, sorted on request.
import type { Order } from '@openvenue/core/records'

type AccountEntry = {
  /** Keyed by the slot of the order. */
  readonly orders: Map<string, Order>
  version: number
  /** Oldest first; undefined since the last change. */
  sorted: readonly Order[] | undefined
}

const NONE: readonly Order[] = []

export class AccountOrders {
  /** Only accounts with resting orders, so that it is never larger than the book. */
  readonly #accounts = new Map<number, AccountEntry>()
  /** Signed orders by digest. */
  readonly #signed = new Map<string, Order>()
  #changes = 0

  /** Accounts with resting orders. */
  get size(): number {
    return this.#accounts.size
  }

  /** Starts again from these resting orders, by key. */
  load(orders: ReadonlyMap<string, Order>): void {
    this.#accounts.clear()
    this.#signed.clear()
    for (const [key, order] of orders) this.take(key, order.account, order)
  }

  /** Applies the new state of an order of `account`. */
  take(key: string, account: number, after: Order | undefined): void {
    const entry = this.#accounts.get(account)
    const ref = (after ?? entry?.orders.get(key))?.ref ?? null
    const rests = after !== undefined && after.restingLots > 0n
    if (ref !== null && rests) this.#signed.set(ref, after)
    else if (ref !== null) this.#signed.delete(ref)
    if (rests) this.#put(entry, key, after)
    else if (entry?.orders.delete(key)) {
      if (entry.orders.size === 0) this.#accounts.delete(account)
      else this.#changed(entry)
    }
  }

  /** Called when other data shown with an account's orders has changed. */
  invalidate(account: number): void {
    const entry = this.#accounts.get(account)
    if (entry !== undefined) this.#changed(entry)
  }

  /** Rises when the orders of an account change; 0 while there are none. Values never repeat. */
  version(account: number): number {
    return this.#accounts.get(account)?.version ?? 0
  }

  /** Returns the resting order with that digest. */
  signed(digest: string): Order | undefined {
    return this.#signed.get(digest)
  }

  /** Returns the resting orders of an account in the order in which they were placed. */
  of(account: number): readonly Order[] {
    const entry = this.#accounts.get(account)
    if (entry === undefined) return NONE
    entry.sorted ??= [...entry.orders.values()].sort(oldestFirst)
    return entry.sorted
  }

  #put(entry: AccountEntry | undefined, key: string, order: Order): void {
    if (entry !== undefined) {
      entry.orders.set(key, order)
      this.#changed(entry)
      return
    }
    const orders = new Map([[key, order]])
    this.#accounts.set(order.account, { orders, version: ++this.#changes, sorted: undefined })
  }

  #changed(entry: AccountEntry): void {
    entry.version = ++this.#changes
    entry.sorted = undefined
  }
}

const oldestFirst = (a: Order, b: Order) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
