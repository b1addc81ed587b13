import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS, PERP_ENGINE } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { E18 } from './integers.ts'
import { emptyPosition, filledPosition, type PositionFill } from './positions.ts'
import type { Position } from './records.ts'
import { emptyState, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'

const filledBy = (before: Position, lots: bigint, tick: number, fundingIndex = 0n) =>
  filledPosition(before, { lots, unit: BigInt(tick) * 10n, fundingIndex })
const flat = emptyPosition('m', 3)
const sum = (list: readonly bigint[]) => list.reduce((total, n) => total + n, 0n)

describe('a position', () => {
  test('a position opens with its cost as negative quote', () => {
    const { after, payment, realised } = filledBy(flat, 4n, 100, 7n)
    assert.deepEqual([after.lots, after.quote, after.fundingIndex], [4n, -4000n, 7n])
    assert.deepEqual([payment, realised], [0n, 0n])
  })

  test('a position closes pro rata: the closed part of its quote and its proceeds are realised', () => {
    const { after, realised } = filledBy(filledBy(flat, 4n, 100).after, -1n, 130)
    assert.deepEqual([after.lots, after.quote, realised], [3n, -3000n, 300n])
  })

  test('a position truncates the closed quote towards zero, long or short', () => {
    const long = { ...flat, lots: 3n, quote: -100n }
    const short = { ...flat, lots: -3n, quote: 100n }
    assert.equal(filledBy(long, -1n, 0).after.quote, -67n)
    assert.equal(filledBy(short, 1n, 0).after.quote, 67n)
  })

  test('flips: the whole old side is realised and the rest opens a new position', () => {
    const { after, realised } = filledBy(filledBy(flat, 4n, 100).after, -6n, 90, 5n)
    assert.deepEqual([after.lots, after.quote, after.fundingIndex], [-2n, 1800n, 5n])
    assert.equal(realised, -400n)
  })

  test('a position has no quote and no funding index once closed', () => {
    const { after } = filledBy(filledBy(flat, 4n, 100, 3n).after, -4n, 90, 5n)
    assert.deepEqual(after, flat)
  })

  test('a position pays the funding due on the lots held before the fill', () => {
    const long = filledBy(flat, 4n, 100, 3n).after
    assert.equal(filledBy(long, 1n, 100, 5n).payment, 8n)
    assert.equal(filledBy(filledBy(flat, -4n, 100, 3n).after, 1n, 100, 5n).payment, -8n)
  })

  test('a position has the same value before and after any fill, apart from fees', () => {
    const small = fc.bigInt({ min: -1000n, max: 1000n })
    const fill: fc.Arbitrary<PositionFill> = fc.record({
      lots: small.filter((lots) => lots !== 0n),
      unit: fc.bigInt({ min: -1000n, max: 100_000n }),
      fundingIndex: small,
    })
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 20 }), (fills) => {
        let [position, collateral, cost, paid] = [flat, 0n, 0n, 0n]
        for (const fill of fills) {
          const { after, payment, realised } = filledPosition(position, fill)
          position = after
          collateral += realised - payment
          paid += payment
          cost += fill.lots * fill.unit
        }
        assert.equal(collateral + position.quote, -cost - paid)
        if (position.lots === 0n) assert.equal(position.quote, 0n)
      }),
    )
  })
})

/** Checks that longs equal shorts and that open interest equals the longs of a market. */
function checkInterest(state: VenueState, market: string): void {
  const positions = [...state.records.position.values()]
  const lots = positions.filter((p) => p.market === market).map((p) => p.lots)
  assert.equal(sum(lots), 0n)
  const openInterest = state.records.ticker.get(market)?.openInterest ?? 0n
  assert.equal(openInterest, sum(lots.filter((n) => n > 0n)))
}

describe('a perpetual market', () => {
  test('a perpetual market has as many long as short lots after every block, which is its open interest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const state = emptyState()
        for (const block of randomScenario(seed, 120)) {
          applyBlock(state, block)
          for (const market of state.records.market.keys()) checkInterest(state, market)
        }
      }),
      { numRuns: 10 },
    )
  })

  const played = () =>
    scenario()
      .index('ETH', 3000n * E18)
      .list('ETH-PERP')
      .deposit('alice', 'USDC', 1000n)
      .deposit('bob', 'USDC', 1000n)
      .place('alice', 'buy', 30_000, 10n)
  const { id } = LISTINGS['ETH-PERP']

  test('a perpetual market stores the resting lots of an account on each side with its position', () => {
    const { position } = replay(played().place('alice', 'sell', 31_000, 3n).blocks()).state.records
    assert.equal(position.get(`${id}|3`)?.bidLots, 10n)
    assert.equal(position.get(`${id}|3`)?.askLots, 3n)
  })

  test('a perpetual market charges maker and taker fees to collateral and pays them to the fee account', () => {
    const { collateral } = replay(played().place('bob', 'sell', 30_000, 10n).blocks()).state.records
    const collateralAmount = (account: number) =>
      collateral.get(`${PERP_ENGINE}|${account}`)?.amount
    const value = 30n * E18
    assert.equal(collateralAmount(3), 1000n * E18 - value / 10_000n)
    assert.equal(collateralAmount(4), 1000n * E18 - (value * 35n) / 100_000n)
    assert.equal(collateralAmount(2), (value * 45n) / 100_000n)
  })

  test('a perpetual market drops an empty position, but not the leverage of its account', () => {
    const leverage = { type: 'LeverageSet', market: id, account: 3, leverage: 5 } as const
    const { position } = replay(played().cancel(1).blocks()).state.records
    assert.equal(position.size, 0)
    const records = replay(played().say(leverage).cancel(1).blocks()).state.records.position
    assert.equal(records.get(`${id}|3`)?.leverage, 5)
  })
})
