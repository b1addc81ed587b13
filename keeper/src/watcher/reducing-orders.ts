// The held reduce-only orders, which end with the position that they were accepted for.
import type { Intent } from '@openvenue/store/intents/intents'

export class ReducingOrders {
  readonly #byPosition = new Map<string, Set<string>>()
  readonly #positionOf = new Map<string, string>()
  /** Orders whose position must be checked. */
  readonly #news = new Set<string>()

  /** Adds a held order if it is reduce-only; its position is not checked yet. */
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
    for (const collection of [this.#byPosition, this.#positionOf, this.#news]) collection.clear()
  }

  /**
   * Queues checks after a change of a position. It may have ended and restarted within the block,
   * so its orders are checked whatever the change.
   */
  changed(market: string, account: number): void {
    for (const id of this.#byPosition.get(`${market}|${account}`) ?? []) this.#news.add(id)
  }

  /** Queues an order for a check if it is still held. */
  addNews(id: string): void {
    if (this.has(id)) this.#news.add(id)
  }

  /** Returns orders to check, each once. */
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
