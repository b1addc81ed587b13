// GET /open-orders. Interface 2.10 and 4.4.
import { OpenOrdersPage, OpenOrdersQuery } from '@openvenue/wire/orders'
import { loadOwner } from '../account/owner.ts'
import { answerOnce } from '../http/answer.ts'
import { openOrdersPage, ownOrderBodies, showOrders } from '../orders/relay/own-orders.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const openOrderRoutes: Routes<OwnerParts | 'orderParts' | 'authenticate'> = (host, deps) => {
  const { model, orderParts } = deps
  const build = (isLegacy: boolean) =>
    ownOrderBodies(orderParts, (owner, query: OpenOrdersQuery) => {
      const { rows, pagination } = openOrdersPage(orderParts, owner, query)
      return { orders: showOrders(orderParts, owner, rows, isLegacy), pagination }
    })
  const [encodeOrders, encodeForFamily] = [build(false), build(true)]
  accountGet(
    host,
    deps,
    {
      path: '/open-orders',
      isLive: true,
      below: '/open-orders',
      summary: 'Resting, pending and held orders, page by page',
      query: OpenOrdersQuery,
      body: OpenOrdersPage,
    },
    ({ caller, query, reply }) =>
      loadOwner(deps, caller.account, (owner) => {
        const encode = caller.isLegacy ? encodeForFamily : encodeOrders
        return answerOnce(reply, encode(owner, query), model.head)
      }),
  )
}
