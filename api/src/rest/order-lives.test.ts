// One order from its acceptance to its end: its times, names and terms, wherever it appears.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderId } from '@openvenue/core/ids'
import { until } from '@openvenue/core/test/until'
import type { OrderItem } from '@openvenue/wire/orders'
import { funded } from '../../test/funded.ts'
import { RELAY_STATUS, type TradingNodes, tradingNodes } from '../../test/trading-node.ts'

const TICK = 150_000
const NS_PER_SECOND = 1_000_000_000n

/** Checks that the terms of the accepted order have not changed. */
function assertSameTerms(step: OrderItem, placed: OrderItem): void {
  const { created_timestamp, client_order_id, order_type, time_in_force, stop, trigger } = placed
  const terms = { created_timestamp, client_order_id, order_type, time_in_force }
  assert.deepEqual({ ...step, ...terms }, step)
  assert.deepEqual([step.stop, step.trigger], [stop, trigger])
  assert.ok(BigInt(step.timestamp) >= BigInt(created_timestamp))
}

describe('an order from its acceptance to its end', () => {
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

  const get = async (path: string, who = 'alice') => {
    const { status, body } = await venue.send(who, `GET ${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const place = async (members: object = {}, who = 'alice'): Promise<OrderItem> => {
    const body = await venue.orderOf(who, members)
    const { status, body: placed } = await venue.send(who, 'POST /orders', { body })
    assert.equal(status, 200, JSON.stringify(placed))
    await venue.caughtUp()
    const { receipt: _, ...order } = placed
    return order
  }
  /** Includes an order in a block, `seconds` after the one before. */
  const include = async (id: string, terms: object = {}) => {
    scenario
      .next(7)
      .order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref: id, ...terms })
      .next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    await venue.say({})
  }
  const sell = async (lots: bigint) => {
    scenario.place('bob', 'sell', TICK, lots).next(3)
    await venue.follow()
    await venue.say({})
  }
  const chainIdOf = (id: string) => {
    const order = venue.models[0]?.accountOrders.signed(id)
    assert.ok(order)
    return orderId({ ...order, ref: null })
  }
  /** Every list and answer that contains the order. */
  const everywhere = async (id: string): Promise<readonly OrderItem[]> => {
    const lists = await Promise.all([
      get('/orders?include=pending'),
      get('/open-orders?include=pending').then(({ orders }) => orders),
      get('/order-history').then(({ order_history }) => order_history),
      get('/order-history?sort_by=closed_timestamp').then(({ order_history }) => order_history),
      get('/order-history/stops').then(({ order_history }) => order_history),
      get(`/orders/${id}?include=closed`).then((order) => [order]),
    ])
    return lists.flat().filter(({ order_id }: OrderItem) => order_id === id)
  }

  const liveOne = async (what: string, members: object) => {
    const isTaker = 'time_in_force' in members
    if (isTaker) await sell(4n)
    const placed = await place({ client_order_id: `life of ${what}`, ...members })
    const { order_id: id, created_timestamp: created } = placed
    assert.equal(placed.order_type, what === 'a market order' ? 'market' : 'limit')
    const steps: OrderItem[] = [placed, ...(await everywhere(id))]
    await include(id, { timeInForce: placed.time_in_force })
    for (const lots of isTaker ? [] : [4n, 6n]) {
      steps.push(...(await everywhere(id)))
      await sell(lots)
    }
    steps.push(...(await everywhere(id)))
    assert.ok(steps.length > 5)
    for (const step of steps) assertSameTerms(step, placed)
    const { trade_history: fills } = await get(`/trade-history?start_time=${created}`)
    const own = fills.filter(({ order_id }: { order_id: string }) => order_id === id)
    assert.equal(own.length, isTaker ? 1 : 2)
    for (const fill of own) {
      assert.ok(BigInt(fill.created_timestamp) >= BigInt(created))
      const { client_order_id, order_type } = placed
      assert.deepEqual({ ...fill, client_order_id, order_type }, fill)
    }
  }

  for (const [what, members] of [
    ['a limit order', {}],
    ['an IOC limit order', { time_in_force: 'IOC' }],
    ['a market order', { time_in_force: 'IOC', order_type: 'market' }],
    ['a stop', { stop: 'STOP_LOSS', trigger: '3000000000' }],
  ] as const)
    test(`${what} has one time of creation, from which its own fill is found`, () =>
      liveOne(what, members))

  test('an order has the same members in every list and answer, whatever state it is in', async () => {
    const { order_id: id } = await place({ stop: 'STOP_LOSS', trigger: '3000000000' })
    const same = async (lists: number) => {
      const [first, ...others] = await everywhere(id)
      assert.equal(others.length + 1, lists)
      for (const other of others) assert.deepEqual(other, first)
      return first as OrderItem
    }
    assert.equal((await same(4)).order_status, 'stop_order')
    await include(id)
    assert.equal((await same(4)).order_status, 'opened')
    await sell(4n)
    assert.equal((await same(5)).avg_price, '1500')
    await sell(6n)
    const filled = await same(4)
    assert.deepEqual(
      [filled.order_status, filled.filled, filled.stop],
      ['filled', '0.001', 'STOP_LOSS'],
    )
    assert.ok(filled.block_number !== null && filled.closed_timestamp !== null)
  })

  test('an order keeps its names when its intent is deleted', async () => {
    const name = { client_order_id: 'for ever \\ "ever"' }
    const { order_id: id, created_timestamp } = await place(name)
    await include(id)
    await sell(10n)
    const before = await get(`/orders/${id}?include=closed`)
    await venue.store.db.primary.query('DELETE FROM intents WHERE id = $1', [id])
    const url = `/orders/by-client-id/${encodeURIComponent(name.client_order_id)}`
    for (const path of [url, `/orders/${id}?include=closed`])
      assert.deepEqual(await get(path), before)
    assert.deepEqual([before.order_id, before.created_timestamp], [id, created_timestamp])
  })

  test('an order keeps its place in a list that is read while it reaches the chain', async () => {
    const ids = [await place(), await place(), await place()].map(({ order_id }) => order_id)
    const list = '/open-orders?include=pending&sort_order=asc&limit=1000'
    const placesOf = async () => {
      const { orders } = await get(list)
      const all = orders as OrderItem[]
      const times = all.map(({ created_timestamp }) => BigInt(created_timestamp))
      assert.deepEqual(
        times,
        times.toSorted((a, b) => Number(a - b)),
      )
      return all.map(({ order_id }) => order_id).filter((id) => ids.includes(id))
    }
    assert.deepEqual(await placesOf(), ids)
    for (const id of [2, 0, 1].map((at) => String(ids[at]))) {
      await include(id)
      assert.deepEqual(await placesOf(), ids)
    }
    for (const id of ids) await sell(10n).then(() => assert.ok(id))
  })

  test('an order replaced by an edit gives it its client order id, and both name each other', async () => {
    const named = { client_order_id: 'edited' }
    const old = await place(named)
    await include(old.order_id)
    await sell(4n)
    const replaces = chainIdOf(old.order_id)
    const terms = { ...named, replaces, replaces_amount: '600000000000000' }
    const body = await venue.orderOf('alice', terms)
    const edit = await venue.send('alice', `POST /orders/${old.order_id}`, { body })
    assert.equal(edit.status, 200, JSON.stringify(edit.body))
    await venue.caughtUp()
    assert.equal(edit.body.replaces, old.order_id)
    const byName = async () => (await get('/orders/by-client-id/edited')).order_id
    assert.equal(await byName(), edit.body.order_id)
    const taken = await venue.send('alice', 'POST /orders', {
      body: await venue.orderOf('alice', named),
    })
    assert.deepEqual([taken.status, taken.body.error], [409, 'ORDER_EXISTS'])
    scenario.cancel(Number(`0x${replaces.slice(-16)}`))
    scenario
      .order({ who: 'alice', side: 'buy', tick: TICK, lots: 6n, ref: edit.body.order_id })
      .next()
    await venue.follow()
    await venue.move(edit.body.order_id, 'included', {
      blockNumber: venue.models[0]?.head?.number,
    })
    const [gone, next] = await Promise.all(
      [old.order_id, edit.body.order_id].map((id) => get(`/orders/${id}?include=closed`)),
    )
    assert.deepEqual(
      [gone.order_status, gone.cancel_reason, gone.replaced_by],
      ['cancelled', 'REPLACED', edit.body.order_id],
    )
    assert.deepEqual([next.replaces, next.client_order_id], [old.order_id, 'edited'])
    assert.equal(await byName(), edit.body.order_id)
    await sell(6n)
  })

  test('an order whose edit fails gets its client order id back', async () => {
    const old = await place({ client_order_id: 'kept' })
    await include(old.order_id)
    const replaces = chainIdOf(old.order_id)
    const body = await venue.orderOf('alice', { client_order_id: 'kept', replaces })
    const edit = await venue.send('alice', `POST /orders/${old.order_id}`, { body })
    await venue.move(edit.body.order_id, 'refused', { reason: 'MarginTooLow' })
    for (const node of [0, 1]) {
      const { body: found } = await venue.send('alice', 'GET /orders/by-client-id/kept', { node })
      assert.equal(found.order_id, old.order_id)
    }
    await sell(10n)
  })

  test('an order withdrawn for an edit before it was on the chain is REPLACED, and names the new order', async () => {
    const old = await place({ client_order_id: 'early' })
    const body = await venue.orderOf('alice', { client_order_id: 'early' })
    const edit = await venue.send('alice', `POST /orders/${old.order_id}`, { body })
    assert.equal(edit.status, 200, JSON.stringify(edit.body))
    await venue.caughtUp()
    const gone = await get(`/orders/${old.order_id}?include=closed`)
    assert.deepEqual([gone.cancel_reason, gone.replaced_by], ['REPLACED', edit.body.order_id])
    assert.equal(edit.body.replaces, old.order_id)
    const other = await place({ client_order_id: 'another' })
    const bad = await venue.orderOf('alice', { client_order_id: 'another' })
    const refused = await venue.send('alice', `POST /orders/${edit.body.order_id}`, { body: bad })
    assert.deepEqual([refused.status, refused.body.error], [409, 'ORDER_EXISTS'])
    await venue.caughtUp()
    const still = await get(`/orders/${edit.body.order_id}`)
    assert.equal(still.order_status, 'pending', 'a refused edit takes nothing back')
    for (const id of [other.order_id, still.order_id])
      await venue.send('alice', `DELETE /orders/${id}`)
  })

  test('an order that was reduced and then cancelled keeps the amount that it was reduced to', async () => {
    const { order_id: id } = await place()
    await include(id)
    const number = Number(`0x${chainIdOf(id).slice(-16)}`)
    scenario.reduce(number, 4n).next()
    await venue.follow()
    const amounts = async () => [...new Set((await everywhere(id)).map(({ amount }) => amount))]
    assert.deepEqual(await amounts(), ['0.0006'])
    scenario.cancel(number).next()
    await venue.follow()
    assert.deepEqual(await amounts(), ['0.0006'])
  })

  test('an order whose cancel is promised is accepted, and with wait=included ends as it ends', async () => {
    for (const [fills, status] of [
      [10n, 'filled'],
      [0n, 'cancelled'],
    ] as const) {
      const { order_id: id } = await place()
      await include(id)
      const number = Number(`0x${chainIdOf(id).slice(-16)}`)
      const promised = await venue.send('alice', `DELETE /orders/${id}`)
      assert.deepEqual(
        [promised.body.success, promised.body.status, promised.body.order.order_status],
        [true, 'accepted', 'opened'],
      )
      const waiting = venue.send('alice', `DELETE /orders/${id}?wait=included`)
      await until('it waits', () => venue.hosts[0]?.includedWaits.size === 1)
      if (fills > 0n) await sell(fills)
      else {
        scenario.cancel(number).next()
        await venue.follow()
      }
      await venue.move(`cancel:${id}`, 'included', { blockNumber: venue.models[0]?.head?.number })
      const ended = await waiting
      assert.deepEqual([ended.body.status, ended.body.order.order_status], [status, status])
      assert.equal(ended.headers['x-wait'], 'done')
    }
    const { order_id: held } = await place()
    const { body } = await venue.send('alice', `DELETE /orders/${held}?wait=included`)
    assert.equal(body.status, 'cancelled')
  })

  test('an order that closes late is found by the time of its end, page by page', async () => {
    const { order_id: early } = await place()
    await include(early)
    const { order_id: late } = await place()
    await include(late)
    scenario.next(100)
    scenario.cancel(Number(`0x${chainIdOf(late).slice(-16)}`)).next(5)
    scenario.cancel(Number(`0x${chainIdOf(early).slice(-16)}`)).next()
    await venue.follow()
    const after = `${BigInt(venue.models[0]?.head?.seconds ?? 0) - 50n}`
    const byCreation = await get(`/order-history?start_time=${after}`)
    assert.deepEqual(byCreation.order_history, [])
    const path = `/order-history?sort_by=closed_timestamp&start_time=${after}&limit=1`
    const first = await get(path)
    const second = await get(`${path}&cursor=${first.pagination.next_cursor}`)
    const rows: OrderItem[] = [...first.order_history, ...second.order_history]
    assert.deepEqual(
      rows.map(({ order_id }) => order_id),
      [early, late],
    )
    assert.equal(first.pagination.total_count, 2)
    for (const { closed_timestamp } of rows)
      assert.ok(BigInt(closed_timestamp ?? 0) >= BigInt(after) * NS_PER_SECOND)
    const foreign = await venue.send(
      'alice',
      `GET /order-history?cursor=${first.pagination.next_cursor}`,
    )
    assert.equal(foreign.body.error, 'INVALID_CURSOR')
  })
})
