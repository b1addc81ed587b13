import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '../test/scenario/listing.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import {
  averageCostDown,
  averageEntryDown,
  heldAmount,
  knownHolding,
  notionalDown,
  spotValueDown,
  unrealisedAt,
} from './account.ts'
import { E18 } from './integers.ts'
import { emptyPosition } from './positions.ts'

const { market: markets } = replay(
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .list('BTC-USDC')
    .blocks(),
).state.records
const perp = markets.get(LISTINGS['ETH-PERP'].id)
const spot = markets.get(LISTINGS['BTC-USDC'].id)
assert.ok(perp && spot)

// A lot is a thousandth; at a price of 3000 it costs 3.
const long = { ...emptyPosition(perp.id, 3), lots: 3n, quote: -10n * E18 }
const short = { ...long, lots: -3n, quote: 10n * E18 }

describe('a perpetual position', () => {
  test('the account enters a position, long or short, at its cost over its size, rounded down', () => {
    assert.equal(averageEntryDown(perp, long), 3_333_333_333_333_333_333_333n)
    assert.equal(averageEntryDown(perp, short), averageEntryDown(perp, long))
    assert.equal(averageEntryDown(perp, { lots: 0n, quote: 0n }), 0n)
  })

  test('the account values a position at the mark, and its profit as the difference to its cost', () => {
    const mark = 3000n * E18
    assert.equal(notionalDown(perp, long, mark), 9n * E18)
    assert.equal(notionalDown(perp, short, mark), 9n * E18)
    assert.equal(unrealisedAt(perp, long, mark), -E18)
    assert.equal(unrealisedAt(perp, short, mark), E18)
    assert.equal(notionalDown(perp, long, 1n), 0n, 'a lot below the smallest unit is worth none')
  })
})

describe('a spot balance', () => {
  const balance = { account: 3, token: '0x', free: 10n ** 8n, locked: 2n * 10n ** 8n }
  const holding = {
    market: spot.id,
    account: 3,
    amount: 3n * 10n ** 8n,
    cost: 100n,
    realised: 0n,
    openedSeconds: 0,
    updatedSeconds: 0,
  }

  test('the account counts free and locked tokens of a spot balance', () => {
    assert.equal(heldAmount(balance), 3n * 10n ** 8n)
    assert.equal(heldAmount(undefined), 0n)
  })

  test('the account values a spot balance at the mark, rounded down', () => {
    // 60,000 USDC of 6 decimals for a whole bitcoin of 8.
    assert.equal(spotValueDown(spot, heldAmount(balance), 60_000_000_000n), 180_000_000_000n)
    assert.equal(spotValueDown(spot, 1n, 60_000_000_000n), 600n)
    assert.equal(spotValueDown(spot, 1n, 99_999_999n), 0n)
  })

  test('the account divides the cost of a spot holding by its amount, rounded down', () => {
    assert.equal(averageCostDown(spot, 100n, 3n * 10n ** 8n), 33n)
    assert.equal(averageCostDown(spot, 100n, 0n), 0n)
  })

  test('the account knows the cost of a spot balance only while all of it was bought', () => {
    assert.equal(knownHolding(holding, balance), holding)
    assert.equal(knownHolding(holding, { ...balance, free: 1n }), undefined)
    assert.equal(knownHolding(holding, undefined), undefined)
    assert.equal(knownHolding(undefined, balance), undefined)
  })
})
