// Converts between raw integers and decimal text. No floats are involved.
import type { Base, Lots, Price, Quote, Rate, Tick, TickLots } from './record-schema.ts'
import type { Market } from './records.ts'

/** Maximum decimals of a token; a bound for parsers. Source: ERC-20, `uint8 decimals`. */
export const DECIMALS_MAX = 255

const WHOLES = Array.from({ length: DECIMALS_MAX + 1 }, (_, decimals) => 10n ** BigInt(decimals))

/** Returns the raw units of one whole: 10^decimals. Decimals are 0 to DECIMALS_MAX. */
export const wholeRaw = (decimals: number): bigint => WHOLES[decimals] as bigint

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Returns `raw / 10^decimals` as plain decimal text: no exponent, no trailing zeros, no `-0`.
 */
export function formatRaw(raw: bigint, decimals: number): string {
  if (decimals === 0) return raw.toString()
  const isNegative = raw < 0n
  const digits = (isNegative ? -raw : raw).toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  let end = digits.length
  while (end > split && digits.charCodeAt(end - 1) === 48) end--
  const whole = digits.slice(0, split)
  const text = end === split ? whole : `${whole}.${digits.slice(split, end)}`
  return isNegative ? `-${text}` : text
}

/**
 * Returns the raw integer of plain decimal `text`; undefined if it is invalid or has non-zero
 * digits beyond `decimals`.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = ''] = match
  const digits = fraction.slice(0, decimals).padEnd(decimals, '0')
  if (!/^0*$/.test(fraction.slice(decimals))) return undefined
  const raw = BigInt(whole + digits)
  return sign === '-' ? -raw : raw
}

/** Returns the price of `tick` in quote raw per whole base, exact. */
export const priceRaw = (market: Market, tick: Tick): Price => BigInt(tick) * market.priceStep

/** Returns `lots` in base raw, exact. */
export const amountRaw = (market: Market, lots: Lots): Base => lots * market.amountStep

/** Returns `units`, a sum of tick * lots, in quote raw, exact. */
export const quoteRaw = (market: Market, units: TickLots): Quote => units * market.quotePerLotTick

/** Returns the price of `tick` as decimal text. */
export const priceText = (market: Market, tick: Tick): string =>
  formatRaw(priceRaw(market, tick), market.quoteDecimals)

/** Returns `lots` as decimal text of base. */
export const amountText = (market: Market, lots: Lots): string =>
  formatRaw(amountRaw(market, lots), market.baseDecimals)

/** Returns `units`, a sum of tick * lots, as decimal text of quote. */
export const quoteText = (market: Market, units: TickLots): string =>
  formatRaw(quoteRaw(market, units), market.quoteDecimals)

/** Returns the average price of `lots` for `units`, quote raw, rounded down; 0 for no lots. */
export const averagePriceDown = (market: Market, units: TickLots, lots: Lots): Price =>
  lots === 0n ? 0n : (units * market.priceStep) / lots

/**
 * Returns the price of `lots` (positive) traded for `quote` raw, which may be negative, in quote
 * raw per whole base, rounded down. 0 for no lots.
 */
export function pricePaidDown(market: Market, quote: Quote, lots: Lots): Price {
  if (lots === 0n) return 0n
  const dividend = quote * wholeRaw(market.baseDecimals)
  const divisor = lots * market.amountStep
  const cut = dividend / divisor
  return dividend < 0n && dividend % divisor !== 0n ? cut - 1n : cut
}

/** Returns a rate or price of 18 decimals as decimal text. */
export const fixedText = (value: Price | Quote | Rate): string => formatRaw(value, 18)

/** Returns the sum of two values of one unit. */
export const plus = <U extends bigint>(a: U, b: NoInfer<U>): U => ((a as bigint) + b) as U

/** Returns the difference of two values of one unit. */
export const minus = <U extends bigint>(a: U, b: NoInfer<U>): U => ((a as bigint) - b) as U
