// Positions of perpetual markets. Formulas: the head of `Perps.sol`, sections 4, 5 and 8.

import { invariant } from './assert.ts'
import { moveCollateral } from './balances.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import { fundingIndexAt } from './funding.ts'
import { abs, max } from './integers.ts'
import type { AccountNumber, Lots, MarketId, PerLot, Quote } from './record-schema.ts'
import type { Market, Order, Position } from './records.ts'
import { emptyTicker } from './trades.ts'

/** Account that takes over positions closed by force. */
export const INSURANCE_ACCOUNT = 1
/** Account that receives fees. */
export const FEE_ACCOUNT = 2

/** Returns an empty position. */
export const emptyPosition = (market: MarketId, account: AccountNumber): Position => ({
  market,
  account,
  lots: 0n,
  quote: 0n,
  fundingIndex: 0n,
  bidLots: 0n,
  askLots: 0n,
  leverage: 0,
})

/** One side of a match: `lots` are signed, positive when bought. */
export type PositionFill = Readonly<{
  lots: Lots
  unit: PerLot
  /** Current funding index F. */
  fundingIndex: PerLot
}>

/**
 * Effect of a fill: the position before and after it, the change of collateral, the lots that
 * closed the position (at least 0), and the funding index F at the time.
 */
export type FilledPosition = Readonly<{
  before: Position
  after: Position
  payment: Quote
  realised: Quote
  closedLots: Lots
  fundingIndex: PerLot
}>

/**
 * Returns `before` after a fill. The closing part moves its share of the quote, truncated towards
 * zero, to `realised`; `payment` is the funding due since the last fill, positive when the account
 * pays. Resting lots are unchanged. Source: `Perps.sol`, section 4.
 */
export function filledPosition(before: Position, fill: PositionFill): FilledPosition {
  const { lots: heldLots, quote } = before
  const { lots, unit, fundingIndex } = fill
  const payment = heldLots === 0n ? 0n : heldLots * (fundingIndex - before.fundingIndex)
  let closed = 0n
  let closedQuote = 0n
  if ((heldLots > 0n && lots < 0n) || (heldLots < 0n && lots > 0n)) {
    closed = abs(heldLots) < abs(lots) ? -heldLots : lots
    closedQuote = (quote * abs(closed)) / abs(heldLots)
  }
  const total = heldLots + lots
  const after = {
    market: before.market,
    account: before.account,
    lots: total,
    quote: quote - closedQuote - (lots - closed) * unit,
    fundingIndex: total === 0n ? 0n : fundingIndex,
    bidLots: before.bidLots,
    askLots: before.askLots,
    leverage: before.leverage,
  }
  return {
    before,
    after,
    payment,
    realised: closedQuote - closed * unit,
    closedLots: abs(closed),
    fundingIndex,
  }
}

/** Returns `position`, or undefined when it is empty. */
const unlessEmpty = (position: Position): Position | undefined =>
  position.lots === 0n &&
  position.quote === 0n &&
  position.bidLots === 0n &&
  position.askLots === 0n &&
  position.leverage === 0
    ? undefined
    : position

/**
 * Updates the positions, the collateral and the fees of both sides of a match, and returns the
 * effect on maker and taker.
 */
export function settlePerp(
  draft: Draft,
  market: Market,
  event: EventOf<'Filled'>,
  isTakerBuy: boolean,
): readonly [FilledPosition, FilledPosition] {
  const { maker, taker, makerFee, takerFee } = event
  const unit = BigInt(event.tick) * market.quotePerLotTick
  const fundingIndex = fundingIndexNow(draft, market)
  const lots = isTakerBuy ? event.lots : -event.lots
  const booked = { unit, fundingIndex, restingLots: event.lots }
  const made = fillSide(draft, market, maker, { ...booked, lots: -lots, fee: makerFee })
  const took = fillSide(draft, market, taker, { ...booked, lots, fee: takerFee })
  moveCollateral(draft, market.engine, FEE_ACCOUNT, makerFee + takerFee)
  addInterest(draft, market, longGrowth(made) + longGrowth(took))
  return [made, took]
}

/** Lots (signed like the position) transferred off the book at `unit` of quote raw each. */
type LotTransfer = Readonly<{
  from: AccountNumber
  to: AccountNumber
  lots: Lots
  unit: PerLot
}>

/**
 * Transfers lots of a position to another account and returns the effect on both. There are no fees
 * and no orders. Source: `Liquidation.sol`.
 */
export function transferLots(
  draft: Draft,
  market: Market,
  { from, to, lots, unit }: LotTransfer,
): readonly [FilledPosition, FilledPosition] {
  const off = { unit, fundingIndex: fundingIndexNow(draft, market), restingLots: 0n, fee: 0n }
  const gave = fillSide(draft, market, from, { ...off, lots: -lots })
  const got = fillSide(draft, market, to, { ...off, lots })
  addInterest(draft, market, longGrowth(gave) + longGrowth(got))
  return [gave, got]
}

function fundingIndexNow(draft: Draft, market: Market): PerLot {
  const funding = draft.find('funding', market.id)
  if (funding === undefined) invariant(false, 'a listed perpetual has funding', { id: market.id })
  return fundingIndexAt(funding, draft.header.seconds)
}

function addInterest(draft: Draft, market: Market, opened: bigint): void {
  if (opened === 0n) return
  const slot = draft.slot('ticker', market.id)
  const ticker = slot.after ?? emptyTicker(market.id)
  slot.after = { ...ticker, openInterest: ticker.openInterest + opened }
}

function fillSide(
  draft: Draft,
  market: Market,
  account: AccountNumber,
  fill: PositionFill & Readonly<{ fee: Quote; restingLots: Lots }>,
): FilledPosition {
  const slot = draft.slot('position', `${market.id}|${account}`)
  const before = slot.after ?? emptyPosition(market.id, account)
  const filled = filledPosition(before, fill)
  const { after, payment, realised } = filled
  moveCollateral(draft, market.engine, account, realised - payment - fill.fee)
  slot.after = unlessEmpty(restingMoved(after, fill.lots > 0n, -fill.restingLots))
  return filled
}

const longLots = (lots: Lots) => max(lots, 0n)

const longGrowth = ({ before, after }: FilledPosition) =>
  longLots(after.lots) - longLots(before.lots)

/** Adds `lots` (may be negative) to the resting lots on the side of `order`. */
export function moveResting(
  draft: Draft,
  order: Pick<Order, 'market' | 'account' | 'isBuy'>,
  lots: Lots,
): void {
  const slot = draft.slot('position', `${order.market}|${order.account}`)
  const before = slot.after ?? emptyPosition(order.market, order.account)
  slot.after = unlessEmpty(restingMoved(before, order.isBuy, lots))
}

function restingMoved(before: Position, isBuy: boolean, lots: Lots): Position {
  const after = isBuy
    ? { ...before, bidLots: before.bidLots + lots }
    : { ...before, askLots: before.askLots + lots }
  if (after.bidLots < 0n || after.askLots < 0n)
    invariant(false, 'resting lots are never negative', after)
  return after
}

/** Sets an account's own leverage for a market; 0 is the market's maximum. */
export function setLeverage(draft: Draft, event: EventOf<'LeverageSet'>): void {
  const { market, account, leverage } = event
  const slot = draft.slot('position', `${market}|${account}`)
  slot.after = unlessEmpty({ ...(slot.after ?? emptyPosition(market, account)), leverage })
}
