// GET /order-history/stops: orders with a trigger, with their outcomes. Interface 4.6.
import type { StopOrder } from '@openvenue/store/intents/safeguards'
import { StopOrders, StopOrdersQuery } from '@openvenue/wire/stop-orders'
import { loadOwner } from '../account/owner.ts'
import { exactly, inTwoReads, readPage } from '../http/page.ts'
import { orUnavailable } from '../http/refusals.ts'
import { showOrders } from '../orders/relay/own-orders.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

const NS_PER_SECOND = 1_000_000_000n
/** Pads arrival numbers so that their texts sort in the same order. */
const SEQ_DIGITS = 16

/** Position of an order in the list: its arrival number decides. */
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
      summary: 'Orders with a trigger, with their outcomes',
      query: StopOrdersQuery,
      body: StopOrders,
    },
    async ({ caller, query }) => {
      const { account = 0 } = await loadOwner(deps, caller.account, (owner) => owner)
      const isAscending = query.sort_order === 'asc'
      const { rows, pagination } = await readPage<StopOrder>(query, {
        name: { list: 'stops', isAscending, filter: [caller.account] },
        read: inTwoReads(({ after, ...scan }) => {
          const seq = after === undefined ? undefined : Number(after.id)
          return orUnavailable(safeguards.stops({ account, after: seq, ...scan }))
        }, cursorPosition),
        cursorPosition,
        count: async () => exactly(await orUnavailable(safeguards.countStops(account))),
        // Ended orders are deleted after some days.
        isFinal: () => false,
      })
      const order_history = await loadOwner(deps, caller.account, (owner) =>
        showOrders(deps, owner, rows),
      )
      return { order_history, pagination }
    },
  )
}
