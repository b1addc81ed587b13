// Computes what the contract does to a position of an account below its maintenance margin: which
// lots it closes, at which limit, for which fee. Nothing in the venue needs it; it is held equal to
// the contract by the vectors, and the examples of docs/PROTOCOL.md are computed with it. Formulas:
// the head of `Liquidation.sol`. Values are quote raw, 18 decimals.

import { invariant } from '../../src/assert.ts'
import type { Margin } from '../../src/distress.ts'
import { abs, ceilDiv, E18, max, min } from '../../src/integers.ts'
import { maintenanceDivisor, maintenanceMarginUp } from '../../src/margin.ts'
import type { Market, Position } from '../../src/records.ts'

/** A position is closed in slices while its value at the mark is above this. */
const FORCED_SLICE_NOTIONAL = 100_000n * E18
/** A slice is a fifth of the position. */
const SLICE_DIVISOR = 5n
/** A whole slice, as the contract counts its closed parts. */
const SLICE_WHOLE = 2n ** 24n - 1n
/** A forced order trades within 2 % of the mark. */
const SLIPPAGE_DIVISOR = 50n
/** The fee of a forced close is at most 1 % of the value at the mark. */
const FEE_DIVISOR = 100n
/** Quote raw per lot: more than the fees of all fills of an order round up. */
const ROUNDING = 100n
const FEE_UNIT = 1_000_000n
/** Ticks of the contract that no order has. */
const TICK_NONE_ABOVE = 2n ** 24n - 1n

/** A position without resting orders, the mark of its lot, and the margin of its whole account. */
export type Distress = Readonly<{
  market: Market
  position: Position
  markPerLot: bigint
  margin: Margin
}>

/**
 * Returns the equity at which `left` of the maintenance margin has the ratio of `margin`, rounded
 * up.
 */
export function equityKeptUp({ equity, maintenance }: Margin, left: bigint): bigint {
  invariant(maintenance > 0n, 'who is in distress has a maintenance margin', { equity })
  return ceilDiv(equity * left, maintenance)
}

/** Returns whether a position is closed in slices, with a pause after each. */
const isClosedInSlices = ({ position, markPerLot }: Distress): boolean =>
  abs(position.lots) * markPerLot > FORCED_SLICE_NOTIONAL

/**
 * Returns the lots that may be closed now: all, or what a slice still lets go. `closed` is how much
 * of the running slice is closed, in parts of SLICE_WHOLE; a slice is over 30 s after its last
 * part. Far below the maintenance margin insurance takes all at once.
 */
export function forcedLotsUp(distress: Distress, closed = 0n): bigint {
  const lots = abs(distress.position.lots)
  if (!isClosedInSlices(distress)) return lots
  const slice = ceilDiv(lots, SLICE_DIVISOR)
  return ceilDiv(slice * (SLICE_WHOLE - closed), SLICE_WHOLE)
}

/**
 * Returns the worst tick at which a forced order trades: within 2 % of the mark, and such that the
 * ratio of equity to maintenance margin does not fall, taker fee included.
 */
export function forcedLimitTick(distress: Distress): number {
  const { market, position, markPerLot, margin } = distress
  const fee = BigInt(market.takerFee ?? 0)
  const part = maintenanceMarginUp(market, position, markPerLot)
  const stands = (margin.equity * part) / margin.maintenance / abs(position.lots)
  const room = max(stands - ROUNDING, 0n)
  if (position.lots < 0n) {
    const highest = ((markPerLot + room) * FEE_UNIT) / (FEE_UNIT + fee)
    const within = markPerLot + markPerLot / SLIPPAGE_DIVISOR
    const tick = min(highest, within) / market.quotePerLotTick
    return Number(min(tick, TICK_NONE_ABOVE - 1n))
  }
  const lowest = ceilDiv(max(markPerLot - room, 0n) * FEE_UNIT, FEE_UNIT - fee)
  const within = markPerLot - markPerLot / SLIPPAGE_DIVISOR
  return Number(min(ceilDiv(max(lowest, within), market.quotePerLotTick), TICK_NONE_ABOVE))
}

/**
 * Returns the fee for closing `filledLots` on the book, cut down: 1 % of their value at the mark,
 * but no more than keeps the ratio. `after` is the margin after the fills and before the fee.
 */
export function forcedFeeDown(distress: Distress, filledLots: bigint, after: Margin): bigint {
  const room = after.equity - equityKeptUp(distress.margin, after.maintenance)
  return min((filledLots * distress.markPerLot) / FEE_DIVISOR, max(room, 0n))
}

/** Returns the part of the fee that the account which called gets; insurance gets the rest. */
export const keeperReward = (fee: bigint, hasAccount: boolean): bigint =>
  hasAccount ? fee / 2n : 0n

/**
 * Returns the equity that leaves the account with `lots` (signed as the position): the
 * collateral that insurance takes over with them, or pays in when it is below zero.
 */
export function equityGone({ market, position, markPerLot, margin }: Distress, lots: bigint) {
  const of = (held: bigint) => maintenanceMarginUp(market, { ...position, lots: held }, markPerLot)
  const left = margin.maintenance - of(position.lots) + of(position.lots - lots)
  return margin.equity - equityKeptUp(margin, left)
}

/**
 * An account whose position closes against a loser's: its lots, its worth, and the margin of its
 * account.
 */
export type Winner = Readonly<{ lots: bigint; profit: bigint; margin: Margin }>

/**
 * Returns the quote raw per lot at which `lots` (signed as the loser's position) are deleveraged:
 * what leaves the loser's ratio where it is, rounded for it; but no farther from the mark than what
 * each of the winner's lots has won, nor than leaves it its maintenance margin. May be below zero.
 */
export function deleverageUnit(distress: Distress, lots: bigint, winner: Winner): bigint {
  const wanted = ceilDiv(-equityGone(distress, lots), abs(lots))
  const away = min(wanted, awayDown(distress, abs(lots), winner))
  return distress.markPerLot + (lots > 0n ? away : -away)
}

/** Returns how far from the mark each of `count` lots of a winner may go. */
function awayDown({ market, markPerLot }: Distress, count: bigint, winner: Winner): bigint {
  const divisor = maintenanceDivisor(market)
  const held = abs(winner.lots)
  const of = (lots: bigint) => ceilDiv(lots * markPerLot, divisor)
  const kept = winner.margin.maintenance - of(held) + of(held - count)
  return min(winner.profit / held, (winner.margin.equity - kept) / count)
}
