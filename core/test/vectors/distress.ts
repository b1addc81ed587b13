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

/** Insurance, and what it may hold and lose in the market. */
export type Insurance = Readonly<{
  margin: Margin
  /** Its position in the market, and what that adds to its equity. */
  lots: bigint
  worth: bigint
  maxNotional: bigint
  /** Part of its fund, in 1/10,000. */
  lossBps: bigint
  /** What its trades in the market have taken from its collateral. */
  paid: bigint
}>

const BPS = 10_000n
/** What is less than such a part of a position is left to winners. */
const PARTS = 20n
/** A position may be worth so many times what the market may lose. */
const NOTIONAL_FACTOR = 10n

/** Returns what the market may still cost insurance. */
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

/** Returns by how much insurance may grow its position once `closed` lots of it are closed. */
function growthDown(distress: Distress, insurance: Insurance, closed: bigint): bigint {
  const { market, position, markPerLot } = distress
  if (leftToLose(insurance) <= 0n) return 0n
  const of = (lots: bigint) => maintenanceMarginUp(market, { ...position, lots }, markPerLot)
  const { equity, maintenance } = insurance.margin
  const byLoss = (equity * insurance.lossBps * NOTIONAL_FACTOR) / BPS
  const held = closed === 0n ? abs(insurance.lots) : 0n
  const most = max(min(byLoss, insurance.maxNotional) / markPerLot - held, 0n)
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
