// The resting orders of one market, best first, updated by order changes.

import { invariant } from './assert.ts'
import type { Lots, Tick } from './record-schema.ts'
import type { Order } from './records.ts'
import { insertSorted, removeSorted } from './sorted.ts'
import { minus, plus } from './units.ts'

/** The orders at one tick. Priority is by number, i.e. in the order of placement. */
type BookLevel = {
  readonly tick: Tick
  /** Sum of the resting lots. */
  lots: Lots
  /** Orders by number; in queue order while `isQueued`. */
  readonly orders: Map<number, Order>
  isQueued: boolean
  /** Highest order number of the level. */
  last: number
}

/** One side of the book. `ticks` is ascending: the best bid is the last, the best ask the first. */
export type BookSide = { readonly levels: Map<number, BookLevel>; readonly ticks: number[] }

export type Book = Readonly<{ bids: BookSide; asks: BookSide }>

/** Aggregated level: tick, total of the resting lots, number of orders. */
export type LevelTotal = Readonly<{ tick: Tick; lots: Lots; count: number }>

const emptySide = (): BookSide => ({ levels: new Map(), ticks: [] })

/** Returns a book without orders. */
export const emptyBook = (): Book => ({ bids: emptySide(), asks: emptySide() })

/** Returns whether `order` is on the book. */
export const isResting = (order: Order | undefined): order is Order =>
  order !== undefined && order.restingLots > 0n

/** Updates `book` from `before` to `after`, two states of one order. */
export function bookChange(book: Book, before: Order | undefined, after: Order | undefined): void {
  const wasResting = isResting(before)
  if (isResting(after)) {
    const side = after.isBuy ? book.bids : book.asks
    if (wasResting) replace(side, before, after)
    else add(side, after)
  } else if (wasResting) remove(before.isBuy ? book.bids : book.asks, before)
}

function add(side: BookSide, order: Order): void {
  const level = side.levels.get(order.tick)
  if (level === undefined) {
    const orders = new Map([[order.number, order]])
    side.levels.set(order.tick, {
      tick: order.tick,
      lots: order.restingLots,
      orders,
      isQueued: true,
      last: order.number,
    })
    insertSorted(side.ticks, order.tick)
    return
  }
  invariant(!level.orders.has(order.number), 'an order enters the book once', order)
  level.lots = plus(level.lots, order.restingLots)
  level.orders.set(order.number, order)
  if (order.number > level.last) level.last = order.number
  // Only undoing and loading re-add orders out of sequence; sort on the next read.
  else level.isQueued = false
}

function replace(side: BookSide, before: Order, after: Order): void {
  const level = findLevel(side, before)
  level.lots += after.restingLots - before.restingLots
  level.orders.set(after.number, after)
}

function remove(side: BookSide, order: Order): void {
  const level = findLevel(side, order)
  level.lots = minus(level.lots, order.restingLots)
  level.orders.delete(order.number)
  if (level.orders.size > 0) return
  side.levels.delete(order.tick)
  removeSorted(side.ticks, order.tick)
}

function findLevel(side: BookSide, order: Order): BookLevel {
  const level = side.levels.get(order.tick)
  invariant(level?.orders.has(order.number) === true, 'a resting order is on the book', order)
  return level
}

/** Returns the best tick of a side, or undefined when it is empty. */
export const bestBid = (book: Book): number | undefined => book.bids.ticks.at(-1)
/** Returns the best tick of a side, or undefined when it is empty. */
export const bestAsk = (book: Book): number | undefined => book.asks.ticks[0]

/** Yields the levels of a side, best first. */
export function* levels(book: Book, isBuy: boolean): Generator<BookLevel, void, undefined> {
  const { ticks, levels } = isBuy ? book.bids : book.asks
  for (let i = 0; i < ticks.length; i++) {
    const tick = ticks[isBuy ? ticks.length - 1 - i : i] as number
    yield levels.get(tick) as BookLevel
  }
}

/** Returns the best `limit` levels of a side, best first, with their totals. */
export function topLevels(book: Book, isBuy: boolean, limit: number): LevelTotal[] {
  const totals: LevelTotal[] = []
  for (const { tick, lots, orders } of levels(book, isBuy)) {
    if (totals.length >= limit) break
    totals.push({ tick, lots, count: orders.size })
  }
  return totals
}

/**
 * Returns the levels made up by the best `limit` orders of a side, best first. If the limit falls
 * within the last level, only the orders up to it count.
 */
export function topOrderLevels(book: Book, isBuy: boolean, limit: number): LevelTotal[] {
  const totals: LevelTotal[] = []
  let left = limit
  for (const level of levels(book, isBuy)) {
    if (left <= 0) break
    if (level.orders.size <= left) {
      totals.push({ tick: level.tick, lots: level.lots, count: level.orders.size })
    } else {
      let lots = 0n
      for (const order of frontOrders(level, left)) lots += order.restingLots
      totals.push({ tick: level.tick, lots, count: left })
    }
    left -= level.orders.size
  }
  return totals
}

function* frontOrders(level: BookLevel, limit: number): Generator<Order, void, undefined> {
  let count = 0
  for (const order of queuedOrders(level)) {
    if (count++ >= limit) return
    yield order
  }
}

/** Returns the orders of a level in queue order. */
export function queuedOrders(level: BookLevel): Iterable<Order> {
  if (!level.isQueued) sortQueue(level)
  return level.orders.values()
}

function sortQueue(level: BookLevel): void {
  level.isQueued = true
  const sorted = [...level.orders.values()].sort((a, b) => a.number - b.number)
  level.orders.clear()
  for (const order of sorted) level.orders.set(order.number, order)
}
