// JSON numbers of exact values, for the shapes that have numbers where others have decimal text.

/**
 * Bits of a quotient that a double is made of; more than its 53, so that the rest only decides
 * ties.
 */
const QUOTIENT_BITS = 64

/** Returns the double nearest to `raw / 10^decimals`. */
export const nearestNumber = (raw: bigint, decimals: number): number =>
  nearestRatio(raw, 10n ** BigInt(decimals))

/**
 * Returns the double nearest to `numerator / denominator`, ties to even, as if it were computed
 * exactly and rounded once (but below 2^-1022, where twice). What no double reaches is the greatest
 * one, since JSON has no infinity. `denominator` is above zero.
 */
export function nearestRatio(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n) return -nearestRatio(-numerator, denominator)
  if (numerator === 0n) return 0
  const shift = countBits(denominator) - countBits(numerator) + QUOTIENT_BITS
  const [over, under] =
    shift >= 0
      ? [numerator << BigInt(shift), denominator]
      : [numerator, denominator << BigInt(-shift)]
  const quotient = over / under
  // Whatever is left over only says on which side of a tie the value lies.
  const sticky = over % under === 0n ? 0n : 1n
  const nearest = timesPowerOfTwo(Number(quotient | sticky), -shift)
  return Number.isFinite(nearest) ? nearest : Number.MAX_VALUE
}

const countBits = (value: bigint) => value.toString(16).length * 4

/** In two steps, since the power may be out of reach where the product is not. */
function timesPowerOfTwo(value: number, power: number): number {
  const half = Math.trunc(power / 2)
  return value * 2 ** half * 2 ** (power - half)
}
