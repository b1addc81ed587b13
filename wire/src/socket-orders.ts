// Operations of the sockets that place and cancel orders: bodies and answers of REST (interface
// 4.6), each under its own name.
import type { Scope } from '@openvenue/core/scopes'
import Type from 'typebox'
import { FieldProblem, ns, strict } from './field.ts'
import {
  CancelAllRequest,
  CancelledOrder,
  CancelledOrders,
  CancelOrdersRequest,
  CancelRequest,
  PlacedOrder,
} from './order-answers.ts'
import { OrderPreview, OrderRequest, orderBodyMembers } from './order-entry.ts'
import { CancelAfterAnswer, CancelAfterRequest } from './safeguards.ts'

/** What the key of a connection must be for, by operation; others need no more than a key. */
export const SOCKET_SCOPES = {
  create_order: 'trade',
  edit_order: 'trade',
  preview_order: 'read',
  cancel_order: 'cancel',
  cancel_orders: 'cancel',
  cancel_all_orders: 'cancel',
  cancel_after: 'cancel',
} as const satisfies Readonly<Record<string, Scope>>
export type OrderOperation = keyof typeof SOCKET_SCOPES

const orderId = Type.String({ description: 'order_id or chain_order_id.' })

/** `data` of each operation. */
export const ORDER_BODIES = {
  create_order: OrderRequest,
  edit_order: Type.Object(
    { order_id: orderId, ...orderBodyMembers },
    { description: 'A whole new order whose `replaces` names the old one, and its id.' },
  ),
  preview_order: OrderRequest,
  cancel_order: Type.Object(
    {
      order_id: Type.Optional(orderId),
      client_order_id: Type.Optional(
        Type.String({ description: 'In place of order_id: the name that its client gave it.' }),
      ),
      ...CancelRequest.properties,
    },
    { description: 'An id, and a signature of Cancel where the venue may not cancel.' },
  ),
  cancel_orders: CancelOrdersRequest,
  cancel_all_orders: CancelAllRequest,
  cancel_after: CancelAfterRequest,
} as const satisfies Record<OrderOperation, Type.TSchema>

/** `data` of each reply. */
export const ORDER_ANSWERS = {
  create_order: PlacedOrder,
  edit_order: PlacedOrder,
  preview_order: OrderPreview,
  cancel_order: CancelledOrder,
  cancel_orders: CancelledOrders,
  cancel_all_orders: strict({
    ...CancelledOrders.properties,
    orders_ids: Type.Array(Type.String(), { description: 'The same as order_ids.' }),
  }),
  cancel_after: CancelAfterAnswer,
} as const satisfies Record<OrderOperation, Type.TSchema>

/** Members of the one error body, beside what every refused operation has. */
export const orderFailureMembers = {
  error: Type.String({ description: 'The code, as REST has it.' }),
  message: Type.String(),
  details: Type.Optional(
    Type.Array(FieldProblem, { description: 'What was wrong, field by field.' }),
  ),
  request_id: Type.String(),
  retry_after: Type.Optional(ns('How long to wait.')),
}
