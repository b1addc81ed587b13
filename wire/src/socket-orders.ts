// Socket operations that place and cancel orders: bodies and answers as in REST (interface 4.6),
// each under its own name.
import type { Scope } from '@openvenue/core/scopes'
import Type from 'typebox'
import { choice, FieldProblem, ns, strict } from './field.ts'
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

/** Required scope of a connection's key, by operation; other operations only need a key. */
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

/** Outcome of a wait, like the header X-Wait in REST. */
export const waitEnd = Type.Optional(
  choice(['done', 'timeout', 'busy'], {
    description:
      'With wait: done, timeout after 2 s, or busy if too many requests wait and this one was ' +
      'answered immediately.',
  }),
)

/** When a cancel is answered. */
const WAIT = {
  wait: Type.Optional(
    choice(['included'], {
      description:
        'Answers once each cancel is in a block or has failed, at the latest after 2 s. wait of ' +
        'the reply holds the outcome.',
    }),
  ),
}

const orderId = Type.String({ description: 'order_id or chain_order_id.' })

/** `data` of each operation. */
export const ORDER_BODIES = {
  create_order: OrderRequest,
  edit_order: Type.Object(
    { order_id: orderId, ...orderBodyMembers },
    { description: 'A complete new order that replaces the old one, and the id of the old one.' },
  ),
  preview_order: OrderRequest,
  cancel_order: Type.Object(
    {
      order_id: Type.Optional(orderId),
      client_order_id: Type.Optional(
        Type.String({ description: 'Instead of order_id: its client order id.' }),
      ),
      ...CancelRequest.properties,
      ...WAIT,
    },
    { description: 'An id, and a signature of Cancel unless the venue may cancel.' },
  ),
  cancel_orders: Type.Object(
    { ...CancelOrdersRequest.properties, ...WAIT },
    { description: 'Ids, or a filter, or confirm.' },
  ),
  cancel_all_orders: Type.Object(
    { ...CancelAllRequest.properties, ...WAIT },
    { description: 'Selects the orders; without members, all.' },
  ),
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

/** Members of the common error body, in addition to those of every rejected operation. */
export const orderFailureMembers = {
  error: Type.String({ description: 'The code, as in REST.' }),
  message: Type.String(),
  details: Type.Optional(Type.Array(FieldProblem, { description: 'Violated rules, by field.' })),
  request_id: Type.String(),
  retry_after: Type.Optional(ns('When to retry.')),
}
