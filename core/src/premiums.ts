// What a poke derives from the middle of the book, and what a rate costs: as the contract does, for
// those who foresee or check it. The venue itself takes the results from the events. Formulas: the
// head of `Perps.sol`, sections 3 and 6. Values have 18 decimals.
import { clamp, FUNDING_INTERVAL_SECONDS } from './funding.ts'

const E18 = 10n ** 18n
const PREMIUM_MAX = 10_000_000_000_000_000n
const BASIS_DIVISOR = 200n
/** The basis moves by the mean of so many seconds. */
const BASIS_MEAN_SECONDS = 150n
const PER_SECOND_MAX = 2n ** 63n - 1n

/** Returns how far `mid` is from `index`, as a rate, cut towards zero and kept within 1 %. */
export const premiumOf = (mid: bigint, index: bigint): bigint =>
  clamp(((mid - index) * E18) / index, PREMIUM_MAX)

/** A poke: `away` is mid - index, 0 without a mid, `seconds` the time since the poke before. */
export type BasisSample = Readonly<{ away: bigint; seconds: number; index: bigint }>

/** Returns the basis after a sample, kept within 0.5 % of the index; the step is cut towards zero. */
export function basisAfter(basis: bigint, { away, seconds, index }: BasisSample): bigint {
  const step = ((away - basis) * BigInt(seconds)) / (BigInt(seconds) + BASIS_MEAN_SECONDS)
  return clamp(basis + step, index / BASIS_DIVISOR)
}

/** Returns what a lot pays each second at `rate` per hour, quote raw, cut towards zero. */
export const perSecondCut = (rate: bigint, markPerLot: bigint): bigint =>
  clamp((rate * markPerLot) / (BigInt(FUNDING_INTERVAL_SECONDS) * E18), PER_SECOND_MAX)
