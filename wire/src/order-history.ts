// Orders that were filled, in whole or in part, or cancelled. Interface 2.10, 3.1 and 4.4.
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder, timeRange } from './account-query.ts'
import { choice, named } from './field.ts'
import { orderItemMembers } from './orders.ts'
import { Pagination, pageParameters } from './pagination.ts'

export const PastOrder = named(
  'PastOrder',
  orderItemMembers,
  'An order that was filled, in whole or in part, or cancelled.',
)
export type PastOrder = Static<typeof PastOrder>

export const OrderHistory = named(
  'OrderHistory',
  {
    order_history: Type.Array(PastOrder, {
      description: 'By created_timestamp, or as sort_by says.',
    }),
    pagination: Pagination,
  },
  'Filled, partially filled and cancelled orders.',
)
export type OrderHistory = Static<typeof OrderHistory>

export const OrderHistoryQuery = Type.Object({
  ...marketFilter,
  ...timeRange,
  ...sortOrder,
  ...pageParameters,
  sort_by: Type.Optional(
    choice(['created_timestamp', 'closed_timestamp'], {
      default: 'created_timestamp',
      description:
        'The time that start_time and end_time select and that orders the list. closed_timestamp ' +
        'leaves out what still rests.',
    }),
  ),
})
