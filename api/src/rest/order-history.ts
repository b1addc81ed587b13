// Orders of an account that were filled, in whole or in part, or cancelled. Interface 2.10 and 4.4.
import { encodePastOrder, OrderHistory, OrderHistoryQuery } from '@openvenue/wire/order-history'
import { historyPages } from '../account/history-page.ts'
import { accountGet } from './account-route.ts'
import type { Routes } from './route.ts'

export const orderHistoryRoutes: Routes = (app, deps) => {
  const { model } = deps
  const pages = historyPages(deps, {
    kind: 'order',
    member: 'order_history',
    encode: (market, order, account) => {
      const position = model.state.records.position.get(`${order.market}|${order.account}`)
      const facts = { account, leverage: position?.leverage ?? 0 }
      return encodePastOrder(market, order, facts)
    },
  })
  accountGet(
    app,
    deps,
    {
      path: '/order-history',
      below: '/order-history',
      summary: 'Filled, partially filled and cancelled orders',
      query: OrderHistoryQuery,
      body: OrderHistory,
    },
    async ({ caller: { account }, query, reply }) => pages({ account, query, reply }),
  )
}
