import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QueueAhead, type QueuedOrder } from './queue-ahead.ts'

const STEP = '0.1'
const ORDER: QueuedOrder = {
  ...{ order_id: 'a', side: 'buy', price: '3000', amount: '1', filled: '0', remaining: '1' },
  block_number: 10,
}
const book = (amount: string, blockNumber = 10) => ({
  bids: amount === '' ? [] : [['3000', amount, '2'] as const],
  asks: [],
  blockNumber,
})
const aheadOf = (queue: QueueAhead, amount: string, order = ORDER, block = 10) =>
  queue.take(book(amount, block), [order], STEP)[0]?.lots

describe('the size ahead of an order in its level', () => {
  test('the size ahead of an order is at most that of all other orders, and never grows', () => {
    const queue = new QueueAhead()
    assert.equal(aheadOf(queue, '6'), 50n)
    assert.equal(aheadOf(queue, '4'), 30n, 'somebody left')
    assert.equal(aheadOf(queue, '9'), 30n, 'who comes later comes behind')
    assert.equal(aheadOf(queue, '1'), 0n, 'it is alone')
    assert.equal(aheadOf(queue, '9'), 0n)
  })

  test('the size ahead of an order is zero once it was partly filled while it rested', () => {
    const queue = new QueueAhead()
    const taken = { ...ORDER, filled: '0.4', remaining: '0.6' }
    assert.equal(aheadOf(queue, '6', taken), 54n, 'it was filled before it rested')
    assert.equal(aheadOf(queue, '5', { ...taken, filled: '0.5', remaining: '0.5' }), 0n)
  })

  test('the size ahead of an order is unknown if the book is older or lacks its level', () => {
    const queue = new QueueAhead()
    assert.equal(aheadOf(queue, '5', ORDER, 9), undefined)
    assert.equal(aheadOf(queue, ''), undefined)
    assert.equal(aheadOf(queue, '6'), 50n, 'with the order in it')
    assert.equal(aheadOf(queue, ''), 50n)
  })

  test('the size ahead is an upper bound if the book reflects a fill before the order does', () => {
    const queue = new QueueAhead()
    assert.equal(aheadOf(queue, '3'), 20n)
    assert.equal(aheadOf(queue, '0.5'), 0n)
  })

  test('the size ahead restarts when the chain reduces the order, and ends with the order', () => {
    const queue = new QueueAhead()
    assert.equal(aheadOf(queue, '3'), 20n)
    assert.equal(aheadOf(queue, '2.5', { ...ORDER, amount: '0.5', remaining: '0.5' }), 20n)
    assert.deepEqual(queue.take(book('3'), [], STEP), [])
    assert.equal(aheadOf(queue, '9'), 80n)
  })
})
