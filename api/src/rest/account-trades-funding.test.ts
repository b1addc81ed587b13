// The funding view of /trade-history.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FundingItem, FundingPage } from '@openvenue/wire/fills'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

describe('GET /trade-history?trade_types=funding', () => {
  const HOUR = 3600
  const HOURS = 5
  let node: HistoryNode
  let scenario: ReturnType<typeof funded>
  before(async () => {
    scenario = funded('ETH-PERP', 'BTC-PERP')
    for (const [name, tick] of [
      ['ETH-PERP', 30_000],
      ['BTC-PERP', 60_000],
    ] as const)
      scenario.on(name).place('bob', 'sell', tick, 1000n).place('alice', 'buy', tick, 1000n)
    scenario.next(HOUR)
    for (let hour = 0; hour < HOURS; hour++)
      scenario.on('ETH-PERP').poke().on('BTC-PERP').poke().next(HOUR)
    node = await historyNode(scenario)
  })
  after(() => node.close())

  const readView = async (query: string, who = 'alice') => {
    const { status, body } = await node.ask(who, `/trade-history?trade_types=funding${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(FundingPage, body))
    return body
  }
  const names = (rows: readonly FundingItem[]) => rows.map(({ instrument_name }) => instrument_name)

  test('GET /trade-history?trade_types=funding gives funding payments, newest first, and how many there are as text', async () => {
    const { trade_history: rows, count } = await readView('')
    assert.equal(count, String(2 * HOURS))
    assert.equal(rows.length, 2 * HOURS)
    assert.deepEqual(names(rows.slice(0, 2)), ['BTC-PERP', 'ETH-PERP'])
    const times = rows.map(({ created_timestamp }) => created_timestamp)
    assert.deepEqual(times, times.toSorted().reverse())
    assert.deepEqual(rows.at(-1)?.side, 'buy')
  })

  test('funding paid by one side is received by the other', async () => {
    const [paid] = (await readView('')).trade_history
    const [received] = (await readView('', 'bob')).trade_history
    assert.equal(paid?.funding_payment, `-${received?.funding_payment}`)
    assert.deepEqual([paid?.side, received?.side], ['buy', 'sell'])
    assert.equal(paid?.pnl, paid?.funding_payment)
  })

  test('GET /trade-history?trade_types=funding is paged with offset and limit; count stays that of the window', async () => {
    const all = (await readView('')).trade_history
    const page = await readView('&offset=3&limit=2')
    assert.deepEqual([page.trade_history, page.count], [all.slice(3, 5), '10'])
    assert.deepEqual((await readView('&offset=99')).trade_history, [])
  })

  for (const [query, rows] of [
    ['&instrument_name=ETH-PERP', HOURS],
    ['&asset=btc', HOURS],
    ['&instrument_type=SPOT', 0],
    ['&instrument_type=PERPETUAL', 2 * HOURS],
  ] as const)
    test(`GET /trade-history?trade_types=funding${query} gives ${rows} rows, and counts them`, async () => {
      const { trade_history, count } = await readView(query)
      assert.deepEqual([trade_history.length, count], [rows, String(rows)])
    })

  test('GET /trade-history?trade_types=funding ignores time, order and cursor, right or wrong', async () => {
    const { trade_history } = await readView('')
    for (const query of [
      '&start_time=9999999999',
      '&end_time=1',
      '&start_time=2&end_time=1',
      '&sort_order=asc',
      '&cursor=nonsense',
      '&direction=prev',
      '&start_time=yesterday&end_time=-1&sort_order=up&direction=on',
      '&start_time=1&start_time=2&cursor=a&cursor=b',
    ])
      assert.deepEqual((await readView(query)).trade_history, trade_history, query)
  })

  test('GET /trade-history?trade_types=FUNDING, in capitals, is the same', async () => {
    const { body } = await node.ask('alice', '/trade-history?trade_types=FUNDING')
    assert.equal((body as FundingPage).count, '10')
  })

  test('GET /trade-history?trade_types=funding is empty for an account that the chain does not know', async () => {
    assert.deepEqual(await readView('', 'zoe'), { trade_history: [], count: '0' })
  })

  test('GET /trade-history?trade_types=funding reads no more than the 500 most recent events', async () => {
    await readView('&limit=1000')
    const { args } = node.calls.findLast(({ name }) => name === 'fundingPayments') ?? {}
    assert.deepEqual(args, [scenario.accountOf('alice'), 500, 'replica'])
  })
})
