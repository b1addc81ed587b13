// Decides whether an account of a perpetual engine may be closed by force, as the contract does:
// for keepers, who choose what to send. Formulas: the head of `Liquidation.sol`.
import type { AccountMargin } from './margin.ts'

export type Margin = Pick<AccountMargin, 'equity' | 'maintenance'>

/** Returns whether an account may be liquidated: its equity is below its maintenance margin. */
export const isLiquidatable = ({ equity, maintenance }: Margin): boolean => equity < maintenance

/**
 * Returns whether the book gets no more chance: equity is below two thirds of maintenance margin.
 */
export const isFarBelow = ({ equity, maintenance }: Margin): boolean =>
  equity * 3n < maintenance * 2n
