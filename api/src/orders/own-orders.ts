// An account's orders that live: those that rest, as the chain has them, and those on their way or
// held, as the venue has them. Interface 4.4, 4.6, section 8.
import { placeId } from '@openvenue/core/ids'
import { type CursorPosition, cursorPosition } from '@openvenue/store/account-history'
import type { MarketFilter } from '@openvenue/wire/account-query'
import { type OpenOrdersQuery, ORDERS_MAX, type OrderItem } from '@openvenue/wire/orders'
import { filterMarkets, marketsPrint } from '../account/account-filter.ts'
import { orderBodies } from '../account/account-orders.ts'
import type { Owner } from '../account/owner.ts'
import { pageFromMemory } from '../http/memory-page.ts'
import type { ListName, Page } from '../http/page.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { inFamilyWords } from './answer-order.ts'
import { type FoundOrder, findLiveOrder, showOrder } from './find-order.ts'
import type { IntentBook } from './intent-book.ts'

export type OwnOrderParts = Readonly<{ model: VenueModel; intentBook: IntentBook }>

/** What has no place on the chain yet comes after all that has. */
const NOT_ON_CHAIN_SECONDS = 9_999_999_999

/** Returns a page of the orders of `owner` that rest, are on their way or are held. */
export function openOrdersPage(
  parts: OwnOrderParts,
  owner: Owner,
  query: OpenOrdersQuery,
): Page<FoundOrder> {
  const list: ListName = {
    list: 'open-orders',
    isAscending: query.sort_order === 'asc',
    filter: [owner.wallet, marketsPrint(parts.model, query)],
  }
  const rows = ownOrders(parts, owner, query)
  return pageFromMemory(query, list, { rows, cursorPosition: placeOf })
}

const placeOf = ({ order, intent }: FoundOrder): CursorPosition =>
  order === undefined
    ? { seconds: NOT_ON_CHAIN_SECONDS, id: placeId(intent?.seq ?? 0, 0) }
    : cursorPosition('order', order)

/** Returns the most recent orders that live, newest first; at most ORDERS_MAX. */
export const recentOrders = (
  parts: OwnOrderParts,
  owner: Owner,
  filter: MarketFilter = {},
): readonly FoundOrder[] => ownOrders(parts, owner, filter).slice(-ORDERS_MAX).reverse()

/** Returns the order of that id, either form, in any case, if it is among the most recent ones. */
export function recentOrder(
  parts: OwnOrderParts,
  owner: Owner,
  id: string,
): FoundOrder | undefined {
  const found = findLiveOrder(parts, owner, id.toLowerCase())
  if (found === undefined) return undefined
  return recentOrders(parts, owner).find(({ order, intent }) =>
    found.order === undefined ? intent?.id === found.intent?.id : order === found.order,
  )
}

/** Oldest first. */
function ownOrders(
  { model, intentBook }: OwnOrderParts,
  { account }: Owner,
  filter: MarketFilter,
): readonly FoundOrder[] {
  const markets = filterMarkets(model, filter)
  if (account === undefined) return []
  const resting = model.accountOrders.of(account).map((order) => ({
    order,
    intent: order.ref === null ? undefined : intentBook.find(order.ref),
  }))
  const held = intentBook
    .liveOrders(account)
    .filter(({ id }) => model.accountOrders.signed(id) === undefined)
    .toSorted((one, other) => one.seq - other.seq)
    .map((intent) => ({ order: undefined, intent }))
  const all = [...resting, ...held]
  const { instrument_type, instrument_name, asset } = filter
  if (instrument_type === undefined && instrument_name === undefined && asset === undefined)
    return all
  const asked = new Set(markets.map(({ market }) => market.id))
  return all.filter(({ order, intent }) => asked.has(order?.market ?? intent?.market ?? ''))
}

/** Returns orders as their owner sees them, in the words that the caller's programs know. */
export const showOrders = (
  { model }: OwnOrderParts,
  owner: Owner,
  found: readonly FoundOrder[],
  isLegacy = false,
): readonly OrderItem[] =>
  found.flatMap((one) => {
    const item = showOrder(model, owner, one)
    return item === undefined ? [] : [inFamilyWords(item, isLegacy)]
  })

/** As `orderBodies`, of what is made of orders that live. */
export const ownOrderBodies = <Q>(
  { model, intentBook }: OwnOrderParts,
  build: (owner: Owner, query: Q) => object,
) => orderBodies(model, build, (account) => intentBook.version(account))
