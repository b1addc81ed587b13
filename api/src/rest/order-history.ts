// Orders of an account that were filled, in whole or in part, or cancelled. Interface 2.10 and 4.4.
import { OrderHistory, OrderHistoryQuery } from '@openvenue/wire/order-history'
import { encodeOrder } from '@openvenue/wire/orders'
import { accountGet } from './account-route.ts'
import { type HistoryParts, historyPages } from './history-page.ts'
import type { Routes } from './route.ts'

/** Leverage by market, for markets in which the account has a position. */
type Leverages = ReadonlyMap<string, number>
const NONE: Leverages = new Map()

export const orderHistoryRoutes: Routes<HistoryParts | 'authenticate'> = (host, deps) => {
  const pages = historyPages<'order', Leverages>(deps, {
    kind: 'order',
    member: 'order_history',
    factsOf: (page) => page?.leverages ?? NONE,
    encode: (market, order, account, leverages) =>
      encodeOrder(market, order, { account, leverage: leverages.get(market.id) ?? 0 }),
  })
  accountGet(
    host,
    deps,
    {
      path: '/order-history',
      below: '/order-history',
      summary: 'Filled, partially filled and cancelled orders',
      query: OrderHistoryQuery,
      body: OrderHistory,
    },
    async ({ caller: { account }, query, reply }) =>
      pages({ account, query, reply, isByEnd: query.sort_by === 'closed_timestamp' }),
  )
}
