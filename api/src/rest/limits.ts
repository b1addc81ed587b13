// GET /limits: the remaining limits of an account. Interface 4.6.
import { QUEUE_BLOCKS_MAX } from '@openvenue/core/relay'
import { NoQuery } from '@openvenue/wire/account'
import { encodeBucket, encodePerUsdc, Limits } from '@openvenue/wire/limits'
import type { FastifyRequest } from 'fastify'
import { loadOwner } from '../account/owner.ts'
import type { AccountBucket } from '../http/limits.ts'
import { orUnavailable } from '../http/refusals.ts'
import type { OrderParts } from '../orders/order-parts.ts'
import { LIVE_PER_ACCOUNT_MAX } from '../orders/place/reservation.ts'
import type { IntentBook } from '../orders/relay/intent-book.ts'
import { type OrderBudget, SLOW_ORDER_MS } from '../orders/relay/order-budgets.ts'
import { queueOf } from '../orders/relay/relay-status.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const limitRoutes: Routes<OwnerParts | 'authenticate' | 'orderParts'> = (host, deps) => {
  accountGet(
    host,
    deps,
    {
      path: '/limits',
      below: '/limits',
      isOffChain: true,
      summary:
        'Remaining limits of the account: rates, orders that the venue pays for, live orders, queue',
      query: NoQuery,
      body: Limits,
    },
    async ({ caller: { account: wallet }, reply: { request } }) => {
      const { account } = await loadOwner(deps, wallet, (owner) => owner)
      const { intentBook, budgets } = deps.orderParts
      const budget = await orUnavailable(budgets.of(account ?? 0))
      const used = account === undefined ? 0 : intentBook.liveOf(account)
      return {
        account: wallet,
        requests: await bucketOf(request, 'private', wallet),
        orders: await bucketOf(request, 'orders', wallet),
        cancels: await bucketOf(request, 'cancels', wallet),
        order_budget: budgetBody(deps.orderParts, budget),
        live_orders: { limit: LIVE_PER_ACCOUNT_MAX, used },
        queue: queueBody(intentBook),
      }
    },
  )
}

const bucketOf = async ({ server }: FastifyRequest, bucket: AccountBucket, key: string) =>
  encodeBucket(await server.limits.look(bucket, key))

function budgetBody(
  { settings: { orderBudget }, clock }: OrderParts,
  budget: OrderBudget | undefined,
): Limits['order_budget'] {
  if (orderBudget === undefined || budget === undefined) return null
  const { used, allowed, lastMs } = budget
  const remaining = Math.max(0, allowed - used)
  const waitMs = Math.ceil(lastMs + SLOW_ORDER_MS - clock.nowMs())
  return {
    initial: orderBudget.initial,
    per_usdc: encodePerUsdc(orderBudget.perUsdc),
    allowed,
    used,
    remaining,
    next_order_ms: remaining > 0 ? 0 : Math.min(SLOW_ORDER_MS, Math.max(0, waitMs)),
  }
}

function queueBody(book: IntentBook): Limits['queue'] {
  const { relay } = book
  if (relay === undefined) return null
  const { gasPerBlock } = relay.status
  const queue = queueOf(relay.status, book.waitingGas())
  return { ...queue, blocks_max: QUEUE_BLOCKS_MAX, gas_per_block: gasPerBlock }
}
