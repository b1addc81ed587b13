// Finds the orders that bring a salt to the chain without looking at all of an account's: a maker
// has a thousand that rest.
import { marketEngine } from '@openvenue/core/ids'
import type { Intent } from '@openvenue/store/intents'

/** A salt of an account. Each engine counts them apart. */
export type SaltOf = Readonly<{ account: number; market: string; salt: string }>

export class SaltIndex {
  /** Ids by salt: several where nodes accepted one each at the same time. */
  readonly #ids = new Map<string, readonly string[]>()

  /** Returns the id of an order, other than `except`, that spends the salt. */
  find(of: SaltOf, except?: string): string | undefined {
    return this.#ids.get(keyOf(of))?.find((id) => id !== except)
  }

  put(intent: Intent): void {
    const key = spentBy(intent)
    if (key !== undefined) this.#ids.set(key, [...(this.#ids.get(key) ?? []), intent.id])
  }

  remove(intent: Intent): void {
    const key = spentBy(intent)
    if (key === undefined) return
    const left = this.#ids.get(key)?.filter((id) => id !== intent.id) ?? []
    if (left.length === 0) this.#ids.delete(key)
    else this.#ids.set(key, left)
  }

  clear(): void {
    this.#ids.clear()
  }
}

/** Held orders share a salt: the first of them spends it. */
const spentBy = ({ account, market, payload, state }: Intent): string | undefined =>
  payload.kind === 'order' && state !== 'received'
    ? keyOf({ account, market, salt: payload.order.salt })
    : undefined

const keyOf = ({ account, market, salt }: SaltOf): string =>
  `${account} ${marketEngine(market)} ${salt}`
