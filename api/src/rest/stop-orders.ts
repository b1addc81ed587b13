// GET /order-history/stops: orders with a trigger, with what became of them. Interface 4.6.
import type { StopOrder } from '@openvenue/store/safeguards'
import { StopOrders, StopOrdersQuery } from '@openvenue/wire/stop-orders'
import { lookAtOwner } from '../account/owner.ts'
import { exactly, inTwoReads, readPage } from '../http/page.ts'
import { orUnavailable } from '../http/refusals.ts'
import { showOrders } from '../orders/own-orders.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

const NS_PER_SECOND = 1_000_000_000n
/** Places of arrival as text in their order. */
const SEQ_DIGITS = 16

/** Where an order stands in the list: its place of arrival decides. */
const cursorPosition = ({ intent: { seq, receivedNs } }: StopOrder) => ({
  seconds: Number(receivedNs / NS_PER_SECOND),
  id: String(seq).padStart(SEQ_DIGITS, '0'),
})

export const stopOrderRoutes: Routes<OwnerParts | 'authenticate' | 'safeguards'> = (host, deps) => {
  const { safeguards } = deps
  accountGet(
    host,
    deps,
    {
      path: '/order-history/stops',
      below: '/order-history/stops',
      isOffChain: true,
      summary: 'Orders with a trigger, with what became of them',
      query: StopOrdersQuery,
      body: StopOrders,
    },
    async ({ caller, query }) => {
      const { account = 0 } = await lookAtOwner(deps, caller.account, (owner) => owner)
      const isAscending = query.sort_order === 'asc'
      const { rows, pagination } = await readPage<StopOrder>(query, {
        name: { list: 'stops', isAscending, filter: [caller.account] },
        read: inTwoReads(({ after, ...scan }) => {
          const seq = after === undefined ? undefined : Number(after.id)
          return orUnavailable(safeguards.stops({ account, after: seq, ...scan }))
        }, cursorPosition),
        cursorPosition,
        count: async () => exactly(await orUnavailable(safeguards.countStops(account))),
        // What ended goes after some days.
        isFinal: () => false,
      })
      const order_history = await lookAtOwner(deps, caller.account, (owner) =>
        showOrders(deps, owner, rows),
      )
      return { order_history, pagination }
    },
  )
}
