// POST /orders, /orders/{order_id} and /batch-orders. Interface 4.6.
import {
  BATCH_ORDERS_MAX,
  BatchAnswer,
  BatchRequest,
  PlacedOrder,
  WaitQuery,
} from '@openvenue/wire/order-answers'
import { OrderRequest } from '@openvenue/wire/order-entry'
import { pathSchema } from '@openvenue/wire/pagination'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { fieldRefusal, invalid, missing, unknownName } from '../http/validation.ts'
import { requireCaller } from '../identity/caller.ts'
import { editOrder } from '../orders/edit/edit-order.ts'
import { answerBatch, answerOrder, type OrderAnswer } from '../orders/place/place-orders.ts'
import { placeWaiting } from './included-wait.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type Routes, TAGS } from './route.ts'

/** Refusal codes of orders, apart from those of a body. */
const REFUSES: readonly RefusalCode[] = [
  'MISSING_PARAMETER',
  'MALFORMED_ADDRESS',
  'FORBIDDEN_ACCOUNT',
  'INSTRUMENT_NOT_FOUND',
  'INSTRUMENT_PAUSED',
  'INVALID_PRICE_STEP_SIZE',
  'INVALID_AMOUNT_STEP_SIZE',
  'BELOW_MIN_ORDER_VALUE',
  'EXCEED_MAX_ORDER_VALUE',
  'EXCEEDS_MAX_NOTIONAL',
  'EXCEED_TRADE_PRICE_BAND',
  'INSUFFICIENT_MARGIN',
  'SPOT_NO_QUOTE_BALANCE',
  'SPOT_NO_BASE_BALANCE',
  'POST_ONLY_CROSS',
  'FOK_UNFILLABLE',
  'IOC_ORDER_REJECTED',
  'NO_POSITION_REDUCE_ONLY',
  'INVALID_DIRECTION_REDUCE_ONLY',
  'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY',
  'ORDER_BAD_SIGNING_KEY',
  'ORDER_REFUSED',
  'ORDER_BAD_SIGNATURE',
  'ORDER_EXISTS',
  'ORDER_INVALID_SALT',
  'ORDER_TIMED_OUT',
  'ORDER_EXPIRED',
  'ORDER_DOES_NOT_EXIST',
  'EDIT_ORDER_CANNOT_CHANGE_DIRECTION',
  'EDIT_ORDER_DIFFERENT_INSTRUMENT',
  'EDIT_ORDER_SAME_ID',
  'TOO_MANY_PENDING_ORDERS',
  'MMP_FROZEN',
  'ACCOUNT_LIQUIDATION',
  'MAINTENANCE_MODE_ENABLED',
  'TRADING_NOT_LIVE',
  'RELAY_UNFUNDED',
  'CHAIN_UNAVAILABLE',
  'HISTORY_UNAVAILABLE',
]

export const orderEntryRoutes: Routes<'orderParts' | 'authenticate'> = (host, deps) => {
  const { orderParts, authenticate: onRequest } = deps
  const config = { refuses: REFUSES, scope: 'trade', bucket: 'orders' } as const
  const route = { config, onRequest, validatorCompiler: describedOnly }
  const tags = TAGS.orders
  const summary = 'Place a signed order'
  const querystring = WaitQuery
  const place = { tags, summary, querystring, body: OrderRequest, response: answers(PlacedOrder) }
  const edit = {
    ...place,
    summary: 'Replace an order: a resting one is named in replaces, a pending one is withdrawn',
    params: pathSchema({ order_id: 'order_id or chain_order_id of the old order.' }),
  }
  const placeAll = {
    tags,
    querystring,
    summary: `Place up to ${BATCH_ORDERS_MAX} signed orders`,
    body: BatchRequest,
    response: answers(BatchAnswer),
  }
  const show = (reply: FastifyReply, body: object) =>
    answerOnce(reply, jsonBytes(body), orderParts.model.head)
  const answerOne = (reply: FastifyReply, { order, isReplay }: OrderAnswer) => {
    if (isReplay) reply.header('idempotent-replayed', 'true')
    return show(reply, order)
  }
  const placeOne = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = requireCaller(request)
    const placed = await placeWaiting(request, reply, (options) =>
      answerOrder(orderParts, caller, request.body, options),
    )
    return answerOne(reply, placed)
  }
  withExactBodies(host, (scope) => {
    scope.post('/orders', { ...route, schema: place }, placeOne)
    const ofEdits = { ...config, refuses: [...REFUSES, 'ORDER_PENDING'] } as const
    scope.post(
      '/orders/:order_id',
      { ...route, config: ofEdits, schema: edit },
      async (request, reply) => {
        const { order_id: id = '' } = request.params as Readonly<Record<string, string>>
        const given = { id, body: request.body }
        const placed = await placeWaiting(request, reply, (options) =>
          editOrder(orderParts, requireCaller(request), given, options),
        )
        return answerOne(reply, placed)
      },
    )
    scope.post('/batch-orders', { ...route, schema: placeAll }, async (request, reply) => {
      const bodies = batchOf(request.body)
      const caller = requireCaller(request)
      await countOthers(request, reply, bodies.length - 1)
      const { batch } = await placeWaiting(request, reply, (options) =>
        answerBatch(orderParts, caller, bodies, options),
      )
      return show(reply, batch)
    })
  })
}

/** Counts all orders of a batch but the one that the request counted as: all or none. */
async function countOthers(request: FastifyRequest, reply: FastifyReply, weight: number) {
  if (weight === 0) return
  const key = requireCaller(request).account
  await request.server.limits.count(request, reply, { bucket: 'orders', key, weight })
}

/** Returns the orders of a batch, not validated. */
function batchOf(body: unknown): readonly unknown[] {
  const { orders, ...others } = (body ?? {}) as Readonly<Record<string, unknown>>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw fieldRefusal([unknownName(unknown.slice(0, 64), 'member of a batch')])
  if (orders === undefined) throw fieldRefusal([missing('orders', 'body member orders')])
  if (!Array.isArray(orders) || orders.length === 0 || orders.length > BATCH_ORDERS_MAX)
    throw fieldRefusal([
      invalid('orders', `a list of 1 to ${BATCH_ORDERS_MAX} orders`, { given: orders }),
    ])
  return orders
}
