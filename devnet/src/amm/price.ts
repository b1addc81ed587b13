// Computes prices of pools: the square root of token1 raw per token0 raw, times 2^96, as in v3
// pools, for both kinds of pools.

const X96 = 96n
const X192 = 192n

/** Returns the root of `value`, rounded down. */
export function sqrt(value: bigint): bigint {
  if (value < 0n) throw new RangeError(`root of a negative number: ${value}`)
  if (value < 2n) return value
  // Newton's method from above: each step is closer until none is.
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

/** Returns the tick at or next to a sqrt price; a float is precise enough to choose a range. */
export const tickNear = (sqrtPriceX96: bigint): number =>
  Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** Number(X96))) / Math.log(1.0001))

const PPM = 1_000_000n

/**
 * Returns the distance of `price` from `target`, in its millionths. Both are sqrt prices, whose
 * distance is half of that of the prices.
 */
export const distancePpm = (price: bigint, target: bigint): bigint => {
  const apart = price > target ? price - target : target - price
  return (2n * apart * PPM) / target
}

/**
 * Returns the input that moves a v2 pool from one sqrt price to another, including the fee: token0
 * when the price falls, otherwise token1.
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
