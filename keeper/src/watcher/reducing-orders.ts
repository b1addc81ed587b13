// The held reduce-only orders, which end with the position that they were accepted for.
import type { Intent } from '@openvenue/store/intents'

export class ReducingOrders {
  readonly #byPosition = new Map<string, Set<string>>()
  readonly #positionOf = new Map<string, string>()
  /** Those whose position is to be looked at. */
  readonly #news = new Set<string>()

  /** Takes a held order, if it is reduce-only; what became of its position is not known yet. */
  add({ id, market, account, payload }: Intent): void {
    if (payload.kind !== 'order' || !payload.order.reduceOnly) return
    const position = `${market}|${account}`
    const orders = this.#byPosition.get(position) ?? new Set()
    this.#byPosition.set(position, orders)
    orders.add(id)
    this.#positionOf.set(id, position)
    this.#news.add(id)
  }

  has(id: string): boolean {
    return this.#positionOf.has(id)
  }

  drop(id: string): void {
    const position = this.#positionOf.get(id)
    if (position === undefined) return
    this.#positionOf.delete(id)
    this.#news.delete(id)
    const orders = this.#byPosition.get(position)
    orders?.delete(id)
    if (orders?.size === 0) this.#byPosition.delete(position)
  }

  clear(): void {
    for (const own of [this.#byPosition, this.#positionOf, this.#news]) own.clear()
  }

  /**
   * A position has changed. It may have ended within the block and begun again, so whichever way it
   * changed its orders are looked at.
   */
  changed(market: string, account: number): void {
    for (const id of this.#byPosition.get(`${market}|${account}`) ?? []) this.#news.add(id)
  }

  /** Has an order looked at, unless it is held no more. */
  addNews(id: string): void {
    if (this.has(id)) this.#news.add(id)
  }

  /** Returns orders to look at, each once. */
  takeNews(max: number): readonly string[] {
    const taken: string[] = []
    for (const id of this.#news) {
      if (taken.length === max) break
      this.#news.delete(id)
      taken.push(id)
    }
    return taken
  }
}
