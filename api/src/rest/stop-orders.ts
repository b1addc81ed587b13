// GET /order-history/stops: orders with a trigger, with what became of them. Interface 4.6.

import { formatRaw } from '@openvenue/core/units'
import type { StopOrder } from '@openvenue/store/safeguards'
import { type OrderItem, statusText } from '@openvenue/wire/orders'
import { StopOrders, StopOrdersQuery } from '@openvenue/wire/stop-orders'
import { lookAtOwner } from '../account/owner.ts'
import { exactly, inTwoReads, readPage } from '../http/page.ts'
import { orUnavailable } from '../http/refusals.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { heldOrderItem } from '../orders/held-order.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

const NS_PER_SECOND = 1_000_000_000n
/** Places of arrival as text in their order. */
const SEQ_DIGITS = 16
const ORDER_DIGITS = 16

/** Where an order stands in the list: its place of arrival decides. */
const cursorPosition = ({ intent: { seq, receivedNs } }: StopOrder) => ({
  seconds: Number(receivedNs / NS_PER_SECOND),
  id: String(seq).padStart(SEQ_DIGITS, '0'),
})

export const stopOrderRoutes: Routes<OwnerParts | 'authenticate' | 'safeguards'> = (host, deps) => {
  const { model, safeguards } = deps
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
      return { order_history: rows.flatMap((row) => showStop(model, row) ?? []), pagination }
    },
  )
}

/** Returns an order with a trigger as JSON; undefined where its market is gone. */
function showStop(model: VenueModel, { intent, order }: StopOrder): OrderItem | undefined {
  const item = heldOrderItem(model, intent)
  const market = model.state.records.market.get(intent.market)
  if (item === undefined || market === undefined || order === undefined) return item
  const amount = (lots: bigint) => formatRaw(lots * market.amountStep, market.baseDecimals)
  return {
    ...item,
    chain_order_id: intent.market + order.number.toString(16).padStart(ORDER_DIGITS, '0'),
    order_status: statusText(order.status),
    filled: amount(order.filledLots),
    remaining: amount(order.restingLots),
    cancel_reason: order.reason,
  } as OrderItem
}
