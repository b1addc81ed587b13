// Reads the orders of a book in matching order.
import { type Book, levels, queuedOrders } from '../src/book.ts'
import type { Order } from '../src/records.ts'

/** Returns the best `limit` orders of a side: best tick first, then in queue order. */
export function topOrders(book: Book, isBuy: boolean, limit: number): Order[] {
  const orders: Order[] = []
  for (const level of levels(book, isBuy))
    for (const order of queuedOrders(level)) {
      if (orders.length >= limit) return orders
      orders.push(order)
    }
  return orders
}
