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
import {
  cancelMembers,
  parseCancelAll,
  parseCancelOrders,
  parseCancelSignature,
} from '../orders/cancel-bodies.ts'
import { cancelMatching, cancelNamed } from '../orders/cancel-many.ts'
import { type CancelAnswer, type CancelOptions, cancelOrder } from '../orders/cancel-orders.ts'
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
  summary: 'Cancel orders by their ids, or those that a filter leaves',
  body: CancelOrdersRequest,
  response: answers(CancelledOrders),
}
const ALL = {
  tags: TAGS.orders,
  summary: 'Cancel all orders, or those of an asset or a type of market',
  body: CancelAllRequest,
  response: answers(CancelledOrders),
}

type Asked = Readonly<{ request: FastifyRequest; reply: FastifyReply }>

/** Answers the cancel of one order, with `wait=included` once it has come to something. */
export async function answerCancelling(
  { model }: OrderParts,
  { request, reply }: Asked,
  cancel: (options: CancelOptions) => Promise<CancelAnswer>,
): Promise<FastifyReply> {
  const { wait, ...query } = (request.query ?? {}) as Readonly<Record<string, unknown>>
  const signed = parseCancelSignature(cancelMembers(query, request.body))
  const { cancelled } = await placeWaiting(
    { query: wait === undefined ? {} : { wait } },
    reply,
    ({ waiting }) => cancel({ signed, waiting }),
  )
  return answerOnce(reply, jsonBytes(cancelled), model.head)
}

export const orderCancelRoutes: Routes<'orderParts' | 'authenticate'> = (host, deps) => {
  const { orderParts, authenticate: onRequest } = deps
  const route = { onRequest, validatorCompiler: describedOnly }
  const configOf = (refuses: readonly RefusalCode[]) => ({ refuses, scope: 'cancel' }) as const
  const show = async (reply: FastifyReply, found: Promise<object>) =>
    answerOnce(reply, jsonBytes(await found), orderParts.model.head)
  const membersOf = ({ query, body }: FastifyRequest) => cancelMembers(query, body)
  withExactBodies(host, (scope) => {
    const one = { ...route, schema: ONE, config: configOf(OF_ONE) }
    scope.delete('/orders/:order_id', one, async (request, reply) => {
      const { order_id: id = '' } = request.params as Readonly<Record<string, string>>
      return answerCancelling(orderParts, { request, reply }, (options) =>
        cancelOrder(orderParts, requireCaller(request), id, options),
      )
    })
    const some = { ...route, schema: SOME, config: configOf(['MISSING_PARAMETER', ...OF_ANY]) }
    scope.delete('/orders', some, async (request, reply) => {
      const asked = parseCancelOrders(membersOf(request))
      const caller = requireCaller(request)
      if ('ids' in asked) return show(reply, cancelNamed(orderParts, caller, asked.ids))
      return show(reply, cancelMatching(orderParts, caller, asked.filter))
    })
    const all = { ...route, schema: ALL, config: configOf(OF_ANY) }
    scope.delete('/orders-all', all, async (request, reply) => {
      const filter = parseCancelAll(membersOf(request))
      return show(reply, cancelMatching(orderParts, requireCaller(request), filter))
    })
  })
}
