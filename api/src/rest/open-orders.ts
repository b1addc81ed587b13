// GET /open-orders. Interface 2.10 and 4.4.
import { OpenOrdersPage, OpenOrdersQuery } from '@openvenue/wire/orders'
import { encodeOrderItem, openOrdersPage, orderBodies } from '../account/account-orders.ts'
import { lookAtOwner } from '../account/owner.ts'
import { answerOnce } from '../http/answer.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const openOrderRoutes: Routes<OwnerParts | 'authenticate'> = (host, deps) => {
  const { model } = deps
  const encodeOrders = orderBodies(model, (owner, query: OpenOrdersQuery) => {
    const { rows, pagination } = openOrdersPage(model, owner, query)
    return { orders: rows.map((order) => encodeOrderItem(model, owner.wallet, order)), pagination }
  })
  accountGet(
    host,
    deps,
    {
      path: '/open-orders',
      isLive: true,
      below: '/open-orders',
      summary: 'Open and partially filled orders, page by page',
      query: OpenOrdersQuery,
      body: OpenOrdersPage,
    },
    ({ caller, query, reply }) =>
      lookAtOwner(deps, caller.account, (owner) =>
        answerOnce(reply, encodeOrders(owner, query), model.head),
      ),
  )
}
