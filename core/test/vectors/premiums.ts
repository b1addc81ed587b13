// Computes the results of a poke and the cost of a rate like the contract. The venue does not need
// it, since it takes the results from events; the vectors check it against the contract, and the
// examples in docs/PROTOCOL.md are computed with it. Formulas: the head of `Perps.sol` and
// `PerpsAdmin.sol`, sections 3 and 6. Rates have 18 decimals.

import { clamp, FUNDING_INTERVAL_SECONDS } from '../../src/funding.ts'
import { E18 } from '../../src/integers.ts'

const PREMIUM_MAX = 10_000_000_000_000_000n
const BASIS_MAX = 5_000_000_000_000_000n
/** Maximum move of the basis per sample: a tenth of its bound. */
const BASIS_STEP_MAX = 500_000_000_000_000n
/** Unit of the stored basis, in 18 decimals. */
const BASIS_UNIT = 1_000_000_000n
/** A sample with a weight of this many seconds moves the basis halfway to it. */
const BASIS_MEAN_SECONDS = 150n
const WEIGHT_SECONDS_MAX = 120
const PER_SECOND_MAX = 2n ** 63n - 1n

/** Returns the relative distance of `price` from `index`, truncated towards zero. */
export const relativeDistance = (price: bigint, index: bigint): bigint =>
  ((price - index) * E18) / index

/**
 * Returns the sample that the depth of a book and its average agree on: the one nearer to `basis`,
 * or `basis` if it lies between them.
 */
export function agreedSample(basis: bigint, first: bigint, second: bigint): bigint {
  const [low, high] = first < second ? [first, second] : [second, first]
  if (low > basis) return low
  return high < basis ? high : basis
}

/** Returns the premium of a sample, clamped to 1 %. */
export const clampPremium = (sample: bigint): bigint => clamp(sample, PREMIUM_MAX)

/** Returns the weight of a sample in seconds, given the time since the previous one. */
export const weightSeconds = (elapsedSeconds: number): number =>
  Math.min(elapsedSeconds, WEIGHT_SECONDS_MAX)

/**
 * Returns the basis after a sample with a weight of `seconds`: within 0.5 % and a step of 0.05 %,
 * truncated towards zero to a multiple of 10^9.
 */
export function basisAfter(basis: bigint, sample: bigint, seconds: number): bigint {
  const weight = BigInt(seconds)
  const step = ((clamp(sample, BASIS_MAX) - basis) * weight) / (weight + BASIS_MEAN_SECONDS)
  const moved = basis + clamp(step, BASIS_STEP_MAX)
  return moved - (moved % BASIS_UNIT)
}

/** Returns the funding of a lot per second at `rate` per hour, quote raw, cut towards zero. */
export const perSecondCut = (rate: bigint, markPerLot: bigint): bigint =>
  clamp((rate * markPerLot) / (BigInt(FUNDING_INTERVAL_SECONDS) * E18), PER_SECOND_MAX)
