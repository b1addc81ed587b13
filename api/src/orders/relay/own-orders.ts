// An account's orders that live: those that rest, as the chain has them, and those on their way or
// held, as the venue has them. Interface 4.4, 4.6, section 8.
import { placeId } from '@openvenue/core/ids'
import type { CursorPosition } from '@openvenue/store/history/account-history'
import type { MarketFilter } from '@openvenue/wire/account-query'
import { type OpenOrdersQuery, ORDERS_MAX, type OrderItem } from '@openvenue/wire/orders'
import { filterMarkets, marketsPrint } from '../../account/account-filter.ts'
import { orderBodies } from '../../account/account-orders.ts'
import type { Owner } from '../../account/owner.ts'
import { pageFromMemory } from '../../http/memory-page.ts'
import { comparePositions, type ListName, type Page } from '../../http/page.ts'
import type { OrderParts } from '../order-parts.ts'
import {
  acceptedSeconds,
  findLiveOrder,
  inFamilyWords,
  type OrderLookup,
  showOrder,
} from './find-order.ts'

/** Filter of live orders: `include` pending adds those that the chain does not have. */
type OrderFilter = MarketFilter & Readonly<{ include?: 'pending' | undefined }>

/** Returns a page of the orders of `owner` that rest or, if asked for, are on their way or held. */
export function openOrdersPage(
  parts: OrderParts,
  owner: Owner,
  query: OpenOrdersQuery,
): Page<OrderLookup> {
  const list: ListName = {
    list: 'open-orders',
    isAscending: query.sort_order === 'asc',
    filter: [owner.wallet, marketsPrint(parts.model, query), query.include],
  }
  const rows = ownOrders(parts, owner, query)
  return pageFromMemory(query, list, { rows, cursorPosition: placeOf })
}

/**
 * A place that an order keeps from its acceptance to its end, on the chain or before: within a
 * second those that the venue accepted come last, in the order in which it did.
 */
function placeOf({ order, intent }: OrderLookup): CursorPosition {
  const accepted = intent === undefined ? undefined : placeId(intent.seq, 0)
  const id = accepted === undefined ? '' : `z${accepted}`
  if (order !== undefined)
    return {
      seconds: order.createdSeconds,
      id: id || placeId(order.blockNumber, order.logIndex),
    }
  return { seconds: intent === undefined ? 0 : acceptedSeconds(intent), id }
}

/** Returns the most recent orders that live, newest first; at most ORDERS_MAX. */
export const recentOrders = (
  parts: OrderParts,
  owner: Owner,
  filter: OrderFilter = {},
): readonly OrderLookup[] => ownOrders(parts, owner, filter).slice(-ORDERS_MAX).reverse()

/** Returns the order of that id, either form, in any case, if it is among the most recent ones. */
export function recentOrder(parts: OrderParts, owner: Owner, id: string): OrderLookup | undefined {
  const liveOrder = findLiveOrder(parts, owner, id.toLowerCase())
  if (liveOrder === undefined) return undefined
  return recentOrders(parts, owner, { include: 'pending' }).find(({ order, intent }) =>
    liveOrder.order === undefined ? intent?.id === liveOrder.intent?.id : order === liveOrder.order,
  )
}

/** Oldest first. */
function ownOrders(
  { model, intentBook }: OrderParts,
  { account }: Owner,
  filter: OrderFilter,
): readonly OrderLookup[] {
  const markets = filterMarkets(model, filter)
  if (account === undefined) return []
  const resting = model.accountOrders.of(account).map((order) => ({
    order,
    intent: order.ref === null ? undefined : intentBook.find(order.ref),
  }))
  const { instrument_type, instrument_name, asset, include } = filter
  const heldOrders = include === undefined ? [] : intentBook.liveOrders(account)
  const ahead = heldOrders
    .filter(({ id }) => model.accountOrders.signed(id) === undefined)
    .map((intent) => ({ order: undefined, intent }))
  const all = inPlace([...resting, ...ahead])
  if (instrument_type === undefined && instrument_name === undefined && asset === undefined)
    return all
  const marketIds = new Set(markets.map(({ market }) => market.id))
  return all.filter(({ order, intent }) => marketIds.has(order?.market ?? intent?.market ?? ''))
}

const inPlace = (orders: readonly OrderLookup[]): readonly OrderLookup[] =>
  orders
    .map((found) => ({ found, place: placeOf(found) }))
    .sort((one, other) => comparePositions(one.place, other.place))
    .map(({ found }) => found)

/** Returns orders as their owner sees them, in the words that the caller's programs know. */
export const showOrders = (
  { model }: Pick<OrderParts, 'model'>,
  owner: Owner,
  orders: readonly OrderLookup[],
  isLegacy = false,
): readonly OrderItem[] =>
  orders.flatMap((order) => {
    const item = showOrder(model, owner, order)
    return item === undefined ? [] : [inFamilyWords(item, isLegacy)]
  })

/** Returns bodies like `orderBodies`, kept until a live order of the account changes. */
export const ownOrderBodies = <Q>(
  { model, intentBook }: OrderParts,
  build: (owner: Owner, query: Q) => object,
) => orderBodies(model, build, (account) => intentBook.version(account))
