// Formats step counts as decimal text, for schemas that hold thousands of them: the zeros of the
// step are removed once, so that most texts are the digits of the count with a decimal point.
import type { Market } from '@openvenue/core/records'

/** A step count: a non-negative integer, or its digits. */
export type StepCount = number | bigint | string

/** Returns whether a count is zero. */
export const isZero = (count: StepCount): boolean => count === 0n || count === '0' || count === 0

/** Formats a step count. */
type Scale = (count: StepCount) => string

/** The units in which the numbers of a market are counted. */
type Scales = Readonly<{
  price: Scale
  amount: Scale
  quote: Scale
  /** Raw units of the quote asset; the only count that may be negative. */
  quoteRaw: Scale
}>

const scalesOf = new WeakMap<Market, Scales>()

/** Returns the scales of a market, whose steps never change. */
export function marketScales(market: Market): Scales {
  const cached = scalesOf.get(market)
  if (cached !== undefined) return cached
  const { priceStep, amountStep, quotePerLotTick, baseDecimals, quoteDecimals } = market
  const scales = {
    price: stepScale(priceStep, quoteDecimals),
    amount: stepScale(amountStep, baseDecimals),
    quote: stepScale(quotePerLotTick, quoteDecimals),
    quoteRaw: signedScale(quoteDecimals),
  }
  scalesOf.set(market, scales)
  return scales
}

/** Returns a formatter of `count * step / 10^decimals`, exactly like `formatRaw`. */
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

/** Returns a formatter of raw units with `decimals`, which may be negative. */
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
