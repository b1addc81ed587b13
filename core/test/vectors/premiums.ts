// Computes what a poke derives from the book, and what a rate costs, as the contract does. Nothing
// in the venue needs it, which takes the results from the events; it is held equal to the contract
// by the vectors, and the examples of docs/PROTOCOL.md are computed with it. Formulas: the head of
// `Perps.sol` and `PerpsAdmin.sol`, sections 3 and 6. Rates have 18 decimals.

import { clamp, FUNDING_INTERVAL_SECONDS } from '../../src/funding.ts'
import { E18 } from '../../src/integers.ts'

const PREMIUM_MAX = 10_000_000_000_000_000n
const BASIS_MAX = 5_000_000_000_000_000n
/** The move of the basis by one sample, at most: a tenth of its bound. */
const BASIS_STEP_MAX = 500_000_000_000_000n
/** The basis is stored in so many of 18 decimals. */
const BASIS_UNIT = 1_000_000_000n
/** A sample that stands for so many seconds moves the basis half of the way. */
const BASIS_MEAN_SECONDS = 150n
const WEIGHT_SECONDS_MAX = 120
const PER_SECOND_MAX = 2n ** 63n - 1n

/** Returns how far `price` is from `index`, as a rate, cut towards zero. */
export const relativeDistance = (price: bigint, index: bigint): bigint =>
  ((price - index) * E18) / index

/**
 * Returns the sample that the depth of a book and its average agree on: the one nearer to `basis`,
 * or `basis` where it lies between them.
 */
export function agreedSample(basis: bigint, first: bigint, second: bigint): bigint {
  const [low, high] = first < second ? [first, second] : [second, first]
  if (low > basis) return low
  return high < basis ? high : basis
}

/** Returns the premium that a sample counts as: within 1 %. */
export const clampPremium = (sample: bigint): bigint => clamp(sample, PREMIUM_MAX)

/** Returns the seconds that a sample stands for, so long after the one before. */
export const weightSeconds = (elapsedSeconds: number): number =>
  Math.min(elapsedSeconds, WEIGHT_SECONDS_MAX)

/**
 * Returns the basis after a sample that stands for `seconds`: within 0.5 % and a step of 0.05 %,
 * cut towards zero to a multiple of 10^9.
 */
export function basisAfter(basis: bigint, sample: bigint, seconds: number): bigint {
  const weight = BigInt(seconds)
  const step = ((clamp(sample, BASIS_MAX) - basis) * weight) / (weight + BASIS_MEAN_SECONDS)
  const moved = basis + clamp(step, BASIS_STEP_MAX)
  return moved - (moved % BASIS_UNIT)
}

/** Returns what a lot pays each second at `rate` per hour, quote raw, cut towards zero. */
export const perSecondCut = (rate: bigint, markPerLot: bigint): bigint =>
  clamp((rate * markPerLot) / (BigInt(FUNDING_INTERVAL_SECONDS) * E18), PER_SECOND_MAX)
