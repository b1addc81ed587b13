// Computes prices of pools: the square root of token1 raw per token0 raw, times 2^96, as v3 pools
// keep it. Pools of both kinds are compared in it.

const X96 = 96n
const X192 = 192n

/** Returns the root of `value`, rounded down. */
export function sqrt(value: bigint): bigint {
  if (value < 0n) throw new RangeError(`a root is of a number from zero on (${value})`)
  if (value < 2n) return value
  // Newton's method from above: each step is nearer until none is.
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Returns the sqrt price at which `amount0` raw of token0 is worth `amount1` raw of token1. */
export const encodeSqrtPriceX96 = (amount0: bigint, amount1: bigint): bigint =>
  sqrt((amount1 << X192) / amount0)

/** Returns the tick at or next to a sqrt price: a float is near enough to choose a range by. */
export const tickNear = (sqrtPriceX96: bigint): number =>
  Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** Number(X96))) / Math.log(1.0001))

const PPM = 1_000_000n

/**
 * Returns how far `price` is from `target`, in millionths of it. Both are sqrt prices; their
 * distance is half of the one between prices.
 */
export const distancePpm = (price: bigint, target: bigint): bigint => {
  const apart = price > target ? price - target : target - price
  return (2n * apart * PPM) / target
}

/**
 * Returns how much must come in for a v2 pool to go from one sqrt price to another, fee included:
 * of token0 when the price falls, else of token1.
 */
export function amountToPrice(
  { reserve0, reserve1 }: Readonly<{ reserve0: bigint; reserve1: bigint }>,
  target: bigint,
  feePpm: number,
): bigint {
  const price = encodeSqrtPriceX96(reserve0, reserve1)
  const net =
    price > target ? (reserve0 * (price - target)) / target : (reserve1 * (target - price)) / price
  return (net * PPM) / (PPM - BigInt(feePpm))
}
