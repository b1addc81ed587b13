// Exact numbers as text. No money passes through `number`.
import type { Market } from '@openvenue/core/records'

/** Decimals of every perpetual, of index and mark prices of perpetuals and of funding rates. */
export const FIXED_DECIMALS = 18
/** Fees are millionths of the notional. */
const FEE_DECIMALS = 6

/** Returns `raw / 10^decimals` as plain decimal text: no exponent, no trailing zeros. */
export function decimalText(raw: bigint, decimals: number): string {
  if (decimals === 0) return raw.toString()
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const fraction = withoutTrailingZeros(digits.slice(-decimals))
  return `${raw < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--
  return digits.slice(0, end)
}

/** Returns the price of `tick` in human units of the quote asset. */
export const tickText = (market: Market, tick: number) =>
  decimalText(BigInt(tick) * market.priceStep, market.quoteDecimals)

/** Returns `lots` in human units of the base asset. */
export const lotsText = (market: Market, lots: bigint) =>
  decimalText(lots * market.amountStep, market.baseDecimals)

/** Returns a sum of tick * lots in human units of the quote asset. */
export const unitsText = (market: Market, units: bigint) =>
  decimalText(units * market.quotePerLotTick, market.quoteDecimals)

/** Returns an amount or price in raw quote units as human units. */
export const quoteText = (market: Market, raw: bigint) => decimalText(raw, market.quoteDecimals)

/** Returns an index price or a rate (18 decimals) as text. */
export const fixedText = (raw: bigint) => decimalText(raw, FIXED_DECIMALS)

/** Returns a fee in millionths as a fraction: 350 is `0.00035`. */
export const feeText = (millionths: number) => decimalText(BigInt(millionths), FEE_DECIMALS)

/** Returns Unix seconds as the text of nanoseconds. */
export const nsText = (seconds: number) => `${seconds}000000000`
