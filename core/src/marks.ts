// The mark price of a market at a moment: what the last poke decided holds from the second after
// it, whether or not a block says anything then. Formulas: the head of `Perps.sol`, section 2.

import { E18 } from './integers.ts'
import type { Price, Rate, Seconds } from './record-schema.ts'
import type { Mark } from './records.ts'

/**
 * Returns the mark of a perpetual, 18 decimals, cut towards zero beside its index. `basis` is a
 * rate with 18 decimals.
 */
export const applyBasis = (index: Price, basis: Rate): bigint => index + (index * basis) / E18

/** Returns a mark that no second changes. */
export const steadyMark = (
  mark: Pick<Mark, 'market' | 'price' | 'seconds'> & Partial<Pick<Mark, 'basis'>>,
): Mark => {
  const { market, price, seconds, basis = 0n } = mark
  return { market, price, basis, nextPrice: price, nextBasis: basis, nextFromSeconds: 0, seconds }
}

const isSteady = ({ price, basis, nextPrice, nextBasis }: Mark) =>
  price === nextPrice && basis === nextBasis

/**
 * Returns the mark in force at `seconds`, the time of a block that is not before `mark` was
 * written. Whoever reads a mark of the state at its head asks here.
 */
export function markAt(mark: Mark, seconds: Seconds): Mark {
  if (seconds < mark.nextFromSeconds || isSteady(mark)) return mark
  const { market, nextPrice, nextBasis, nextFromSeconds } = mark
  return steadyMark({ market, price: nextPrice, basis: nextBasis, seconds: nextFromSeconds })
}
