import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { topOrders } from '../test/top-orders.ts'
import {
  type Book,
  type BookSide,
  bestAsk,
  bestBid,
  bookChange,
  emptyBook,
  topLevels,
  topOrderLevels,
} from './book.ts'
import type { Order } from './records.ts'
import { emptyState } from './state.ts'
import { applyBlock } from './venue.ts'

const RUNS = 12
const BLOCKS = 120
const seeds = fc.integer({ min: 0, max: 2 ** 31 })

const sum = (list: readonly bigint[]) => list.reduce((total, n) => total + n, 0n)

/** One side of a book, summed from a list of orders. */
function naiveSide(orders: readonly Order[], isBuy: boolean) {
  const mine = orders.filter((order) => order.isBuy === isBuy)
  const ticks = [...new Set(mine.map(({ tick }) => tick))].sort((a, b) => a - b)
  return ticks.map((tick) => {
    const here = mine.filter((order) => order.tick === tick)
    return { tick, lots: sum(here.map(({ restingLots }) => restingLots)), count: here.length }
  })
}

const sideTotals = ({ ticks, levels }: BookSide) =>
  ticks.map((tick) => {
    const level = levels.get(tick)
    return { tick, lots: level?.lots, count: level?.orders.size }
  })

function checkBook(book: Book, orders: readonly Order[]): void {
  assert.deepEqual(sideTotals(book.bids), naiveSide(orders, true))
  assert.deepEqual(sideTotals(book.asks), naiveSide(orders, false))
  assert.ok((bestBid(book) ?? 0) < (bestAsk(book) ?? 2 ** 24), 'the book is not crossed')
}

describe('the book of a market', () => {
  test('the book of a market equals the sum of its resting orders after every block, with the best bid below the best ask', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const state = emptyState()
        for (const block of randomScenario(seed, BLOCKS)) {
          applyBlock(state, block)
          const orders = [...state.records.order.values()]
          for (const [market, book] of state.books)
            checkBook(
              book,
              orders.filter((order) => order.market === market),
            )
        }
      }),
      { numRuns: RUNS },
    )
  })

  //                 bids            asks
  //                 5 at 101 (2)    4 at 103 (5)
  //         3 + 7 at 100 (1, 3)     6 at 110 (4)
  const { state } = replay(
    scenario()
      .list('ETH-USDC')
      .deposit('alice', 'USDC', 1000n)
      .deposit('bob', 'ETH', 1000n)
      .place('alice', 'buy', 100, 3n)
      .place('alice', 'buy', 101, 5n)
      .place('alice', 'buy', 100, 7n)
      .place('bob', 'sell', 110, 6n)
      .place('bob', 'sell', 103, 4n)
      .blocks(),
  )
  const book = [...state.books.values()][0] ?? emptyBook()
  const orderNumbers = (orders: readonly Order[]) => orders.map(({ number }) => number)

  test('the book of a market yields orders by best tick, then in queue order', () => {
    assert.deepEqual(orderNumbers(topOrders(book, true, 9)), [2, 1, 3])
    assert.deepEqual(orderNumbers(topOrders(book, false, 9)), [5, 4])
    assert.deepEqual(orderNumbers(topOrders(book, true, 2)), [2, 1])
  })

  test('the book of a market yields levels best first, with their total and number of orders', () => {
    assert.deepEqual(topLevels(book, true, 9), [
      { tick: 101, lots: 5n, count: 1 },
      { tick: 100, lots: 10n, count: 2 },
    ])
    assert.deepEqual(topLevels(book, false, 1), [{ tick: 103, lots: 4n, count: 1 }])
  })

  test('the book of a market counts only the orders up to the limit in the last level', () => {
    assert.deepEqual(topOrderLevels(book, true, 2), [
      { tick: 101, lots: 5n, count: 1 },
      { tick: 100, lots: 3n, count: 1 },
    ])
    assert.deepEqual(topOrderLevels(book, true, 3), topLevels(book, true, 9))
    assert.deepEqual(topOrderLevels(book, true, 0), [])
  })

  test('the book of a market restores the queue in the order of numbers when an undo brings an order back', () => {
    const again = emptyBook()
    for (const order of [...topOrders(book, true, 9)].reverse()) bookChange(again, undefined, order)
    assert.deepEqual(orderNumbers(topOrders(again, true, 9)), [2, 1, 3])
  })

  test('the book of a market is empty when no order rests', () => {
    const empty = emptyBook()
    assert.equal(bestBid(empty), undefined)
    assert.equal(bestAsk(empty), undefined)
    assert.deepEqual(topOrders(empty, true, 5), [])
  })
})
