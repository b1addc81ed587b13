import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import {
  type Scenario,
  type Side,
  SCENARIO_START_SECONDS as START,
} from '@openvenue/core/test/scenario/scenario'
import { parseDecimal } from '@openvenue/core/units'
import type { Problem } from '@openvenue/wire/field'
import type { FundingPage } from '@openvenue/wire/fills'
import { type PositionHistory as Page, PositionHistory } from '@openvenue/wire/position-history'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

const MINUTE = 60
const minute = (n: number) => START + n * MINUTE

/** Alice trades with bob, who made the price, in a block of its own. */
function trade(scenario: Scenario, side: Side, tick: number, lots: bigint): Scenario {
  const other = side === 'buy' ? 'sell' : 'buy'
  return scenario.place('bob', other, tick, lots).place('alice', side, tick, lots).next(MINUTE)
}

/** A long of 2 ETH at 3050 turned into a short of 0.5, which is closed; a short of BTC; spot. */
function positionScenario() {
  const scenario = funded('ETH-USDC', 'ETH-PERP', 'BTC-PERP')
  scenario.next(MINUTE - 1).on('ETH-PERP')
  trade(scenario, 'buy', 30_000, 1000n)
  trade(scenario, 'buy', 31_000, 1000n)
  trade(scenario, 'sell', 32_000, 500n)
  trade(scenario, 'sell', 32_000, 2000n)
  trade(scenario, 'buy', 31_000, 500n)
  trade(scenario.on('BTC-PERP'), 'sell', 60_000, 10n)
  trade(scenario.on('BTC-PERP'), 'buy', 60_000, 10n)
  trade(scenario.on('BTC-PERP'), 'buy', 60_000, 10n)
  trade(scenario.on('ETH-USDC'), 'buy', 300_000, 100n)
  trade(scenario.on('ETH-USDC'), 'sell', 300_000, 100n)
  return scenario
}

describe('GET /position-history', () => {
  let node: HistoryNode
  before(async () => {
    node = await historyNode(positionScenario())
  })
  after(() => node.close())

  const readPage = async (query = '', who = 'alice'): Promise<Page> => {
    const { status, body } = await node.ask(who, `/position-history${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(PositionHistory, body))
    return body
  }
  const minutes = async (query: string) =>
    (await readPage(query)).position_history.map(
      ({ closed_timestamp }) => (Number(closed_timestamp.slice(0, -9)) - START) / MINUTE,
    )

  test('GET /position-history has a row per closed cycle, newest first: a flip closes one and opens another', async () => {
    const { position_history: rows, pagination } = await readPage()
    assert.deepEqual(
      rows.map(({ instrument_name, side, max_amount, close_reason }) => [
        instrument_name,
        side,
        max_amount,
        close_reason,
      ]),
      [
        ['BTC-PERP', 'sell', '0.001', 'trade'],
        ['ETH-PERP', 'sell', '0.5', 'trade'],
        ['ETH-PERP', 'buy', '2', 'flip'],
      ],
    )
    assert.equal(pagination.total_count, 3)
  })

  test('GET /position-history sums the cycle up: amounts, average prices, what it made, fees and the return', async () => {
    const account = node.walletOf('alice')
    const [, , row] = (await readPage()).position_history
    assert.ok(row)
    const { position_id, open_tx_hash, close_tx_hash, ...rest } = row
    assert.match(
      position_id,
      new RegExp(`^${account}-${LISTINGS['ETH-PERP'].id}-\\d{12}-\\d{6}-t$`),
    )
    assert.match(`${open_tx_hash} ${close_tx_hash}`, /^0x[0-9a-f]{64} 0x[0-9a-f]{64}$/)
    assert.notEqual(open_tx_hash, close_tx_hash)
    // Fees: 0.00035 of 3000, 3100, 1600, and of the 4800 of the 6400 that closed.
    assert.deepEqual(rest, {
      account,
      instrument_id: LISTINGS['ETH-PERP'].id,
      instrument_name: 'ETH-PERP',
      instrument_type: 'PERPETUAL',
      asset: 'ETH',
      side: 'buy',
      max_amount: '2',
      opened_amount: '2',
      closed_amount: '2',
      avg_entry_price: '3050',
      avg_exit_price: '3200',
      realized_pnl: '300',
      fees: '4.375',
      liquidation_fees: '0',
      funding: '0',
      net_pnl: '295.625',
      // 295.625 * 20 / 6100 = 0.969262295…
      roi: '0.96926229',
      leverage: '20',
      margin_type: 'CROSS',
      close_reason: 'flip',
      fill_count: 4,
      opened_timestamp: `${minute(1)}000000000`,
      closed_timestamp: `${minute(4)}000000000`,
    })
  })

  test('the cycle that a flip opened begins at its fill, with the rest of its fee', async () => {
    const [, next, flipped] = (await readPage()).position_history
    assert.equal(next?.open_tx_hash, flipped?.close_tx_hash)
    assert.equal(next?.opened_timestamp, flipped?.closed_timestamp)
    assert.equal(next?.avg_entry_price, '3200')
    assert.equal(next?.realized_pnl, '50')
    assert.equal(next?.fees, '1.1025', '0.00035 of 1600 and of 1550')
    assert.equal(next?.fill_count, 2)
  })

  test('a maker has the same cycle, seen from the other side', async () => {
    const [, , row] = (await readPage('', 'bob')).position_history
    assert.deepEqual([row?.side, row?.realized_pnl, row?.fees], ['sell', '-300', '1.25'])
    assert.equal(row?.roi, '-0.98770491', 'cut towards zero: -301.25 * 20 / 6100')
  })

  for (const [query, expected] of [
    ['', [7, 5, 4]],
    ['?sort_order=asc', [4, 5, 7]],
    ['?instrument_name=ETH-PERP', [5, 4]],
    ['?asset=btc', [7]],
    [`?start_time=${minute(5)}`, [7, 5]],
    [`?end_time=${minute(5)}000`, [5, 4]],
    ['?limit=1', [7]],
    ['?limit=1&direction=prev', [4]],
    ['?instrument_type=SPOT', [7, 5, 4]],
  ] as const)
    test(`GET /position-history${query} gives the cycles that ended in minutes ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual(await minutes(query), expected)
    })

  test('a cursor leads through the whole position history', async () => {
    const first = await readPage('?limit=2')
    const next = await readPage(`?limit=2&cursor=${first.pagination.next_cursor}`)
    assert.deepEqual(
      [...first.position_history, ...next.position_history],
      (await readPage()).position_history,
    )
  })

  test('GET /position-history at the path of the address gives the same answer, only to its owner', async () => {
    const path = `/account/${node.walletOf('alice')}/position-history`
    const { text } = await node.ask('alice', path)
    assert.equal(text, (await node.ask('alice', '/position-history')).text)
    assert.equal((await node.ask('bob', path)).status, 403)
    assert.equal((await node.node.get(path)).status, 401)
  })

  test('GET /position-history answers 503 while the database is unavailable', async () => {
    node.away.add('lines')
    const { status, body } = await node.ask('alice', '/position-history')
    node.away.clear()
    assert.deepEqual([status, (body as Problem).error], [503, 'HISTORY_UNAVAILABLE'])
  })
})

test('funding is in the net result of a cycle, and adds up to what was published by the hour', async () => {
  const scenario = funded('ETH-PERP').on('ETH-PERP')
  trade(scenario, 'buy', 30_000, 1000n)
  for (let hour = 0; hour < 3; hour++) scenario.poke().next(3600)
  trade(scenario, 'sell', 30_000, 1000n)
  const node = await historyNode(scenario)
  const [row] = ((await node.ask('alice', '/position-history')).body as Page).position_history
  assert.ok(row)
  const page = (await node.ask('alice', '/trade-history?trade_types=funding')).body as FundingPage
  const parseRaw = (text: string) => parseDecimal(text, 18) ?? Number.NaN
  const paid = page.trade_history.map(({ funding_payment }) => parseRaw(funding_payment) as bigint)
  const funding = paid.reduce((sum, part) => sum + part, 0n)
  assert.ok(funding < 0n)
  assert.equal(parseRaw(row.funding), funding)
  // Fees: 0.00035 of 3000, twice.
  assert.equal(parseRaw(row.net_pnl), funding - 2_100_000_000_000_000_000n)
  await node.close()
})
