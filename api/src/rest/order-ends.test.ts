// Ends of orders off the chain: each is published once on `orders` and in the notifications, with
// its reason and its last valid time, by every node and over each transport.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { NotificationItem } from '@openvenue/wire/notifications'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import type { Client } from '../../test/socket-client.ts'
import { type TradingSockets, tradingSockets } from '../../test/trading-sockets.ts'

const scenario = funded('ETH-USDC', 'ETH-PERP')
let venue: TradingSockets
let clients: readonly Client[]
before(async () => {
  venue = await tradingSockets(scenario, { nodes: 2 })
  clients = [
    await venue.connectAs('alice', 'websocket', 0),
    await venue.connectAs('alice', 'socket.io', 1),
  ]
  for (const client of clients) await client.ask('subscribe', ['orders', 'notifications'])
})
after(() => venue.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
type SocketMessage = Readonly<{ channel?: string; type?: string; data: any }>
type Order = Readonly<{ order_id: string; order_status: string }>

/** The messages that a client has received of an order: on `orders`, and in the notifications. */
function publishedOf(client: Client, id: string) {
  const said = client.frames as readonly SocketMessage[]
  const orders = said
    .filter(({ channel, type }) => channel === 'orders' && type === 'update')
    .flatMap(({ data }) => data.orders as readonly Order[])
    .filter(({ order_id }) => order_id === id)
  const notifications = said
    .filter(({ channel, type }) => channel === 'notifications' && type === 'update')
    .filter(({ data }) => data.data.order_id === id)
    .map(({ data }) => data)
  return { orders, notifications }
}

const place = async (members: object = {}) => {
  const body = await venue.orderOf('alice', { client_order_id: `end-${++placed}`, ...members })
  const answer = await venue.send('alice', 'POST /orders', { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return { id: String(answer.body.order_id), deadline: String(body.deadline) }
}
let placed = 0

const listed = async (id: string, node = 0, query = '') => {
  const { body } = await venue.send('alice', `GET /notifications?limit=1000${query}`, { node })
  return body.notifications.filter((one: SocketMessage) => one.data.order_id === id)
}

describe('an order that ends before the chain has it', () => {
  for (const [name, move, type, status, reason, contractError] of [
    [
      'refused by the contract',
      { to: 'refused', reason: 'PostOnlyWouldCross' },
      'order_rejected',
      'rejected',
      'POST_ONLY_CROSS',
      'PostOnlyWouldCross',
    ],
    [
      'refused for its balance',
      { to: 'refused', reason: 'BalanceTooLow' },
      'order_rejected',
      'rejected',
      'SPOT_NO_QUOTE_BALANCE',
      'BalanceTooLow',
    ],
    [
      'refused by the relayer',
      { to: 'refused', reason: 'ORDER_TIMED_OUT' },
      'order_rejected',
      'rejected',
      'ORDER_TIMED_OUT',
      undefined,
    ],
    ['too late', { to: 'expired' }, 'order_expired', 'expired', 'ORDER_TIMED_OUT', undefined],
    [
      'taken back by the venue',
      { to: 'withdrawn', reason: 'CANCEL_AFTER' },
      'order_cancelled',
      'cancelled',
      'CANCEL_AFTER',
      undefined,
    ],
  ] as const)
    test(`${name} is published once, on orders and notifications, with its reason`, async () => {
      const { id, deadline } = await place()
      await venue.move(id, move.to, 'reason' in move ? { reason: move.reason } : {})
      const isPublished = (client: Client) => {
        const { orders, notifications } = publishedOf(client, id)
        return (
          orders.some(({ order_status }) => order_status === status) && notifications.length > 0
        )
      }
      await until('every client has the end of the order', () => clients.every(isPublished))
      for (const client of clients) {
        const { orders, notifications } = publishedOf(client, id)
        // biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
        const ended: any[] = orders.filter(({ order_status }) => order_status === status)
        assert.equal(ended.length, 1)
        assert.equal(ended[0].reject_reason ?? ended[0].cancel_reason, reason)
        assert.equal(ended[0].valid_until, deadline)
        assert.equal(notifications.length, 1)
      }
      const [one, ...more] = await listed(id)
      assert.deepEqual(more, [])
      assert.ok(Value.Check(NotificationItem, one), JSON.stringify(one))
      assert.deepEqual(one.data, {
        instrument_id: one.data.instrument_id,
        instrument_name: 'ETH-USDC',
        order_id: id,
        client_order_id: `end-${placed}`,
        side: 'buy',
        price: one.data.price,
        amount: one.data.amount,
        filled: '0',
        reason,
        valid_until: deadline,
        ...(contractError === undefined ? {} : { contract_error: contractError }),
      })
      assert.equal(one.type, type)
      assert.ok(one.message.includes(reason), one.message)
      assert.deepEqual(publishedOf(clients[0] as Client, id).notifications[0], one)
      assert.deepEqual(await listed(id, 1), [one])
      assert.deepEqual(await listed(id, 0, `&type=${type}`), [one])
      const { body } = await venue.send('alice', `GET /orders/${id}?include=closed`, { node: 1 })
      assert.deepEqual([one.data.price, one.data.amount], [body.price, body.amount])
    })

  test('an end by the owner of an order is published only on orders', async () => {
    const { id } = await place()
    await venue.send('alice', `DELETE /orders/${id}`)
    const isPublished = (client: Client) =>
      publishedOf(client, id).orders.some(({ order_status }) => order_status === 'cancelled')
    await until('every client has the end of the order', () => clients.every(isPublished))
    assert.deepEqual(await listed(id), [])
  })

  test('an ended order that a block includes anyway leaves the list of ended orders', async () => {
    const { id } = await place()
    await venue.move(id, 'refused', { reason: 'MarginTooLow' })
    assert.equal((await listed(id)).length, 1)
    await venue.move(id, 'included', { from: ['refused'], blockNumber: 1 })
    assert.deepEqual(await listed(id), [])
  })

  test('an order that ends before the chain has it is not published to accounts that turned it off', async () => {
    const types = { order_rejected: false }
    await venue.send('alice', 'PUT /notifications/preferences', { body: { types } })
    const { id } = await place()
    await venue.move(id, 'refused', { reason: 'MarginTooLow' })
    assert.deepEqual(await listed(id), [])
    await venue.send('alice', 'PUT /notifications/preferences', {
      body: { types: { order_rejected: true } },
    })
  })
})

describe('a trigger that is met', () => {
  test('a trigger that is met is published once in the notifications, with the order by both its names', async () => {
    const { id } = await place({ stop: 'STOP_LOSS', trigger: '3000000000' })
    await venue.move(id, 'queued', { from: ['received'] })
    await until('every client has the notification', () =>
      clients.every((client) => publishedOf(client, id).notifications.length > 0),
    )
    // The chain sends it back, and it fires again.
    await venue.move(id, 'sent')
    await venue.move(id, 'received', { from: ['sent'], reason: 'TriggerNotMet' })
    await venue.move(id, 'queued', { from: ['received'] })
    const [one, ...more] = await listed(id)
    assert.deepEqual(more, [])
    assert.ok(Value.Check(NotificationItem, one), JSON.stringify(one))
    assert.deepEqual(
      [one.type, one.data.client_order_id, one.data.trigger, one.data.side],
      ['order_triggered', `end-${placed}`, '3000', 'buy'],
    )
    assert.ok(one.message.includes('3000'), one.message)
    for (const client of clients) assert.deepEqual(publishedOf(client, id).notifications, [one])
  })

  test('a met trigger of an order without client id is not published', async () => {
    const { id } = await place()
    assert.deepEqual(await listed(id), [])
  })
})
