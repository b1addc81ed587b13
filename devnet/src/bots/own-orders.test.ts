import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrdersMessage, type OrderView, OwnOrders } from './own-orders.ts'

const order = (
  id: string,
  status: OrderView['order_status'],
  members: Partial<OrderView> = {},
): OrderView => ({
  order_id: id,
  chain_order_id: null,
  instrument_name: 'ETH-USDC',
  side: 'buy',
  price: '3000',
  remaining: '1',
  order_status: status,
  ...members,
})

const frame = (
  type: OrdersMessage['type'],
  orders: readonly OrderView[],
  removed?: string[],
): OrdersMessage => ({ type, data: { orders, ...(removed === undefined ? {} : { removed }) } })

const ids = (orders: OwnOrders) => orders.list().map(({ view }) => view.order_id)

test('an order is live from its answer until the orders channel reports its end', () => {
  const orders = new OwnOrders()
  orders.add(order('a', 'pending'))
  orders.take(frame('update', [order('a', 'opened', { chain_order_id: '0x1' })]))
  assert.deepEqual(ids(orders), ['a'])
  assert.equal(orders.list()[0]?.view.chain_order_id, '0x1')
  for (const ended of ['filled', 'cancelled', 'rejected', 'expired'] as const) {
    orders.take(frame('update', [order('b', 'opened')]))
    orders.take(frame('update', [order('b', ended)]))
    assert.deepEqual(ids(orders), ['a'], ended)
  }
})

test('an answer after the end of its order does not bring the order back', () => {
  const orders = new OwnOrders()
  orders.take(frame('update', [order('a', 'filled')]))
  orders.add(order('a', 'pending'))
  assert.deepEqual(ids(orders), [])
})

test('an answer to an order does not override newer data of the orders channel', () => {
  const orders = new OwnOrders()
  orders.take(frame('update', [order('a', 'opened')]))
  orders.add(order('a', 'pending'))
  assert.equal(orders.list()[0]?.view.order_status, 'opened')
})

test('a snapshot of the orders channel replaces all orders, which keep their numbers', () => {
  const orders = new OwnOrders()
  orders.take(frame('snapshot', [order('a', 'opened'), order('b', 'opened')]))
  const { number } = orders.list()[1] ?? {}
  orders.take(frame('snapshot', [order('b', 'partial'), order('c', 'opened')]))
  assert.deepEqual(ids(orders), ['b', 'c'])
  assert.equal(orders.find(number ?? 0)?.view.order_id, 'b')
})

test('an order removed by a reorganisation is dropped, and may return', () => {
  const orders = new OwnOrders()
  orders.take(frame('update', [order('a', 'opened')]))
  orders.take(frame('update', [], ['a']))
  assert.deepEqual(ids(orders), [])
  orders.take(frame('update', [order('a', 'pending')]))
  assert.deepEqual(ids(orders), ['a'])
})
