import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Chance } from '../test/scenario/chance.ts'
import { LISTINGS, TOKENS } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import { type Scenario, type Side, scenario } from '../test/scenario/scenario.ts'
import type { BlockChanges } from './changes.ts'
import { E18 } from './integers.ts'
import type { VenueState } from './state.ts'

const { id, amountStep, quotePerLotTick } = LISTINGS['ETH-USDC']
const ALICE = 3
/** Whole USDC. */
const DEPOSIT = 10n ** 9n
const STEPS_PER_WHOLE = E18 / amountStep

/** Alice (3) trades with Bob (4), who has enough of both tokens. */
const played = () =>
  scenario()
    .list('ETH-USDC')
    .deposit('alice', 'USDC', DEPOSIT)
    .deposit('bob', 'USDC', 10n ** 9n)
    .deposit('bob', 'ETH', 10n ** 9n)
    .next()

function trade(tale: Scenario, side: Side, tick: number, lots: bigint): Scenario {
  const other = side === 'buy' ? 'sell' : 'buy'
  return tale.place('bob', other, tick, lots).place('alice', side, tick, lots).next()
}

const findHolding = (state: VenueState, account = ALICE) =>
  state.records.holding.get(`${id}|${account}`)

/** Lists the realised profits of Alice's sales from her fills. */
const listRealised = (all: readonly BlockChanges[]) =>
  writtenRecords(all, 'fill')
    .filter(({ account, isBuy }) => account === ALICE && !isBuy)
    .map(({ realised }) => realised)

const findBalance = (state: VenueState, token: string) => {
  const balance = state.records.balance.get(`${ALICE}|${token}`)
  return (balance?.free ?? 0n) + (balance?.locked ?? 0n)
}

/** Checks that Alice holds `expected`, at the cost of her purchases minus the cost of her sales. */
function checkMoney({ state, all }: ReturnType<typeof replay>, expected: bigint): void {
  const { amount = 0n, cost = 0n } = findHolding(state) ?? {}
  assert.equal(amount, expected)
  assert.equal(amount, findBalance(state, TOKENS.ETH.address))
  const spent = DEPOSIT * 10n ** 6n - findBalance(state, TOKENS.USDC.address)
  const made = listRealised(all).map((realised) => {
    assert.notEqual(realised, null)
    return realised ?? 0n
  })
  assert.equal(
    cost,
    made.reduce((sum, cost) => sum + cost, spent),
  )
}

describe('a holding', () => {
  test('a holding begins with a purchase, at its cost', () => {
    const { state, all } = replay(trade(played(), 'buy', 300_000, 3n).blocks())
    const seconds = writtenRecords(all, 'fill')[0]?.seconds
    assert.deepEqual(findHolding(state), {
      market: id,
      account: ALICE,
      amount: 3n * amountStep,
      cost: 900_000n * quotePerLotTick,
      realised: 0n,
      openedSeconds: seconds,
      updatedSeconds: seconds,
    })
    const [bought, sold] = writtenRecords(all, 'fill').map(({ realised }) => realised)
    assert.deepEqual([bought, sold], [null, null], 'a purchase makes nothing; bob bought nothing')
    assert.equal(findHolding(state, 4), undefined)
  })

  test('a holding grows with a purchase and shrinks with a sale, at its average cost', () => {
    const tale = trade(played(), 'buy', 300_000, 3n)
    trade(tale, 'buy', 300_100, 1n)
    const grown = replay(tale.blocks()).state
    const cost = (900_000n + 300_100n) * quotePerLotTick
    assert.equal(findHolding(grown)?.amount, 4n * amountStep)
    assert.equal(findHolding(grown)?.cost, cost)
    trade(tale, 'sell', 300_200, 2n)
    const { state, all } = replay(tale.blocks())
    const holding = findHolding(state)
    const realised = 600_400n * quotePerLotTick - cost / 2n
    assert.equal(holding?.amount, 2n * amountStep)
    assert.equal(holding?.cost, cost - cost / 2n)
    assert.equal(holding?.realised, realised)
    assert.deepEqual(listRealised(all), [realised])
    assert.equal(holding?.updatedSeconds, (holding?.openedSeconds ?? 0) + 2)
  })

  test('a holding truncates the cost of a sale towards zero, and the last sale takes the remainder', () => {
    const tale = trade(played(), 'buy', 1, 1n)
    trade(tale, 'buy', 2, 2n)
    trade(tale, 'sell', 3, 1n)
    trade(tale, 'sell', 3, 2n)
    const { state, all } = replay(tale.blocks())
    assert.equal(quotePerLotTick, 1n)
    // 3 lots cost 5: the first costs 1, the other two 4.
    assert.deepEqual(listRealised(all), [3n - 1n, 6n - 4n])
    assert.equal(findHolding(state), undefined)
  })

  test('a holding has no known cost while other tokens are in the balance, and again when they leave', () => {
    const tale = trade(played(), 'buy', 300_000, 3n).deposit('alice', 'ETH', 1n)
    trade(tale, 'sell', 300_000, 1n)
    tale.withdraw('alice', 'ETH', 1n).next()
    trade(tale, 'sell', 300_010, 1n)
    const { state, all } = replay(tale.blocks())
    assert.deepEqual(listRealised(all), [null, 10n * quotePerLotTick])
    assert.equal(findHolding(state)?.amount, amountStep)
    assert.equal(findHolding(state)?.realised, 10n * quotePerLotTick)
  })

  test('a holding is used up by a larger sale, whose profit is unknown', () => {
    const tale = trade(played(), 'buy', 300_000, 3n).deposit('alice', 'ETH', 1n)
    trade(tale, 'sell', 300_100, 2n)
    trade(tale, 'sell', 300_200, 5n)
    const { state, all } = replay(tale.blocks())
    const changes = all.flatMap((block) => block.changes)
    const last = changes.findLast(({ what }) => what === 'holding')
    assert.deepEqual(listRealised(all), [null, null])
    assert.equal(last?.after, undefined, 'nothing is left of it, though tokens are')
    assert.equal(findHolding(state), undefined)
  })

  test('a holding ends when the account has none of the token, wherever it went', () => {
    const whole = () => trade(played(), 'buy', 300_000, STEPS_PER_WHOLE)
    const ways = [
      whole().withdraw('alice', 'ETH', 1n),
      whole().transfer('alice', 'bob', { symbol: 'ETH', whole: 1n }),
    ]
    for (const way of ways) {
      assert.ok(findHolding(replay(whole().blocks()).state))
      assert.equal(findHolding(replay(way.blocks()).state), undefined)
    }
    const back = replay(whole().withdraw('alice', 'ETH', 1n).deposit('alice', 'ETH', 1n).blocks())
    assert.equal(findHolding(back.state), undefined, 'what comes back has no known cost')
  })

  test('a holding remains when the account has none of another token', () => {
    const tale = trade(played(), 'buy', 1, 10n ** 6n).withdraw('alice', 'USDC', DEPOSIT - 1n)
    const { state } = replay(tale.blocks())
    assert.equal(findBalance(state, TOKENS.USDC.address), 0n)
    assert.equal(findHolding(state)?.amount, 10n ** 6n * amountStep)
  })

  test('a holding includes locked tokens', () => {
    const tale = trade(played(), 'buy', 300_000, 3n)
    tale.place('alice', 'sell', 310_000, 3n).place('bob', 'buy', 310_000, 1n)
    const { state, all } = replay(tale.blocks())
    assert.deepEqual(listRealised(all), [10_000n * quotePerLotTick])
    assert.equal(findHolding(state)?.amount, 2n * amountStep)
  })

  test('a holding starts without the realised profit of an earlier holding', () => {
    const tale = trade(played(), 'buy', 300_000, 3n)
    trade(tale, 'sell', 300_100, 3n)
    trade(tale, 'buy', 300_200, 1n)
    const holding = findHolding(replay(tale.blocks()).state)
    assert.equal(holding?.realised, 0n)
    assert.equal(holding?.openedSeconds, tale.seconds - 1)
  })

  test('a holding has a positive amount and a cost of at least zero, and ends with the balance, in every scenario', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { holding, balance, market } = replay(randomScenario(seed, 100)).state.records
        assert.ok(holding.size > 0)
        for (const { market: marketId, account, amount, cost } of holding.values()) {
          assert.ok(amount > 0n && cost >= 0n)
          assert.ok(balance.has(`${account}|${market.get(marketId)?.baseToken}`))
        }
      }),
      { numRuns: 5 },
    )
  })

  test('a holding equals the balance, and its cost the money spent, when the account only trades', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const chance = new Chance(seed)
        const tale = played()
        let heldLots = 0n
        for (let i = 0; i < 30; i++) {
          const lots = BigInt(chance.below(20) + 1)
          const isBuy = heldLots < lots || chance.happens(40)
          heldLots += isBuy ? lots : -lots
          trade(tale, isBuy ? 'buy' : 'sell', 1 + chance.below(50), lots)
        }
        checkMoney(replay(tale.blocks()), heldLots * amountStep)
      }),
      { numRuns: 20 },
    )
  })
})
