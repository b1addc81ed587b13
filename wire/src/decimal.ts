// Numbers as text that core does not format. No money passes through `number`.
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'

/** Fees are millionths of the notional. */
const FEE_DECIMALS = 6

/** Returns an amount or price in raw quote units as human units. */
export const quoteRawText = (market: Market, raw: bigint): string =>
  formatRaw(raw, market.quoteDecimals)

/** Returns a fee in millionths as a fraction: 350 is `0.00035`. */
export const feeText = (millionths: number): string => formatRaw(BigInt(millionths), FEE_DECIMALS)

/** Returns Unix seconds in nanoseconds, as text. */
export const nsText = (seconds: number): string => `${seconds}000000000`
