// Concurrent operations on orders: overtaking, identity and limits.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { openCache } from '@openvenue/store/db/cache'
import { funded } from '../../../test/funded.ts'
import { type Client, type Frame, TRANSPORTS } from '../../../test/socket-client.ts'
import type { TradingOptions } from '../../../test/trading-node.ts'
import { type TradingSockets, tradingSockets } from '../../../test/trading-sockets.ts'
import { type Rate, rateBuckets } from '../../http/limits.ts'
import { ACCOUNT_SETTINGS } from '../../node/account-settings.ts'
import { parseOrder } from '../../orders/rules/order-body.ts'
import { UNDER_WAY_MAX } from '../session/socket-limits.ts'

/** The chain's answer to orders, held back until it is released. */
class SlowChain {
  readonly #open = Promise.withResolvers<void>()
  asked = 0

  readonly simulate = async (orders: readonly unknown[]) => {
    if (orders.length === 0) return []
    this.asked += orders.length
    await this.#open.promise
    return orders.map(() => undefined)
  }

  open(): void {
    this.#open.resolve()
  }
}

const scenario = funded('ETH-PERP', 'ETH-USDC')
let venue: TradingSockets
let chain: SlowChain
beforeEach(() => {
  chain = new SlowChain()
})
afterEach(async () => {
  chain.open()
  await venue.close()
})
const open = async (options: TradingOptions = {}) => {
  venue = await tradingSockets(scenario, { simulate: chain.simulate, ...options })
}
const untilAsked = (times: number) =>
  until(
    () => `the chain is asked ${times} times: it was ${chain.asked}`,
    () => chain.asked === times,
  )
const digestOf = (body: object) => {
  const [model] = venue.models
  assert.ok(model)
  return parseOrder(body, { model, settings: ACCOUNT_SETTINGS }).digest
}
const liveOf = async (who: string) =>
  (await venue.store.intents.live()).intents.filter(({ wallet }) => wallet === venue.walletOf(who))
const answerTo = (client: Client, id: string): Promise<Frame> =>
  client.next((frame) => frame.id === id)
const send = async (client: Client, id: string, members: object = {}, who = 'alice') =>
  client.send({ op: 'create_order', id, data: await venue.orderOf(who, members) })

for (const transport of TRANSPORTS)
  describe(`side by side over ${transport}`, () => {
    test('a slow order delays nothing else of its connection, nor other orders their answers', async () => {
      await open()
      const client = await venue.connectAs('alice', transport)
      await send(client, 'slow')
      await untilAsked(1)
      assert.equal((await client.ask('ping')).data.success, true)
      assert.deepEqual((await client.ask('subscribe', ['markets'])).data, ['markets'])
      const late = await venue.orderOf('alice', { deadline: '1' })
      const refused = await client.ask('create_order', late)
      assert.equal(refused.error, 'ORDER_TIMED_OUT')
      chain.open()
      assert.equal((await answerTo(client, 'slow')).data.order_status, 'pending')
    })

    test('a cancel sent behind its order, without a pause, ends with no order', async () => {
      await open()
      const client = await venue.connectAs('alice', transport)
      const orders = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) => venue.orderOf('alice', { client_order_id: name })),
      )
      for (const [at, data] of orders.entries()) client.send({ op: 'create_order', id: at, data })
      const [first = '', second = ''] = orders.map(digestOf)
      client.send({ op: 'cancel_order', id: 'one', data: { order_id: first } })
      client.send({ op: 'cancel_order', id: 'named', data: { client_order_id: 'c' } })
      client.send({ op: 'cancel_orders', id: 'some', data: { order_ids: [second] } })
      await untilAsked(orders.length)
      assert.equal((await client.ask('ping')).data.success, true)
      chain.open()
      assert.equal((await answerTo(client, 'one')).data.order_id, first)
      assert.equal((await answerTo(client, 'named')).data.success, true)
      assert.deepEqual((await answerTo(client, 'some')).data.order_ids, [second])
      assert.equal((await liveOf('alice')).length, 1)
    })

    test('a cancel of all sent behind an order, without a pause, cancels that too', async () => {
      await open()
      const client = await venue.connectAs('alice', transport)
      const bodies = [await venue.orderOf('alice'), await venue.orderOf('alice')]
      for (const [at, data] of bodies.entries()) client.send({ op: 'create_order', id: at, data })
      client.send({ op: 'cancel_all_orders', id: 'all' })
      await untilAsked(bodies.length)
      chain.open()
      const { data } = await answerTo(client, 'all')
      assert.deepEqual(data.order_ids.toSorted(), bodies.map(digestOf).toSorted())
      assert.deepEqual(await liveOf('alice'), [])
    })

    test('a cancel of an unknown order does not wait for orders sent after it', async () => {
      await open()
      const client = await venue.connectAs('alice', transport)
      const none = { order_id: `0x${'00'.repeat(32)}` }
      client.send({ op: 'cancel_order', id: 'cancel', data: none })
      await send(client, 'later')
      assert.equal((await answerTo(client, 'cancel')).error, 'ORDER_DOES_NOT_EXIST')
    })

    test('an order is by the auth before it, answered or not, and not by one that comes later', async () => {
      await open()
      const client = await venue.connect(transport)
      const [alice, bob] = [await venue.issue('alice'), await venue.issue('bob')]
      const body = await venue.orderOf('alice')
      client.send({ op: 'auth', id: 'alice', data: alice })
      client.send({ op: 'create_order', id: 'order', data: body })
      client.send({ op: 'auth', id: 'bob', data: bob })
      await untilAsked(1)
      assert.equal((await answerTo(client, 'bob')).data.account, venue.walletOf('bob'))
      chain.open()
      const { data } = await answerTo(client, 'order')
      assert.equal(data.account, venue.walletOf('alice'))
    })

    test('an order that has begun is finished after its connection ends', async () => {
      await open()
      const client = await venue.connectAs('alice', transport)
      await send(client, 'order')
      await untilAsked(1)
      client.close()
      await until(
        'the connection has ended',
        () => venue.hosts[0]?.sockets.sessions.connectionCount === 0,
      )
      chain.open()
      await until('the order is live', async () => (await liveOf('alice')).length === 1)
    })
  })

describe('orders of one connection', () => {
  test('orders of one connection are under way in a bounded number; cancels and pings overtake the rest', async () => {
    await open()
    const client = await venue.connectAs('alice', 'websocket')
    const count = UNDER_WAY_MAX.orders + 2
    for (let sent = 0; sent < count; sent++) await send(client, `order ${sent}`)
    await untilAsked(UNDER_WAY_MAX.orders)
    assert.equal((await client.ask('ping')).data.success, true)
    const none = { order_ids: [`0x${'00'.repeat(32)}`, '0x1'] }
    client.send({ op: 'cancel_orders', id: 'cancel', data: none })
    assert.equal((await client.ask('ping')).data.success, true)
    assert.equal(chain.asked, UNDER_WAY_MAX.orders)
    chain.open()
    assert.equal((await answerTo(client, `order ${count - 1}`)).error, undefined)
    assert.equal((await answerTo(client, 'cancel')).data.success, false)
    assert.equal((await liveOf('alice')).length, count)
  })

  test('orders that wait when their key is revoked are not begun; those that have begun are answered', async () => {
    await open()
    const client = await venue.connect('websocket')
    const key = await venue.issue('alice')
    await client.ask('auth', key)
    for (let sent = 0; sent <= UNDER_WAY_MAX.orders; sent++) await send(client, `order ${sent}`)
    await untilAsked(UNDER_WAY_MAX.orders)
    await venue.store.identity.revoke(venue.walletOf('alice'), key.key, 0)
    assert.equal((await client.next(({ error }) => error !== undefined)).error, 'AUTH_EXPIRED')
    chain.open()
    assert.equal((await answerTo(client, 'order 0')).error, undefined)
    const last = await answerTo(client, `order ${UNDER_WAY_MAX.orders}`)
    assert.equal(last.error, 'AUTH_REQUIRED')
    assert.equal(
      (await client.ask('create_order', await venue.orderOf('alice'))).error,
      'AUTH_REQUIRED',
    )
    assert.equal((await liveOf('alice')).length, UNDER_WAY_MAX.orders)
  })

  test('orders of one connection count in the buckets of the account, which are those of REST; so do cancels', async () => {
    chain.open()
    const ordersRate: Rate = { points: 3, seconds: 60 }
    const rates = {
      publicRate: undefined,
      registerRate: undefined,
      privateRate: undefined,
      ordersRate,
    }
    const buckets = rateBuckets({ ...rates, settings: ACCOUNT_SETTINGS })
    const { consume } = await openCache({ buckets })
    await open({ host: { rates: { ...rates, consume, proxyHops: 0 } } })
    const client = await venue.connectAs('alice', 'websocket')
    const place = async () => client.ask('create_order', await venue.orderOf('alice'))
    assert.equal((await client.ask('create_order', {})).error, 'MISSING_PARAMETER')
    assert.equal((await place()).error, undefined)
    const body = await venue.orderOf('alice')
    assert.equal((await venue.send('alice', 'POST /orders', { body })).status, 200)
    const over = (await place()) as Frame & { retry_after?: string }
    assert.deepEqual([over.error, over.data.code], ['RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED'])
    assert.ok(over.data.retryAfterMs > 0)
    assert.match(over.retry_after ?? '', /^[0-9]+$/)
    const errors = []
    for (let asked = 0; asked < 7; asked++)
      errors.push((await client.ask('cancel_order', { order_id: '0x1' })).error)
    assert.deepEqual(errors, [...Array(6).fill('ORDER_DOES_NOT_EXIST'), 'RATE_LIMIT_EXCEEDED'])
  })

  test('orders of one connection are cancelled by any node as soon as they are answered, by id or all of them', async () => {
    chain.open()
    await open({ nodes: 2 })
    const [here, there] = [
      await venue.connectAs('alice', 'websocket', 0),
      await venue.connectAs('alice', 'websocket', 1),
    ]
    for (let round = 0; round < 20; round++) {
      const { data } = await here.ask('create_order', await venue.orderOf('alice'))
      const { order_id: id } = data
      const asked = { order_id: id }
      if (round % 2 === 0) assert.equal((await there.ask('cancel_order', asked)).data.order_id, id)
      else assert.deepEqual((await there.ask('cancel_all_orders')).data.order_ids, [id])
    }
  })

  test('orders of one connection have every digit of integers in JSON text', async () => {
    chain.open()
    await open()
    const client = await venue.connectAs('alice', 'websocket')
    const body = await venue.orderOf('alice', {
      instrument: 'ETH-PERP',
      limit_price: '1500000000000000000000',
      amount: '1000000000000000',
      salt: '12345678901234567890123',
    })
    const text = JSON.stringify({ op: 'create_order', id: 'digits', data: body })
    client.send(text.replace(/"(\d+)"/g, '$1'))
    const { error, data } = await answerTo(client, 'digits')
    assert.equal(error, undefined, JSON.stringify(data))
    assert.equal(data.order_id, digestOf(body))
  })
})
