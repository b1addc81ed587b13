import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS, PERP_ENGINE } from '../test/scenario/listing.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { ceilDiv, E18 } from './integers.ts'
import {
  accountMargin,
  exposureLots,
  initialMarginUp,
  maintenanceMarginUp,
  markPerLotDown,
  withdrawableCollateral,
} from './margin.ts'
import { emptyPosition } from './positions.ts'

const played = scenario()
  .index('ETH', 3000n * E18)
  .list('ETH-PERP')
  .deposit('alice', 'USDC', 1000n)
  .deposit('bob', 'USDC', 1000n)
  .place('alice', 'buy', 30_000, 10n)
  .place('bob', 'sell', 30_000, 6n)
  .next()
const { state } = replay(played.blocks())
const market = state.records.market.get(LISTINGS['ETH-PERP'].id)
assert.ok(market)
const flat = emptyPosition(market.id, 3)

describe('division', () => {
  for (const [a, b, rounded] of [
    [7n, 2n, 4n],
    [6n, 2n, 3n],
    [0n, 2n, 0n],
    [-7n, 2n, -3n],
  ] as const)
    test(`division rounds ${a} / ${b} up to ${rounded}`, () => {
      assert.equal(ceilDiv(a, b), rounded)
    })
})

describe('the margin of a position', () => {
  const perLot = markPerLotDown(market, 3000n * E18)

  test('the margin of a position covers the larger of the positions that its bids or its asks would leave', () => {
    assert.equal(exposureLots({ ...flat, lots: 5n, bidLots: 3n, askLots: 4n }), 8n)
    assert.equal(exposureLots({ ...flat, lots: 5n, bidLots: 0n, askLots: 14n }), 9n)
    assert.equal(exposureLots({ ...flat, lots: -5n, bidLots: 3n, askLots: 4n }), 9n)
  })

  test('the margin of a position is its exposure over the leverage: its own, at most that of the market', () => {
    const position = { ...flat, lots: 2n, bidLots: 2n }
    assert.equal(initialMarginUp(market, position, perLot), (4n * perLot) / 20n)
    assert.equal(initialMarginUp(market, { ...position, leverage: 5 }, perLot), (4n * perLot) / 5n)
    assert.equal(
      initialMarginUp(market, { ...position, leverage: 99 }, perLot),
      (4n * perLot) / 20n,
    )
  })

  test("the margin of a position has a maintenance part of half the market's initial margin on the lots, without orders", () => {
    const position = { ...flat, lots: -2n, bidLots: 9n, leverage: 1 }
    assert.equal(maintenanceMarginUp(market, position, perLot), (2n * perLot) / 40n)
  })
})

describe('an account', () => {
  const at = { engine: PERP_ENGINE, account: 3, seconds: played.seconds }

  test('an account has an equity of its collateral plus the value of its positions at the mark', () => {
    const margin = accountMargin(state, at)
    const fee = (6n * 3n * E18) / 10_000n
    assert.equal(margin?.collateral, 1000n * E18 - fee)
    assert.equal(margin?.unrealised, 0n)
    assert.equal(margin?.equity, margin?.collateral)
    assert.equal(margin?.initial, (10n * 3n * E18) / 20n)
    assert.equal(margin?.maintenance, (6n * 3n * E18) / 40n)
  })

  test('an account has zero equity without collateral and positions', () => {
    assert.equal(accountMargin(state, { ...at, account: 9 })?.equity, 0n)
  })

  test('an account has no known margin while a mark of its positions is unknown', () => {
    const unmarked = scenario().list('ETH-PERP').place('alice', 'buy', 30_000, 1n).blocks()
    assert.equal(accountMargin(replay(unmarked).state, at), undefined)
  })
})

describe('withdrawable collateral', () => {
  const margin = {
    ...{ collateral: 100n, equity: 100n, unrealised: 0n, fundingDue: 0n },
    ...{ initial: 40n, maintenance: 20n, notional: 200n },
  }
  test('withdrawable collateral leaves the initial margin', () => {
    assert.equal(withdrawableCollateral(margin), 60n)
  })
  test('withdrawable collateral leaves a tenth of the notional, rounded up', () => {
    assert.equal(withdrawableCollateral({ ...margin, notional: 501n }), 49n)
  })
  test('withdrawable collateral excludes unrealised profit', () => {
    const profit = { ...margin, equity: 500n, unrealised: 400n }
    assert.equal(withdrawableCollateral(profit), 100n)
    assert.equal(withdrawableCollateral({ ...profit, collateral: -1n }), 0n)
  })
})
