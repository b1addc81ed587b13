// Computes one step of the seeded random walk of an index price.
import type { AssetTerms } from './markets.ts'
import type { Random } from './random.ts'

/** Time constant of the return to the first price, so that prices stay plausible for a week. */
const RETURN_SECONDS = 86_400n
/** The mean of twelve uniform draws from 0 to 999, whose spread is 1000. */
const DRAWS = 12
const DRAWS_MEAN = 6 * 999
const PPB = 1_000_000_000n
/** Prices have six decimals; the oracle's have 18. */
const PRICE_UNIT = 10n ** 12n
/** Factor beyond which a price turns back: ticks and limits of the markets are made for less. */
const FACTOR_MAX = 2n

/** Returns the price `seconds` later, 18 decimals, a multiple of 10^-6, never zero. */
export function stepPrice(
  price: bigint,
  { startPrice, spreadPpm }: AssetTerms,
  seconds: number,
  random: Random,
): bigint {
  let draw = -DRAWS_MEAN
  for (let drawn = 0; drawn < DRAWS; drawn++) draw += random.whole(1000)
  const movePpb = BigInt(Math.round(draw * spreadPpm * Math.sqrt(seconds)))
  const pull = ((startPrice - price) * BigInt(seconds)) / RETURN_SECONDS
  const moved = price + (price * movePpb) / PPB + pull
  return roundedDown(within(moved, startPrice / FACTOR_MAX, startPrice * FACTOR_MAX))
}

const within = (price: bigint, lowest: bigint, highest: bigint) =>
  price < lowest ? lowest : price > highest ? highest : price

const roundedDown = (price: bigint) => (price / PRICE_UNIT) * PRICE_UNIT
