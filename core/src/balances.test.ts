import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LISTINGS, PERP_ENGINE, TOKENS } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import type { VenueBlock } from './events.ts'
import { accountMargin } from './margin.ts'
import { emptyState, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const RUNS = { numRuns: 10 }
const BLOCKS = 120

const USDC = TOKENS.USDC.address
const ETH = TOKENS.ETH.address

/** Adds up deposits minus withdrawals by engine type and token. */
function countCustody(custody: Map<string, bigint>, { events }: VenueBlock): void {
  for (const event of events) {
    if (event.type !== 'Deposited' && event.type !== 'Withdrawn') continue
    const key = `${event.engineType}|${event.token}`
    const amount = event.type === 'Deposited' ? event.amount : -event.amount
    custody.set(key, (custody.get(key) ?? 0n) + amount)
  }
}

function sumHeld(state: VenueState, token: string): bigint {
  let total = 0n
  for (const balance of state.records.balance.values())
    if (balance.token === token) total += balance.free + balance.locked
  return total
}

/** Equity of all accounts of the perpetual engine, including insurance and fees. */
function sumEquity(state: VenueState, seconds: number): bigint {
  const { collateral, position } = state.records
  const accounts = new Set([...collateral.values(), ...position.values()].map((r) => r.account))
  let equity = 0n
  for (const account of accounts)
    equity += accountMargin(state, { engine: PERP_ENGINE, account, seconds })?.equity ?? 0n
  return equity
}

describe('conservation of funds', () => {
  test('the venue keeps deposits minus withdrawals at the spot engine as free or locked balances', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const state = emptyState()
        const custody = new Map<string, bigint>()
        for (const block of randomScenario(seed, BLOCKS)) {
          applyBlock(state, block)
          countCustody(custody, block)
          for (const { address } of Object.values(TOKENS))
            assert.equal(sumHeld(state, address), custody.get(`SPOT|${address}`) ?? 0n)
        }
      }),
      RUNS,
    )
  })

  test('the venue keeps total equity at the perpetual engine constant at any mark, fees included', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const state = emptyState()
        const custody = new Map<string, bigint>()
        for (const block of randomScenario(seed, BLOCKS)) {
          applyBlock(state, block)
          countCustody(custody, block)
          const came = (custody.get(`PERPETUAL|${USDC}`) ?? 0n) * 10n ** 12n
          assert.equal(sumEquity(state, block.header.seconds), came)
        }
      }),
      RUNS,
    )
  })

  test('the venue locks the exact backing of orders until they end or are swept', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { state } = replay(randomScenario(seed, BLOCKS))
        const bound = sumBound(state)
        for (const [key, { locked }] of state.records.balance)
          assert.equal(locked, bound.get(key) ?? 0n)
        for (const [key, { bidLots, askLots }] of state.records.position) {
          assert.equal(bidLots, bound.get(`${key}|true`) ?? 0n)
          assert.equal(askLots, bound.get(`${key}|false`) ?? 0n)
        }
      }),
      RUNS,
    )
  })
})

/** Sums the funds locked by resting and unswept orders, by account and token or lots and side. */
function sumBound(state: VenueState): Map<string, bigint> {
  const { order, unswept, market } = state.records
  const bound = new Map<string, bigint>()
  const all = [
    ...[...order.values()].map((o) => ({ ...o, rest: o.restingLots })),
    ...[...unswept.values()].map((o) => ({ ...o, rest: o.lots })),
  ]
  for (const { market: id, account, isBuy, tick, rest } of all) {
    const listed = market.get(id)
    if (listed === undefined) continue
    const isPerp = listed.type === 'PERPETUAL'
    const token = isBuy ? listed.quoteToken : listed.baseToken
    const key = isPerp ? `${id}|${account}|${isBuy}` : `${account}|${token}`
    const perLot = isBuy ? BigInt(tick) * listed.quotePerLotTick : listed.amountStep
    bound.set(key, (bound.get(key) ?? 0n) + rest * (isPerp ? 1n : perLot))
  }
  return bound
}

describe('a balance', () => {
  const played = () =>
    scenario().list('ETH-USDC').deposit('alice', 'USDC', 10n).deposit('bob', 'ETH', 1n)
  const findBalance = (blocks: VenueBlock[], account: number, token: string) => {
    const balance = replay(blocks).state.records.balance.get(`${account}|${token}`)
    return balance && { free: balance.free, locked: balance.locked }
  }
  const lotCost = 100n * LISTINGS['ETH-USDC'].quotePerLotTick

  test('the venue locks the cost of a buy order at its own limit', () => {
    const blocks = played().place('alice', 'buy', 100, 50n).blocks()
    assert.deepEqual(findBalance(blocks, 3, USDC), {
      free: 10_000_000n - 50n * lotCost,
      locked: 50n * lotCost,
    })
  })

  test('the venue releases the difference between the limit and the price of the maker', () => {
    const blocks = played().place('bob', 'sell', 90, 50n).place('alice', 'buy', 100, 50n).blocks()
    const cost = 90n * 50n
    assert.deepEqual(findBalance(blocks, 3, USDC), { free: 10_000_000n - cost, locked: 0n })
    assert.deepEqual(findBalance(blocks, 4, USDC), { free: cost, locked: 0n })
    assert.deepEqual(findBalance(blocks, 3, ETH), { free: 50n * 10n ** 14n, locked: 0n })
  })

  test('the venue removes a balance that reaches zero', () => {
    assert.equal(findBalance(played().withdraw('alice', 'USDC', 10n).blocks(), 3, USDC), undefined)
  })

  test('transfers an amount in full', () => {
    const blocks = played().transfer('alice', 'bob', { symbol: 'USDC', whole: 4n }).blocks()
    assert.equal(findBalance(blocks, 3, USDC)?.free, 6_000_000n)
    assert.equal(findBalance(blocks, 4, USDC)?.free, 4_000_000n)
  })

  test('the venue rejects a negative balance', () => {
    const blocks = played().withdraw('alice', 'USDC', 11n).blocks()
    assert.throws(() => replay(blocks), { name: 'InvariantError', message: /never negative/ })
  })
})
