import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Level } from 'openvenue'
import { ROWS, viewBook } from './book-view.ts'

const STEPS = { price_step: '0.01', amount_step: '0.0001' }
const level = (price: string, amount: string): Level => [price, amount, '1']
const BOOK = {
  bids: [level('3199.99', '1'), level('3199.95', '0.5'), level('3199.88', '2.25')],
  asks: [level('3200.01', '0.25'), level('3200.1', '0.75')],
  blockNumber: 1234567,
}

describe('the rows of a book', () => {
  test('a book has totals from the best price on, the spread and the mid price', () => {
    const { bids, asks, spread, mid, block, groups } = viewBook(BOOK, STEPS, 0)
    assert.deepEqual(
      bids.map(({ price, amount, total }) => [price, amount, total]),
      [
        ['3,199.99', '1.0000', '1.0000'],
        ['3,199.95', '0.5000', '1.5000'],
        ['3,199.88', '2.2500', '3.7500'],
      ],
    )
    assert.deepEqual(
      asks.map(({ total }) => total),
      ['0.2500', '1.0000'],
    )
    assert.deepEqual([spread, mid, block], ['0.02', '3,200.000', '1,234,567'])
    assert.deepEqual(groups, ['0.01', '0.1', '1', '10'])
    assert.deepEqual([bids[2]?.share, asks[1]?.share], [1, 0.2666])
  })

  test('grouped book rows never show a better price than the real one', () => {
    const { bids, asks } = viewBook(BOOK, STEPS, 1)
    assert.deepEqual(
      bids.map(({ price, amount }) => [price, amount]),
      [
        ['3,199.90', '1.5000'],
        ['3,199.80', '2.2500'],
      ],
    )
    assert.deepEqual(
      asks.map(({ price, amount }) => [price, amount]),
      [['3,200.10', '1.0000']],
    )
  })

  test('book rows are limited to the visible number, and an empty side has none', () => {
    const bids = Array.from({ length: 50 }, (_, at) => level(`${3000 - at}`, '1'))
    assert.equal(viewBook({ ...BOOK, bids }, STEPS, 0).bids.length, ROWS)
    const empty = viewBook({ ...BOOK, bids: [], asks: [] }, STEPS, 0)
    assert.deepEqual([empty.bids, empty.asks, empty.spread, empty.mid], [[], [], '', ''])
  })

  test("book rows mark the account's own size on its side and in its group", () => {
    const ownOrders = [
      { side: 'buy', price: '3199.95', remaining: '0.1' },
      { side: 'buy', price: '3199.99', remaining: '0.2' },
      { side: 'sell', price: '3200.1', remaining: '0.25' },
    ] as const
    const mine = (at: number) => {
      const { bids, asks } = viewBook(BOOK, STEPS, at, ownOrders)
      return [...bids, ...asks].map((row) => row.ownSize)
    }
    assert.deepEqual(mine(0), ['0.2000', '0.1000', '', '', '0.2500'])
    assert.deepEqual(mine(1), ['0.3000', '', '0.2500'])
  })
})
