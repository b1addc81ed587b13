// Forced closes as their accounts see them: fills, cycles, orders.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import type { Cycle, Position } from '@openvenue/core/records'
import { emptyState, fold } from '@openvenue/core/state'
import { LISTINGS, PERP_ENGINE } from '@openvenue/core/test/scenario/listing'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { parseDecimal } from '@openvenue/core/units'
import { type FillItem, FillsPage } from '@openvenue/wire/fills'
import type { OrderItem } from '@openvenue/wire/orders'
import { PositionHistory } from '@openvenue/wire/position-history'
import { Value } from 'typebox/value'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

const { id: ETH, quotePerLotTick } = LISTINGS['ETH-PERP']
const DEPOSIT = 1000n
const FEE = E18 / 2n + 1n

/**
 * Alice's 10 lots are closed: 4 on the book, where carol buys them, the rest by insurance. Bob, who
 * sold them to her, is deleveraged against carol at a price below zero.
 */
const forcedScenario = () => {
  const chain = scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
  for (const who of ['alice', 'bob', 'carol', 'dave']) chain.deposit(who, 'USDC', DEPOSIT)
  return chain
    .next()
    .place('bob', 'sell', 30_000, 10n)
    .place('alice', 'buy', 30_000, 10n)
    .next(60)
    .poke()
    .place('carol', 'buy', 29_000, 4n)
    .next(3600)
    .liquidate('alice', { tick: 29_000, lots: 4n, fee: FEE, keeper: 'dave' })
    .next()
    .absorb('alice', 29_000n * quotePerLotTick + 123n, 20n * E18)
    .next()
    .deleverage('bob', 'carol', { lots: -4n, unit: -5n * quotePerLotTick })
    .next()
}

describe('a forced close', () => {
  let node: HistoryNode
  before(async () => {
    node = await historyNode(forcedScenario())
  })
  after(() => node.close())

  const readFills = async (who: string, query = ''): Promise<readonly FillItem[]> => {
    const { status, body } = await node.ask(who, `/trade-history${query}`)
    assert.equal(status, 200)
    assert.ok(Value.Check(FillsPage, body))
    return body.trade_history
  }
  const readCycles = async (who: string) => {
    const { body } = await node.ask(who, '/position-history')
    assert.ok(Value.Check(PositionHistory, body))
    return body.position_history
  }
  const brief = (item: FillItem) => {
    const { trade_type, side, price, amount, pnl, liquidation_fee, liquidity, order_type } = item
    return { trade_type, side, price, amount, pnl, liquidation_fee, liquidity, order_type }
  }

  test('a forced close on the book is a liquidation to its account, with its fee, and a trade to the other', async () => {
    const [, forced] = await readFills('alice')
    assert.ok(forced)
    assert.deepEqual(brief(forced), {
      trade_type: 'liquidation',
      side: 'sell',
      price: '2900',
      amount: '0.004',
      pnl: '-0.4',
      liquidation_fee: '0.500000000000000001',
      liquidity: 'taker',
      order_type: 'market',
    })
    const trade = (await readFills('carol')).at(-1)
    assert.ok(trade)
    assert.equal(trade.trade_type, 'trade')
    assert.ok(!('liquidation_fee' in trade))
    const { body } = await node.ask('alice', '/order-history')
    const [order, other] = (body as { order_history: OrderItem[] }).order_history
    assert.deepEqual(
      [order?.system_type, order?.order_id, order?.reduce_only],
      ['LIQUIDATION', forced.order_id, true],
    )
    assert.ok(other && !('system_type' in other))
  })

  test('a forced close by insurance is one to both, at a price between ticks, with the collateral that moved', async () => {
    const [gave] = await readFills('alice')
    const [got] = await readFills('insurance')
    assert.ok(gave && got)
    const both = {
      trade_type: 'liquidation',
      price: '2900.000000000000123',
      amount: '0.006',
      liquidity: null,
      order_type: null,
    }
    assert.deepEqual(brief(gave), {
      ...both,
      side: 'sell',
      pnl: '-0.599999999999999262',
      liquidation_fee: '20',
    })
    assert.deepEqual(brief(got), { ...both, side: 'buy', pnl: null, liquidation_fee: '-20' })
    for (const item of [gave, got])
      assert.deepEqual([item.order_id, item.order_status, item.fees], [null, null, '0'])
    assert.equal(got.avg_entry_price, '2900.000000000000123')
    assert.deepEqual([gave.trade_id.slice(-2), got.trade_id.slice(-2)], ['-f', '-g'])
  })

  test('a forced close against a winner is one to both, though its price is below zero', async () => {
    const [lost] = await readFills('bob')
    const [won] = await readFills('carol')
    assert.ok(lost && won)
    assert.deepEqual(
      [lost, won].map(({ side, price, amount, quote_amount, pnl, liquidation_fee }) => ({
        side,
        price,
        amount,
        quote_amount,
        pnl,
        liquidation_fee,
      })),
      [
        {
          side: 'buy',
          price: '-0.5',
          amount: '0.004',
          quote_amount: '-0.002',
          pnl: '12.002',
          liquidation_fee: '0',
        },
        {
          side: 'sell',
          price: '-0.5',
          amount: '0.004',
          quote_amount: '-0.002',
          pnl: '-11.602',
          liquidation_fee: '0',
        },
      ],
    )
  })

  test('a forced close is a public trade only if it was on the book', async () => {
    const { body } = await node.node.get('/markets/ETH-PERP/trades?limit=100')
    assert.deepEqual(
      (body as { price: string }[]).map(({ price }) => price),
      ['2900', '3000'],
    )
  })

  for (const [query, expected] of [
    ['', ['liquidation', 'liquidation', 'trade']],
    ['?trade_types=trade,liquidation', ['liquidation', 'liquidation', 'trade']],
    ['?trade_types=liquidation', ['liquidation', 'liquidation']],
    ['?trade_types=liquidation,settlement', ['liquidation', 'liquidation']],
    ['?trade_types=trade', ['trade']],
    ['?trade_types=settlement', []],
  ] as const)
    test(`a forced close is among the fills of ${query || 'no query'}, and counted`, async () => {
      const types = (await readFills('alice', query)).map(({ trade_type }) => trade_type)
      assert.deepEqual(types, expected)
      const page = await node.ask('alice', `/trade-history${query}${query ? '&' : '?'}limit=1`)
      const { total_count } = (page.body as FillsPage).pagination
      assert.equal(total_count, expected.length)
    })

  test('a forced close ends a cycle for liquidation, or as adl on both sides, with what it cost', async () => {
    const [closed] = await readCycles('alice')
    assert.deepEqual(
      [closed?.close_reason, closed?.liquidation_fees, closed?.fees],
      ['liquidation', '20.500000000000000001', '20.514560000000000001'],
    )
    const net = parseDecimal(closed?.net_pnl ?? '', 18)
    const part = (text = '') => parseDecimal(text, 18) ?? 0n
    assert.equal(net, part(closed?.realized_pnl) - part(closed?.fees) + part(closed?.funding))
    const [ofCarol] = await readCycles('carol')
    assert.deepEqual([ofCarol?.close_reason, ofCarol?.avg_exit_price], ['adl', '-0.5'])
  })

  /** Sums the collateral gains from positions in an account's history. */
  const sumGain = async (who: string): Promise<bigint> => {
    const fills = await readFills(who, '?limit=1000')
    const { body } = await node.ask(who, '/trade-history?trade_types=funding&limit=1000')
    const { trade_history: funding } = body as { trade_history: { pnl: string }[] }
    const gains = fills.map(
      ({ pnl, fees, liquidation_fee }) => raw(pnl) - raw(fees) - raw(liquidation_fee),
    )
    return [...gains, ...funding.map(({ pnl }) => raw(pnl))].reduce((sum, gain) => sum + gain, 0n)
  }

  for (const [who, account, brought] of [
    ['alice', 3, DEPOSIT * E18],
    ['bob', 4, DEPOSIT * E18],
    ['carol', 5, DEPOSIT * E18],
    // Insurance gets half of the fee on the book.
    ['insurance', INSURANCE_ACCOUNT, FEE - FEE / 2n],
  ] as const)
    test(`a forced close leaves ${who} a history that adds up to its collateral, to the last unit`, async () => {
      const state = emptyState()
      fold(state, (await node.store.reader.owned([account])).rows)
      const { collateral, cycle, position } = state.records
      const running = cycle.get(`${ETH}|${account}`)
      const open = position.get(`${ETH}|${account}`)
      const unsettled = running && open ? sumUnsettled(running, open) : 0n
      const held = collateral.get(`${PERP_ENGINE}|${account}`)?.amount ?? 0n
      assert.equal(brought + (await sumGain(who)) + unsettled, held)
    })
})

const raw = (text: string | null | undefined) => parseDecimal(text ?? '0', 18) ?? 0n

/** Returns funding without a row: of the current hour, and up to the next fill. */
const sumUnsettled = (cycle: Cycle, position: Position) =>
  cycle.unsettledFunding + position.lots * (cycle.fundingIndex - position.fundingIndex)
