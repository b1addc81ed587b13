// Computes how the contract closes a position of an account below its maintenance margin: the lots,
// the limit and the fee. The venue does not need it; the vectors check it against the contract, and
// the examples in docs/PROTOCOL.md are computed with it. Formulas: the head of `Liquidation.sol`.
// Values are quote raw, 18 decimals.

import { invariant } from '../../src/assert.ts'
import type { Margin } from '../../src/distress.ts'
import { abs, ceilDiv, E18, max, min } from '../../src/integers.ts'
import { maintenanceDivisor, maintenanceMarginUp } from '../../src/margin.ts'
import type { Market, Position } from '../../src/records.ts'

/** A position is closed in slices while its value at the mark is above this. */
const FORCED_SLICE_NOTIONAL = 100_000n * E18
/** A slice is a fifth of the position. */
const SLICE_DIVISOR = 5n
/** A whole slice in the contract's units of closed parts. */
const SLICE_WHOLE = 2n ** 24n - 1n
/** A forced order trades within 2 % of the mark. */
const SLIPPAGE_DIVISOR = 50n
/** The fee of a forced close is at most 1 % of the value at the mark. */
const FEE_DIVISOR = 100n
/** Quote raw per lot: exceeds the rounding of the fees of all fills of an order. */
const ROUNDING = 100n
const FEE_UNIT = 1_000_000n
/** Sentinel tick of the contract above every order. */
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
 * Returns the lots that may be closed now: all of them, or the rest of the current slice. `closed`
 * is the closed part of the current slice in units of SLICE_WHOLE; a slice ends 30 s after its last
 * part. Far below the maintenance margin insurance takes the whole position.
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
 * Returns the fee for closing `filledLots` on the book, rounded down: 1 % of their value at the
 * mark, capped so that the ratio does not fall. `after` is the margin after fills and before the
 * fee.
 */
export function forcedFeeDown(distress: Distress, filledLots: bigint, after: Margin): bigint {
  const room = after.equity - equityKeptUp(distress.margin, after.maintenance)
  return min((filledLots * distress.markPerLot) / FEE_DIVISOR, max(room, 0n))
}

/** Returns the share of the fee for the calling keeper; insurance receives the rest. */
export const keeperReward = (fee: bigint, hasAccount: boolean): bigint =>
  hasAccount ? fee / 2n : 0n

/**
 * Returns the equity that leaves the account with `lots` (signed like the position): the collateral
 * that insurance takes over with them, or pays in when negative.
 */
export function equityGone({ market, position, markPerLot, margin }: Distress, lots: bigint) {
  const of = (heldLots: bigint) =>
    maintenanceMarginUp(market, { ...position, lots: heldLots }, markPerLot)
  const left = margin.maintenance - of(position.lots) + of(position.lots - lots)
  return margin.equity - equityKeptUp(margin, left)
}

/** Insurance, and the limits of its position and loss in the market. */
export type Insurance = Readonly<{
  margin: Margin
  /** Its position in the market, and the contribution of that to its equity. */
  lots: bigint
  worth: bigint
  maxNotional: bigint
  /** Part of its fund, in 1/10,000. */
  lossBps: bigint
  /** Loss of its trades in the market, taken from its collateral. */
  paid: bigint
}>

const BPS = 10_000n
/** A smaller fraction of a position than 1 / PARTS is left to winners. */
const PARTS = 20n
/** Maximum value of a position as a multiple of the allowed loss in the market. */
const NOTIONAL_FACTOR = 10n

/** Returns the remaining loss that insurance may take in the market. */
function leftToLose({ margin, worth, lossBps, paid }: Insurance): bigint {
  const cost = paid - worth
  return ((margin.equity + max(cost, 0n)) * lossBps) / BPS - cost
}

/** Returns the lots of the position that insurance may take over. */
export function insuranceRoomDown(distress: Distress, insurance: Insurance): bigint {
  const { position } = distress
  const lots = abs(position.lots)
  const gone = equityGone(distress, position.lots)
  const isOpposite = insurance.lots !== 0n && insurance.lots > 0n !== position.lots > 0n
  const closed = isOpposite ? abs(insurance.lots) : 0n
  const room = closed < lots ? closed + growthDown(distress, insurance, closed) : lots
  const left = max(min(leftToLose(insurance), insurance.margin.equity), 0n)
  const paid = gone < 0n ? (left * lots) / -gone : lots
  const most = min(min(room, lots), paid)
  return most * PARTS < lots ? 0n : most
}

/** Returns the lots by which insurance may grow its position after closing `closed` lots. */
function growthDown(distress: Distress, insurance: Insurance, closed: bigint): bigint {
  const { market, position, markPerLot } = distress
  if (leftToLose(insurance) <= 0n) return 0n
  const of = (lots: bigint) => maintenanceMarginUp(market, { ...position, lots }, markPerLot)
  const { equity, maintenance } = insurance.margin
  const byLoss = (equity * insurance.lossBps * NOTIONAL_FACTOR) / BPS
  const heldLots = closed === 0n ? abs(insurance.lots) : 0n
  const most = max(min(byLoss, insurance.maxNotional) / markPerLot - heldLots, 0n)
  const gone = equityGone(distress, position.lots)
  const needed = of(position.lots) - gone
  if (needed <= 0n) return most
  const lots = abs(position.lots)
  const spare = equity + (gone * closed) / lots - (maintenance - of(closed))
  return min(most, (max(spare, 0n) * lots) / needed)
}

/**
 * An account whose position closes against a loser's: its lots, its worth, and the margin of its
 * account.
 */
export type Winner = Readonly<{ lots: bigint; profit: bigint; margin: Margin }>

/**
 * Returns the quote raw per lot at which `lots` (signed like the loser's position) are deleveraged:
 * the price that keeps the loser's ratio, rounded in its favour, but no farther from the mark than
 * the profit per lot of the winner, and such that the winner keeps its maintenance margin. Can be <
 * 0.
 */
export function deleverageUnit(distress: Distress, lots: bigint, winner: Winner): bigint {
  const needed = ceilDiv(-equityGone(distress, lots), abs(lots))
  const away = min(needed, awayDown(distress, abs(lots), winner))
  return distress.markPerLot + (lots > 0n ? away : -away)
}

/** Returns the maximum distance from the mark for each of `count` lots of a winner. */
function awayDown({ market, markPerLot }: Distress, count: bigint, winner: Winner): bigint {
  const divisor = maintenanceDivisor(market)
  const heldLots = abs(winner.lots)
  const of = (lots: bigint) => ceilDiv(lots * markPerLot, divisor)
  const required = winner.margin.maintenance - of(heldLots) + of(heldLots - count)
  return min(winner.profit / heldLots, (winner.margin.equity - required) / count)
}
