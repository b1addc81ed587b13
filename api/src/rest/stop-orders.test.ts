import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { StopOrders } from '@openvenue/wire/stop-orders'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type TradingNodes, tradingNodes } from '../../test/trading-node.ts'

describe('GET /order-history/stops', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-USDC')
  before(async () => {
    venue = await tradingNodes(scenario)
  })
  after(() => venue.close())

  const read = async (query = '', who = 'alice') => {
    const { status, body } = await venue.send(who, `GET /order-history/stops${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(StopOrders, body), JSON.stringify([...Value.Errors(StopOrders, body)]))
    return body as StopOrders
  }
  const placeStop = async () => {
    // A buying stop-loss fires at or above its trigger, which no price here reaches.
    const trigger = '9'.repeat(30)
    const body = await venue.orderOf('alice', { stop: 'STOP_LOSS', trigger })
    const answer = await venue.send('alice', 'POST /orders', { body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return String((answer.body as { order_id: string }).order_id)
  }

  test('GET /order-history/stops shows each order with its outcome, page by page', async () => {
    await venue.send('alice', 'POST /orders', { body: await venue.orderOf('alice') })
    const ids = [await placeStop(), await placeStop(), await placeStop(), await placeStop()]
    const [held, withdrawn, refused, placed] = ids as [string, string, string, string]
    await venue.move(withdrawn, 'withdrawn', { reason: 'OCO' })
    await venue.move(refused, 'refused', { reason: 'MarginTooLow' })
    scenario.order({ who: 'alice', side: 'buy', tick: 150_000, lots: 10n, ref: placed }).next()
    await venue.follow()
    await venue.move(placed, 'included', { blockNumber: venue.models[0]?.head?.number })
    scenario.place('bob', 'sell', 150_000, 4n).next()
    await venue.follow()
    const { order_history: all, pagination } = await read()
    assert.equal(pagination.total_count, 4)
    assert.deepEqual(
      all.map(({ order_id, order_status, stop }) => [order_id, order_status, stop]),
      [
        [placed, 'partial', 'STOP_LOSS'],
        [refused, 'rejected', 'STOP_LOSS'],
        [withdrawn, 'cancelled', 'STOP_LOSS'],
        [held, 'stop_order', 'STOP_LOSS'],
      ],
    )
    assert.equal(all[2]?.cancel_reason, 'OCO')
    assert.equal(all[0]?.chain_order_id?.length, 66)
    const first = await read('?limit=3&sort_order=asc')
    assert.deepEqual(
      first.order_history.map(({ order_id }) => order_id),
      ids.slice(0, 3),
    )
    const cursor = encodeURIComponent(String(first.pagination.next_cursor))
    const rest = await read(`?limit=3&sort_order=asc&cursor=${cursor}`)
    assert.deepEqual(
      rest.order_history.map(({ order_id }) => order_id),
      [placed],
    )
    assert.equal(rest.pagination.has_prev, true)
    assert.deepEqual((await read('', 'bob')).order_history, [])
  })

  test('GET /order-history/stops leaves one that ended long ago to /order-history, with its trigger', async () => {
    const id = await placeStop()
    scenario.order({ who: 'alice', side: 'buy', tick: 150_000, lots: 4n, ref: id }).next()
    scenario.place('bob', 'sell', 150_000, 20n).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    await venue.store.db.primary.query('DELETE FROM intents WHERE id = $1', [id])
    const has = (list: StopOrders) => list.order_history.find(({ order_id }) => order_id === id)
    assert.equal(has(await read()), undefined)
    const { body } = await venue.send('alice', 'GET /order-history')
    const past = has(body as StopOrders)
    assert.deepEqual([past?.order_status, past?.stop], ['filled', 'STOP_LOSS'])
    assert.equal(past?.trigger, `${'9'.repeat(24)}.999999`)
  })
})
