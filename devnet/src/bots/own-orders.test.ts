import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrderView, OwnOrders } from './own-orders.ts'
import type { Frame } from './venue-socket.ts'

const order = (id: string, status: string, members: Partial<OrderView> = {}): OrderView => ({
  order_id: id,
  chain_order_id: null,
  instrument_name: 'ETH-USDC',
  side: 'buy',
  price: '3000',
  remaining: '1',
  order_status: status,
  ...members,
})

const frame = (type: Frame['type'], orders: readonly OrderView[], removed?: string[]): Frame => ({
  channel: 'orders',
  type,
  seq: 1,
  prev_seq: 0,
  data: { orders, ...(removed === undefined ? {} : { removed }) },
})

const ids = (orders: OwnOrders) => orders.list().map(({ view }) => view.order_id)

test('an order is live from its answer on, and goes when its channel says that it ended', () => {
  const orders = new OwnOrders()
  orders.add(order('a', 'pending'))
  orders.take(frame('update', [order('a', 'opened', { chain_order_id: '0x1' })]))
  assert.deepEqual(ids(orders), ['a'])
  assert.equal(orders.list()[0]?.view.chain_order_id, '0x1')
  for (const ended of ['filled', 'cancelled', 'rejected', 'expired']) {
    orders.take(frame('update', [order('b', 'opened')]))
    orders.take(frame('update', [order('b', ended)]))
    assert.deepEqual(ids(orders), ['a'], ended)
  }
})

test('an answer that comes after the end of its order brings nothing back', () => {
  const orders = new OwnOrders()
  orders.take(frame('update', [order('a', 'filled')]))
  orders.add(order('a', 'pending'))
  assert.deepEqual(ids(orders), [])
})

test('an answer that comes after its channel does not undo what that said', () => {
  const orders = new OwnOrders()
  orders.take(frame('update', [order('a', 'opened')]))
  orders.add(order('a', 'pending'))
  assert.equal(orders.list()[0]?.view.order_status, 'opened')
})

test('a snapshot is all there is, and orders keep their numbers', () => {
  const orders = new OwnOrders()
  orders.take(frame('snapshot', [order('a', 'opened'), order('b', 'opened')]))
  const { number } = orders.list()[1] ?? {}
  orders.take(frame('snapshot', [order('b', 'partial'), order('c', 'opened')]))
  assert.deepEqual(ids(orders), ['b', 'c'])
  assert.equal(orders.find(number ?? 0)?.view.order_id, 'b')
})

test('an order that a reorganisation took away goes, and may come back', () => {
  const orders = new OwnOrders()
  orders.take(frame('update', [order('a', 'opened')]))
  orders.take(frame('update', [], ['a']))
  assert.deepEqual(ids(orders), [])
  orders.take(frame('update', [order('a', 'pending')]))
  assert.deepEqual(ids(orders), ['a'])
})
