// Filled, partially filled and cancelled orders. Interface 2.10, 3.1 and 4.4.
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder, timeRange } from './account-query.ts'
import { choice, named } from './field.ts'
import { orderItemMembers } from './orders.ts'
import { Pagination, pageParameters } from './pagination.ts'

const PastOrder = named(
  'PastOrder',
  orderItemMembers,
  'A filled, partially filled or cancelled order.',
)

export const OrderHistory = named(
  'OrderHistory',
  {
    order_history: Type.Array(PastOrder, {
      description: 'Sorted by created_timestamp, or by sort_by.',
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
        'The time that start_time and end_time filter and that sorts the list. closed_timestamp ' +
        'excludes resting orders.',
    }),
  ),
})
