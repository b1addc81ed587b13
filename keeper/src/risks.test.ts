// Tests risks and the deleveraging rank on a fake state.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { createState, ENGINE, FIRST, SECOND, WrittenView } from '../test/fake-state.ts'
import { rankWinners } from './ranking.ts'
import { RiskWatch } from './risk-watch.ts'
import { heldBy, INSURANCE_ACCOUNT, listOrders, ratioText } from './risks.ts'

const findRisks = (state: VenueState, engine: string) =>
  new RiskWatch(new WrittenView(state), engine).risks()

describe('accounts at risk', () => {
  test('risks are the accounts below maintenance margin, worst ratio first, without insurance', () => {
    // 1,000 lots at a mark of 1,000 need 25 of maintenance margin.
    const long: readonly [Market, bigint, bigint] = [FIRST, 1_000n, 1_000n]
    const state = createState([
      { account: INSURANCE_ACCOUNT, dollars: -5n, lots: [long] },
      { account: 3, dollars: 25n, lots: [long] },
      { account: 4, dollars: 24n, lots: [long] },
      { account: 5, dollars: -1n, lots: [[SECOND, -1_000n, 1_000n]] },
      { account: 6, dollars: 60n, lots: [long, [SECOND, -4_000n, 1_000n]] },
      { account: 7, dollars: -9n, lots: [] },
    ])
    const risks = findRisks(state, ENGINE)
    assert.deepEqual(
      risks.map(({ account, margin }) => [account, ratioText(margin)]),
      [
        [5, '-0.0400'],
        [6, '0.4800'],
        [4, '0.9600'],
      ],
    )
    assert.deepEqual(
      risks[1]?.holdings.map(({ market, notional }) => [market.name, notional / E18]),
      [
        ['M2-PERP', 4_000n],
        ['M1-PERP', 1_000n],
      ],
    )
  })

  test('risks have no accounts of another engine, and none before the first block', () => {
    const state = createState([{ account: 4, dollars: 0n, lots: [[FIRST, 1_000n, 1_000n]] }])
    assert.deepEqual(findRisks(state, `0x${'cd'.repeat(20)}`), [])
    assert.deepEqual(findRisks(emptyState(), ENGINE), [])
    assert.equal(heldBy(state, ENGINE, 4).length, 1)
  })

  test('the orders of an account are resting ones and ended ones that are not yet swept', () => {
    const state = createState([])
    const market = FIRST.id
    state.records.order.set('a', { market, account: 4, number: 11 } as never)
    state.records.order.set('b', { market, account: 5, number: 12 } as never)
    state.records.unswept.set('c', { market, account: 4, number: 10 } as never)
    assert.deepEqual([...listOrders(state, new Set([4]))], [[`${market}|4`, [11, 10]]])
  })
})

describe('winners', () => {
  test('winners rank by profit over entry value times the leverage of the account', () => {
    const state = createState([
      // Profit 100 on 1,000 with equity 1,100: 0.1 * 0.9091.
      { account: 3, dollars: 1_000n, lots: [[FIRST, -1_000n, 1_100n]] },
      // Same profit at ten times the leverage.
      { account: 4, dollars: 10n, lots: [[FIRST, -1_000n, 1_100n]] },
      // A higher profit at little leverage.
      { account: 5, dollars: 9_000n, lots: [[FIRST, -1_000n, 1_500n]] },
      // No profit, the other side, another market, insurance.
      { account: 6, dollars: 10n, lots: [[FIRST, -1_000n, 1_000n]] },
      { account: 7, dollars: 10n, lots: [[FIRST, 1_000n, 900n]] },
      { account: 8, dollars: 10n, lots: [[SECOND, -1_000n, 1_100n]] },
      { account: INSURANCE_ACCOUNT, dollars: 10n, lots: [[FIRST, -1_000n, 1_100n]] },
      // Worth little due to other losses: 10 for 10,000 of all positions.
      {
        account: 9,
        dollars: 750n,
        lots: [
          [FIRST, -100n, 1_100n],
          [SECOND, 9_900n, 1_040n],
        ],
      },
      // Below its own maintenance margin: excluded.
      { account: 10, dollars: -500n, lots: [[FIRST, -100n, 1_100n]] },
    ])
    assert.deepEqual(
      rankWinners(state, FIRST, 50n).map(({ account, lots }) => [account, lots]),
      [
        [9, 100n],
        [4, 1_000n],
        [3, 1_000n],
        [5, 1_000n],
      ],
    )
    assert.deepEqual(
      rankWinners(state, FIRST, -50n).map(({ account }) => account),
      [7],
    )
  })

  test('winners with a twentieth of the lots rank above all with less', () => {
    const state = createState([
      { account: 7, dollars: 1n, lots: [[FIRST, 49n, 100n]] },
      { account: 8, dollars: 1_000n, lots: [[FIRST, 50n, 900n]] },
    ])
    const ranked = rankWinners(state, FIRST, -1_000n)
    assert.deepEqual(
      ranked.map(({ account }) => account),
      [8, 7],
    )
    assert.deepEqual(
      rankWinners(state, FIRST, -980n).map(({ account }) => account),
      [7, 8],
    )
  })

  test('winners of the same score rank by their account number', () => {
    const lots = [[FIRST, 1_000n, 900n]] as const
    const state = createState([
      { account: 8, dollars: 10n, lots },
      { account: 7, dollars: 10n, lots },
    ])
    assert.deepEqual(
      rankWinners(state, FIRST, -1n).map(({ account }) => account),
      [7, 8],
    )
  })
})
