// An account's resting orders, from the model's memory. Interface 4.4, section 8.
import { invariant } from '@openvenue/core/assert'
import { orderId } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import { cursorPosition } from '@openvenue/store/account-history'
import type { MarketFilter } from '@openvenue/wire/account-query'
import {
  encodeOrder,
  type OpenOrdersQuery,
  ORDERS_MAX,
  type OrderItem,
} from '@openvenue/wire/orders'
import { bounded, cachedBody } from '../http/cached-body.ts'
import { pageFromMemory } from '../http/memory-page.ts'
import type { ListName, Page } from '../http/page.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { filterMarkets, marketsPrint } from './account-filter.ts'
import type { Owner } from './owner.ts'

/** Returns an order, resting or not, as its owner sees it. Its market is one of the model's. */
export function encodeOrderItem(model: VenueModel, wallet: string, order: Order): OrderItem {
  const { market, position } = model.state.records
  const of = market.get(order.market)
  if (of === undefined) invariant(false, 'an order is of a listed market', order)
  const leverage = position.get(`${order.market}|${order.account}`)?.leverage ?? 0
  return encodeOrder(of, order, { account: wallet, leverage })
}

/** Bodies kept: a page has at most 1,000 orders of some 900 bytes. */
const BODIES_MAX = 64

/**
 * Returns a reader of what `build` makes of an owner's orders and a query, as JSON. What was asked
 * lately is made again only after a change of those orders.
 */
export function orderBodies<Q>(
  model: VenueModel,
  build: (owner: Owner, query: Q) => object,
): (owner: Owner, query: Q) => Buffer {
  const kept = bounded(BODIES_MAX, (key) => {
    const { owner, query } = JSON.parse(key) as { owner: Owner; query: Q }
    return cachedBody(
      () => `${model.accountOrders.version(owner.account ?? 0)} ${model.versions.listing}`,
      () => build(owner, query),
    )
  })
  return (owner, query) => kept(JSON.stringify({ owner, query }))()
}

/** Returns a page of the orders of `owner` that are open or partially filled. */
export function openOrdersPage(
  model: VenueModel,
  owner: Owner,
  query: OpenOrdersQuery,
): Page<Order> {
  const list: ListName = {
    list: 'open-orders',
    isAscending: query.sort_order === 'asc',
    filter: [owner.wallet, marketsPrint(model, query)],
  }
  const rows = restingOrders(model, owner, query)
  return pageFromMemory(query, list, {
    rows,
    cursorPosition: (order) => cursorPosition('order', order),
  })
}

/** Returns the most recent open and partially filled orders, newest first; at most ORDERS_MAX. */
export const recentOrders = (
  model: VenueModel,
  owner: Owner,
  filter: MarketFilter = {},
): readonly Order[] => restingOrders(model, owner, filter).slice(-ORDERS_MAX).reverse()

/**
 * Returns the order of that id, either form, in any case, if it is among the most recent ones.
 */
export function recentOrder(model: VenueModel, owner: Owner, id: string): Order | undefined {
  const asked = id.toLowerCase()
  return recentOrders(model, owner).find(
    (order) => orderId(order) === asked || orderId({ ...order, ref: null }) === asked,
  )
}

/** Oldest first. */
function restingOrders(
  model: VenueModel,
  { account }: Owner,
  filter: MarketFilter,
): readonly Order[] {
  const orders = account === undefined ? [] : model.accountOrders.of(account)
  if (isEmpty(filter) || orders.length === 0) return orders
  const asked = new Set(filterMarkets(model, filter).map(({ market }) => market.id))
  return orders.filter(({ market }) => asked.has(market))
}

const isEmpty = ({ instrument_type, instrument_name, asset }: MarketFilter) =>
  instrument_type === undefined && instrument_name === undefined && asset === undefined
