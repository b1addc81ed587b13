// Cancels several orders of an account: those named, or all that a filter leaves. Interface 4.6.
import { orderId } from '@openvenue/core/ids'
import type { MarketFilter } from '@openvenue/wire/account-query'
import type { CancelledOrders } from '@openvenue/wire/order-answers'
import { filterMarkets } from '../account/account-filter.ts'
import { lookAtOwner, type Owner } from '../account/owner.ts'
import { Refusal } from '../http/refusals.ts'
import type { Caller } from '../identity/caller.ts'
import { cancelFound, orderEnded } from './cancel-orders.ts'
import { type FoundOrder, findToEnd } from './find-order.ts'
import type { OrderParts } from './order-parts.ts'

/** Cancels under way at a time: the database takes as many in a few commits. */
const TOGETHER_MAX = 256

export type CancelFilter = MarketFilter & Readonly<{ side?: 'buy' | 'sell' | undefined }>

/** Cancels the caller's orders of these ids, either form. */
export async function cancelNamed(
  parts: OrderParts,
  caller: Caller,
  ids: readonly string[],
): Promise<CancelledOrders> {
  const owner = await lookAtOwner(parts, caller.account, (known) => known)
  return cancelAll(new Set(ids.map((id) => id.toLowerCase())), async (id) => {
    const found = await findToEnd(parts, owner, id)
    if (found.live === undefined) throw orderEnded(parts, owner, found.ended)
    return cancelFound({ parts, owner, found: found.live })
  })
}

/** Cancels the caller's orders that a filter leaves: resting, on their way and held. */
export async function cancelMatching(
  parts: OrderParts,
  caller: Caller,
  filter: CancelFilter,
): Promise<CancelledOrders> {
  const owner = await lookAtOwner(parts, caller.account, (known) => known)
  await parts.intentBook.current()
  const found = new Map(matching(parts, owner, filter).map((one) => [idOf(one), one]))
  return cancelAll(found.keys(), (id) =>
    cancelFound({ parts, owner, found: found.get(id) as FoundOrder }),
  )
}

const idOf = ({ order, intent }: FoundOrder) =>
  order === undefined ? (intent?.id ?? '') : orderId(order)

function matching(parts: OrderParts, { account }: Owner, filter: CancelFilter): FoundOrder[] {
  const { model, intentBook } = parts
  const markets = new Set(filterMarkets(model, filter).map(({ market }) => market.id))
  if (account === undefined) return []
  const isMeant = (market: string, isBuy: boolean) =>
    markets.has(market) && (filter.side === undefined || (filter.side === 'buy') === isBuy)
  const resting = model.accountOrders
    .of(account)
    .filter(({ market, isBuy }) => isMeant(market, isBuy))
    .map((order) => ({
      order,
      intent: order.ref === null ? undefined : intentBook.find(order.ref),
    }))
  const held = intentBook
    .liveOrders(account)
    .filter(({ id, market, payload }) => {
      const isBuy = payload.kind === 'order' && payload.order.isBuy
      return isMeant(market, isBuy) && model.accountOrders.signed(id) === undefined
    })
    .map((intent) => ({ order: undefined, intent }))
  return [...resting, ...held]
}

/** Cancels each; what refuses one, refuses that one alone. */
async function cancelAll(
  ids: Iterable<string>,
  cancel: (id: string) => ReturnType<typeof cancelFound>,
): Promise<CancelledOrders> {
  const done: string[] = []
  const accepted: string[] = []
  const failed: Record<string, string> = {}
  const one = async (id: string) => {
    try {
      const { promised } = await cancel(id)
      done.push(id)
      if (promised !== undefined) accepted.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed[id] = error.code
    }
  }
  const all = [...ids]
  for (let from = 0; from < all.length; from += TOGETHER_MAX)
    await Promise.all(all.slice(from, from + TOGETHER_MAX).map(one))
  return { success: Object.keys(failed).length === 0, order_ids: done, accepted, failed }
}
