// Orders with a trigger, with what became of them.
import Type, { type Static } from 'typebox'
import { sortOrder } from './account-query.ts'
import { named } from './field.ts'
import { OrderItem } from './orders.ts'
import { Pagination, pageParameters } from './pagination.ts'

export const StopOrders = named(
  'StopOrders',
  {
    order_history: Type.Array(OrderItem, {
      description: 'By the time they were accepted; those that ended are kept for some days.',
    }),
    pagination: Pagination,
  },
  'Orders with a trigger: held, on their way, on the chain, and ended.',
)
export type StopOrders = Static<typeof StopOrders>

export const StopOrdersQuery = Type.Object({ ...sortOrder, ...pageParameters })
