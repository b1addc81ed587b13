// Encodes orders for their owner. Interface 4.4, section 8.
import { invariant } from '@openvenue/core/assert'
import type { Order } from '@openvenue/core/records'
import { encodeOrder, type OrderItem } from '@openvenue/wire/orders'
import { bounded, cachedBody } from '../http/cached-body.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { Owner } from './owner.ts'

/** Returns an order, resting or not, as its owner sees it. The model must have its market. */
export function encodeOrderItem(model: VenueModel, wallet: string, order: Order): OrderItem {
  const { market, position } = model.state.records
  const of = market.get(order.market)
  if (of === undefined) invariant(false, 'an order is of a listed market', order)
  const leverage = position.get(`${order.market}|${order.account}`)?.leverage ?? 0
  return encodeOrder(of, order, { account: wallet, leverage })
}

/** Cached bodies: a page has at most 1,000 orders of some 900 bytes. */
const BODIES_MAX = 64

/**
 * Returns a function that builds the JSON of an owner's orders for a query with `build`. A recent
 * body is built again only after those orders, or the result of `versionOf`, changed.
 */
export function orderBodies<Q>(
  model: VenueModel,
  build: (owner: Owner, query: Q) => object,
  versionOf: (account: number) => number = () => 0,
): (owner: Owner, query: Q) => Buffer {
  const bodies = bounded(BODIES_MAX, (key) => {
    const { owner, query } = JSON.parse(key) as { owner: Owner; query: Q }
    return cachedBody(
      () => {
        const account = owner.account ?? 0
        const orders = `${model.accountOrders.version(account)} ${versionOf(account)}`
        return `${orders} ${model.versions.listing}`
      },
      () => build(owner, query),
    )
  })
  return (owner, query) => bodies(JSON.stringify({ owner, query }))()
}
