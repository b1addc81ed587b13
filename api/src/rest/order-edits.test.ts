// Edits, and cancels of several orders, over REST: order entry, sentence by sentence.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { orderId } from '@openvenue/core/ids'
import { CancelledOrders } from '@openvenue/wire/order-answers'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { RELAY_STATUS, type TradingNodes, tradingNodes } from '../../test/trading-node.ts'

const TICK = 150_000

describe('orders of a trader', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-PERP', 'ETH-USDC')
  before(async () => {
    venue = await tradingNodes(scenario, { nodes: 2 })
    await venue.store.db.primary.query(
      'INSERT INTO cancellers (account, canceller, expiry_seconds) VALUES ($1, $2, $3)',
      [scenario.accountOf('alice'), RELAY_STATUS.canceller, 4_000_000_000],
    )
  })
  after(() => venue.close())

  const place = async (who: string, members: object = {}) => {
    const body = await venue.orderOf(who, members)
    const { body: placed } = await venue.send(who, 'POST /orders', { body })
    await venue.caughtUp()
    return String(placed.order_id)
  }
  const rest = async (who: string) => {
    const id = await place(who)
    scenario.order({ who, side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    const order = venue.models[0]?.accountOrders.signed(id)
    assert.ok(order)
    return { id, chain: orderId({ ...order, ref: null }) }
  }
  const edit = (who: string, id: string, body: unknown, node = 0) =>
    venue.send(who, `POST /orders/${id}`, { node, body })
  const cancel = (who: string, what: string, body?: unknown) =>
    venue.send(who, `DELETE ${what}`, body === undefined ? {} : { body })

  describe('POST /orders/{order_id}', () => {
    test('POST /orders/{order_id} is a new order that replaces the one of the path, named by either id', async () => {
      const old = await rest('bob')
      for (const id of [old.id, old.chain]) {
        const body = await venue.orderOf('bob', {
          replaces: old.chain,
          amount: '20000000000000000',
        })
        const { status, body: order } = await edit('bob', id, body)
        assert.equal(status, 200, JSON.stringify(order))
        assert.notEqual(order.order_id, old.id)
        assert.ok(order.receipt)
        const again = await edit('bob', id, body, 1)
        assert.equal(again.headers['idempotent-replayed'], 'true')
      }
    })

    test('POST /orders/{order_id} is refused where replaces names another order, or none', async () => {
      const [old, other] = [await rest('bob'), await rest('bob')]
      const wrong = await edit('bob', old.id, await venue.orderOf('bob', { replaces: other.chain }))
      assert.deepEqual([wrong.status, wrong.body.details[0].nearest], [400, old.chain])
      const none = await edit('bob', old.id, await venue.orderOf('bob'))
      assert.deepEqual([none.status, none.body.error], [400, 'MISSING_PARAMETER'])
      const side = await venue.orderOf('bob', { replaces: old.chain, is_buy: false })
      const { body } = await edit('bob', old.id, side)
      assert.equal(body.error, 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION')
      assert.deepEqual(body.details[0].facts, { order_id: old.id, order_status: 'opened' })
    })

    test('POST /orders/{order_id} of an order that has ended on the chain is 404 with its last known state', async () => {
      const old = await rest('bob')
      const number = Number(`0x${old.chain.slice(-16)}`)
      scenario.cancel(number).next()
      await venue.follow()
      const replacing = await venue.orderOf('bob', { replaces: old.chain })
      const sent = [
        await edit('bob', old.chain, replacing),
        await venue.send('bob', 'POST /orders', { body: replacing }),
      ]
      for (const { status, body } of sent) {
        assert.deepEqual([status, body.error], [404, 'ORDER_DOES_NOT_EXIST'])
        const [{ field, facts }] = body.details
        assert.equal(field, 'replaces')
        assert.deepEqual(facts, { order_id: old.id, order_status: 'cancelled' })
      }
    })

    test('POST /orders/{order_id} of an order that is not on the chain is 404 with its last known state', async () => {
      const id = await place('bob')
      const body = await venue.orderOf('bob', { replaces: `0x${'66'.repeat(32)}` })
      const { status, body: refused } = await edit('bob', id, body)
      assert.deepEqual([status, refused.error], [404, 'ORDER_DOES_NOT_EXIST'])
      assert.equal(refused.details[0].facts.order_status, 'pending')
    })
  })

  describe('several cancels', () => {
    beforeEach(async () => {
      for (const who of ['alice', 'carol']) await cancel(who, '/orders?confirm=all')
      await venue.caughtUp()
    })

    test('several cancels by ids cancel each that can be, and give the reason for the others', async () => {
      const [one, two] = [await place('carol'), await place('carol')]
      const resting = await rest('carol')
      const none = `0x${'12'.repeat(32)}`
      const { status, body } = await cancel('carol', '/orders', {
        order_ids: [one, two, resting.id, none],
      })
      assert.equal(status, 200)
      assert.ok(Value.Check(CancelledOrders, body))
      assert.equal(body.success, false)
      assert.deepEqual(body.order_ids.toSorted(), [one, two].toSorted())
      assert.deepEqual(body.failed, {
        [resting.id]: 'CANCEL_SIGNATURE_REQUIRED',
        [none]: 'ORDER_DOES_NOT_EXIST',
      })
    })

    test('several cancels by a filter cancel resting, pending and held orders', async () => {
      const pending = await place('alice')
      const held = await place('alice', { stop: 'STOP_LOSS', trigger: '3000000000' })
      const resting = await rest('alice')
      for (const query of ['asset=eth&side=sell', 'side=sell', 'instrument_type=PERPETUAL'])
        assert.deepEqual((await cancel('alice', `/orders?${query}`)).body.order_ids, [])
      const { body } = await cancel('alice', '/orders', {
        instrument_name: 'ETH-USDC',
        side: 'buy',
      })
      assert.ok(body.success)
      for (const id of [pending, held, resting.id]) assert.ok(body.order_ids.includes(id), id)
      const [intent] = await venue.store.intents.find([`cancel:${resting.id}`])
      assert.equal(intent?.state, 'queued')
    })

    test('several cancels of all orders need to be confirmed at /orders, and not at /orders-all', async () => {
      const id = await place('carol')
      const { status, body } = await cancel('carol', '/orders')
      assert.deepEqual([status, body.error], [400, 'MISSING_PARAMETER'])
      const all = await cancel('carol', '/orders-all?asset=eth')
      assert.ok(all.body.order_ids.includes(id))
    })

    test('several cancels refuse a filter that leaves no market, with the nearest name', async () => {
      await place('carol')
      for (const [what, field, nearest] of [
        ['/orders?instrument_name=eth-usdc', 'instrument_name', 'ETH-USDC'],
        ['/orders?asset=ETJ', 'asset', 'ETH'],
        ['/orders-all?asset=ETJ', 'asset', 'ETH'],
      ] as const) {
        const { status, body } = await cancel('carol', what)
        assert.deepEqual([status, body.error], [404, 'INSTRUMENT_NOT_FOUND'], what)
        assert.deepEqual([body.details[0].field, body.details[0].nearest], [field, nearest])
      }
    })

    test('several cancels refuse by name what is unknown, and lists that are too long', async () => {
      for (const [what, field] of [
        ['/orders?reason=x', 'reason'],
        ['/orders?side=both', 'side'],
        ['/orders?confirm=some', 'confirm'],
        [`/orders?order_ids=${Array.from({ length: 201 }, () => 'a').join(',')}`, 'order_ids'],
        ['/orders-all?side=buy', 'side'],
      ] as const) {
        const { status, body } = await cancel('carol', what)
        assert.deepEqual([status, body.details[0].field], [400, field], what)
      }
    })
  })
})
