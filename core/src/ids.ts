// Ids of markets, trades and orders as text.
import type { Address, MarketId } from './record-schema.ts'

const BLOCK_DIGITS = 12
const LOG_DIGITS = 6
const MARKET_NUMBER_BYTES = 4
const ORDER_NUMBER_BYTES = 8

const padHex = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')

/** Returns the id of a market: `0x` + engine (20 bytes) + number (4 bytes), lower case. */
export const marketId = (engine: Address, number: number): string =>
  engine + padHex(number, MARKET_NUMBER_BYTES)

/** Returns the address of the engine in a market id. */
export const marketEngine = (market: MarketId): string => market.slice(0, -2 * MARKET_NUMBER_BYTES)

/** Returns a market id as a decimal number. */
export const instrumentDecimal = (market: MarketId): string => BigInt(market).toString()

/** Returns the block part of `placeId`: 12 digits. */
export const blockId = (blockNumber: number): string =>
  String(blockNumber).padStart(BLOCK_DIGITS, '0')

/** Returns `<block>-<logIndex>`, padded so that text order is chain order. */
export function placeId(blockNumber: number, logIndex: number): string {
  return `${blockId(blockNumber)}-${logId(logIndex)}`
}

/** Returns the log part of `placeId`: 6 digits. */
export const logId = (logIndex: number): string => String(logIndex).padStart(LOG_DIGITS, '0')

/** Returns the key of an order, for its slot and its row. */
export const orderKey = (market: MarketId, number: number): string => `${market}|${number}`

/**
 * Returns the public id of an order: the digest if it was signed, else engine (20 bytes) + market
 * (4) + order number (8).
 */
export const orderId = (
  order: Readonly<{ market: MarketId; number: number; ref: string | null }>,
) => order.ref ?? order.market + padHex(order.number, ORDER_NUMBER_BYTES)

/** Returns the order number in an on-chain order id; undefined if the id is not of `market`. */
export const orderNumberIn = (market: MarketId, id: string): number | undefined =>
  id.startsWith(market) && id.length === market.length + 2 * ORDER_NUMBER_BYTES
    ? Number.parseInt(id.slice(market.length), 16)
    : undefined
