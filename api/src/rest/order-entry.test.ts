// Placing orders over REST: order entry, sentence by sentence.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PlacedOrder } from '@openvenue/wire/order-answers'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { intentOf } from '../../test/made-intents.ts'
import { type TradingNodes, tradingNodes } from '../../test/trading-node.ts'

describe('POST /orders', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-USDC')
  before(async () => {
    venue = await tradingNodes(scenario, { nodes: 3 })
  })
  after(() => venue.close())

  const place = (body: unknown, node = 0) => venue.send('alice', 'POST /orders', { node, body })

  test('POST /orders answers with the whole order, pending, and its receipt, once that is committed', async () => {
    const body = await venue.orderOf('alice', { client_order_id: 'first' })
    const { status, body: order } = await place(body)
    assert.equal(status, 200, JSON.stringify(order))
    assert.ok(Value.Check(PlacedOrder, order), JSON.stringify(Value.Errors(PlacedOrder, order)))
    assert.equal(order.order_status, 'pending')
    assert.equal(order.client_order_id, 'first')
    const [intent] = await venue.store.intents.find([order.order_id])
    assert.equal(intent?.state, 'queued')
    assert.equal(order.receipt.seq, intent?.seq)
    assert.equal(order.receipt.order_id, order.order_id)
    assert.equal(order.receipt.lane, 'orders-0')
    assert.ok(order.receipt.include_by_block > 1)
  })

  test('the same body a thousand times over three nodes is one order and one answer', async () => {
    const body = await venue.orderOf('alice')
    const replies = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => place(body, index % 3)),
    )
    const answers = new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body])))
    assert.equal(answers.size, 1, [...answers].slice(0, 3).join('\n'))
    const replayed = replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    assert.equal(replayed.length, 999)
  })

  test('a repeat is answered with the current state of the order: refused, resting, filled', async () => {
    const body = await venue.orderOf('alice')
    const { order_id } = (await place(body)).body
    await venue.move(order_id, 'refused', { reason: 'MarginTooLow' })
    const refused = await place(body, 1)
    assert.equal(refused.status, 200)
    assert.equal(refused.headers['idempotent-replayed'], 'true')
    assert.equal(refused.body.order_status, 'rejected')
    assert.equal(refused.body.valid_until, body.deadline)

    const other = await venue.orderOf('alice')
    const { order_id: ref } = (await place(other)).body
    const tick = 150_000
    scenario.order({ who: 'alice', side: 'buy', tick, lots: 10n, ref }).next()
    await venue.follow()
    await venue.move(ref, 'included', { blockNumber: venue.models[0]?.head?.number })
    const resting = await place(other, 2)
    assert.equal(resting.body.order_status, 'opened')
    assert.equal(resting.body.chain_order_id.length, 66)
    scenario.place('bob', 'sell', tick, 10n).next()
    await venue.follow()
    const filled = await place(other, 1)
    assert.equal(filled.body.order_status, 'filled')
    assert.equal(filled.headers['idempotent-replayed'], 'true')
    assert.deepEqual(filled.body.receipt, resting.body.receipt)
  })

  test('a client order id names one live order', async () => {
    const first = await place(await venue.orderOf('alice', { client_order_id: 'taken' }))
    const { status, body } = await place(
      await venue.orderOf('alice', { client_order_id: 'taken' }),
      1,
    )
    assert.equal(status, 409)
    assert.equal(body.error, 'ORDER_EXISTS')
    assert.equal(body.details[0].field, 'client_order_id')
    assert.equal(body.details[0].facts.order_id, first.body.order_id)
  })

  test('an order of another account is refused', async () => {
    const { status, body } = await place(await venue.orderOf('bob'))
    assert.deepEqual([status, body.error], [403, 'FORBIDDEN_ACCOUNT'])
    assert.equal(body.details[0].nearest, venue.walletOf('alice'))
  })

  test('an order with a trigger is held, and promised no block', async () => {
    const trigger = { stop: 'STOP_LOSS', trigger: '3000000000' }
    const { body } = await place(await venue.orderOf('alice', trigger))
    assert.equal(body.order_status, 'stop_order')
    assert.equal(body.trigger, '3000')
    assert.equal(body.receipt.include_by_block, 0)
  })

  test('a batch answers each in its place, and a bad one spoils no other', async () => {
    const orders = [
      await venue.orderOf('alice'),
      await venue.orderOf('bob'),
      await venue.orderOf('alice', { amount: 'many' }),
      await venue.orderOf('alice', { salt: '99' }),
    ]
    const { status, body } = await venue.send('alice', 'POST /batch-orders', { body: { orders } })
    assert.equal(status, 200)
    assert.equal(body.success, false)
    assert.deepEqual(
      body.results.map(
        (result: { error?: string; order_status?: string }) => result.error ?? result.order_status,
      ),
      ['pending', 'FORBIDDEN_ACCOUNT', 'INVALID_PARAMETER', 'pending'],
    )
  })

  test('a batch has 1 to 64 orders', async () => {
    const order = await venue.orderOf('alice')
    for (const orders of [[], Array.from({ length: 65 }, () => order), 'x']) {
      const { status, body } = await venue.send('alice', 'POST /batch-orders', { body: { orders } })
      assert.deepEqual([status, body.error], [400, 'INVALID_PARAMETER'])
    }
  })
})

for (const [trading, code, retryAfter] of [
  ['coming_soon', 'TRADING_NOT_LIVE', '3600'],
  ['cancel_only', 'MAINTENANCE_MODE_ENABLED', '60'],
] as const)
  test(`orders are refused where trading is ${trading}, and everything else works`, async () => {
    const scenario = funded('ETH-USDC')
    const venue = await tradingNodes(scenario, { settings: { trading } })
    const body = await venue.orderOf('alice')
    const earlier = intentOf(scenario, 'alice', { wallet: venue.walletOf('alice') })
    await venue.store.intents.add([earlier])
    await venue.caughtUp()
    const sent = [
      await venue.send('alice', 'POST /orders', { body }),
      await venue.send('alice', 'POST /batch-orders', { body: { orders: [body] } }),
      await venue.send('alice', `POST /orders/${earlier.id}`, { body }),
    ]
    for (const { status, body: refused, headers } of sent) {
      assert.deepEqual([status, refused.error], [503, code])
      assert.equal(headers['retry-after'], retryAfter)
    }
    const cancelled = await venue.send('alice', `DELETE /orders/${earlier.id}`)
    assert.deepEqual([cancelled.status, cancelled.body.order.order_status], [200, 'cancelled'])
    const info = await venue.send('alice', 'GET /info')
    assert.deepEqual([info.status, info.body.network.trading], [200, trading])
    assert.equal((await venue.send('alice', 'GET /markets')).status, 200)
    await venue.close()
  })
