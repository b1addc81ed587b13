// Answers to placing and cancelling orders. Interface 4.6.
import Type, { type Static } from 'typebox'
import { choice, INSTRUMENT_TYPES, named, ns } from './field.ts'
import { OrderRequest } from './order-entry.ts'
import { OrderItem, orderItemMembers } from './orders.ts'
import { Receipt } from './relay.ts'

/** Maximum orders per batch. */
export const BATCH_ORDERS_MAX = 64

export const PlacedOrder = named(
  'PlacedOrder',
  { ...orderItemMembers, receipt: Receipt },
  'An accepted order and its receipt.',
)
export type PlacedOrder = Static<typeof PlacedOrder>

export const CancelledOrder = named(
  'CancelledOrder',
  {
    order_id: Type.String(),
    success: Type.Literal(true),
    status: choice(['accepted', 'filled', 'cancelled', 'rejected', 'expired'], {
      description:
        'accepted: the cancel is promised, and the order can fill until the cancel is in a block. ' +
        'Otherwise the final status of the order, as in order_status.',
    }),
    order: OrderItem,
    receipt: Type.Optional(Receipt),
  },
  'A withdrawn order, or one whose cancel the venue has promised, in its current state. The channel ' +
    'orders and wait=included report how it ended. receipt covers the cancel; a withdrawn order was never sent, has ended, and needs none.',
)

export type CancelledOrder = Static<typeof CancelledOrder>

export const CancelRequest = named(
  'CancelRequest',
  {
    signature: Type.Optional(
      Type.String({
        pattern: '^(0[xX])?[0-9a-fA-F]{130}$',
        description: 'Signature of Cancel, unless the account allows the venue to cancel.',
      }),
    ),
    deadline: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,78}$', description: 'Signed value, Unix seconds.' }),
    ),
  },
  'Empty, or a signature of Cancel. Query parameters are equivalent.',
)

/** Maximum ids per cancel request. */
export const CANCELLED_IDS_MAX = 200

const cancelFilter = {
  asset: Type.Optional(Type.String({ description: 'Only orders of this asset, in any case.' })),
  instrument_type: Type.Optional(choice(INSTRUMENT_TYPES)),
}

export const CancelOrdersRequest = named(
  'CancelOrdersRequest',
  {
    order_ids: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: CANCELLED_IDS_MAX,
        description: 'order_id or chain_order_id of each order, comma-separated in a query.',
      }),
    ),
    instrument_name: Type.Optional(
      Type.String({ description: 'Only orders of this market: its name or id.' }),
    ),
    ...cancelFilter,
    side: Type.Optional(choice(['buy', 'sell'])),
    confirm: Type.Optional(
      choice(['all'], { description: 'Required without any other selection of orders.' }),
    ),
  },
  'Ids, or a filter, or confirm. Query parameters are equivalent.',
)

export const CancelAllRequest = named(
  'CancelAllRequest',
  cancelFilter,
  'Selects the orders; without members, all. Query parameters are equivalent.',
)

export const CancelledOrders = named(
  'CancelledOrders',
  {
    success: Type.Boolean({ description: 'True if every order could be cancelled.' }),
    order_ids: Type.Array(Type.String(), {
      description: 'Withdrawn orders, and those whose cancel the venue has promised.',
    }),
    accepted: Type.Array(Type.String(), {
      description: 'Ids whose cancel is promised: they can fill until it is in a block.',
    }),
    orders: Type.Optional(
      Type.Array(OrderItem, {
        description: 'With wait=included: the orders of order_ids after the wait.',
      }),
    ),
    failed: Type.Record(Type.String(), Type.String(), {
      description: 'Error code of each rejected id.',
    }),
  },
  'Result of a request to cancel several orders.',
)
export type CancelledOrders = Static<typeof CancelledOrders>

export const BatchRequest = named(
  'BatchRequest',
  { orders: Type.Array(OrderRequest, { minItems: 1, maxItems: BATCH_ORDERS_MAX }) },
  'Orders of any markets and sides.',
)

const RefusedOrder = named(
  'RefusedOrder',
  {
    error: Type.String({ description: 'The error code.' }),
    message: Type.String(),
    details: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'Violated rules by field, as in every rejection.',
      }),
    ),
    request_id: Type.String(),
    retry_after: Type.Optional(ns('When to retry.')),
  },
  'A rejected order of a batch, as if it had been sent separately.',
)

export const BatchAnswer = named(
  'BatchAnswer',
  {
    success: Type.Boolean({ description: 'True if every order was accepted.' }),
    results: Type.Array(Type.Union([PlacedOrder, RefusedOrder]), {
      description: 'Result of each order, in the order given.',
    }),
  },
  'Result of a batch; a rejected order does not affect the others.',
)
export type BatchAnswer = Static<typeof BatchAnswer>

export const WaitQuery = Type.Object({
  wait: Type.Optional(
    choice(['included'], {
      description:
        'Answers once each order is in a block, has ended, or is held for its trigger, at the latest ' +
        'after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many requests wait and ' +
        'this one was answered immediately.',
    }),
  ),
})
