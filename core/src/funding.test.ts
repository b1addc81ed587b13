import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS, PERP_ENGINE } from '../test/scenario/listing.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import { SCENARIO_START_SECONDS, type Scenario, scenario } from '../test/scenario/scenario.ts'
import type { VenueBlock } from './events.ts'
import {
  estimatedRate,
  FUNDING_INTERVAL_SECONDS,
  fundingIndexAt,
  nextFundingSeconds,
  rateFromPremium,
} from './funding.ts'
import { E18 } from './integers.ts'
import { emptyState, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'

const { id } = LISTINGS['ETH-PERP']

const played = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .place('alice', 'buy', 30_050, 10n)
    .place('bob', 'sell', 30_070, 10n)
    .next()

/** Pokes immediately and then every minute, `pokes` times in total. */
function pokedFor(tale: Scenario, pokes: number): Scenario {
  for (let count = 0; count < pokes; count++) tale.poke().next(60)
  return tale
}

const findFunding = (state: VenueState) => {
  const funding = state.records.funding.get(id)
  assert.ok(funding)
  return funding
}

describe('the hourly rate', () => {
  for (const [premium, rate] of [
    [0n, 12_500_000_000_000n],
    [100_000_000_000_000n, 12_500_000_000_000n],
    [10n ** 15n, 62_500_000_000_000n],
    [-(10n ** 15n), -62_500_000_000_000n],
    [E18, 5n * 10n ** 15n],
  ] as const)
    test(`the hourly rate is ${rate} after an average premium of ${premium}`, () => {
      assert.equal(rateFromPremium(premium), rate)
    })

  test('never exceeds half a percent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (premium) => {
        const rate = rateFromPremium(premium)
        assert.ok(rate <= 5n * 10n ** 15n && rate >= -5n * 10n ** 15n)
      }),
    )
  })
})

describe('funding', () => {
  test('funding weighs each premium by its seconds and estimates the next hourly rate from the sum', () => {
    const { state } = replay(played().next(60).poke().next(90).poke().blocks())
    const funding = findFunding(state)
    // The first sample comes 61 seconds after the start of the hour.
    assert.equal(funding.sampledSeconds, 61 + 90)
    // The mid is 3006, 0.2% above the index.
    assert.equal(funding.premiumSum, 151n * 2n * 10n ** 15n)
    assert.equal(estimatedRate(funding), rateFromPremium((151n * 2n * 10n ** 15n) / 3600n))
  })

  test('funding counts time without a sample as a zero premium, and an hour without samples as free', () => {
    const { state } = replay(played().next(60).poke().blocks())
    const funding = findFunding(state)
    const once = { ...funding, premiumSum: 60n * 10n ** 16n, sampledSeconds: 60 }
    assert.equal(estimatedRate(once), rateFromPremium(10n ** 16n / 60n))
    assert.equal(estimatedRate({ ...once, premiumSum: 0n }), rateFromPremium(0n))
    assert.equal(estimatedRate({ ...once, sampledSeconds: 0 }), 0n)
  })

  test('funding settles one row per hour and accrues each second of the next at its rate', () => {
    const { state, all } = replay(pokedFor(played(), 59).next(120).poke().blocks())
    const funding = findFunding(state)
    const [row, ...more] = writtenRecords(all, 'settlement')
    assert.deepEqual(more, [])
    assert.equal(row?.seconds, SCENARIO_START_SECONDS + 3600)
    assert.equal(row?.rate, 0n)
    assert.equal(funding.rate, rateFromPremium((3481n * 2n * 10n ** 15n) / 3600n))
    const at = (seconds: number) => fundingIndexAt(funding, funding.settledSeconds + seconds)
    assert.equal(at(10), funding.perSecond * 10n)
    assert.ok(funding.perSecond > 0n)
    assert.equal(at(3600), at(9999), 'it stands still after its hour until it is settled')
  })

  test('funding moves from long to short exactly, at whatever second they trade', () => {
    const blocks = pokedFor(played().place('bob', 'sell', 30_050, 5n), 59)
      .next(120)
      .poke()
      .next(1234)
      .place('alice', 'sell', 30_050, 5n)
      .next()
      .place('bob', 'buy', 30_050, 5n)
      .blocks()
    const { state } = replay(blocks)
    const funding = findFunding(state)
    const closedSeconds = blocks.at(-1)?.header.seconds ?? 0
    const paid = 5n * fundingIndexAt(funding, closedSeconds)
    const value = 5n * 30_050n * LISTINGS['ETH-PERP'].quotePerLotTick
    const findCollateral = (account: number) =>
      state.records.collateral.get(`${PERP_ENGINE}|${account}`)?.amount
    const seconds = BigInt(closedSeconds - funding.settledSeconds)
    assert.equal(paid, 5n * funding.perSecond * seconds)
    assert.ok(paid > 0n)
    // Opened and closed at one price: only the fees of two fills and the funding remain.
    assert.equal(findCollateral(3), 100_000n * E18 - (2n * value) / 10_000n - paid)
    assert.equal(findCollateral(4), 100_000n * E18 - (7n * value) / 10_000n + paid)
  })

  test('funding is due at the next full hour', () => {
    assert.equal(nextFundingSeconds(7199), 7200)
    assert.equal(nextFundingSeconds(7200), 10_800)
  })

  const settled = {
    type: 'FundingSettled',
    market: id,
    time: SCENARIO_START_SECONDS + 3600,
    rate: 0n,
    mark: 3000n * E18,
    cumulative: 0n,
    nextRate: 0n,
    nextPerSecond: 0n,
  } as const
  for (const [changed, rule] of [
    [{ time: SCENARIO_START_SECONDS + 7200 }, /without a gap/],
    [{ rate: 1n }, /rate it began with/],
    [{ mark: 1n }, /mark it began with/],
    [{ cumulative: 1n }, /adds what it accrued/],
    [{ market: '0x00' }, /has a price before/],
  ] as const)
    test(`funding rejects a settlement with a wrong ${Object.keys(changed)}`, () => {
      const blocks = played()
        .say({ ...settled, ...changed })
        .blocks()
      assert.throws(() => replay(blocks), { name: 'InvariantError', message: rule })
    })
})

describe('the funding clock', () => {
  const HOUR = FUNDING_INTERVAL_SECONDS
  const start = (seconds: number) => seconds - (seconds % HOUR)
  const rowsOf = (blocks: readonly VenueBlock[]) =>
    writtenRecords(replay(blocks).all, 'settlement').map(({ seconds, mark }) => ({ seconds, mark }))

  test('the funding clock starts with the first price of a market that was listed hours before', () => {
    const tale = scenario()
      .list('ETH-PERP')
      .next(5 * HOUR + 1234)
    const priced = tale.seconds
    tale.index('ETH', 3000n * E18)
    const { state } = replay(tale.blocks())
    assert.equal(findFunding(state).settledSeconds, start(priced))
    assert.equal(findFunding(state).mark, 3000n * E18)
    const rows = rowsOf(
      tale
        .next(2 * HOUR)
        .index('ETH', 3100n * E18)
        .poke()
        .blocks(),
    )
    assert.deepEqual(rows, [
      { seconds: start(priced) + HOUR, mark: 3000n * E18 },
      { seconds: start(priced) + 2 * HOUR, mark: 3100n * E18 },
    ])
  })

  test('the funding clock does not run before the first price', () => {
    const { state } = replay(scenario().list('ETH-PERP').next(HOUR).blocks())
    assert.equal(state.records.funding.get(id), undefined)
  })

  test('the funding clock starts at the listing if the asset already has a price, and later prices do not move it', () => {
    const tale = scenario()
      .index('ETH', 3000n * E18)
      .next(3 * HOUR)
    const listed = tale.list('ETH-PERP').seconds
    const blocks = tale
      .next(HOUR)
      .index('ETH', 3001n * E18)
      .next()
      .blocks()
    const funding = findFunding(replay(blocks).state)
    assert.equal(funding.settledSeconds, start(listed))
    assert.equal(funding.mark, 3000n * E18)
  })

  for (const [amiss, isPriced, rule] of [
    ['of an hour before the first price', false, /has a price before/],
    ['with a mark of zero', true, /mark it began with/],
  ] as const)
    test(`the funding clock rejects a row ${amiss}`, () => {
      const tale = scenario().list('ETH-PERP').next(HOUR)
      if (isPriced) tale.index('ETH', 3000n * E18).next(HOUR)
      const amounts = { rate: 0n, mark: 0n, cumulative: 0n, nextRate: 0n, nextPerSecond: 0n }
      tale.say({ type: 'FundingSettled', market: id, time: start(tale.seconds), ...amounts })
      const blocks = tale.blocks()
      assert.throws(() => replay(blocks), { name: 'InvariantError', message: rule })
    })

  test('the funding clock leaves no hour without a row and no row without a mark, whenever the price comes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 * HOUR }),
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        fc.array(fc.integer({ min: 1, max: 15 * HOUR }), { minLength: 1, maxLength: 12 }),
        (silence, price, waits) => {
          const tale = scenario().list('ETH-PERP')
          if (silence > 0) tale.next(silence)
          const priced = tale.index('ETH', price).seconds
          for (const wait of waits) {
            tale.next(wait)
            if (wait % 3 === 0) tale.index('ETH', price + BigInt(wait))
            if (wait >= 60) tale.poke()
          }
          const rows = rowsOf(tale.blocks())
          const foreseen = rows.map((_, hour) => start(priced) + (hour + 1) * HOUR)
          assert.deepEqual(
            rows.map(({ seconds }) => seconds),
            foreseen,
          )
          assert.ok(rows.every(({ mark }) => mark > 0n))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a mark', () => {
  const findMark = (state: VenueState, market = id) => state.records.mark.get(market)?.price

  test('a mark is rejected unless it is the index plus the basis', () => {
    const marked = { type: 'Marked', market: id, mark: 1n, basis: 0n, premium: 0n } as const
    const blocks = played()
      .say({ ...marked, seconds: 60 })
      .blocks()
    assert.throws(() => replay(blocks), { name: 'InvariantError', message: /index and its basis/ })
  })

  test('of a spot market is the mid, else the last trade, else none', () => {
    const spot = LISTINGS['ETH-USDC']
    const state = emptyState()
    const blocks = scenario()
      .list('ETH-USDC')
      .deposit('alice', 'USDC', 100n)
      .deposit('bob', 'ETH', 100n)
      .next()
      .place('alice', 'buy', 100, 1n)
      .next()
      .place('bob', 'sell', 103, 1n)
      .next()
      .place('bob', 'sell', 100, 1n)
      .next()
      .cancel(2)
      .next()
      .blocks()
    const marks = blocks.map((block) => {
      applyBlock(state, block)
      return findMark(state, spot.id)
    })
    const at = (halfTicks: bigint) => (halfTicks * spot.priceStep) / 2n
    assert.deepEqual(marks, [undefined, undefined, at(203n), at(200n), at(200n)])
  })
})
