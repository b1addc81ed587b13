// Writes the integers of a market as the API does: decimal text in human units.
import { formatRaw } from '@openvenue/core/units'
import type { ChainMarket } from './contracts.ts'

/** Returns the price of a tick. */
export const priceText = (market: ChainMarket, tick: number): string =>
  formatRaw(BigInt(tick) * market.priceStep, market.quoteDecimals)

/** Returns an amount of lots. */
export const amountText = (market: ChainMarket, lots: bigint): string =>
  formatRaw(lots * market.amountStep, market.baseDecimals)

/** Returns raw units of quote. */
export const quoteText = (market: ChainMarket, raw: bigint): string =>
  formatRaw(raw, market.quoteDecimals)
