// Computes the value and the margin of an account of a perpetual engine. Formulas: the head of
// `Perps.sol`, sections 2, 3 and 7. All values have 18 decimals.

import { heldPositions } from './account-positions.ts'
import { invariant } from './assert.ts'
import { fundingIndexAt } from './funding.ts'
import { abs, ceilDiv, E18, max, min } from './integers.ts'
import { markAt } from './marks.ts'
import type {
  AccountNumber,
  Address,
  Lots,
  PerLot,
  Price,
  Quote,
  Seconds,
} from './record-schema.ts'
import type { Market, Position } from './records.ts'
import type { VenueState } from './state.ts'

/** Returns the mark of a lot, quote raw, rounded down. */
export const markPerLotDown = (market: Market, mark: Price): PerLot =>
  (mark * market.amountStep) / E18

/** Returns the funding that `position` owes at `fundingIndex`: positive if it pays, exact. */
export const fundingDue = (position: Position, fundingIndex: PerLot): Quote =>
  position.lots === 0n ? 0n : position.lots * (fundingIndex - position.fundingIndex)

/** Returns the profit or loss of `position` at `markPerLot` before funding. */
export const unrealised = (position: Position, markPerLot: PerLot): Quote =>
  position.quote + position.lots * markPerLot

/** Returns the contribution of `position` to the equity of its account. */
export const positionEquity = (
  position: Position,
  markPerLot: PerLot,
  fundingIndex: PerLot,
): Quote => unrealised(position, markPerLot) - fundingDue(position, fundingIndex)

/**
 * Returns the lots that initial margin covers: the position as if all orders of the side that makes
 * it larger had filled.
 */
export const exposureLots = ({ lots, bidLots, askLots }: Position): Lots =>
  max(abs(lots + bidLots), abs(lots - askLots))

/** Returns the leverage in force: the account's own, at most the market's. */
export function effectiveLeverage(market: Market, position: Position): number {
  const maximum = market.maxLeverage
  invariant(maximum !== null, 'a perpetual has a maximum leverage', { id: market.id })
  return position.leverage === 0 ? maximum : Math.min(position.leverage, maximum)
}

/** Returns the initial margin of `position` and its orders, rounded up. */
export const initialMarginUp = (market: Market, position: Position, markPerLot: PerLot): Quote =>
  ceilDiv(exposureLots(position) * markPerLot, BigInt(effectiveLeverage(market, position)))

/** Returns the divisor of a position's value that yields its maintenance margin. */
export function maintenanceDivisor(market: Market): bigint {
  const maximum = market.maxLeverage
  invariant(maximum !== null, 'a perpetual has a maximum leverage', { id: market.id })
  return 2n * BigInt(maximum)
}

/** Returns the maintenance margin, below which `position` may be liquidated, rounded up. */
export function maintenanceMarginUp(market: Market, position: Position, markPerLot: PerLot): Quote {
  return ceilDiv(abs(position.lots) * markPerLot, maintenanceDivisor(market))
}

/** Value and margin of an account at one engine. */
export type AccountMargin = Readonly<{
  collateral: Quote
  equity: Quote
  unrealised: Quote
  fundingDue: Quote
  initial: Quote
  maintenance: Quote
  /** Total value of the positions at their marks. */
  notional: Quote
}>

/** Returns the margin available for new orders: the equity above the initial margin. */
export const availableMargin = ({ equity, initial }: AccountMargin): Quote =>
  max(equity - initial, 0n)

/**
 * Returns the collateral that can be withdrawn while every index is fresh: the remaining equity
 * must cover the initial margin and a tenth of the notional, rounded up, and unrealised profit
 * cannot be withdrawn.
 */
export function withdrawableCollateral(margin: AccountMargin): Quote {
  const { collateral, equity, initial, notional } = margin
  const spare = max(equity - max(initial, ceilDiv(notional, 10n)), 0n)
  return min(spare, max(collateral, 0n))
}

/** Returns whether the position holds nothing but a leverage chosen by the account. */
const isIdle = ({ lots, bidLots, askLots }: Position) =>
  lots === 0n && bidLots === 0n && askLots === 0n

/** The account whose margin is computed, and the time of the block. */
export type MarginAt = Readonly<{ engine: Address; account: AccountNumber; seconds: Seconds }>

/**
 * Returns the margin of `account` at `engine` at `seconds`; undefined while the mark of any market
 * in which it has a position or orders is unknown. `priceOf` returns the price at which a position
 * is valued, given the mark of its market.
 */
export function accountMargin(
  state: VenueState,
  at: MarginAt,
  priceOf: (market: Market, position: Position, mark: Price) => Price = (
    _market,
    _position,
    mark,
  ) => mark,
): AccountMargin | undefined {
  const { engine, account, seconds } = at
  const collateral = state.records.collateral.get(`${engine}|${account}`)?.amount ?? 0n
  let [profit, due, initial, maintenance, notional] = [0n, 0n, 0n, 0n, 0n]
  for (const position of heldPositions(state, account)) {
    const market = state.records.market.get(position.market)
    if (market === undefined || market.engine !== engine || isIdle(position)) continue
    const mark = state.records.mark.get(market.id)
    const funding = state.records.funding.get(market.id)
    if (mark === undefined || funding === undefined) return undefined
    const price = priceOf(market, position, markAt(mark, seconds).price)
    const markPerLot = markPerLotDown(market, price)
    profit += unrealised(position, markPerLot)
    due += fundingDue(position, fundingIndexAt(funding, seconds))
    initial += initialMarginUp(market, position, markPerLot)
    maintenance += maintenanceMarginUp(market, position, markPerLot)
    notional += abs(position.lots) * markPerLot
  }
  return {
    collateral,
    equity: collateral + profit - due,
    unrealised: profit,
    fundingDue: due,
    initial,
    maintenance,
    notional,
  }
}
