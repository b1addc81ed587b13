// GET /orders, /orders/{order_id} and /orders/by-client-id/{client_order_id}, and the DELETE of the
// last. Interface 4.4, 4.6, section 8.

import type { Header } from '@openvenue/core/events'
import { NoQuery } from '@openvenue/wire/account'
import { CancelledOrder, CancelRequest, WaitQuery } from '@openvenue/wire/order-answers'
import { OrderItem, OrderQuery, Orders, OrdersQuery } from '@openvenue/wire/orders'
import { pathSchema } from '@openvenue/wire/pagination'
import type { FastifyReply } from 'fastify'
import { loadOwner, type Owner, ownerOf } from '../account/owner.ts'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { historyUnavailable, Refusal } from '../http/refusals.ts'
import { type Caller, requireCaller } from '../identity/caller.ts'
import { cancelByClientOrderId } from '../orders/cancel/cancel-orders.ts'
import {
  findLiveOrder,
  findPastOrder,
  idByClientOrderId,
  type OrderLookup,
} from '../orders/relay/find-order.ts'
import {
  ownOrderBodies,
  recentOrder,
  recentOrders,
  showOrders,
} from '../orders/relay/own-orders.ts'
import { accountGet } from './account-route.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { answerCancelling } from './order-cancels.ts'
import { type OwnerParts, type Parts, type Routes, TAGS } from './route.ts'

type OrderRouteParts = OwnerParts | 'orderParts' | 'authenticate'
type Deps = Parts<OrderRouteParts>

const WORDS = {
  client_order_id: 'client_order_id of the live order, or of the one that ended last.',
}

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
      summary: 'The most recent resting, pending and held orders',
      query: OrdersQuery,
      body: Orders,
    },
    ({ caller, query, reply }) =>
      loadOwner(deps, caller.account, (owner) => {
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
      summary: 'One of the most recent live orders; any order with include=closed',
      words: { order_id: 'order_id or chain_order_id.' },
      query: OrderQuery,
      body: OrderItem,
      refuses: ['ORDER_DOES_NOT_EXIST'],
    },
    async ({ caller, params, query, reply }) => {
      const { order_id: id = '' } = params
      if (query.include === 'closed') return answerAny(deps, { caller, reply }, id.toLowerCase())
      const shown = await loadOwner(deps, caller.account, (owner) =>
        showAt(deps, { caller, owner }, recentOrder(deps.orderParts, owner, id), deps.model.head),
      )
      return answerShown(reply, shown)
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
      summary: 'An order by its client order id, including ended ones',
      words: WORDS,
      query: NoQuery,
      body: OrderItem,
      refuses: ['ORDER_DOES_NOT_EXIST'],
    },
    async ({ caller, params, reply }) => {
      const owner = await ownerOf(deps.wallets, caller.account)
      const { client_order_id: name = '' } = params
      const id = await idByClientOrderId(orderParts, owner, name)
      if (id === undefined) throw new Refusal('ORDER_DOES_NOT_EXIST')
      return answerAny(deps, { caller, reply }, id)
    },
  )
  const schema = {
    tags: TAGS.orders,
    summary: 'Cancel an order by its client order id',
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

/** Attempts before a refusal, when an order rests in the database and not in the model. */
const TRIES_MAX = 3

type OrderAtBlock = Readonly<{ item: OrderItem; head: Header | undefined }>

/** Returns an order as the caller sees it, with its block. */
function showAt(
  { orderParts }: Deps,
  { caller, owner }: Readonly<{ caller: Caller; owner: Owner }>,
  found: OrderLookup | undefined,
  head: Header | undefined,
): OrderAtBlock | undefined {
  const [item] = found === undefined ? [] : showOrders(orderParts, owner, [found], caller.isLegacy)
  return item && { item, head }
}

function answerShown(reply: FastifyReply, shown: OrderAtBlock | undefined): FastifyReply {
  if (shown === undefined) throw new Refusal('ORDER_DOES_NOT_EXIST')
  return answerOnce(reply, jsonBytes(shown.item), shown.head)
}

/**
 * Answers with a live order at the head of the model, or with an ended one at the block of the
 * database view that has it.
 */
async function answerAny(
  deps: Deps,
  { caller, reply }: Readonly<{ caller: Caller; reply: FastifyReply }>,
  id: string,
): Promise<FastifyReply> {
  const { orderParts, model } = deps
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const { owner, live } = await loadOwner(deps, caller.account, (keyOwner) => {
      const liveOrder = findLiveOrder(orderParts, keyOwner, id)
      return {
        owner: keyOwner,
        live: showAt(deps, { caller, owner: keyOwner }, liveOrder, model.head),
      }
    })
    if (live !== undefined) return answerShown(reply, live)
    const { found, head } = await findPastOrder(orderParts, owner, id)
    const hasEnded = found?.order === undefined || found.order.restingLots === 0n
    if (hasEnded) return answerShown(reply, showAt(deps, { caller, owner }, found, head))
  }
  throw historyUnavailable()
}
