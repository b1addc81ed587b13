import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { emptyState } from '@openvenue/core/state'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { Problem } from '@openvenue/wire/field'
import { OrderHistory, type OrderHistory as Page } from '@openvenue/wire/order-history'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

const MINUTE = 60
const minute = (n: number) => START + n * MINUTE

/** Alice's orders, one a minute, each with a different end. */
function orderScenario() {
  const scenario = funded('ETH-USDC', 'ETH-PERP', 'BTC-PERP')
  scenario.next(MINUTE - 1).on('ETH-PERP')
  scenario.place('alice', 'sell', 30_000, 10n).place('bob', 'buy', 30_000, 10n).next(MINUTE)
  const [cancelled] = [
    scenario.on('BTC-PERP').place('alice', 'sell', 60_100, 10n).market.orders.at(-1),
  ]
  assert.ok(cancelled)
  scenario.cancel(cancelled.number).next(MINUTE)
  scenario.on('ETH-USDC').place('alice', 'sell', 300_000, 10n)
  scenario.place('bob', 'buy', 300_000, 4n).next(MINUTE)
  scenario.on('ETH-PERP')
  scenario
    .order({ who: 'alice', side: 'buy', tick: 29_000, lots: 7n, timeInForce: 'IOC' })
    .next(MINUTE)
  scenario.place('alice', 'sell', 31_000, 10n)
  return scenario.next(MINUTE)
}

describe('GET /order-history', () => {
  let node: HistoryNode
  before(async () => {
    node = await historyNode(orderScenario())
  })
  after(() => node.close())

  const readPage = async (query = '', who = 'alice'): Promise<Page> => {
    const { status, body } = await node.ask(who, `/order-history${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(OrderHistory, body))
    return body
  }
  const minutes = async (query: string) =>
    (await readPage(query)).order_history.map(
      ({ created_timestamp }) => (Number(created_timestamp.slice(0, -9)) - START) / MINUTE,
    )

  test('GET /order-history has filled, partially filled and cancelled orders, and none that is just open', async () => {
    const { order_history: rows, pagination } = await readPage()
    assert.deepEqual(
      rows.map(({ instrument_name, order_status, cancel_reason, error, filled }) => [
        instrument_name,
        order_status,
        cancel_reason,
        error,
        filled,
      ]),
      [
        ['ETH-PERP', 'cancelled', 'IOC_REMAINDER', 'IOC_REMAINDER', '0'],
        ['ETH-USDC', 'partial', null, null, '0.0004'],
        ['BTC-PERP', 'cancelled', 'USER', null, '0'],
        ['ETH-PERP', 'filled', null, null, '0.01'],
      ],
    )
    assert.equal(pagination.total_count, 4)
  })

  test('GET /order-history reports the time when an order was closed, unless it still rests', async () => {
    const { order_history: rows } = await readPage('?sort_order=asc')
    assert.deepEqual(
      rows.map(({ closed_timestamp }) => closed_timestamp),
      [`${minute(1)}000000000`, `${minute(2)}000000000`, null, `${minute(4)}000000000`],
    )
  })

  test('a partially filled order in the order history equals the same order in /open-orders', async () => {
    const [row] = (await readPage('?instrument_type=SPOT')).order_history
    assert.ok(row)
    const { body } = await node.ask('alice', '/open-orders?instrument_type=SPOT')
    assert.deepEqual((body as { orders: unknown[] }).orders, [row])
  })

  for (const [query, expected] of [
    ['', [4, 3, 2, 1]],
    ['?sort_order=asc', [1, 2, 3, 4]],
    ['?instrument_type=spot', [3]],
    ['?instrument_type=PERPETUAL', [4, 2, 1]],
    ['?instrument_name=ETH-PERP', [4, 1]],
    ['?asset=eth', [4, 3, 1]],
    [`?start_time=${minute(2)}000`, [4, 3, 2]],
    [`?end_time=${minute(2)}000000000`, [2, 1]],
    ['?limit=2', [4, 3]],
    ['?limit=1&direction=prev', [1]],
  ] as const)
    test(`GET /order-history${query} gives the orders of minutes ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual(await minutes(query), expected)
    })

  test('a cursor leads through the whole order history', async () => {
    const first = await readPage('?limit=3')
    const next = await readPage(`?limit=3&cursor=${first.pagination.next_cursor}`)
    assert.deepEqual(
      [...first.order_history, ...next.order_history],
      (await readPage()).order_history,
    )
    const { prev_cursor } = next.pagination
    const back = await readPage(`?limit=3&direction=prev&cursor=${prev_cursor}`)
    assert.deepEqual(back.order_history, first.order_history)
  })

  test('GET /order-history at the path of the address gives the same answer, only to its owner', async () => {
    const path = `/account/${node.walletOf('alice')}/order-history`
    assert.equal(
      (await node.ask('alice', path)).text,
      (await node.ask('alice', '/order-history')).text,
    )
    assert.equal((await node.ask('bob', path)).status, 403)
    assert.equal((await node.node.get(path)).status, 401)
  })

  test('GET /order-history refuses a range that starts after its end, and a limit below 1', async () => {
    for (const [query, error] of [
      ['?start_time=2&end_time=1', 'INVALID_TIME_RANGE'],
      ['?limit=0', 'INVALID_PARAMETER'],
      ['?cursor=none', 'INVALID_CURSOR'],
    ] as const) {
      const { status, body } = await node.ask('alice', `/order-history${query}`)
      assert.deepEqual([status, (body as Problem).error], [400, error])
    }
  })

  test('GET /order-history answers 503 while the database is unavailable', async () => {
    node.away.add('lines')
    const { status, body } = await node.ask('alice', '/order-history')
    node.away.clear()
    assert.deepEqual([status, (body as Problem).error], [503, 'HISTORY_UNAVAILABLE'])
  })
})

test('an order enters the history with its first fill and stays with its last', async () => {
  const scenario = orderScenario()
  const node = await historyNode(scenario)
  const readStatus = async () => {
    const { body } = await node.ask('alice', '/order-history?instrument_name=ETH-PERP&limit=1')
    const { order_history, pagination } = body as Page
    return [order_history[0]?.price, order_history[0]?.order_status, pagination.total_count]
  }
  assert.deepEqual(await readStatus(), ['2900', 'cancelled', 2])
  scenario.place('bob', 'buy', 31_000, 4n).next()
  await node.grow()
  assert.deepEqual(await readStatus(), ['3100', 'partial', 3])
  scenario.place('bob', 'buy', 31_000, 6n).next()
  await node.grow()
  assert.deepEqual(await readStatus(), ['3100', 'filled', 3])
  await node.shrink()
  assert.deepEqual(await readStatus(), ['3100', 'partial', 3])
  await node.close()
})

test('GET /order-history shows a resting order with the leverage of its block while the node is behind', async () => {
  const scenario = orderScenario()
  scenario.place('bob', 'buy', 31_000, 4n).next()
  const node = await historyNode(scenario)
  const read = async () => {
    const { body, headers } = await node.ask('alice', '/order-history?instrument_name=ETH-PERP')
    const { order_history } = body as Page
    return [headers['x-block-number'], order_history[0]?.initial_margin]
  }
  const head = Number(node.node.model.head?.number)
  const rests = 3100 * 0.006
  const [, before] = await read()
  scenario
    .say({
      type: 'LeverageSet',
      market: LISTINGS['ETH-PERP'].id,
      account: scenario.accountOf('alice'),
      leverage: 2,
    })
    .next()
  const state = emptyState()
  const changes = scenario.blocks().map((block) => applyBlock(state, block))
  await node.store.writer.commit(changes.slice(-1), 0)
  assert.notEqual(before, String(rests / 2))
  assert.deepEqual(await read(), [String(head + 1), String(rests / 2)])
  assert.equal(node.node.model.head?.number, head, 'the node has not followed')
  await node.close()
})
