// DELETE /orders/{order_id}, /orders and /orders-all. Interface 4.6.
import {
  CancelAllRequest,
  CancelledOrder,
  CancelledOrders,
  CancelOrdersRequest,
  CancelRequest,
  WaitQuery,
} from '@openvenue/wire/order-answers'
import { pathSchema } from '@openvenue/wire/pagination'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { requireCaller } from '../identity/caller.ts'
import { parseCancelSignature } from '../orders/cancel/cancel-authority.ts'
import {
  answerCancels,
  type CancelAnswer,
  type CancelledSet,
  type CancelOptions,
  cancelMatching,
  cancelMembers,
  cancelNamed,
  cancelOrder,
  parseCancelAll,
  parseCancelOrders,
} from '../orders/cancel/cancel-orders.ts'
import type { OrderParts } from '../orders/order-parts.ts'
import { placeWaiting } from './included-wait.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type Routes, TAGS } from './route.ts'

const OF_ANY: readonly RefusalCode[] = [
  'TRADING_NOT_LIVE',
  'HISTORY_UNAVAILABLE',
  'INSTRUMENT_NOT_FOUND',
]
const OF_ONE: readonly RefusalCode[] = [
  'ORDER_DOES_NOT_EXIST',
  'CANCEL_SIGNATURE_REQUIRED',
  'ORDER_BAD_SIGNING_KEY',
  ...OF_ANY,
]

const ONE = {
  tags: TAGS.orders,
  summary: 'Cancel an order, by order_id or chain_order_id',
  params: pathSchema({ order_id: 'order_id or chain_order_id.' }),
  querystring: WaitQuery,
  body: CancelRequest,
  response: answers(CancelledOrder),
}
const SOME = {
  tags: TAGS.orders,
  summary: 'Cancel orders by ids or by a filter',
  querystring: WaitQuery,
  body: CancelOrdersRequest,
  response: answers(CancelledOrders),
}
const ALL = {
  tags: TAGS.orders,
  summary: 'Cancel all orders, or those of an asset or a market type',
  querystring: WaitQuery,
  body: CancelAllRequest,
  response: answers(CancelledOrders),
}

type RequestContext = Readonly<{ request: FastifyRequest; reply: FastifyReply }>

/** Answers the cancel of one order, with `wait=included` after its outcome. */
export async function answerCancelling(
  { model }: OrderParts,
  { request, reply }: RequestContext,
  cancel: (options: CancelOptions) => Promise<CancelAnswer>,
): Promise<FastifyReply> {
  const { members, waitQuery } = splitQuery(request)
  const signed = parseCancelSignature(members)
  const { cancelled } = await placeWaiting({ id: request.id, ...waitQuery }, reply, ({ waiting }) =>
    cancel({ signed, waiting }),
  )
  return answerOnce(reply, jsonBytes(cancelled), model.head)
}

/** Answers several cancels, like `answerCancelling`. */
async function answerSeveral(
  orderParts: OrderParts,
  { request, reply }: RequestContext,
  cancel: () => Promise<CancelledSet>,
): Promise<FastifyReply> {
  const waitRequest = { id: request.id, ...splitQuery(request).waitQuery }
  const { cancelled } = await placeWaiting(waitRequest, reply, async (options) =>
    answerCancels(orderParts, await cancel(), options),
  )
  return answerOnce(reply, jsonBytes(cancelled), orderParts.model.head)
}

/** Returns the members of a cancel, from its query and its body, and its kind of wait. */
function splitQuery({ query, body }: FastifyRequest) {
  const { wait, ...members } = (query ?? {}) as Readonly<Record<string, unknown>>
  const waitQuery = { query: wait === undefined ? {} : { wait } }
  return { members: cancelMembers(members, body), waitQuery }
}

export const orderCancelRoutes: Routes<'orderParts' | 'authenticate'> = (host, deps) => {
  const { orderParts, authenticate: onRequest } = deps
  const route = { onRequest, validatorCompiler: describedOnly }
  const configOf = (refuses: readonly RefusalCode[]) => ({ refuses, scope: 'cancel' }) as const
  withExactBodies(host, (scope) => {
    const single = { ...route, schema: ONE, config: configOf(OF_ONE) }
    scope.delete('/orders/:order_id', single, async (request, reply) => {
      const { order_id: id = '' } = request.params as Readonly<Record<string, string>>
      return answerCancelling(orderParts, { request, reply }, (options) =>
        cancelOrder(orderParts, requireCaller(request), id, options),
      )
    })
    const several = { ...route, schema: SOME, config: configOf(['MISSING_PARAMETER', ...OF_ANY]) }
    scope.delete('/orders', several, async (request, reply) => {
      const selection = parseCancelOrders(splitQuery(request).members)
      const caller = requireCaller(request)
      return answerSeveral(orderParts, { request, reply }, () =>
        'ids' in selection
          ? cancelNamed(orderParts, caller, selection.ids)
          : cancelMatching(orderParts, caller, selection.filter),
      )
    })
    const all = { ...route, schema: ALL, config: configOf(OF_ANY) }
    scope.delete('/orders-all', all, async (request, reply) => {
      const filter = parseCancelAll(splitQuery(request).members)
      return answerSeveral(orderParts, { request, reply }, () =>
        cancelMatching(orderParts, requireCaller(request), filter),
      )
    })
  })
}
