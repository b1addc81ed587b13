// Computes the price that a perpetual trades at, from its index.

/** The premium swings between this and its negative, in millionths: enough to move funding. */
const PREMIUM_PPM_MAX = 2_500n
/** Time of one swing forth and back. */
const SWING_SECONDS = 5 * 3600
/** Markets swing apart from each other. */
const APART_SECONDS = 5_000
const PPM = 1_000_000n

/**
 * Returns the fair price of the perpetual number `number` when its index is `price`: above it and
 * below it by turns, so that funding is paid both ways.
 */
export function premiumPrice(price: bigint, number: number, seconds: number): bigint {
  const at = (seconds + number * APART_SECONDS) % SWING_SECONDS
  const quarter = SWING_SECONDS / 4
  // From 0 up to a quarter, down to minus a quarter, and up to 0 again.
  const swing = at < quarter ? at : at < 3 * quarter ? 2 * quarter - at : at - 4 * quarter
  const premiumPpm = (PREMIUM_PPM_MAX * BigInt(swing)) / BigInt(quarter)
  return price + (price * premiumPpm) / PPM
}
