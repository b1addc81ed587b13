// Bounds the size ahead of the account's orders in their price levels. A level gives the total of
// all its orders, including later ones, so the result is an upper bound. It only falls: orders
// ahead are filled or cancelled, and none can be inserted.
import { type shapes, toSteps } from 'openvenue'
import type { BookSides } from './book-view.ts'

export type QueuedOrder = Pick<
  shapes.Order,
  'order_id' | 'side' | 'price' | 'amount' | 'filled' | 'remaining' | 'block_number'
>

/** In steps of the amount. Zero is exact; any other value is an upper bound. */
type QueueBound = Readonly<{ id: string; lots: bigint }>

type OrderQueue = Readonly<{
  lots: bigint
  /** Ordered and filled amounts when the order was first seen. */
  amount: string
  filled: string
}>

export class QueueAhead {
  readonly #queues = new Map<string, OrderQueue>()

  /** Processes the current book and orders. Returns the bound of each resting order. */
  take(book: BookSides, orders: readonly QueuedOrder[], amountStep: string): readonly QueueBound[] {
    const alive = new Set(orders.map(({ order_id: id }) => id))
    for (const id of this.#queues.keys()) if (!alive.has(id)) this.#queues.delete(id)
    if (orders.length === 0) return []
    const amounts = {
      buy: new Map(book.bids.map(([price, amount]) => [price, amount])),
      sell: new Map(book.asks.map(([price, amount]) => [price, amount])),
    }
    return orders.flatMap((order) => {
      const amount = amounts[order.side].get(order.price)
      // A book older than the order does not show what was ahead of it.
      const isThere = order.block_number !== null && book.blockNumber >= order.block_number
      const lots = this.#boundOf(order, isThere ? amount : undefined, amountStep)
      return lots === undefined ? [] : [{ id: order.order_id, lots }]
    })
  }

  #boundOf(order: QueuedOrder, level: string | undefined, step: string): bigint | undefined {
    const { order_id: id, amount, filled, remaining } = order
    const before = this.#queues.get(id)
    if (level === undefined) return before?.lots
    const others = toSteps(level, step) - toSteps(remaining, step)
    const bound = others > 0n ? others : 0n
    if (before === undefined || before.amount !== amount) {
      this.#queues.set(id, { lots: bound, amount, filled })
      return bound
    }
    // Only the first order of a level is filled.
    const lots = before.filled === filled ? least(bound, before.lots) : 0n
    this.#queues.set(id, { ...before, lots })
    return lots
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
