// Computes the trading price of a perpetual from its index.

/** Amplitude of the premium, in millionths: enough to move funding. */
const PREMIUM_PPM_MAX = 2_500n
/** Period of the premium. */
const SWING_SECONDS = 5 * 3600
/** Phase shift between markets. */
const APART_SECONDS = 5_000
const PPM = 1_000_000n

/**
 * Returns the fair price of perpetual `number` at the index `price`: alternately above and below
 * it, so that funding is paid both ways.
 */
export function premiumPrice(price: bigint, number: number, seconds: number): bigint {
  const at = (seconds + number * APART_SECONDS) % SWING_SECONDS
  const quarter = SWING_SECONDS / 4
  // From 0 up to a quarter, down to minus a quarter, and up to 0 again.
  const swing = at < quarter ? at : at < 3 * quarter ? 2 * quarter - at : at - 4 * quarter
  const premiumPpm = (PREMIUM_PPM_MAX * BigInt(swing)) / BigInt(quarter)
  return price + (price * premiumPpm) / PPM
}
