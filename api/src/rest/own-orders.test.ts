// Orders that are not on the chain, among those that are: order entry, sentence by sentence.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OpenOrdersPage, type OrderItem, OrderItem as Schema } from '@openvenue/wire/orders'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { issueKey } from '../../test/keyed.ts'
import { type TradingNodes, tradingNodes } from '../../test/trading-node.ts'

const TICK = 150_000

describe('orders on their way', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-USDC')
  before(async () => {
    venue = await tradingNodes(scenario)
  })
  after(() => venue.close())

  const place = async (who: string, members: object = {}) => {
    const body = await venue.orderOf(who, members)
    const { body: placed } = await venue.send(who, 'POST /orders', { body })
    await venue.caughtUp()
    return String(placed.order_id)
  }
  const rest = async (who: string, members: object = {}) => {
    const id = await place(who, members)
    scenario.order({ who, side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    return id
  }
  const shown = (orders: readonly OrderItem[]) =>
    orders.map(({ order_id, order_status }) => [order_id, order_status])

  test('orders on their way are in /orders and /open-orders, newest first, with their status', async () => {
    const resting = await rest('alice', { client_order_id: 'resting' })
    const pending = await place('alice', { client_order_id: 'pending' })
    const held = await place('alice', { stop: 'STOP_LOSS', trigger: '3000000000' })
    const expected = [
      [held, 'stop_order'],
      [pending, 'pending'],
      [resting, 'opened'],
    ]
    const { body: orders } = await venue.send('alice', 'GET /orders?include=pending')
    assert.deepEqual(shown(orders), expected)
    assert.equal(orders[2].client_order_id, 'resting')
    const { body: page } = await venue.send('alice', 'GET /open-orders?include=pending')
    assert.ok(Value.Check(OpenOrdersPage, page))
    assert.deepEqual(shown(page.orders), expected)
    const first = (await venue.send('alice', 'GET /open-orders?include=pending&limit=2')).body
    const next = `GET /open-orders?include=pending&limit=2&cursor=${first.pagination.next_cursor}`
    const second = (await venue.send('alice', next)).body
    assert.deepEqual(shown([...first.orders, ...second.orders]), expected)
    const none = await venue.send('alice', 'GET /orders?instrument_type=PERPETUAL')
    assert.deepEqual(none.body, [])
    for (const path of ['/orders', '/open-orders']) {
      const { body } = await venue.send('alice', `GET ${path}`)
      assert.deepEqual(shown(body.orders ?? body), [[resting, 'opened']], path)
    }
    await venue.move(pending, 'refused', { reason: 'MarginTooLow' })
    assert.deepEqual(shown((await venue.send('alice', 'GET /orders?include=pending')).body), [
      expected[0],
      expected[2],
    ])
  })

  test('orders on their way are found by id; ended ones with include=closed, by either id', async () => {
    const id = await place('bob')
    const found = await venue.send('bob', `GET /orders/${id.toUpperCase().replace('X', 'x')}`)
    assert.deepEqual([found.status, found.body.order_status], [200, 'pending'])
    await venue.move(id, 'refused', { reason: 'MarginTooLow' })
    assert.equal((await venue.send('bob', `GET /orders/${id}`)).status, 404)
    const { body } = await venue.send('bob', `GET /orders/${id}?include=closed`)
    assert.ok(Value.Check(Schema, body))
    assert.deepEqual([body.order_status, body.reject_reason], ['rejected', 'INSUFFICIENT_MARGIN'])
    assert.equal(body.contract_error, 'MarginTooLow')
    assert.match(body.valid_until ?? '', /^\d+$/)
    const resting = await rest('bob')
    scenario.place('carol', 'sell', TICK, 20n).next()
    await venue.follow()
    const filled = await venue.send('bob', `GET /orders/${resting}?include=closed`)
    assert.equal(filled.body.order_status, 'filled')
    const chain = `GET /orders/${filled.body.chain_order_id}?include=closed`
    assert.equal((await venue.send('bob', chain)).body.order_id, resting)
    assert.equal((await venue.send('alice', chain)).status, 404)
  })

  test('orders on their way are shown as open to clients with the headers of the API family', async () => {
    const id = await place('carol')
    const issued = await issueKey(venue.store, venue.walletOf('carol'), 0, 4_000_000_000_000)
    const family = { 'aevo-key': issued.key, 'aevo-secret': String(issued.secret) }
    const headers = { ...family, 'api-key': '', 'api-secret': '' }
    const { body: one } = await venue.send('carol', `GET /orders/${id}`, { headers })
    const { body: all } = await venue.send('carol', 'GET /orders?include=pending', { headers })
    const { body: page } = await venue.send('carol', 'GET /open-orders?include=pending', {
      headers,
    })
    const sent = { headers, body: await venue.orderOf('carol') }
    const { body: placed } = await venue.send('carol', 'POST /orders', sent)
    for (const order of [one, all[0], page.orders[0], placed])
      assert.equal(order.order_status, 'opened')
    const { body: plain } = await venue.send('carol', 'GET /orders?include=pending')
    assert.equal(plain.at(-1).order_status, 'pending')
  })

  test('orders on their way are found and cancelled by their client order id', async () => {
    const id = await place('bob', { client_order_id: 'a name' })
    const url = '/orders/by-client-id/a%20name'
    assert.equal((await venue.send('bob', `GET ${url}`)).body.order_id, id)
    assert.equal((await venue.send('alice', `GET ${url}`)).status, 404)
    const { status, body } = await venue.send('bob', `DELETE ${url}`)
    assert.deepEqual([status, body.order.order_status], [200, 'cancelled'])
    await venue.caughtUp()
    assert.equal((await venue.send('bob', `GET ${url}`)).body.order_status, 'cancelled')
    const again = await venue.send('bob', `DELETE ${url}`)
    assert.deepEqual([again.status, again.body.error], [404, 'ORDER_DOES_NOT_EXIST'])
  })
})
