// Operations on orders, each over every transport: the bodies and answers of REST.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderId } from '@openvenue/core/ids'
import { OrderFailure, SOCKET_REPLIES, type SocketOperation } from '@openvenue/wire/socket'
import { Value } from 'typebox/value'
import { funded } from '../../../test/funded.ts'
import { type Client, type Frame, TRANSPORTS } from '../../../test/socket-client.ts'
import { RELAY_STATUS } from '../../../test/trading-node.ts'
import { type TradingSockets, tradingSockets } from '../../../test/trading-sockets.ts'
import { receiptId } from '../../orders/relay/receipt.ts'

const TICK = 150_000
const NO_ORDER = `0x${'00'.repeat(32)}`
const PERP = {
  instrument: 'ETH-PERP',
  limit_price: '1500000000000000000000',
  amount: '1000000000000000',
}

/** Returns whether a reply has a shape, without narrowing its type. */
const isOf = (shape: object, reply: unknown): boolean => Value.Check(shape as never, reply)
/** The REST error body in a reply. */
const bodyOf = ({ id: _id, data: _data, ...body }: Frame) => withoutRequest(body)
const withoutRequest = ({ request_id: _request, ...body }: object & { request_id?: string }) => body

for (const transport of TRANSPORTS)
  describe(`orders over ${transport}`, () => {
    const scenario = funded('ETH-PERP', 'ETH-USDC')
    let venue: TradingSockets
    let client: Client
    before(async () => {
      venue = await tradingSockets(scenario)
      await venue.store.db.primary.query(
        'INSERT INTO cancellers (account, canceller, expiry_seconds) VALUES ($1, $2, $3)',
        [scenario.accountOf('alice'), RELAY_STATUS.canceller, 4_000_000_000],
      )
      client = await venue.connectAs('alice', transport)
    })
    after(() => venue.close())

    /** Sends an operation, and checks that the reply has the documented shape. */
    const ask = async (op: SocketOperation, data?: unknown, from = client) => {
      const reply = await from.ask(op, data)
      const schema = reply.error === undefined ? SOCKET_REPLIES[op] : OrderFailure
      assert.ok(isOf(schema, reply), `${op}: ${JSON.stringify(reply)}`)
      return reply
    }
    const done = async (op: SocketOperation, data?: unknown, from = client) => {
      const reply = await ask(op, data, from)
      assert.equal(reply.error, undefined, JSON.stringify(reply))
      return reply.data
    }
    const place = async (members: object = {}) =>
      String((await done('create_order', await venue.orderOf('alice', members))).order_id)
    const rest = async () => {
      const id = await place()
      scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
      await venue.follow()
      await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
      const order = venue.models[0]?.accountOrders.signed(id)
      assert.ok(order)
      return { id, chain: orderId({ ...order, ref: null }) }
    }
    const stateOf = async (id: string) => (await venue.store.intents.find([id]))[0]?.state

    test('create_order answers with the whole order and its receipt, as REST does', async () => {
      const body = await venue.orderOf('alice', { client_order_id: `first ${transport}` })
      const order = await done('create_order', body)
      assert.equal(order.order_status, 'pending')
      assert.equal(order.receipt.order_id, order.order_id)
      assert.equal(await stateOf(order.order_id), 'queued')
      const again = await venue.send('alice', 'POST /orders', { body })
      assert.deepEqual(again.body, order)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      const replayed = (await ask('create_order', body)) as Frame & { idempotent_replayed?: true }
      assert.deepEqual([replayed.data, replayed.idempotent_replayed], [order, true])
    })

    test('edit_order is a new order that replaces the one that order_id names', async () => {
      const old = await rest()
      const body = await venue.orderOf('alice', { replaces: old.chain })
      const order = await done('edit_order', { order_id: old.id, ...body })
      assert.notEqual(order.order_id, old.id)
      assert.equal(order.receipt.order_id, order.order_id)
      const bare = await ask('edit_order', body)
      assert.equal(bare.error, 'MISSING_PARAMETER')
      const number = await ask('edit_order', { ...body, order_id: 7 })
      assert.equal(number.error, 'INVALID_PARAMETER')
      const plain = await venue.orderOf('alice')
      const reply = await ask('edit_order', { order_id: old.id, ...plain })
      const rest_ = await venue.send('alice', `POST /orders/${old.id}`, { body: plain })
      assert.deepEqual(bodyOf(reply), withoutRequest(rest_.body))
    })

    test('cancel_order withdraws one in the queue, and promises the cancel of one that rests', async () => {
      const id = await place()
      const { order_id, success, order } = await done('cancel_order', { order_id: id })
      assert.deepEqual([order_id, success, order.order_status], [id, true, 'cancelled'])
      assert.equal(await stateOf(id), 'withdrawn')
      const resting = await rest()
      const promised = await done('cancel_order', { order_id: resting.chain })
      assert.equal(promised.order_id, resting.id)
      assert.equal(promised.receipt.order_id, receiptId(`cancel:${resting.id}`))
      const same = await venue.send('alice', `DELETE /orders/${resting.id}`)
      assert.deepEqual(same.body.receipt, promised.receipt)
      assert.equal(await stateOf(`cancel:${resting.id}`), 'queued')
    })

    test('cancel_order takes the name that the client gave the order', async () => {
      const name = `named ${transport}`
      const id = await place({ client_order_id: name })
      assert.equal((await done('cancel_order', { client_order_id: name })).order_id, id)
      assert.equal((await ask('cancel_order', {})).error, 'MISSING_PARAMETER')
      assert.equal((await ask('cancel_order')).error, 'MISSING_PARAMETER')
    })

    test('cancel_order of an account without cancellers is refused with what to sign', async () => {
      const bob = await venue.connectAs('bob', transport)
      const body = await venue.orderOf('bob')
      const { order_id: id } = await done('create_order', body, bob)
      await venue.move(id, 'sent')
      const reply = await ask('cancel_order', { order_id: id }, bob)
      const same = await venue.send('bob', `DELETE /orders/${id}`)
      assert.equal(reply.error, 'CANCEL_SIGNATURE_REQUIRED')
      assert.deepEqual(bodyOf(reply), withoutRequest(same.body))
      const wrong = await ask('cancel_order', { order_id: id, signature: '0x' }, bob)
      assert.equal(wrong.error, 'INVALID_PARAMETER')
    })

    test('cancel_orders takes ids, each with its own fate, or a filter', async () => {
      const ids = [await place(), await place()]
      const named = await done('cancel_orders', { order_ids: [...ids, NO_ORDER] })
      assert.deepEqual(named, {
        success: false,
        order_ids: ids,
        accepted: [],
        failed: { [NO_ORDER]: 'ORDER_DOES_NOT_EXIST' },
      })
      const sell = await place({ is_buy: false, limit_price: '6000000000' })
      const filter = { instrument_name: 'ETH-USDC', side: 'sell' }
      assert.deepEqual((await done('cancel_orders', filter)).order_ids, [sell])
      const other = await ask('cancel_orders', { instrument_name: 'eth-usdc' })
      assert.equal(other.error, 'INSTRUMENT_NOT_FOUND')
      const unsure = await ask('cancel_orders', {})
      assert.equal(unsure.error, 'MISSING_PARAMETER')
    })

    test('cancel_all_orders answers order_ids, and the same as orders_ids', async () => {
      await done('cancel_orders', { confirm: 'all' })
      await Promise.all([...(await open())].map((id) => venue.move(id, 'withdrawn')))
      const [spot, perp] = [await place(), await place(PERP)]
      const some = await done('cancel_all_orders', { instrument_type: 'PERPETUAL', asset: 'eth' })
      assert.deepEqual(some.orders_ids, some.order_ids)
      assert.ok(some.order_ids.includes(perp) && !some.order_ids.includes(spot))
      const all = await done('cancel_all_orders')
      assert.ok(all.order_ids.includes(spot))
      assert.equal((await ask('cancel_all_orders', { side: 'buy' })).error, 'INVALID_PARAMETER')
    })
    const open = async () =>
      (await venue.store.intents.live()).intents.flatMap(({ id, state, payload }) =>
        payload.kind === 'order' && state === 'queued' ? id : [],
      )

    test('cancel_after arms the timer and disarms it', async () => {
      const armed = await done('cancel_after', { timeout_ms: 60_000 })
      assert.match(armed.trigger_time, /^[0-9]{19}$/)
      assert.equal((await done('cancel_after', { timeout_ms: 0 })).trigger_time, null)
      const reply = await ask('cancel_after', { timeout_ms: 1 })
      const same = await venue.send('alice', 'POST /account/cancel-after', {
        body: { timeout_ms: 1 },
      })
      assert.deepEqual(bodyOf(reply), withoutRequest(same.body))
    })

    const WRONG: readonly [string, (order: Record<string, unknown>) => unknown][] = [
      ['a price off the step', (order) => ({ ...order, limit_price: '1500000001' })],
      ['an unknown member', (order) => ({ ...order, colour: 'red' })],
      ['no signature', ({ signature: _signature, ...order }) => order],
      ['another signature', (order) => ({ ...order, salt: '99' })],
      ['a deadline that has passed', (order) => ({ ...order, deadline: '1' })],
      ['the account of another', (order) => ({ ...order, maker: `0x${'12'.repeat(20)}` })],
      ['no market', (order) => ({ ...order, instrument: 'NOTHING' })],
      ['a list', () => []],
      ['nothing', () => undefined],
    ]
    for (const [what, change] of WRONG)
      test(`create_order with ${what} is refused as REST refuses it`, async () => {
        const body = change(await venue.orderOf('alice'))
        const reply = await ask('create_order', body)
        const same = await venue.send('alice', 'POST /orders', { body })
        assert.ok(same.status >= 400)
        assert.deepEqual(bodyOf(reply), withoutRequest(same.body))
        assert.equal(reply.data.code, reply.error)
        assert.equal(reply.data.message, same.body.message)
      })
  })
