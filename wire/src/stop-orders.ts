// Orders with a trigger, with their outcome.
import Type, { type Static } from 'typebox'
import { sortOrder } from './account-query.ts'
import { named } from './field.ts'
import { OrderItem } from './orders.ts'
import { Pagination, pageParameters } from './pagination.ts'

export const StopOrders = named(
  'StopOrders',
  {
    order_history: Type.Array(OrderItem, {
      description:
        'Sorted by time of acceptance. Ended ones are removed after a week, unless the operator sets ' +
        'INTENTS_KEPT_S; orders that reached the chain stay in /order-history.',
    }),
    pagination: Pagination,
  },
  'Orders with a trigger: held, on their way, on the chain, and ended.',
)
export type StopOrders = Static<typeof StopOrders>

export const StopOrdersQuery = Type.Object({ ...sortOrder, ...pageParameters })
