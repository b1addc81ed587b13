// The held orders that wait for a mark, sorted by it: checking a market costs the same for one
// order as for a hundred thousand.
import { LazyHeap } from './lazy-heap.ts'

/** Values of `Order.triggerKind` in the contract. */
export const AT_OR_ABOVE = 1
export const AT_OR_BELOW = 2

type Trigger = Readonly<{ id: string; market: string; kind: number; price: bigint }>

export class TriggerBook {
  readonly #sides = new Map<string, Readonly<{ above: LazyHeap; below: LazyHeap }>>()
  readonly #byId = new Map<string, Trigger>()

  get size(): number {
    return this.#byId.size
  }

  /** Returns the markets with waiting orders. */
  markets(): Iterable<string> {
    return this.#sides.keys()
  }

  add(trigger: Trigger): void {
    const { id, market, kind, price } = trigger
    this.#byId.set(id, trigger)
    const side = this.#sides.get(market) ?? { above: new LazyHeap(), below: new LazyHeap() }
    this.#sides.set(market, side)
    if (kind === AT_OR_ABOVE) side.above.set(id, price)
    else side.below.set(id, -price)
  }

  delete(id: string): void {
    const trigger = this.#byId.get(id)
    if (trigger === undefined) return
    this.#byId.delete(id)
    const side = this.#sides.get(trigger.market)
    side?.above.delete(id)
    side?.below.delete(id)
    this.#forget(trigger.market)
  }

  /** Returns whether a mark of a market would fire an order. */
  isReached(market: string, mark: bigint): boolean {
    const side = this.#sides.get(market)
    if (side === undefined || mark === 0n) return false
    const [above, below] = [side.above.lowest(), side.below.lowest()]
    return (above !== undefined && above <= mark) || (below !== undefined && below <= -mark)
  }

  /** Removes and returns the orders that a mark fires, in the order in which it reached them. */
  take(market: string, mark: bigint): string[] {
    const side = this.#sides.get(market)
    if (side === undefined || mark === 0n) return []
    const ids = [...side.above.takeUpTo(mark), ...side.below.takeUpTo(-mark)]
    for (const id of ids) this.#byId.delete(id)
    this.#forget(market)
    return ids
  }

  #forget(market: string): void {
    const side = this.#sides.get(market)
    if (side?.above.size === 0 && side.below.size === 0) this.#sides.delete(market)
  }
}
