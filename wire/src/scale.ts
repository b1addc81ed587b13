// Counts of steps as decimal text, for shapes that hold thousands of them: the zeros of the step
// are taken off once, so that most texts are the count's own digits with a point among them.
import type { Market } from '@openvenue/core/records'

/** A count of steps: an integer that is not negative, or its digits. */
export type Count = number | bigint | string

/** True for no steps. */
export const isZero = (count: Count): boolean => count === 0n || count === '0' || count === 0

/** Returns the text of a count of steps. */
export type Scale = (count: Count) => string

/** The units that the numbers of a market are counted in. */
export type Scales = Readonly<{
  price: Scale
  amount: Scale
  quote: Scale
  /** Of raw units of the quote asset; of these alone the count may be below zero. */
  quoteRaw: Scale
}>

const known = new WeakMap<Market, Scales>()

/** Returns the scales of a market, whose steps never change. */
export function marketScales(market: Market): Scales {
  const found = known.get(market)
  if (found !== undefined) return found
  const { priceStep, amountStep, quotePerLotTick, baseDecimals, quoteDecimals } = market
  const scales = {
    price: stepScale(priceStep, quoteDecimals),
    amount: stepScale(amountStep, baseDecimals),
    quote: stepScale(quotePerLotTick, quoteDecimals),
    quoteRaw: signedScale(quoteDecimals),
  }
  known.set(market, scales)
  return scales
}

/** Returns how to write `count * step / 10^decimals`, exactly as `formatRaw` would. */
export function stepScale(step: bigint, decimals: number): Scale {
  let factor = step
  let places = decimals
  while (places > 0 && factor % 10n === 0n) {
    factor /= 10n
    places -= 1
  }
  if (factor === 1n) return (count) => pointed(count.toString(), places)
  return (count) => pointed((BigInt(count) * factor).toString(), places)
}

/** Returns how to write raw units of so many decimals, which may be below zero. */
export function signedScale(decimals: number): Scale {
  const scale = stepScale(1n, decimals)
  return (count) => {
    const digits = count.toString()
    return digits.charCodeAt(0) === MINUS ? `-${scale(digits.slice(1))}` : scale(digits)
  }
}

const MINUS = 45

/** Returns `digits` with a point before the last `places` of them, without trailing zeros. */
function pointed(digits: string, places: number): string {
  if (places === 0 || digits === '0') return digits
  const padded = digits.length > places ? digits : digits.padStart(places + 1, '0')
  const split = padded.length - places
  let end = padded.length
  while (end > split && padded.charCodeAt(end - 1) === 48) end--
  return end === split
    ? padded.slice(0, split)
    : `${padded.slice(0, split)}.${padded.slice(split, end)}`
}
