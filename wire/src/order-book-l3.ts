// The order book order by order: the same rows over REST and on the sockets. Ours.
import { type Book, levels, queuedOrders } from '@openvenue/core/book'
import { orderId } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import Type from 'typebox'
import { choice, decimal, InstrumentType, named, nullable, strict } from './field.ts'
import { marketScales } from './scale.ts'

/** Maximum orders per side: of an answer, and of the part of the book that the channel follows. */
export const L3_ORDERS_MAX = 500
/** Orders per side covered by the checksum. */
const L3_CHECKSUM_ORDERS = 100

const row = Type.Tuple([
  Type.String({ description: 'order_id.' }),
  decimal('Price in human units.'),
  decimal('Resting amount in human units; "0" removes the order.'),
  Type.Integer({
    description: 'Number of the order: within a price, lower numbers are filled first.',
  }),
])

const rowsOf = (description: string) => Type.Array(row, { description })

const members = {
  instrument_id: Type.String(),
  instrument_name: Type.String(),
  instrument_type: InstrumentType,
  bids: rowsOf('Best first, and in queue order within a price.'),
  asks: rowsOf('Best first, and in queue order within a price.'),
  checksum: Type.String({
    pattern: '^[0-9]+$',
    description: `CRC32 in base 10 over the best ${L3_CHECKSUM_ORDERS} orders of each side: bid order_id:amount, then ask order_id:amount, order by order, joined by ":".`,
  }),
}

export const OrderBookL3 = named(
  'OrderBookL3',
  members,
  `The best resting orders, at most ${L3_ORDERS_MAX} per side, without their accounts.`,
)

export const OrderBookL3Query = Type.Object({
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: L3_ORDERS_MAX,
      'x-clamp': 'max',
      default: L3_ORDERS_MAX,
      description: 'Maximum orders per side.',
    }),
  ),
})

/** Data of `orderbook-l3` channels. */
export const OrderBookL3Data = strict({
  type: choice(['snapshot', 'update']),
  ...members,
  bids: rowsOf('A snapshot has all, an update those that changed. Sort by price, then number.'),
  asks: rowsOf('A snapshot has all, an update those that changed. Sort by price, then number.'),
  seq: Type.Integer(),
  prev_seq: nullable(Type.Integer()),
  block_number: Type.Integer(),
})

/** An order of the best ones of a side. */
export type L3Row = Readonly<{ id: string; price: string; amount: string; number: number }>

/** Returns the best orders of a side, at most `limit`, best first. */
export function bestOrders(market: Market, book: Book, isBuy: boolean, limit: number): L3Row[] {
  const { price, amount } = marketScales(market)
  const rows: L3Row[] = []
  for (const level of levels(book, isBuy)) {
    const priceText = price(level.tick)
    for (const order of queuedOrders(level)) {
      if (rows.length >= limit) return rows
      const { number } = order
      rows.push({ id: orderId(order), price: priceText, amount: amount(order.restingLots), number })
    }
  }
  return rows
}

/** Returns a row as JSON. */
export const l3RowJson = ({ id, price, amount, number }: L3Row): string =>
  `["${id}","${price}","${amount}",${number}]`

/** Returns the text that the checksum covers. */
export function l3ChecksumText(bids: readonly L3Row[], asks: readonly L3Row[]): string {
  const pairs: string[] = []
  for (let at = 0; at < L3_CHECKSUM_ORDERS; at++)
    for (const row of [bids[at], asks[at]])
      if (row !== undefined) pairs.push(`${row.id}:${row.amount}`)
  return pairs.join(':')
}

/** Returns the members of a body, as JSON without braces; rows are JSON. */
export const l3Members = (
  market: Market,
  { bids, asks, checksum }: Readonly<{ bids: string[]; asks: string[]; checksum: number }>,
): string =>
  `"instrument_id":"${market.id}","instrument_name":${JSON.stringify(market.name)}` +
  `,"instrument_type":"${market.type}","bids":[${bids.join(',')}],"asks":[${asks.join(',')}]` +
  `,"checksum":"${checksum}"`
