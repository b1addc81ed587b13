// The mark price of a market at a given time. The mark set by a poke takes effect in the next
// second, whether or not that second has a block. Formulas: the head of `Perps.sol`, section 2.

import { E18 } from './integers.ts'
import type { Price, Rate, Seconds } from './record-schema.ts'
import type { Mark } from './records.ts'

/**
 * Returns the mark of a perpetual, 18 decimals; the basis is truncated towards zero. `basis` is a
 * rate with 18 decimals.
 */
export const applyBasis = (index: Price, basis: Rate): bigint => index + (index * basis) / E18

/** Returns a mark without a pending change. */
export const steadyMark = (
  mark: Pick<Mark, 'market' | 'price' | 'seconds'> & Partial<Pick<Mark, 'basis'>>,
): Mark => {
  const { market, price, seconds, basis = 0n } = mark
  return { market, price, basis, nextPrice: price, nextBasis: basis, nextFromSeconds: 0, seconds }
}

const isSteady = ({ price, basis, nextPrice, nextBasis }: Mark) =>
  price === nextPrice && basis === nextBasis

/**
 * Returns the mark in force at `seconds`, a block time not before `mark` was written. Every reader
 * of a mark at the head of the state must use it.
 */
export function markAt(mark: Mark, seconds: Seconds): Mark {
  if (seconds < mark.nextFromSeconds || isSteady(mark)) return mark
  const { market, nextPrice, nextBasis, nextFromSeconds } = mark
  return steadyMark({ market, price: nextPrice, basis: nextBasis, seconds: nextFromSeconds })
}
