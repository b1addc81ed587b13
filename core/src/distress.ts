// Decides whether an account of a perpetual engine may be closed by force, with the same rules as
// the contract. Keepers use it to choose their transactions. Formulas: the head of
// `Liquidation.sol`.
import { max, min } from './integers.ts'
import { type AccountMargin, accountMargin, type MarginAt } from './margin.ts'
import type { Price } from './record-schema.ts'
import type { Market, Position } from './records.ts'
import type { VenueState } from './state.ts'

export type Margin = Pick<AccountMargin, 'equity' | 'maintenance'>

/** Returns whether an account may be liquidated: its equity is below its maintenance margin. */
export const isLiquidatable = ({ equity, maintenance }: Margin): boolean => equity < maintenance

/** Returns whether liquidation skips the book: equity is below two thirds of maintenance margin. */
export const isFarBelow = ({ equity, maintenance }: Margin): boolean =>
  equity * 3n < maintenance * 2n

/**
 * Returns the margin that decides whether an account is closed by force: each position is valued at
 * mark or index, whichever is better for its owner, except in a market that has ended. The contract
 * also checks the prices before the current second. Undefined while a mark is unknown.
 */
export function forcedMargin(state: VenueState, at: MarginAt): AccountMargin | undefined {
  const bestOf = (market: Market, { lots }: Position, mark: Price): Price => {
    const index = state.records.indexPrice.get(market.asset)?.price
    if (index === undefined || market.isEnded) return mark
    return lots > 0n ? max(mark, index) : min(mark, index)
  }
  return accountMargin(state, at, bestOf)
}
