import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { instrumentDecimal } from '@openvenue/core/ids'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import type { Problem } from '@openvenue/wire/field'
import { type FillItem, FillsPage, type FillsPage as Page } from '@openvenue/wire/fills'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'
import { windowsAt } from '../model/snapshot-windows.ts'

const MINUTE = 60
const WINDOWS = windowsAt(0)

/** Alice buys at three markets, a minute apart, from bob; each fill is a transaction of its own. */
function tradingScenario() {
  const scenario = funded('ETH-USDC', 'ETH-PERP', 'BTC-PERP')
  scenario.next(MINUTE - 1)
  for (const [name, tick, lots] of [
    ['ETH-PERP', 30_000, 600n],
    ['ETH-USDC', 300_000, 600n],
    ['BTC-PERP', 60_000, 600n],
    ['ETH-PERP', 30_010, 1000n],
  ] as const)
    scenario
      .on(name)
      .place('bob', 'sell', tick, lots)
      .order({ who: 'alice', side: 'buy', tick, lots: 600n, timeInForce: 'IOC' })
      .next(MINUTE)
  return scenario
}

/** Seconds of the n-th minute's trade. */
const minute = (n: number) => START + n * MINUTE

describe('GET /trade-history', () => {
  let node: HistoryNode
  before(async () => {
    node = await historyNode(tradingScenario())
  })
  after(() => node.close())

  const readPage = async (query: string, who = 'alice'): Promise<Page> => {
    const { status, body } = await node.ask(who, `/trade-history${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(FillsPage, body))
    return body
  }
  const minutes = async (query: string) =>
    (await readPage(query)).trade_history.map(
      ({ created_timestamp }) => (Number(created_timestamp.slice(0, -9)) - START) / MINUTE,
    )
  const refusal = async (query: string) => {
    const { status, body } = await node.ask('alice', `/trade-history${query}`)
    const { error, details } = body as Problem
    return { status, error, detail: details?.[0] }
  }

  test('GET /trade-history gives the fills of the key, newest first, with the block they are of', async () => {
    const { headers } = await node.ask('alice', '/trade-history')
    assert.equal(headers['x-block-number'], String(node.node.model.head?.number))
    assert.equal(headers['x-block-hash'], node.node.model.head?.hash)
    assert.deepEqual(await minutes(''), [4, 3, 2, 1])
    const { pagination } = await readPage('')
    assert.deepEqual(pagination, {
      next_cursor: null,
      prev_cursor: null,
      has_next: false,
      has_prev: false,
      limit: 50,
      total_count: 4,
      total_pages: 1,
    })
  })

  test("GET /trade-history shows an account its own side: the maker's beside the taker's", async () => {
    const [taken] = (await readPage('?limit=1')).trade_history
    const [made] = (await readPage('?limit=1', 'bob')).trade_history
    assert.ok(taken && made)
    const side = (item: FillItem) => [
      item.account,
      item.side,
      item.liquidity,
      item.order_type,
      item.order_status,
      item.trade_id.slice(-2),
    ]
    assert.deepEqual(side(taken), [node.walletOf('alice'), 'buy', 'taker', 'limit', 'filled', '-t'])
    assert.deepEqual(side(made), [node.walletOf('bob'), 'sell', 'maker', 'limit', 'partial', '-m'])
    assert.equal(taken.trade_id.slice(0, -2), made.trade_id.slice(0, -2))
    assert.equal(taken.quote_amount, '1800.6')
    assert.deepEqual(
      (await readPage('?instrument_name=ETH-USDC')).trade_history.map(({ fees }) => fees),
      ['0'],
    )
  })

  test('GET /trade-history is empty for an account that never traded, and for one that the chain does not know', async () => {
    assert.equal((await readPage('', 'carol')).pagination.total_count, 0)
    assert.equal((await readPage('', 'zoe')).pagination.total_count, 0)
  })

  test('GET /trade-history at the path of the address gives the same answer', async () => {
    const { text } = await node.ask('alice', `/account/${node.walletOf('alice')}/trade-history`)
    assert.equal(text, (await node.ask('alice', '/trade-history')).text)
    const { status } = await node.ask('alice', `/account/${node.walletOf('bob')}/trade-history`)
    assert.equal(status, 403)
    assert.equal((await node.node.get('/trade-history')).status, 401)
  })

  test('an account in a query or a header changes nothing', async () => {
    const { text } = await node.ask('alice', '/trade-history')
    const other = node.walletOf('bob')
    assert.equal((await node.ask('alice', `/trade-history?account=${other}`)).text, text)
    const also = { 'x-account-address': other }
    assert.equal((await node.ask('alice', '/trade-history', also)).text, text)
  })

  const eth = LISTINGS['ETH-PERP'].id
  for (const [query, expected] of [
    ['?instrument_type=SPOT', [2]],
    ['?instrument_type=perpetual', [4, 3, 1]],
    ['?instrument_name=ETH-PERP', [4, 1]],
    [`?instrument_name=${eth}`, [4, 1]],
    [`?instrument_name=${instrumentDecimal(eth)}`, [4, 1]],
    ['?asset=eth', [4, 2, 1]],
    ['?asset=BTC', [3]],
    ['?instrument_type=SPOT&asset=ETH', [2]],
    ['?sort_order=asc', [1, 2, 3, 4]],
    ['?sort_order=ASC', [1, 2, 3, 4]],
    ['?sort_order=desc', [4, 3, 2, 1]],
    ['?limit=2', [4, 3]],
    ['?limit=1001', [4, 3, 2, 1]],
    [`?start_time=${minute(3)}`, [4, 3]],
    [`?start_time=${minute(3)}001`, [4]],
    [`?end_time=${minute(2)}000`, [2, 1]],
    [`?start_time=${minute(2)}000000000&end_time=${minute(3)}000000000`, [3, 2]],
    [`?start_time=${minute(9)}`, []],
    ['?direction=prev&limit=3', [3, 2, 1]],
    ['?trade_types=trade', [4, 3, 2, 1]],
    ['?trade_types=trade,funding', [4, 3, 2, 1]],
    ['?trade_types=liquidation', []],
    ['?trade_types=settlement,liquidation', []],
    ['?trade_types=funding,liquidation', []],
    ['?offset=2', [4, 3, 2, 1]],
  ] as const)
    test(`GET /trade-history${query} gives the trades of minutes ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual(await minutes(query), expected)
    })

  test('a limit above 1000 is taken as 1000', async () => {
    assert.equal((await readPage('?limit=5000')).pagination.limit, 1000)
  })

  test('GET /trade-history counts the rows of the filter, not of the page', async () => {
    const { pagination } = await readPage('?asset=ETH&limit=2')
    assert.deepEqual([pagination.total_count, pagination.total_pages], [3, 2])
  })

  for (const [query, error, detail] of [
    ['?limit=0', 'INVALID_PARAMETER', { field: 'limit', nearest: 1 }],
    ['?limit=1.5', 'INVALID_PARAMETER', { field: 'limit', nearest: 2 }],
    ['?limit=', 'INVALID_PARAMETER', { field: 'limit' }],
    [
      '?instrument_type=FUTURE',
      'INVALID_PARAMETER',
      { field: 'instrument_type', allowed: ['SPOT', 'PERPETUAL'] },
    ],
    ['?sort_order=up', 'INVALID_PARAMETER', { field: 'sort_order', allowed: ['asc', 'desc'] }],
    ['?direction=back', 'INVALID_PARAMETER', { field: 'direction', allowed: ['next', 'prev'] }],
    ['?start_time=now', 'INVALID_PARAMETER', { field: 'start_time' }],
    ['?end_time=-1', 'INVALID_PARAMETER', { field: 'end_time' }],
    [
      `?start_time=${minute(2)}&end_time=${minute(1)}`,
      'INVALID_TIME_RANGE',
      { field: 'start_time', nearest: String(minute(1)) },
    ],
    ['?cursor=nonsense', 'INVALID_CURSOR', { field: 'cursor' }],
    [
      '?trade_types=fees',
      'INVALID_PARAMETER',
      { field: 'trade_types', allowed: ['trade', 'liquidation', 'settlement', 'funding'] },
    ],
    ['?trade_types=', 'INVALID_PARAMETER', { field: 'trade_types' }],
    ['?trade_types=trade&trade_types=funding', 'INVALID_PARAMETER', { field: 'trade_types' }],
    ['?offset=-1', 'INVALID_PARAMETER', { field: 'offset', nearest: 0 }],
  ] as const)
    test(`GET /trade-history${query} is refused with ${error}`, async () => {
      const found = await refusal(query)
      assert.deepEqual([found.status, found.error], [400, error])
      const named: Record<string, unknown> = { ...found.detail }
      for (const [field, value] of Object.entries(detail)) assert.deepEqual(named[field], value)
    })

  test('a cursor leads on, and back', async () => {
    const first = await readPage('?limit=3')
    const next = await readPage(`?limit=3&cursor=${first.pagination.next_cursor}`)
    assert.equal(next.trade_history.length, 1)
    assert.deepEqual([next.pagination.has_prev, next.pagination.has_next], [true, false])
    const cursor = next.pagination.prev_cursor
    const back = await readPage(`?limit=3&cursor=${cursor}&direction=prev`)
    assert.deepEqual(back.trade_history, first.trade_history)
    assert.equal(back.pagination.has_prev, false)
  })

  for (const [other, who, query] of [
    ['account', 'bob', ''],
    ['filter', 'alice', '&asset=ETH'],
    ['range', 'alice', `&start_time=${minute(1)}`],
    ['order', 'alice', '&sort_order=asc'],
    ['kind of trade', 'alice', '&trade_types=liquidation'],
  ] as const)
    test(`a cursor of another ${other} is refused`, async () => {
      const { pagination } = await readPage('?limit=1')
      const { next_cursor: cursor } = pagination
      const { status, body } = await node.ask(
        who,
        `/trade-history?limit=1&cursor=${cursor}${query}`,
      )
      assert.deepEqual([status, (body as Problem).error], [400, 'INVALID_CURSOR'])
    })

  test('a cursor of another list is refused; the same filter, spelled otherwise, is the same list', async () => {
    const { pagination } = await readPage('?limit=1&asset=ETH&instrument_name=ETH-PERP')
    const { next_cursor: cursor } = pagination
    const { status } = await node.ask(
      'alice',
      `/order-history?limit=1&asset=ETH&instrument_name=ETH-PERP&cursor=${cursor}`,
    )
    assert.equal(status, 400)
    const next = await readPage(`?asset=eth&instrument_name=${eth}&cursor=${cursor}`)
    assert.equal(next.trade_history.length, 1)
  })
})

describe('GET /trade-history while the chain goes on', () => {
  test('GET /trade-history while the chain goes on keeps its pages apart from new fills and counts them at once', async () => {
    const scenario = tradingScenario()
    const node = await historyNode(scenario)
    const ask = async (query: string) =>
      (await node.ask('alice', `/trade-history${query}`)).body as Page
    const first = await ask('?limit=2')
    scenario.next()
    await node.grow()
    scenario.place('bob', 'sell', 30_010, 5n).place('alice', 'buy', 30_010, 5n).next()
    await node.grow()
    const second = await ask(`?limit=2&cursor=${first.pagination.next_cursor}`)
    assert.deepEqual(
      [...first.trade_history, ...second.trade_history].map(
        ({ instrument_name }) => instrument_name,
      ),
      ['ETH-PERP', 'BTC-PERP', 'ETH-USDC', 'ETH-PERP'],
    )
    assert.deepEqual([first.pagination.total_count, second.pagination.total_count], [4, 5])
    const newer = await ask(`?limit=1&direction=prev&cursor=${second.pagination.prev_cursor}`)
    assert.equal(newer.pagination.has_prev, true)
    await node.shrink()
    const { pagination } = await ask(`?limit=2&cursor=${first.pagination.next_cursor}`)
    assert.equal(pagination.total_count, 4)
    await node.close()
  })

  test('GET /trade-history answers 503 with the time to retry while the database is unavailable', async () => {
    const node = await historyNode(tradingScenario())
    for (const [name, query] of [
      ['accountNumber', ''],
      ['accountNumber', '?trade_types=funding'],
      ['fundingPayments', '?trade_types=funding'],
      ['lines', ''],
      ['count', '?limit=1'],
    ] as const) {
      node.away.add(name)
      const { status, body, headers } = await node.ask('alice', `/trade-history${query}`)
      const { error, retry_after } = body as Problem
      assert.deepEqual(
        [status, error, retry_after, headers['retry-after']],
        [503, 'HISTORY_UNAVAILABLE', '1000000000', '1'],
        `${name} ${query}`,
      )
      node.away.clear()
      assert.equal((await node.ask('alice', `/trade-history${query}`)).status, 200)
      if (name === 'accountNumber') node.node.model.load(await node.store.reader.snapshot(WINDOWS))
    }
    await node.close()
  })

  test('GET /trade-history while the chain goes on asks the database for a count once, until something changes', async () => {
    const scenario = tradingScenario()
    const node = await historyNode(scenario)
    const counts = async () => {
      await node.ask('alice', '/trade-history?limit=1')
      return node.calls.filter(({ name }) => name === 'count').length
    }
    assert.deepEqual([await counts(), await counts()], [1, 1])
    scenario.place('bob', 'sell', 30_010, 5n).place('carol', 'buy', 30_010, 5n).next()
    await node.grow()
    assert.equal(await counts(), 1)
    scenario.place('bob', 'sell', 30_010, 5n).place('alice', 'buy', 30_010, 5n).next()
    await node.grow()
    assert.equal(await counts(), 2)
    await node.close()
  })
})
