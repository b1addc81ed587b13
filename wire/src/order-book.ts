// The order book of /orderbook (interface 2.2): raw integers, unlike every other price and amount.
import type { LevelTotal } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import Type, { type Static } from 'typebox'
import { milliseconds, named, rawInteger } from './field.ts'

/** Interface 8: maximum orders per side that are read before aggregation. */
export const BOOK_ORDERS_PER_SIDE_MAX = 500

export const OrderBookLevel = named('OrderBookLevel', {
  price: rawInteger('Raw integer: human price = price / 10^quote_decimals.'),
  amount: rawInteger('Raw integer: human amount = amount / 10^base_decimals.'),
  orders: Type.Integer({ minimum: 1, description: 'Number of orders in the level.' }),
})
export type OrderBookLevel = Static<typeof OrderBookLevel>

export const OrderBook = named(
  'OrderBook',
  {
    bids: Type.Array(OrderBookLevel, { description: 'Best first.' }),
    asks: Type.Array(OrderBookLevel, { description: 'Best first.' }),
    last_updated_timestamp: milliseconds('Time of the answer.'),
    checksum: Type.String({
      pattern: '^[0-9a-f]+$',
      description: 'The server time in hex. Not a checksum of the book.',
    }),
  },
  `Open and partially filled orders; at most ${BOOK_ORDERS_PER_SIDE_MAX} per side are read.`,
)

const view = {
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: BOOK_ORDERS_PER_SIDE_MAX,
      'x-clamp': 'max',
      description: 'Maximum levels per side, counted after grouping.',
    }),
  ),
  group: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 24 - 1,
      description: 'Group levels by multiples of this many price steps: bids down, asks up.',
    }),
  ),
}
export const OrderBookView = Type.Object(view)
export const OrderBookQuery = Type.Object({
  instrument_name: Type.String({ description: 'Name or id of the market.' }),
  ...view,
})

/** Grouping and depth of the levels. */
export type BookView = Static<typeof OrderBookView>

/** Returns the levels (best first) of one side in the form of the interface. */
export function encodeLevels(
  market: Market,
  levels: readonly LevelTotal[],
  { depth = levels.length, group = 1 }: BookView,
  isBuy: boolean,
): OrderBookLevel[] {
  const merged = group === 1 ? levels : grouped(levels, group, isBuy)
  return merged.slice(0, depth).map(({ tick, lots, count }) => ({
    price: (BigInt(tick) * market.priceStep).toString(),
    amount: (lots * market.amountStep).toString(),
    orders: count,
  }))
}

function grouped(levels: readonly LevelTotal[], group: number, isBuy: boolean): LevelTotal[] {
  const merged: LevelTotal[] = []
  for (const { tick, lots, count } of levels) {
    const edge = (isBuy ? Math.floor(tick / group) : Math.ceil(tick / group)) * group
    const last = merged.at(-1)
    if (last?.tick === edge)
      merged[merged.length - 1] = { tick: edge, lots: last.lots + lots, count: last.count + count }
    else merged.push({ tick: edge, lots, count })
  }
  return merged
}
