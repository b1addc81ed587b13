// GET /orders, /orders/{order_id} and /orders/by-client-id/{client_order_id}, and the DELETE of the
// last. Interface 4.4, 4.6, section 8.
import { NoQuery } from '@openvenue/wire/account'
import { CancelledOrder, CancelRequest, WaitQuery } from '@openvenue/wire/order-answers'
import { OrderItem, OrderQuery, Orders, OrdersQuery } from '@openvenue/wire/orders'
import { pathSchema } from '@openvenue/wire/pagination'
import type { FastifyReply } from 'fastify'
import { lookAtOwner, type Owner } from '../account/owner.ts'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { Refusal } from '../http/refusals.ts'
import { type Caller, requireCaller } from '../identity/caller.ts'
import { cancelByClientOrderId } from '../orders/cancel-orders.ts'
import { type FoundOrder, findByClientOrderId, findOrder } from '../orders/find-order.ts'
import { ownOrderBodies, recentOrder, recentOrders, showOrders } from '../orders/own-orders.ts'
import { accountGet } from './account-route.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { answerCancelling } from './order-cancels.ts'
import { type OwnerParts, type Parts, type Routes, TAGS } from './route.ts'

type OrderRouteParts = OwnerParts | 'orderParts' | 'authenticate'
type Deps = Parts<OrderRouteParts>

const WORDS = { client_order_id: 'client_order_id of the live order, or of the newest that ended.' }

export const orderRoutes: Routes<OrderRouteParts> = (host, deps) => {
  const { orderParts, model } = deps
  const build = (isLegacy: boolean) =>
    ownOrderBodies(orderParts, (owner, query: OrdersQuery) =>
      showOrders(orderParts, owner, recentOrders(orderParts, owner, query), isLegacy),
    )
  const [encodeOrders, encodeForFamily] = [build(false), build(true)]
  accountGet(
    host,
    deps,
    {
      path: '/orders',
      isLive: true,
      below: '/orders',
      summary: 'The most recent orders that rest, are on their way or are held',
      query: OrdersQuery,
      body: Orders,
    },
    ({ caller, query, reply }) =>
      lookAtOwner(deps, caller.account, (owner) => {
        const encode = caller.isLegacy ? encodeForFamily : encodeOrders
        return answerOnce(reply, encode(owner, query), model.head)
      }),
  )
  singleOrderRoutes(host, deps)
  clientOrderRoutes(host, deps)
}

const singleOrderRoutes: Routes<OrderRouteParts> = (host, deps) => {
  accountGet(
    host,
    deps,
    {
      path: '/orders/:order_id',
      isLive: true,
      below: '/orders/:order_id',
      summary: 'One of the most recent orders that live; with include=closed any order',
      words: { order_id: 'order_id or chain_order_id.' },
      query: OrderQuery,
      body: OrderItem,
      refuses: ['ORDER_DOES_NOT_EXIST'],
    },
    async ({ caller, params, query, reply }) => {
      const { order_id: id = '' } = params
      const { owner, found } = await lookAtOwner(deps, caller.account, (known) => ({
        owner: known,
        found: recentOrder(deps.orderParts, known, id),
      }))
      const isClosed = found === undefined && query.include === 'closed'
      const order = isClosed ? await findOrder(deps.orderParts, owner, id.toLowerCase()) : found
      return answerOrder(deps, { caller, owner, reply }, order)
    },
  )
}

const clientOrderRoutes: Routes<OrderRouteParts> = (host, deps) => {
  const { orderParts, authenticate: onRequest } = deps
  accountGet(
    host,
    deps,
    {
      path: '/orders/by-client-id/:client_order_id',
      isLive: true,
      below: '/orders/by-client-id/:client_order_id',
      summary: 'An order by the name that its client gave it, ended ones too',
      words: WORDS,
      query: NoQuery,
      body: OrderItem,
      refuses: ['ORDER_DOES_NOT_EXIST'],
    },
    async ({ caller, params, reply }) => {
      const owner = await lookAtOwner(deps, caller.account, (known) => known)
      const { client_order_id: name = '' } = params
      const found = await findByClientOrderId(orderParts, owner, name)
      return answerOrder(deps, { caller, owner, reply }, found)
    },
  )
  const schema = {
    tags: TAGS.orders,
    summary: 'Cancel an order by the name that its client gave it',
    params: pathSchema(WORDS),
    querystring: WaitQuery,
    body: CancelRequest,
    response: answers(CancelledOrder),
  }
  const refuses = [
    'ORDER_DOES_NOT_EXIST',
    'CANCEL_SIGNATURE_REQUIRED',
    'ORDER_BAD_SIGNING_KEY',
    'TRADING_NOT_LIVE',
    'HISTORY_UNAVAILABLE',
  ] as const
  const config = { refuses, scope: 'cancel' } as const
  const options = { config, onRequest, schema, validatorCompiler: describedOnly }
  withExactBodies(host, (scope) => {
    scope.delete('/orders/by-client-id/:client_order_id', options, async (request, reply) => {
      const { client_order_id: name = '' } = request.params as Readonly<Record<string, string>>
      return answerCancelling(orderParts, { request, reply }, (options) =>
        cancelByClientOrderId(orderParts, requireCaller(request), name, options),
      )
    })
  })
}

type Answering = Readonly<{ caller: Caller; owner: Owner; reply: FastifyReply }>

function answerOrder(
  { orderParts, model }: Deps,
  { caller, owner, reply }: Answering,
  found: FoundOrder | undefined,
): FastifyReply {
  const [item] = found === undefined ? [] : showOrders(orderParts, owner, [found], caller.isLegacy)
  if (item === undefined) throw new Refusal('ORDER_DOES_NOT_EXIST')
  return answerOnce(reply, jsonBytes(item), model.head)
}
