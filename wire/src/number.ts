// JSON numbers of exact values, for schemas that use numbers instead of decimal text.

/**
 * Bits of the quotient converted to a double; more than its 53, so that the remainder only decides
 * ties.
 */
const QUOTIENT_BITS = 64

/** Returns the double nearest to `raw / 10^decimals`. */
export const nearestNumber = (raw: bigint, decimals: number): number =>
  nearestRatio(raw, 10n ** BigInt(decimals))

/**
 * Returns the double nearest to `numerator / denominator`, ties to even, as if computed exactly and
 * rounded once (twice below 2^-1022). A value beyond the range of doubles becomes the greatest one,
 * since JSON has no infinity. `denominator` is positive.
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
  // The remainder only determines the side of a tie on which the value lies.
  const sticky = over % under === 0n ? 0n : 1n
  const nearest = timesPowerOfTwo(Number(quotient | sticky), -shift)
  return Number.isFinite(nearest) ? nearest : Number.MAX_VALUE
}

const countBits = (value: bigint) => value.toString(16).length * 4

/** In two steps, since the power may be out of range although the product is not. */
function timesPowerOfTwo(value: number, power: number): number {
  const half = Math.trunc(power / 2)
  return value * 2 ** half * 2 ** (power - half)
}
