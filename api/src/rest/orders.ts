// GET /orders and /orders/{order_id}: the 200 most recent open and partially filled orders.
// Interface 4.4, section 8.
import { NoQuery } from '@openvenue/wire/account'
import { OrderItem, Orders, OrdersQuery } from '@openvenue/wire/orders'
import {
  encodeOrderItem,
  orderBodies,
  recentOrder,
  recentOrders,
} from '../account/account-orders.ts'
import { lookAtOwner } from '../account/owner.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { Refusal } from '../http/refusals.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const orderRoutes: Routes<OwnerParts | 'authenticate'> = (host, deps) => {
  const { model } = deps
  const encodeOrders = orderBodies(model, (owner, query: OrdersQuery) =>
    recentOrders(model, owner, query).map((order) => encodeOrderItem(model, owner.wallet, order)),
  )
  accountGet(
    host,
    deps,
    {
      path: '/orders',
      isLive: true,
      below: '/orders',
      summary: 'The most recent open and partially filled orders',
      query: OrdersQuery,
      body: Orders,
    },
    ({ caller, query, reply }) =>
      lookAtOwner(deps, caller.account, (owner) =>
        answerOnce(reply, encodeOrders(owner, query), model.head),
      ),
  )
  accountGet(
    host,
    deps,
    {
      path: '/orders/:order_id',
      isLive: true,
      below: '/orders/:order_id',
      summary: 'One of the most recent open and partially filled orders',
      words: { order_id: 'order_id or chain_order_id.' },
      query: NoQuery,
      body: OrderItem,
      refuses: ['ORDER_DOES_NOT_EXIST'],
    },
    ({ caller, params, reply }) =>
      lookAtOwner(deps, caller.account, (owner) => {
        const order = recentOrder(model, owner, params.order_id ?? '')
        if (order === undefined) throw new Refusal('ORDER_DOES_NOT_EXIST')
        return answerOnce(reply, jsonBytes(encodeOrderItem(model, owner.wallet, order)), model.head)
      }),
  )
}
