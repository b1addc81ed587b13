// Formats the integers of a market as the API does: decimal text in human units.
import { formatRaw } from '@openvenue/core/units'

/** Units in which a market counts. */
export type MarketUnits = Readonly<{
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  id: string
  type: 'SPOT' | 'PERPETUAL'
  /** Price = tick * priceStep, in raw units of quote for one whole of base. */
  priceStep: bigint
  /** Amount = lots * amountStep, in raw units of base. */
  amountStep: bigint
  /** Raw units of quote that a lot costs at tick 1. */
  quotePerLotTick: bigint
  baseDecimals: number
  quoteDecimals: number
}>

/** Returns the price of a tick as decimal text. */
export const priceText = (market: MarketUnits, tick: number): string =>
  formatRaw(BigInt(tick) * market.priceStep, market.quoteDecimals)

/** Returns an amount of lots as decimal text. */
export const amountText = (market: MarketUnits, lots: bigint): string =>
  formatRaw(lots * market.amountStep, market.baseDecimals)

/** Returns raw units of quote as decimal text. */
export const quoteText = (market: MarketUnits, raw: bigint): string =>
  formatRaw(raw, market.quoteDecimals)
