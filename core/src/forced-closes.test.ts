import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boughtTen as played } from '../test/scenario/bought-ten.ts'
import { LISTINGS, PERP_ENGINE } from '../test/scenario/listing.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import type { Scenario } from '../test/scenario/scenario.ts'
import { E18 } from './integers.ts'
import { FEE_ACCOUNT, INSURANCE_ACCOUNT } from './positions.ts'
import type { Fill } from './records.ts'

const { id: market, quotePerLotTick } = LISTINGS['ETH-PERP']
const [ALICE, BOB, CAROL] = [3, 4, 5]

const after = (tale: Scenario) => {
  const { state, all } = replay(tale.blocks())
  const { position, collateral, cycle, ticker, order } = state.records
  return {
    all,
    order,
    positionLots: (account: number) => position.get(`${market}|${account}`)?.lots ?? 0n,
    findPosition: (account: number) => position.get(`${market}|${account}`),
    collateralAmount: (account: number) =>
      collateral.get(`${PERP_ENGINE}|${account}`)?.amount ?? 0n,
    openCycle: (account: number) => cycle.get(`${market}|${account}`),
    closedCycles: (account: number) =>
      writtenRecords(all, 'closedCycle').find((closed) => closed.account === account),
    accountFills: (account: number) =>
      writtenRecords(all, 'fill').filter((fill) => fill.account === account),
    closes: writtenRecords(all, 'forcedClose'),
    openInterest: ticker.get(market)?.openInterest,
  }
}

const tickUnit = (tick: number) => BigInt(tick) * quotePerLotTick
/** Millionths, rounded up. */
const computeFee = (value: bigint, rate: bigint) => (value * rate + 999_999n) / 1_000_000n

describe('a liquidation on the book', () => {
  const FEE = 7n * E18 + 1n
  const liquidated = (lots: bigint, keeper?: string) =>
    played()
      .place('carol', 'buy', 29_000, 4n)
      .place('carol', 'buy', 28_900, 20n)
      .next()
      .liquidate('alice', {
        tick: 28_900,
        lots,
        fee: FEE,
        ...(keeper === undefined ? {} : { keeper }),
      })

  test('a liquidation on the book yields fills marked as a liquidation for the closed side and plain trades for the other', () => {
    const { accountFills, order, all } = after(liquidated(10n))
    const forced = accountFills(ALICE).slice(1)
    assert.deepEqual(
      forced.map(({ kind, tick, lots, isBuy, timeInForce }) => ({
        kind,
        tick,
        lots,
        isBuy,
        timeInForce,
      })),
      [
        { kind: 'liquidation', tick: 29_000, lots: 4n, isBuy: false, timeInForce: 'IOC' },
        { kind: 'liquidation', tick: 28_900, lots: 6n, isBuy: false, timeInForce: 'IOC' },
      ],
    )
    assert.deepEqual(
      accountFills(CAROL).map(({ kind }) => kind),
      ['trade', 'trade'],
    )
    assert.equal(writtenRecords(all, 'trade').length, 3)
    const orders = writtenRecords(all, 'order').filter(({ isForced }) => isForced)
    assert.deepEqual(
      orders.map(({ account, isReduceOnly }) => [account, isReduceOnly]),
      [[ALICE, true]],
    )
    assert.ok([...order.values()].every(({ isForced }) => !isForced))
  })

  test('a liquidation on the book charges the fee to the last fill and to the cycle that it ends', () => {
    const { accountFills, closedCycles, collateralAmount } = after(liquidated(10n))
    assert.deepEqual(
      accountFills(ALICE).map(({ liquidationFee }) => liquidationFee),
      [0n, 0n, FEE],
    )
    const traded = [30_000n * 10n, 29_000n * 4n, 28_900n * 6n]
    const fees = traded.map((units) => computeFee(units * quotePerLotTick, 350n))
    const closed = closedCycles(ALICE)
    assert.equal(closed?.reason, 'liquidation')
    assert.equal(closed?.liquidationFees, FEE)
    const total = fees.reduce((sum, fee) => sum + fee) + FEE
    assert.equal(closed?.fees, total)
    const realised = (29_000n * 4n + 28_900n * 6n - 300_000n) * quotePerLotTick
    assert.equal(closed?.realised, realised)
    assert.equal(collateralAmount(ALICE), 100_000n * E18 + realised - total)
  })

  test('a liquidation on the book charges the fee to the running cycle when part of the position stays open', () => {
    const { accountFills, openCycle, positionLots } = after(liquidated(3n))
    assert.equal(positionLots(ALICE), 7n)
    assert.equal(openCycle(ALICE)?.liquidationFees, FEE)
    assert.equal(accountFills(ALICE).at(-1)?.liquidationFee, FEE)
  })

  test('a liquidation on the book pays half of the fee, rounded down, to the keeper and the rest to insurance', () => {
    const { collateralAmount, closes } = after(liquidated(10n, 'dave'))
    assert.equal(collateralAmount(6), FEE / 2n)
    assert.equal(collateralAmount(INSURANCE_ACCOUNT), FEE - FEE / 2n)
    const [close, ...others] = closes
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...close, id: '', blockNumber: 0, logIndex: 0, txHash: '', seconds: 0 },
      {
        kind: 'liquidation',
        market,
        account: ALICE,
        counterparty: 6,
        lots: 10n,
        quote: (29_000n * 4n + 28_900n * 6n) * quotePerLotTick,
        fee: FEE,
        reward: FEE / 2n,
        id: '',
        blockNumber: 0,
        logIndex: 0,
        txHash: '',
        seconds: 0,
      },
    )
  })

  test('a liquidation on the book pays the whole fee to insurance when the keeper has no account', () => {
    const { collateralAmount, closes } = after(liquidated(10n))
    assert.equal(collateralAmount(INSURANCE_ACCOUNT), FEE)
    assert.deepEqual([closes[0]?.counterparty, closes[0]?.reward], [null, 0n])
  })

  test('a liquidation on the book signs the lots of a short like the position', () => {
    const tale = played().place('carol', 'sell', 31_000, 4n).next()
    const { closes } = after(tale.liquidate('bob', { tick: 31_000, lots: 4n, fee: 0n }))
    assert.equal(closes[0]?.lots, -4n)
  })
})

describe('an absorption', () => {
  const UNIT = tickUnit(29_000) + 3n

  test('transfers the position to insurance at its unit price, with its collateral', () => {
    const { positionLots, collateralAmount, openInterest, findPosition } = after(
      played().absorb('alice', UNIT, 50n * E18),
    )
    assert.deepEqual(
      [positionLots(ALICE), positionLots(INSURANCE_ACCOUNT), openInterest],
      [0n, 10n, 10n],
    )
    assert.equal(findPosition(INSURANCE_ACCOUNT)?.quote, -10n * UNIT)
    const paid = computeFee(tickUnit(30_000) * 10n, 350n)
    const realised = 10n * UNIT - 10n * tickUnit(30_000)
    assert.equal(collateralAmount(ALICE), 100_000n * E18 - paid + realised - 50n * E18)
    assert.equal(collateralAmount(INSURANCE_ACCOUNT), 50n * E18)
    assert.equal(collateralAmount(FEE_ACCOUNT), paid + computeFee(tickUnit(30_000) * 10n, 100n))
  })

  test('an absorption yields a fill off the book for each side and no trade', () => {
    const { accountFills, all } = after(played().absorb('alice', UNIT, -5n))
    const fields = ({
      id: _,
      account: _a,
      blockNumber,
      logIndex,
      txHash,
      seconds,
      ...fill
    }: Fill) => {
      assert.ok(blockNumber > 0 && logIndex >= 0 && txHash !== '' && seconds > 0)
      return fill
    }
    const both = {
      market,
      kind: 'absorption',
      orderNumber: null,
      ref: null,
      timeInForce: null,
      isMaker: false,
      tick: null,
      unit: UNIT,
      lots: 10n,
      fee: 0n,
      orderFilledLots: null,
      orderStatus: null,
      mark: 3000n * E18,
      index: 3000n * E18,
      isMarket: false,
      clientOrderId: null,
    }
    const [, gave] = accountFills(ALICE)
    const [got] = accountFills(INSURANCE_ACCOUNT)
    assert.ok(gave && got)
    assert.deepEqual(fields(gave), {
      ...both,
      isBuy: false,
      liquidationFee: -5n,
      heldLots: 10n,
      closedLots: 10n,
      heldQuote: -10n * tickUnit(30_000),
      realised: 10n * (UNIT - tickUnit(30_000)),
    })
    assert.deepEqual(fields(got), {
      ...both,
      isBuy: true,
      liquidationFee: 5n,
      heldLots: 0n,
      closedLots: 0n,
      heldQuote: 0n,
      realised: 0n,
    })
    assert.deepEqual([gave.id.slice(-2), got.id.slice(-2)], ['-f', '-g'])
    assert.equal(writtenRecords(all, 'trade').length, 1)
  })

  test('an absorption ends the cycle as a liquidation and charges it the collateral', () => {
    const { closedCycles, openCycle, closes } = after(played().absorb('alice', UNIT, 50n * E18))
    const closed = closedCycles(ALICE)
    assert.equal(closed?.reason, 'liquidation')
    assert.equal(closed?.liquidationFees, 50n * E18)
    assert.equal(closed?.closedQuote, 10n * UNIT)
    assert.equal(openCycle(INSURANCE_ACCOUNT)?.liquidationFees, -50n * E18)
    const { kind, counterparty, lots, quote, fee, reward } = closes[0] ?? {}
    assert.deepEqual(
      { kind, counterparty, lots, quote, fee, reward },
      {
        kind: 'absorption',
        counterparty: INSURANCE_ACCOUNT,
        lots: 10n,
        quote: 10n * UNIT,
        fee: 50n * E18,
        reward: 50n * E18,
      },
    )
  })

  test('of a part leaves the rest of the position and its cycle open', () => {
    const { findPosition, openCycle } = after(played().say({ ...ABSORBED, lots: 4n }))
    assert.equal(findPosition(ALICE)?.lots, 6n)
    assert.equal(findPosition(INSURANCE_ACCOUNT)?.lots, 4n)
    assert.equal(openCycle(ALICE)?.closedLots, 4n)
  })

  test('an absorption settles funding first, on both sides', () => {
    const tale = played().poke().next(3600).poke().next(1800)
    const before = after(tale)
    const { collateralAmount, closedCycles } = after(tale.absorb('alice', tickUnit(30_000), 0n))
    const funding = closedCycles(ALICE)?.funding ?? 0n
    assert.ok(funding < 0n)
    assert.equal(collateralAmount(ALICE), before.collateralAmount(ALICE) + funding)
  })

  test('an absorption ends and restarts the cycle of insurance when it flips its position', () => {
    const tale = played()
      .absorb('alice', UNIT, 10n)
      .place('carol', 'buy', 30_000, 15n)
      .place('bob', 'sell', 30_000, 15n)
      .next()
      .absorb('bob', UNIT, 25n)
    const { closedCycles, openCycle, positionLots } = after(tale)
    assert.equal(positionLots(INSURANCE_ACCOUNT), -15n)
    assert.equal(closedCycles(INSURANCE_ACCOUNT)?.reason, 'flip')
    assert.equal(closedCycles(INSURANCE_ACCOUNT)?.liquidationFees, -10n - 10n)
    assert.equal(openCycle(INSURANCE_ACCOUNT)?.liquidationFees, -15n)
  })

  test('an absorption follows a forced order without fills', () => {
    const tale = played()
      .liquidate('alice', { tick: 30_000, lots: 10n, fee: 0n })
      .absorb('alice', UNIT, 0n)
    const { positionLots, closes } = after(tale)
    assert.equal(positionLots(INSURANCE_ACCOUNT), 10n)
    assert.deepEqual(
      closes.map(({ kind }) => kind),
      ['absorption'],
    )
  })
})

describe('a deleverage', () => {
  test('a deleverage closes both positions at a unit price that may be negative, without fees', () => {
    for (const unit of [tickUnit(25_000) + 1n, -7n]) {
      const before = after(played())
      const { positionLots, collateralAmount, openInterest, accountFills, closes } = after(
        played().deleverage('alice', 'bob', { lots: 4n, unit }),
      )
      assert.deepEqual([positionLots(ALICE), positionLots(BOB), openInterest], [6n, -6n, 6n])
      const made = 4n * (unit - tickUnit(30_000))
      assert.equal(collateralAmount(ALICE), before.collateralAmount(ALICE) + made)
      assert.equal(collateralAmount(BOB), before.collateralAmount(BOB) - made)
      for (const account of [ALICE, BOB]) {
        const fill = accountFills(account).at(-1)
        assert.deepEqual([fill?.kind, fill?.unit, fill?.fee], ['deleverage', unit, 0n])
        assert.equal(fill?.liquidationFee, 0n)
      }
      assert.deepEqual([closes[0]?.counterparty, closes[0]?.quote], [BOB, 4n * unit])
    }
  })

  test('a deleverage ends the cycles of loser and winner with the reason adl', () => {
    const { closedCycles } = after(played().deleverage('bob', 'alice', { lots: -10n, unit: 1n }))
    assert.deepEqual([closedCycles(ALICE)?.reason, closedCycles(BOB)?.reason], ['adl', 'adl'])
  })
})

const ABSORBED = { type: 'Absorbed', market, account: ALICE, unit: 1n, collateral: 0n } as const

test('a sub-account is stored with its owner', () => {
  const wallet = `0x${'5'.repeat(40)}`
  const tale = played()
    .say({ type: 'AccountOpened', account: 9, wallet })
    .say({ type: 'SubAccountOpened', account: 9, owner: `0x${'7'.repeat(40)}`, index: 4 })
  const { seconds } = tale
  const { all } = after(tale)
  assert.deepEqual(writtenRecords(all, 'subAccount'), [
    { account: 9, owner: `0x${'7'.repeat(40)}`, index: 4, openedSeconds: seconds },
  ])
})
