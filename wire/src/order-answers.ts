// Answers to those who place and cancel orders. Interface 4.6.
import Type, { type Static } from 'typebox'
import { choice, INSTRUMENT_TYPES, named, ns } from './field.ts'
import { OrderRequest } from './order-entry.ts'
import { OrderItem, orderItemMembers } from './orders.ts'
import { Receipt } from './relay.ts'

/** Orders of one batch. */
export const BATCH_ORDERS_MAX = 64

export const PlacedOrder = named(
  'PlacedOrder',
  { ...orderItemMembers, receipt: Receipt },
  'An order that the venue has accepted, and its receipt.',
)
export type PlacedOrder = Static<typeof PlacedOrder>

export const CancelledOrder = named(
  'CancelledOrder',
  {
    order_id: Type.String(),
    success: Type.Literal(true),
    status: choice(['accepted', 'filled', 'cancelled', 'rejected', 'expired'], {
      description:
        'accepted: the cancel is promised, and the order can fill until a block has it. Else how ' +
        'the order ended, as order_status.',
    }),
    order: OrderItem,
    receipt: Type.Optional(Receipt),
  },
  'An order that is withdrawn, or whose cancel the venue has promised, as it is now. The channel ' +
    'orders and wait=included say how it ended. receipt is of the cancel; an order that was withdrawn had not been sent, has ended, and needs none.',
)

export type CancelledOrder = Static<typeof CancelledOrder>

export const CancelRequest = named(
  'CancelRequest',
  {
    signature: Type.Optional(
      Type.String({
        pattern: '^(0[xX])?[0-9a-fA-F]{130}$',
        description: 'Of Cancel, where the account has not allowed the venue to cancel for it.',
      }),
    ),
    deadline: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,78}$', description: 'As signed. Unix seconds.' }),
    ),
  },
  'Nothing, or a signature of Cancel. The same as parameters of the query.',
)

/** Ids of one request to cancel. */
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
        description: 'order_id or chain_order_id of each. In a query: with commas between.',
      }),
    ),
    instrument_name: Type.Optional(
      Type.String({ description: 'Only orders of this market: its name or id.' }),
    ),
    ...cancelFilter,
    side: Type.Optional(choice(['buy', 'sell'])),
    confirm: Type.Optional(
      choice(['all'], { description: 'Needed where nothing else says which orders.' }),
    ),
  },
  'Ids, or a filter, or confirm. The same as parameters of the query.',
)

export const CancelAllRequest = named(
  'CancelAllRequest',
  cancelFilter,
  'Which orders; without a member, all. The same as parameters of the query.',
)

export const CancelledOrders = named(
  'CancelledOrders',
  {
    success: Type.Boolean({ description: 'Whether each could be cancelled.' }),
    order_ids: Type.Array(Type.String(), {
      description: 'Those withdrawn, or whose cancel the venue has promised.',
    }),
    accepted: Type.Array(Type.String(), {
      description:
        'Those of order_ids whose cancel is promised: they can fill until a block has it.',
    }),
    failed: Type.Record(Type.String(), Type.String(), {
      description: 'The code that refused each other one, by its id.',
    }),
  },
  'What became of a request to cancel several orders.',
)
export type CancelledOrders = Static<typeof CancelledOrders>

export const BatchRequest = named(
  'BatchRequest',
  { orders: Type.Array(OrderRequest, { minItems: 1, maxItems: BATCH_ORDERS_MAX }) },
  'Orders in any mix of markets and sides.',
)

const RefusedOrder = named(
  'RefusedOrder',
  {
    error: Type.String({ description: 'The code of the refusal.' }),
    message: Type.String(),
    details: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'What was wrong, field by field, as in every refusal.',
      }),
    ),
    request_id: Type.String(),
    retry_after: Type.Optional(ns('How long to wait.')),
  },
  'An order of a batch that was refused, as it would be alone.',
)

export const BatchAnswer = named(
  'BatchAnswer',
  {
    success: Type.Boolean({ description: 'Whether every order was accepted.' }),
    results: Type.Array(Type.Union([PlacedOrder, RefusedOrder]), {
      description: 'What became of each order, in the order given.',
    }),
  },
  'What became of a batch: one bad order spoils no other.',
)
export type BatchAnswer = Static<typeof BatchAnswer>

export const WaitQuery = Type.Object({
  wait: Type.Optional(
    choice(['included'], {
      description:
        'Answers once each order is in a block, has ended, or is held for its trigger; after 2 s ' +
        'in any case. X-Wait says which: done, timeout, or busy where too many wait already and ' +
        'this one was answered at once.',
    }),
  ),
})
