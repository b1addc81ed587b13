// `wait=included` of cancels of several orders, over REST and over the sockets.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { CancelledOrders } from '@openvenue/wire/order-answers'
import type { OrderItem } from '@openvenue/wire/orders'
import { SOCKET_REPLIES } from '@openvenue/wire/socket'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type Client, TRANSPORTS } from '../../test/socket-client.ts'
import { RELAY_STATUS } from '../../test/trading-node.ts'
import { type TradingSockets, tradingSockets } from '../../test/trading-sockets.ts'
import { INCLUDED_WAIT_MS_MAX, WAITED_PER_ACCOUNT_MAX } from '../orders/relay/included-waits.ts'

const TICK = 150_000
const NO_ORDER = `0x${'00'.repeat(32)}`

type Answer = Readonly<{ wait: unknown; body: CancelledOrders }>
type CancelOperation = Readonly<{ op: 'cancel_orders' | 'cancel_all_orders'; data: object }>

describe('cancels of several orders with wait=included', () => {
  let venue: TradingSockets
  const scenario = funded('ETH-PERP', 'ETH-USDC')
  /** Ends the waits that last until the end of the test. */
  const ends: (() => void)[] = []
  const nowMs = () => (venue?.models[0]?.head?.seconds ?? 1_700_000_000) * 1000
  const delay = (ms: number, signal: AbortSignal) => {
    if (ms !== INCLUDED_WAIT_MS_MAX) return sleep(ms, undefined, { signal }).catch(() => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    signal.addEventListener('abort', () => resolve())
    return promise
  }
  const clients = new Map<string, Client>()
  before(async () => {
    venue = await tradingSockets(scenario, {
      host: { clock: { nowMs, monotonicMs: nowMs, delay } },
    })
    await venue.store.db.primary.query(
      'INSERT INTO cancellers (account, canceller, expiry_seconds) VALUES ($1, $2, $3)',
      [scenario.accountOf('alice'), RELAY_STATUS.canceller, 4_000_000_000],
    )
    for (const transport of TRANSPORTS)
      clients.set(transport, await venue.connectAs('alice', transport))
  })
  beforeEach(() => {
    ends.length = 0
  })
  after(() => venue.close())

  const place = async (who = 'alice', members: object = {}) => {
    const body = await venue.orderOf(who, members)
    const placed = await venue.send(who, 'POST /orders', { body })
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
    await venue.caughtUp()
    return String(placed.body.order_id)
  }
  const rest = async (lots = 10n) => {
    const id = await place()
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    await venue.say({})
    return id
  }
  const head = () => venue.models[0]?.head?.number ?? 0

  /** A block cancels these orders. */
  const takeOff = async (ids: readonly string[]) => {
    for (const id of ids) scenario.cancel(venue.models[0]?.accountOrders.signed(id)?.number ?? 0)
    scenario.next()
    await venue.follow()
    await venue.say({})
  }
  /** Like `takeOff`, and the log records that the cancels are included. */
  const cancelOnChain = async (ids: readonly string[]) => {
    await takeOff(ids)
    for (const id of ids) await venue.move(`cancel:${id}`, 'included', { blockNumber: head() })
  }

  const overRest = async ({ op, data }: CancelOperation): Promise<Answer> => {
    const path = op === 'cancel_orders' ? '/orders' : '/orders-all'
    const sent = { body: data }
    const { status, body, headers } = await venue.send(
      'alice',
      `DELETE ${path}?wait=included`,
      sent,
    )
    assert.equal(status, 200, JSON.stringify(body))
    return { wait: headers['x-wait'], body }
  }
  const overSocket =
    (transport: string) =>
    async ({ op, data }: CancelOperation): Promise<Answer> => {
      const reply = await (clients.get(transport) as Client).ask(op, { ...data, wait: 'included' })
      assert.ok(Value.Check(SOCKET_REPLIES[op], reply), JSON.stringify(reply))
      const { orders_ids: _, ...body } = reply.data as CancelledOrders & { orders_ids?: unknown }
      return { wait: (reply as { wait?: unknown }).wait, body }
    }
  const WAYS = [
    ['REST', overRest],
    ...TRANSPORTS.map((transport) => [transport, overSocket(transport)] as const),
  ] as const

  /** Sends a request, and returns the pending answer once its cancels wait. */
  const begin = async (
    ask: (asked: CancelOperation) => Promise<Answer>,
    asked: CancelOperation,
  ) => {
    let isAnswered = false
    const answer = ask(asked).finally(() => {
      isAnswered = true
    })
    answer.catch(() => {})
    await until('the cancels wait or are answered', () => ends.length > 0 || isAnswered)
    await venue.caughtUp()
    return { answer, isOpen: () => !isAnswered }
  }
  const shown = (orders: readonly OrderItem[] = []) =>
    Object.fromEntries(orders.map(({ order_id, order_status }) => [order_id, order_status]))

  for (const [way, ask] of WAYS) {
    for (const [op, list] of [
      ['cancel_orders', (ids: readonly string[]) => ({ order_ids: [...ids, NO_ORDER] })],
      ['cancel_orders', () => ({ instrument_name: 'ETH-USDC' })],
      ['cancel_all_orders', () => ({ asset: 'ETH' })],
    ] as const)
      test(`${op} by ${Object.keys(list([])).join()} over ${way} shows each order as it ended`, async () => {
        const resting = [await rest(), await rest()]
        const queued = await place()
        const ids = [...resting, queued]
        const { answer, isOpen } = await begin(ask, { op, data: list(ids) })
        await venue.move(`cancel:${resting[0]}`, 'sent')
        assert.ok(isOpen(), 'what is on its way is waited for')
        await cancelOnChain(resting)
        const { wait, body } = await answer
        assert.ok(Value.Check(CancelledOrders, body), JSON.stringify(body))
        assert.equal(wait, 'done')
        assert.deepEqual([...body.order_ids].sort(), [...ids].sort())
        assert.deepEqual(body.accepted, [])
        const expected = Object.fromEntries(ids.map((id) => [id, 'cancelled']))
        assert.deepEqual(shown(body.orders), expected)
        const isList = 'order_ids' in list(ids)
        assert.deepEqual(body.failed, isList ? { [NO_ORDER]: 'ORDER_DOES_NOT_EXIST' } : {})
      })

    test(`over ${way} an earlier fill and a failed cancel are shown`, async () => {
      const [filled, stays] = [await rest(4n), await rest(6n)]
      const { answer } = await begin(ask, {
        op: 'cancel_orders',
        data: { order_ids: [filled, stays] },
      })
      scenario.place('bob', 'sell', TICK, 4n).next()
      await venue.follow()
      await venue.move(`cancel:${filled}`, 'refused', { reason: 'OrderUnknown' })
      await venue.move(`cancel:${stays}`, 'refused', { reason: 'NotCanceller' })
      const { wait, body } = await answer
      assert.equal(wait, 'done')
      assert.deepEqual(shown(body.orders), { [filled]: 'filled', [stays]: 'opened' })
      assert.deepEqual(body.accepted, [stays])
      await takeOff([stays])
    })

    test(`over ${way} the answer comes after 2 s in any case`, async () => {
      assert.equal(INCLUDED_WAIT_MS_MAX, 2000)
      const id = await rest()
      const { answer } = await begin(ask, { op: 'cancel_orders', data: { order_ids: [id] } })
      for (const end of ends) end()
      const { wait, body } = await answer
      assert.equal(wait, 'timeout')
      assert.deepEqual([shown(body.orders), body.accepted], [{ [id]: 'opened' }, [id]])
      await cancelOnChain([id])
    })
  }

  for (const transport of TRANSPORTS)
    test(`cancel_order over ${transport} waits as DELETE /orders/{order_id} does`, async () => {
      const client = clients.get(transport) as Client
      const id = await rest()
      const reply = client.ask('cancel_order', { order_id: id, wait: 'included' })
      await until('the cancel waits', () => ends.length > 0)
      await cancelOnChain([id])
      const { data, wait } = (await reply) as { data: { status: string }; wait?: string }
      assert.deepEqual([data.status, wait], ['cancelled', 'done'])
      const wrong = await client.ask('cancel_order', { order_id: id, wait: 'mined' })
      assert.equal(wrong.error, 'INVALID_PARAMETER')
      const plain = await client.ask('cancel_orders', { order_ids: [NO_ORDER] })
      assert.ok(!('wait' in plain) && !('orders' in (plain.data as object)))
    })

  test('an order withdrawn at once is answered at once, and without wait no order is shown', async () => {
    const id = await place()
    const { wait, body } = await overRest({ op: 'cancel_orders', data: { order_ids: [id] } })
    assert.deepEqual([wait, shown(body.orders)], ['done', { [id]: 'cancelled' }])
    const other = await place()
    const plain = await venue.send('alice', 'DELETE /orders', { body: { order_ids: [other] } })
    assert.ok(!('orders' in plain.body) && plain.headers['x-wait'] === undefined)
    assert.equal(ends.length, 0)
  })

  test('more cancels than an account may wait for are answered at once: busy', async () => {
    const waits = venue.hosts[0]?.includedWaits
    assert.ok(waits)
    const ids = [await rest(), await rest()]
    const account = scenario.accountOf('alice')
    const others = Array.from({ length: WAITED_PER_ACCOUNT_MAX - 1 }, (_, at) => ({
      id: `cancel:${at}`,
      account,
      state: 'queued' as const,
      blockNumber: undefined,
    }))
    const gone = new AbortController()
    const held = waits.wait(others, gone.signal)
    const { wait, body } = await overRest({ op: 'cancel_orders', data: { order_ids: ids } })
    assert.deepEqual([wait, body.accepted], ['busy', ids])
    assert.deepEqual(shown(body.orders), { [ids[0] ?? '']: 'opened', [ids[1] ?? '']: 'opened' })
    gone.abort()
    for (const end of ends) end()
    await held
    assert.equal(waits.size, 0)
  })

  test('wait has one value, and is not a member of the body', async () => {
    for (const [path, body, field] of [
      ['/orders?wait=mined', { order_ids: [NO_ORDER] }, 'wait'],
      ['/orders-all?wait=', {}, 'wait'],
      ['/orders', { order_ids: [NO_ORDER], wait: 'included' }, 'wait'],
    ] as const) {
      const { status, body: refused } = await venue.send('alice', `DELETE ${path}`, { body })
      assert.deepEqual([status, refused.details[0].field], [400, field], path)
    }
  })
})
