import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS, PERP_ENGINE } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { type Scenario, scenario } from '../test/scenario/scenario.ts'
import type { VenueBlock } from './events.ts'
import { E18 } from './integers.ts'
import { accountMargin } from './margin.ts'
import { emptyState, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'
import { MarginWatch, type WarningChange } from './warnings.ts'

const ALICE = 3

/**
 * Alice holds 1 ETH at 3000 on 200 USDC. Her fee was 0.3, so at a mark M her equity is M - 2800.3
 * and her maintenance margin M / 40.
 */
const long = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 200n)
    .deposit('bob', 'USDC', 100_000n)
    .place('alice', 'buy', 30_000, 1000n)
    .place('bob', 'sell', 30_000, 1000n)
    .next()

const priced = (played: Scenario, ...prices: readonly number[]) =>
  prices.reduce((scenario, price) => scenario.index('ETH', BigInt(price) * E18).next(), played)

function watched(blocks: readonly VenueBlock[]) {
  const state = emptyState()
  const watch = new MarginWatch(state)
  return blocks.map((block) => watch.after(applyBlock(state, block)))
}

const listTurns = (played: Scenario) =>
  watched(played.blocks()).map(({ turns }) => turns.map(({ isWarned }) => isWarned))

describe('a warning', () => {
  test('a warning begins when maintenance margin is 80 % of equity, and reports both', () => {
    const [, above, below] = watched(priced(long(), 2900, 2890).blocks())
    assert.deepEqual(above, { turns: [], notifications: [] })
    assert.deepEqual(below?.turns, [
      { engine: PERP_ENGINE, account: ALICE, number: 3, isWarned: true },
    ])
    assert.deepEqual(below?.notifications, [
      {
        id: `000000000003-w-${PERP_ENGINE}`,
        account: ALICE,
        type: 'liquidation_warning',
        data: {
          engine: PERP_ENGINE,
          equity: '89.7',
          maintenanceMargin: '72.25',
          marginRatio: '0.8054',
        },
      },
    ])
  })

  test('a warning begins at exactly 80 %, and not a step earlier', () => {
    // Equity 90.3125 and margin 72.25 at a mark of 2890 make 0.8.
    const exact = (more: bigint) => {
      const played = long().say({
        type: 'Deposited',
        engine: PERP_ENGINE,
        engineType: 'PERPETUAL',
        account: ALICE,
        token: `0x${'a1'.padStart(40, '0')}`,
        amount: 612_500n + more,
      })
      return listTurns(priced(played, 2890)).flat()
    }
    assert.deepEqual(exact(0n), [true])
    assert.deepEqual(exact(1n), [])
  })

  test('a warning is sent once per episode: it ends when margin is below two thirds, and may begin again', () => {
    // At 2905 the ratio is 0.69: still the same episode. At 2910 it is 0.66.
    const played = priced(long(), 2890, 2880, 2905, 2890, 2910, 2890)
    assert.deepEqual(listTurns(played), [[], [true], [], [], [], [false], [true]])
  })

  test('a warning has no ratio when equity is zero or negative', () => {
    const [, change] = watched(priced(long(), 2790).blocks())
    assert.equal(change?.notifications[0]?.data.marginRatio, null)
    assert.equal(change?.notifications[0]?.data.equity, '-10.3')
  })

  test('a warning ends when collateral is added, and when the position is closed', () => {
    assert.deepEqual(listTurns(priced(long(), 2890).deposit('alice', 'USDC', 100n)), [
      [],
      [true],
      [false],
    ])
    const closed = priced(long(), 2890)
      .place('bob', 'buy', 28_900, 1000n)
      .place('alice', 'sell', 28_900, 1000n)
    assert.deepEqual(listTurns(closed), [[], [true], [false]])
  })

  test('a warning begins when collateral is withdrawn', () => {
    assert.deepEqual(listTurns(long().withdraw('alice', 'USDC', 110n)), [[], [true]])
  })

  test('a warning is not sent to accounts without a position', () => {
    const played = scenario()
      .index('ETH', 3000n * E18)
      .list('ETH-PERP')
      .deposit('carol', 'USDC', 1n)
    assert.deepEqual(listTurns(priced(played, 2000, 1000)).flat(), [])
  })

  test('a warning begins for a short when the price rises', () => {
    const played = priced(long().deposit('carol', 'USDC', 200n), 3000)
      .place('carol', 'sell', 30_000, 1000n)
      .place('bob', 'buy', 30_000, 1000n)
      .next()
    const turns = watched(priced(played, 3110).blocks()).flatMap(({ turns }) => turns)
    assert.deepEqual(
      turns.map(({ account, isWarned }) => [account, isWarned]),
      [[5, true]],
    )
  })
})

describe('a watch', () => {
  /** Updates the warned accounts by the plain rule, checking every account at every block. */
  function naive(state: VenueState, warned: Set<number>, seconds: number): void {
    for (let account = 1; account <= 10; account += 1) {
      const margin = accountMargin(state, { engine: PERP_ENGINE, account, seconds })
      if (margin === undefined) continue
      const { equity, maintenance } = margin
      const isWarned = warned.has(account)
        ? maintenance !== 0n && 2n * equity <= 3n * maintenance
        : maintenance !== 0n && 4n * equity <= 5n * maintenance
      if (isWarned) warned.add(account)
      else warned.delete(account)
    }
  }

  test('a watch misses no account affected by a change of mark, position, collateral or market', () => {
    // With the passage of time only funding changes margins; it is checked with the next change.
    const played = priced(long(), 2890, 2950, 2880, 2912, 2800)
    const state = emptyState()
    const watch = new MarginWatch(state)
    const [warned, expected] = [new Set<number>(), new Set<number>()]
    for (const block of played.blocks()) {
      for (const { account, isWarned } of watch.after(applyBlock(state, block)).turns) {
        if (isWarned) warned.add(account)
        else warned.delete(account)
      }
      naive(state, expected, block.header.seconds)
      assert.deepEqual(warned, expected)
    }
  })

  test('started at any block with the current warnings reports the same as one from the start', () => {
    const thin = (seed: number) =>
      randomScenario(seed, 60, { markets: ['ETH-PERP', 'BTC-PERP'], actionsMax: 8 })
    for (const blocks of [priced(long(), 2890, 2910, 2880, 2950).blocks(), thin(5)]) {
      const whole = watched(blocks)
      for (let start = 1; start < blocks.length; start += 7) {
        const state = emptyState()
        for (const block of blocks.slice(0, start)) applyBlock(state, block)
        const before = whole.slice(0, start).flatMap(({ turns }) => turns)
        const watch = new MarginWatch(state, warnedAfter(before))
        const rest = blocks.slice(start).map((block) => watch.after(applyBlock(state, block)))
        assert.deepEqual(rest, whole.slice(start), `from block ${start}`)
      }
    }
  })

  const warnedAfter = (turns: readonly WarningChange[]) => {
    const warned = new Map<number, WarningChange>()
    for (const change of turns) {
      if (change.isWarned) warned.set(change.account, change)
      else warned.delete(change.account)
    }
    return [...warned.values()]
  }
})

test('a warning follows the parameters of the market', () => {
  const { id: market } = LISTINGS['ETH-PERP']
  const played = priced(long(), 2950)
  const changed = {
    type: 'PerpChanged',
    market,
    minOrderValue: E18,
    maxOrderValue: 10_000_000n * E18,
    maxNotionalValue: 50_000_000n * E18,
    maxOpenInterest: 10n ** 12n,
    maxLeverage: 10,
    makerFee: 100,
    takerFee: 350,
  } as const
  // The margin doubles to 147.5 of an equity of 149.7.
  assert.deepEqual(listTurns(played.say(changed)), [[], [], [true]])
})
