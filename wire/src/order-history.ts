// Orders that were filled, in whole or in part, or cancelled. Interface 2.10, 3.1 and 4.4.
import type { Written } from '@openvenue/core/record-schema'
import type { Market, Order } from '@openvenue/core/records'
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder, timeRange } from './account-query.ts'
import { nsText } from './decimal.ts'
import { named, ns, nullable } from './field.ts'
import { encodeOrder, type OrderFacts, orderItemMembers } from './orders.ts'
import { Pagination, pageParameters } from './pagination.ts'
import { isZero } from './scale.ts'

export const PastOrder = named(
  'PastOrder',
  {
    ...orderItemMembers,
    error: nullable(
      Type.String({ description: 'cancel_reason, where it was not the owner who cancelled.' }),
    ),
    closed_timestamp: nullable(ns('When it was filled or cancelled; null while it rests.')),
  },
  'An order that was filled, in whole or in part, or cancelled.',
)
export type PastOrder = Static<typeof PastOrder>

export const OrderHistory = named(
  'OrderHistory',
  {
    order_history: Type.Array(PastOrder, { description: 'By the time they were placed.' }),
    pagination: Pagination,
  },
  'Filled, partially filled and cancelled orders, by the time they were placed.',
)
export type OrderHistory = Static<typeof OrderHistory>

export const OrderHistoryQuery = Type.Object({
  ...marketFilter,
  ...timeRange,
  ...sortOrder,
  ...pageParameters,
})

/** Returns a row of the order history. */
export function encodePastOrder(
  market: Market,
  order: Written<Order>,
  facts: OrderFacts,
): PastOrder {
  // The order itself grows by two members: a copy of it would cost half as much as making it.
  const item = encodeOrder(market, order, facts) as {
    -readonly [M in keyof PastOrder]: PastOrder[M]
  }
  item.error = order.reason === 'USER' ? null : order.reason
  item.closed_timestamp = isZero(order.restingLots) ? nsText(order.updatedSeconds) : null
  return item
}
