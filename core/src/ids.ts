// Names of things in text: ids of markets, trades and orders.
import { invariant } from './assert.ts'

const BLOCK_DIGITS = 12
const LOG_DIGITS = 6
const MARKET_NUMBER_BYTES = 4
const ORDER_NUMBER_BYTES = 8

const hexOf = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')

/** Returns the id of a market: `0x` + engine (20 bytes) + number (4 bytes), lower case. */
export const marketId = (engine: string, number: number): string =>
  engine + hexOf(number, MARKET_NUMBER_BYTES)

/** Returns the engine's address in the id of a market. */
export const engineOf = (market: string): string => market.slice(0, -2 * MARKET_NUMBER_BYTES)

/** Returns the decimal form of the same value as a market's id. */
export const instrumentDecimal = (market: string): string => BigInt(market).toString()

/** Returns the id of the market whose decimal form is `decimal`, digits only. */
export const marketOfDecimal = (decimal: string): string =>
  `0x${BigInt(decimal).toString(16).padStart(48, '0')}`

/** Returns the block's part of `placeId`: 12 digits. */
export const blockId = (blockNumber: number): string =>
  String(blockNumber).padStart(BLOCK_DIGITS, '0')

/** Returns `<block>-<logIndex>`, padded so that text order is chain order. */
export function placeId(blockNumber: number, logIndex: number): string {
  return `${blockId(blockNumber)}-${logId(logIndex)}`
}

/** Returns the log's part of `placeId`: 6 digits. */
export const logId = (logIndex: number): string => String(logIndex).padStart(LOG_DIGITS, '0')

/** Returns the key of an order's slot and row. */
export const orderKey = (market: string, number: number): string => `${market}|${number}`

/**
 * Returns the public id of an order: its digest when it was signed, else engine (20 bytes) + market
 * (4) + order number (8).
 */
export const orderId = (order: Readonly<{ market: string; number: number; ref: string | null }>) =>
  order.ref ?? order.market + hexOf(order.number, ORDER_NUMBER_BYTES)

/** Returns the market and number in the id of an order that was not signed. */
export function orderOfId(id: string): { market: string; number: number } {
  invariant(/^0x[0-9a-f]{64}$/.test(id), 'an order id is 32 bytes of lower-case hex', { id })
  const split = id.length - 2 * ORDER_NUMBER_BYTES
  return { market: id.slice(0, split), number: Number.parseInt(id.slice(split), 16) }
}
