import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '../test/scenario/listing.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import { type Scenario, type Side, scenario } from '../test/scenario/scenario.ts'
import type { BlockChanges } from './changes.ts'
import { E18 } from './integers.ts'
import type { VenueState } from './state.ts'

const { id, quotePerLotTick } = LISTINGS['ETH-PERP']
const ALICE = 3

/** Alice (3) trades with Bob (4), who is always the maker. */
const played = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .next()

/** Alice trades `lots` at `tick` in a separate block. */
function trade(scenario: Scenario, side: Side, tick: number, lots: bigint): Scenario {
  const other = side === 'buy' ? 'sell' : 'buy'
  return scenario.place('bob', other, tick, lots).place('alice', side, tick, lots).next()
}

const logPosition = (fillId: string) => fillId.slice(0, -2)
const findOpen = (state: VenueState, account = ALICE) => state.records.cycle.get(`${id}|${account}`)
const listClosed = (all: readonly BlockChanges[], account = ALICE) =>
  writtenRecords(all, 'closedCycle').filter((cycle) => cycle.account === account)
const listPayments = (all: readonly BlockChanges[], account = ALICE) =>
  writtenRecords(all, 'fundingPayment').filter((payment) => payment.account === account)

/** The taker's fee, 350 millionths, rounded up. */
const computeFee = (units: bigint) => (units * quotePerLotTick * 350n + 999_999n) / 1_000_000n

describe('a cycle', () => {
  test('a cycle begins with the first fill from flat and keeps its id and transaction', () => {
    const tale = trade(played(), 'sell', 30_000, 4n)
    const { state, all } = replay(tale.blocks())
    const [fill] = writtenRecords(all, 'fill').filter(({ account }) => account === ALICE)
    const seconds = fill?.seconds
    assert.deepEqual(findOpen(state), {
      market: id,
      account: ALICE,
      openId: fill?.id,
      isLong: false,
      maxLots: 4n,
      maxQuote: 120_000n * quotePerLotTick,
      openedLots: 4n,
      closedLots: 0n,
      openedQuote: 120_000n * quotePerLotTick,
      closedQuote: 0n,
      realised: 0n,
      fees: computeFee(120_000n),
      liquidationFees: 0n,
      funding: 0n,
      unsettledFunding: 0n,
      fundingIndex: 0n,
      fillCount: 1,
      openTxHash: fill?.txHash,
      openedSeconds: seconds,
      updatedSeconds: seconds,
    })
    assert.equal(findOpen(state, 4)?.isLong, true)
  })

  test('a cycle adds opening lots to one side and closing lots to the other, and keeps its maximum', () => {
    const tale = trade(played(), 'buy', 30_000, 4n)
    trade(tale, 'buy', 30_100, 6n)
    trade(tale, 'sell', 30_200, 3n)
    trade(tale, 'buy', 30_000, 1n)
    const { state } = replay(tale.blocks())
    const cycle = findOpen(state)
    assert.equal(cycle?.openedLots, 11n)
    assert.equal(cycle?.closedLots, 3n)
    assert.equal(cycle?.openedQuote, (4n * 30_000n + 6n * 30_100n + 30_000n) * quotePerLotTick)
    assert.equal(cycle?.closedQuote, 3n * 30_200n * quotePerLotTick)
    assert.equal(cycle?.maxLots, 10n)
    assert.equal(cycle?.maxQuote, (4n * 30_000n + 6n * 30_100n) * quotePerLotTick)
    assert.equal(cycle?.realised, (3n * 30_200n - 3n * 30_060n) * quotePerLotTick)
    assert.equal(cycle?.fillCount, 4)
    assert.equal(cycle?.updatedSeconds, (cycle?.openedSeconds ?? 0) + 3)
  })

  test('a cycle ends with the fill to flat and keeps the leverage in force', () => {
    const tale = trade(played(), 'buy', 30_000, 4n)
    tale.say({ type: 'LeverageSet', market: id, account: ALICE, leverage: 7 })
    trade(tale, 'sell', 30_100, 4n)
    const { state, all } = replay(tale.blocks())
    assert.equal(findOpen(state), undefined)
    const [closed, ...more] = listClosed(all)
    const [opening, closing] = writtenRecords(all, 'fill').filter(
      ({ account }) => account === ALICE,
    )
    assert.deepEqual(more, [])
    assert.deepEqual(closed, {
      id: closing?.id,
      market: id,
      account: ALICE,
      openId: opening?.id,
      isLong: true,
      maxLots: 4n,
      maxQuote: 120_000n * quotePerLotTick,
      openedLots: 4n,
      closedLots: 4n,
      openedQuote: 120_000n * quotePerLotTick,
      closedQuote: 120_400n * quotePerLotTick,
      realised: 400n * quotePerLotTick,
      fees: computeFee(120_000n) + computeFee(120_400n),
      liquidationFees: 0n,
      funding: 0n,
      fillCount: 2,
      leverage: 7,
      reason: 'trade',
      openTxHash: opening?.txHash,
      openedSeconds: opening?.seconds,
      blockNumber: closing?.blockNumber,
      logIndex: closing?.logIndex,
      txHash: closing?.txHash,
      seconds: closing?.seconds,
    })
    assert.equal(listClosed(all, 4)[0]?.leverage, 20, 'of its own it had none: the maximum')
  })

  test('a cycle ends with a flip, and the rest of the fill begins the next', () => {
    const tale = trade(played(), 'buy', 30_000, 4n)
    trade(tale, 'sell', 30_100, 7n)
    const { state, all } = replay(tale.blocks())
    const [closed] = listClosed(all)
    const next = findOpen(state)
    assert.equal(closed?.reason, 'flip')
    assert.equal(closed?.id, next?.openId)
    assert.equal(next?.isLong, false)
    assert.deepEqual([closed?.closedLots, next?.openedLots], [4n, 3n])
    assert.deepEqual([closed?.openedLots, next?.closedLots], [4n, 0n])
    assert.deepEqual(
      [closed?.closedQuote, next?.openedQuote],
      [4n * 30_100n * quotePerLotTick, 3n * 30_100n * quotePerLotTick],
    )
    assert.deepEqual([closed?.maxLots, next?.maxLots], [4n, 3n])
    assert.equal(next?.maxQuote, 3n * 30_100n * quotePerLotTick)
    assert.deepEqual([closed?.fillCount, next?.fillCount], [2, 1])
    assert.deepEqual([closed?.realised, next?.realised], [400n * quotePerLotTick, 0n])
    const fee = computeFee(7n * 30_100n)
    const share = (fee * 4n) / 7n
    assert.equal(closed?.fees, computeFee(120_000n) + share)
    assert.equal(next?.fees, fee - share)
  })

  test('a cycle keeps its maximum when it flips into a larger position', () => {
    const tale = trade(played(), 'buy', 30_000, 4n)
    trade(tale, 'sell', 30_100, 15n)
    const [closed] = listClosed(replay(tale.blocks()).all)
    assert.equal(closed?.maxLots, 4n)
    assert.equal(closed?.maxQuote, 120_000n * quotePerLotTick)
  })

  test('a cycle truncates its share of the fee of a flip towards zero, also of a rebate', () => {
    for (const [fee, share] of [
      [10n, 6n],
      [-10n, -6n],
    ] as const) {
      const tale = trade(played(), 'buy', 30_000, 2n)
      const order = { type: 'Placed', market: id, timeInForce: 'GTC', reduceOnly: false } as const
      const rest = { goodTil: 0, ref: null, tick: 30_000, lots: 3n }
      tale.say({ ...order, ...rest, account: 4, order: 3, buy: true })
      tale.say({ ...order, ...rest, account: ALICE, order: 4, buy: false })
      tale.say({
        type: 'Filled',
        market: id,
        maker: 4,
        makerOrder: 3,
        taker: ALICE,
        takerOrder: 4,
        tick: 30_000,
        lots: 3n,
        makerFee: 0n,
        takerFee: fee,
      })
      const { state, all } = replay(tale.blocks())
      assert.equal(listClosed(all)[0]?.fees, computeFee(60_000n) + share)
      assert.equal(findOpen(state)?.fees, fee - share)
    }
  })
})

describe('funding of a position', () => {
  const hour = () => {
    const tale = played()
    tale.place('bob', 'buy', 30_050, 10n).place('carol', 'sell', 30_070, 10n).next().poke()
    return tale.place('alice', 'buy', 30_070, 5n).next(3600)
  }

  test('funding of a position is published for each hour at its settlement, even if 0', () => {
    const tale = hour().poke().next(3600).poke()
    const { state, all } = replay(tale.blocks())
    const [first, second, ...more] = listPayments(all)
    const [settled, costly] = writtenRecords(all, 'settlement')
    assert.deepEqual(more, [])
    assert.equal(first?.amount, 0n)
    assert.equal(first?.rate, 0n)
    assert.ok(settled && costly && costly.cumulative > 0n)
    const block = all.at(-1)?.header
    assert.deepEqual(second, {
      id: `${String(block?.number).padStart(12, '0')}-000000-${ALICE}`,
      account: ALICE,
      market: id,
      lots: 5n,
      mark: costly.mark,
      rate: costly.rate,
      amount: -5n * costly.cumulative,
      blockNumber: block?.number,
      logIndex: 0,
      txHash: costly.txHash,
      seconds: block?.seconds,
    })
    assert.equal(findOpen(state)?.funding, -5n * costly.cumulative)
    assert.equal(findOpen(state)?.unsettledFunding, 0n)
    assert.equal(findOpen(state)?.fundingIndex, costly.cumulative)
    assert.equal(listPayments(all, 5)[1]?.amount, 5n * costly.cumulative, 'the short receives it')
  })

  test('funding of a position includes the payments of fills inside the hour once the hour is settled', () => {
    const tale = hour().poke().next(600).place('bob', 'sell', 30_050, 2n)
    tale.place('alice', 'buy', 30_050, 2n).next(3000).poke()
    const { all } = replay(tale.blocks())
    const { perSecond = 0n } = writtenRecords(all, 'funding').at(-2) ?? {}
    const [hour1, hour2] = writtenRecords(all, 'settlement')
    const bought = writtenRecords(all, 'fill').at(-1)
    assert.ok(perSecond > 0n && hour1 && hour2 && bought)
    const payment = listPayments(all).at(-1)
    const before = 5n * BigInt(bought.seconds - hour1.seconds)
    assert.equal(payment?.lots, 7n)
    assert.equal(
      payment?.amount,
      -perSecond * (before + 7n * BigInt(hour2.seconds - bought.seconds)),
    )
  })

  test('funding of a position is published when a cycle ends within an hour, at the mark of the hour', () => {
    const tale = trade(hour().poke().next(600), 'sell', 30_060, 5n)
    const { state, all } = replay(tale.blocks())
    const { perSecond = 0n, settledSeconds = 0, rate, mark } = state.records.funding.get(id) ?? {}
    const [closed] = listClosed(all)
    const payment = listPayments(all).at(-1)
    assert.ok(closed && perSecond > 0n)
    assert.equal(payment?.amount, -perSecond * 5n * BigInt(closed.seconds - settledSeconds))
    assert.equal(payment?.id, `${logPosition(closed.id)}-${ALICE}`)
    assert.deepEqual([payment?.lots, payment?.rate, payment?.mark], [5n, rate, mark])
    assert.equal(closed.funding, payment?.amount)
    assert.ok(
      mark !== undefined && mark !== 3000n * E18,
      'the mark of the hour is not the first one',
    )
  })

  test('funding of a position is not published for a part of an hour that cost nothing', () => {
    const { all } = replay(trade(trade(played(), 'buy', 30_050, 5n), 'sell', 30_050, 5n).blocks())
    assert.equal(listClosed(all).length, 1)
    assert.deepEqual(listPayments(all), [])
  })

  test('funding of a position is published for each of several hours settled by one event', () => {
    const { all } = replay(hour().next(7200).poke().blocks())
    assert.equal(listPayments(all).length, 3)
    assert.equal(new Set(listPayments(all).map(({ id }) => id)).size, 3)
  })
})
