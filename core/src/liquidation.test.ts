import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS, PERP_ENGINE } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { E18 } from './integers.ts'
import { accountLiquidationPrice, liquidationPrice } from './liquidation.ts'
import { accountMargin } from './margin.ts'
import type { Market } from './records.ts'
import { fold, loaded, type VenueState } from './state.ts'

const { id } = LISTINGS['ETH-PERP']

type AccountAtTime = Readonly<{ market: Market; account: number; seconds: number }>

/** Computes the equity of an account above its maintenance margin at another mark. */
function spareAt(
  state: VenueState,
  { market, account, seconds }: AccountAtTime,
  price: bigint,
): bigint {
  const mark = state.records.mark.get(market.id)
  assert.ok(mark)
  state.records.mark.set(market.id, { ...mark, price, nextPrice: price })
  const margin = accountMargin(state, { engine: PERP_ENGINE, account, seconds })
  state.records.mark.set(market.id, mark)
  assert.ok(margin)
  return margin.equity - margin.maintenance
}

/** Checks that `price` is the last one, going from good to bad, that leaves the account safe. */
function check(state: VenueState, at: AccountAtTime): 'none' | 'found' {
  const { market, account } = at
  const lots = state.records.position.get(`${market.id}|${account}`)?.lots ?? 0n
  const price = accountLiquidationPrice(state, at)
  if (price === undefined) {
    // If no price liquidates it, a long is safe at the lowest price, a short unsafe even there.
    const spare = spareAt(state, at, 1n)
    assert.ok(lots > 0n ? spare > 0n : spare <= 0n)
    return 'none'
  }
  assert.ok(price > 0n)
  assert.ok(spareAt(state, at, price) <= 0n)
  assert.ok(spareAt(state, at, lots > 0n ? price + 1n : price - 1n) > 0n)
  return 'found'
}

/** Alice (3) is long and Bob (4) short ten lots (0.01) at 3000. */
const played = (whole: bigint) =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', whole)
    .deposit('bob', 'USDC', whole)
    .place('alice', 'buy', 30_000, 10n)
    .place('bob', 'sell', 30_000, 10n)

const findPrice = (tale: ReturnType<typeof played>, account: number) => {
  const { state } = replay(tale.blocks())
  const market = state.records.market.get(id)
  assert.ok(market)
  const at = { market, account, seconds: tale.seconds }
  if ((state.records.position.get(`${id}|${account}`)?.lots ?? 0n) !== 0n) check(state, at)
  return accountLiquidationPrice(state, at)
}

describe('the liquidation price', () => {
  test('the liquidation price is below the entry of a long and above the entry of a short', () => {
    const [long = 0n, short = 0n] = [findPrice(played(2n), 3), findPrice(played(2n), 4)]
    // The long has 2 less a fee of 0.003 on 30, and must keep a fortieth: (30 - 1.997) / 0.00975.
    assert.equal(long / E18, 2872n)
    assert.equal(short / E18, 3120n)
  })

  test('the liquidation price is undefined for a long whose collateral covers its whole cost', () => {
    assert.equal(findPrice(played(31n), 3), undefined)
    assert.notEqual(findPrice(played(31n), 4), undefined)
  })

  test('the liquidation price moves away from the mark when collateral is added', () => {
    const more = played(2n).deposit('alice', 'USDC', 1n)
    assert.ok((findPrice(more, 3) ?? 0n) < (findPrice(played(2n), 3) ?? 0n))
  })

  test('the liquidation price is undefined for an account without a position or without a known mark', () => {
    assert.equal(findPrice(played(2n), 9), undefined)
    assert.equal(findPrice(played(2n).place('carol', 'buy', 29_000, 1n), 5), undefined)
    const tale = played(2n)
    const { state } = replay(tale.blocks())
    const market = state.records.market.get(id)
    assert.ok(market)
    state.records.mark.delete(id)
    assert.equal(
      accountLiquidationPrice(state, { market, account: 3, seconds: tale.seconds }),
      undefined,
    )
  })

  test("the liquidation price includes the profit and the margin of the account's other positions", () => {
    const other = () =>
      played(5n)
        .index('BTC', 60_000n * E18)
        .list('BTC-PERP')
        .place('alice', 'buy', 60_000, 10n)
        .place('bob', 'sell', 60_000, 10n)
    const before = findPrice(other(), 3) ?? 0n
    const after = findPrice(other().index('BTC', 58_000n * E18), 3) ?? 0n
    assert.ok(after > before)
    assert.ok(before > (findPrice(played(5n), 3) ?? 0n))
  })

  test('the liquidation price is the first price at which equity is at most maintenance, for any steps and lots', () => {
    const { state } = replay(played(100n).blocks())
    const listed = state.records.market.get(id)
    const flat = state.records.position.get(`${id}|3`)
    const funding = state.records.funding.get(id)
    assert.ok(listed && flat && funding)
    const big = (min: bigint, max: bigint) => fc.bigInt({ min, max })
    const counts = { none: 0, found: 0 }
    fc.assert(
      fc.property(
        fc.constantFrom(1n, 10n ** 14n, 3n * 10n ** 17n, E18, 7n * E18),
        fc.integer({ min: 1, max: 50 }),
        big(-40n, 40n).filter((lots) => lots !== 0n),
        fc.tuple(big(-(10n ** 21n), 10n ** 21n), big(-(10n ** 21n), 10n ** 21n)),
        (amountStep, maxLeverage, lots, [quote, collateral]) => {
          const market = { ...listed, amountStep, maxLeverage }
          const scaled = (raw: bigint) => (raw * amountStep) / E18
          state.records.market.set(id, market)
          fold(state, [loaded('position', { ...flat, lots, quote: scaled(quote) })])
          const key = `${PERP_ENGINE}|3`
          state.records.collateral.set(key, {
            engine: PERP_ENGINE,
            account: 3,
            amount: scaled(collateral),
          })
          counts[check(state, { market, account: 3, seconds: funding.settledSeconds })]++
        },
      ),
      { numRuns: 400 },
    )
    assert.ok(counts.none > 20 && counts.found > 20)
  })

  test('the liquidation price holds for every position of a venue in use', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { state } = replay(randomScenario(seed, 60))
        const seconds = state.head?.seconds ?? 0
        for (const { market: marketId, account, lots } of state.records.position.values()) {
          const market = state.records.market.get(marketId)
          if (market !== undefined && lots !== 0n) check(state, { market, account, seconds })
        }
      }),
      { numRuns: 5 },
    )
  })

  test('the liquidation price is undefined without a position and in a market without leverage', () => {
    const { state } = replay(played(2n).blocks())
    const market = state.records.market.get(id)
    const position = state.records.position.get(`${id}|3`)
    assert.ok(market && position)
    const margin = { equity: E18, maintenance: 0n }
    const exposed = { market, position, mark: 3000n * E18, margin }
    assert.notEqual(liquidationPrice(exposed), undefined)
    assert.equal(liquidationPrice({ ...exposed, position: { ...position, lots: 0n } }), undefined)
    const spot = { ...market, maxLeverage: null }
    assert.equal(liquidationPrice({ ...exposed, market: spot }), undefined)
  })
})
