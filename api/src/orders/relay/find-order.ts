// Finds an order of an account by any of its names: on the book, on its way, held, or ended. Shows
// it to its owner with the reason of its end.
import type { Header } from '@openvenue/core/events'
import { orderId, orderKey } from '@openvenue/core/ids'
import type { Market, Order } from '@openvenue/core/records'
import type { OrderName } from '@openvenue/store/history/account-history'
import { type Intent, LIVE_STATES } from '@openvenue/store/intents/intents'
import { type EndReason, encodeHeldOrder } from '@openvenue/wire/held-orders'
import {
  encodeNotification,
  type NotificationItem,
  type NotificationRecord,
} from '@openvenue/wire/notifications'
import type { OrderItem } from '@openvenue/wire/orders'
import { encodeOrderItem } from '../../account/account-orders.ts'
import type { Owner } from '../../account/owner.ts'
import { historyUnavailable, REFUSALS } from '../../http/refusals.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { OrderParts } from '../order-parts.ts'
import { errorCode, type RefusedOrder } from '../rules/contract-errors.ts'
import { NOTHING_REPLACED, signedOrder } from '../rules/signed-order.ts'

/** An order of an account: what the chain has of it, what the venue has, or both. */
export type OrderLookup = Readonly<{ order: Order | undefined; intent: Intent | undefined }>

/** Both forms of an id are 32 bytes: a digest, or engine (20), market number (4), order number. */
const ID = /^0x[0-9a-f]{64}$/
const MARKET_END = 2 + 48

/** Returns the order of that id, either form, that rests, is on its way or is held. */
export function findLiveOrder(
  { model, intentBook }: Pick<OrderParts, 'model' | 'intentBook'>,
  { account }: Owner,
  id: string,
): OrderLookup | undefined {
  if (account === undefined || !ID.test(id)) return undefined
  const order = restingOrder(model, account, id)
  const candidate = intentBook.find(order?.ref ?? id)
  const intent =
    candidate?.account === account && candidate.payload.kind === 'order' ? candidate : undefined
  if (order !== undefined) return { order, intent }
  return intent !== undefined && isLive(intent) ? { order, intent } : undefined
}

/**
 * Returns the live order like `findLiveOrder`, and asks the database where this node does not have
 * it yet. With `ended` the order is not live any more.
 */
export async function findToEnd(
  parts: OrderParts,
  owner: Owner,
  id: string,
): Promise<Readonly<{ live: OrderLookup } | { live?: undefined; ended: OrderLookup | undefined }>> {
  const found = findLiveOrder(parts, owner, id) ?? (await findOrder(parts, owner, id))
  if (found === undefined) return { ended: found }
  const { order, intent } = found
  const rests = order !== undefined && order.restingLots > 0n
  const waits = order === undefined && intent !== undefined && isLive(intent)
  return rests || waits ? { live: found } : { ended: found }
}

const isLive = ({ state }: Intent) => (LIVE_STATES as readonly string[]).includes(state)

function restingOrder(model: VenueModel, account: number, id: string): Order | undefined {
  const { market, number } = chainName(id)
  const order =
    model.accountOrders.signed(id) ?? model.state.records.order.get(orderKey(market, number))
  return order?.account === account && order.restingLots > 0n ? order : undefined
}

const chainName = (id: string) => ({
  market: id.slice(0, MARKET_END),
  number: Number.parseInt(id.slice(MARKET_END), 16),
})

/** Finds live and ended orders. Refuses while the database does not answer. */
export async function findOrder(
  parts: OrderParts,
  owner: Owner,
  id: string,
): Promise<OrderLookup | undefined> {
  const live = findLiveOrder(parts, owner, id)
  if (live !== undefined || owner.account === undefined || !ID.test(id)) return live
  const order = await readOrder(parts, { ref: id }).then((order) => order ?? readByChain(parts, id))
  const mine = order?.account === owner.account ? order : undefined
  const intent = await findIntent(parts, owner, mine?.ref ?? id)
  return mine === undefined && intent === undefined ? undefined : { order: mine, intent }
}

/** An order that may have ended, as of the block of one view of the database. */
type PastOrder = Readonly<{ found: OrderLookup | undefined; head: Header | undefined }>

/**
 * Returns the order of that id as the database has it, once this node has all that it read: what
 * rests there is live here, or has ended since.
 */
export async function findPastOrder(
  parts: OrderParts,
  owner: Owner,
  id: string,
): Promise<PastOrder> {
  if (owner.account === undefined || !ID.test(id))
    return { found: undefined, head: parts.model.head }
  const read = await readCaughtUp(parts, { ref: id })
  const { rows: order, head } =
    read.rows === undefined && isOfMarket(parts, id)
      ? await readCaughtUp(parts, chainName(id))
      : read
  const mine = order?.account === owner.account ? order : undefined
  const intent = await findIntent(parts, owner, mine?.ref ?? id)
  const isNone = mine === undefined && intent === undefined
  return { found: isNone ? undefined : { order: mine, intent }, head }
}

/** Returns the id of the order whose client calls it so: of the live one, or the newest. */
export async function idByClientOrderId(
  parts: OrderParts,
  { account }: Owner,
  clientOrderId: string,
): Promise<string | undefined> {
  if (account === undefined) return undefined
  const { intentBook, intents } = parts
  const intent =
    intentBook.findByClientOrderId(account, clientOrderId) ??
    (await intents.findByClientOrderId(account, clientOrderId))
  if (intent !== undefined) return intent.id
  const order = await readOrder(parts, { account, clientOrderId })
  return order && orderId(order)
}

const readCaughtUp = ({ fresh, history }: OrderParts, name: OrderName) =>
  fresh.readCaughtUp((from) => history.order(name, from)).catch(unavailable)

function isOfMarket({ model }: OrderParts, id: string): boolean {
  const { market, number } = chainName(id)
  return model.state.records.market.has(market) && Number.isSafeInteger(number)
}

async function readByChain(parts: OrderParts, id: string): Promise<Order | undefined> {
  return isOfMarket(parts, id) ? readOrder(parts, chainName(id)) : undefined
}

async function readOrder(
  { fresh, history }: OrderParts,
  name: OrderName,
): Promise<Order | undefined> {
  const read = fresh.read((from) => history.order(name, from))
  return (await read.catch(unavailable)).rows
}

async function findIntent(
  { intentBook, intents }: OrderParts,
  { account }: Owner,
  digest: string,
): Promise<Intent | undefined> {
  const candidate = intentBook.find(digest) ?? (await intents.find([digest]))[0]
  const isMine = candidate?.account === account && candidate?.payload.kind === 'order'
  return isMine ? candidate : undefined
}

const unavailable = (cause: unknown): never => {
  throw historyUnavailable(cause)
}

/**
 * Returns the order whose client calls it so: the live one, or the newest that ended. Refuses while
 * the database does not answer.
 */
export async function findByClientOrderId(
  parts: OrderParts,
  owner: Owner,
  clientOrderId: string,
): Promise<OrderLookup | undefined> {
  const id = await idByClientOrderId(parts, owner, clientOrderId)
  return id === undefined ? undefined : findOrder(parts, owner, id)
}

/** Returns the order of an intent: as the chain has it, once it does. */
export async function followIntent(parts: OrderParts, intent: Intent): Promise<OrderLookup> {
  const { model } = parts
  const resting = model.accountOrders.signed(intent.id)
  if (resting !== undefined || intent.state !== 'included') return { order: resting, intent }
  return { order: await readOrder(parts, { ref: intent.id }), intent }
}

/** Returns an order as its owner sees it; undefined where its market is gone. */
export function showOrder(
  model: VenueModel,
  { wallet }: Owner,
  { order, intent }: OrderLookup,
): OrderItem | undefined {
  if (order === undefined) return intent && heldOrderItem(model, intent)
  if (!model.state.records.market.has(order.market)) return undefined
  return encodeOrderItem(model, wallet, order)
}

/** Returns an order in the words of the family, whose programs take any other for a failure. */
export const inFamilyWords = (item: OrderItem, isLegacy = false): OrderItem =>
  isLegacy && item.order_status === 'pending' ? { ...item, order_status: 'opened' } : item

/** Returns the order that an intent is, as JSON; undefined: it is a cancel, or of no market. */
export function heldOrderItem(model: VenueModel, intent: Intent): OrderItem | undefined {
  const { payload, id, wallet, market } = intent
  const of = model.state.records.market.get(market)
  if (payload.kind !== 'order' || of === undefined) return undefined
  const { state, clientOrderId, parentId, txHash } = intent
  const { isMarket = false, edits } = payload
  return encodeHeldOrder(of, {
    ...payload.order,
    digest: id,
    account: wallet,
    state,
    clientOrderId,
    parentId,
    txHash,
    isMarket,
    edits,
    updatedNs: updatedNs(intent),
    reason: endReason(of, intent),
    acceptedSeconds: acceptedSeconds(intent),
  })
}

const NS_PER_SECOND = 1_000_000_000n

/** Returns when an order was accepted, by the time of the chain. */
export const acceptedSeconds = ({ payload, receivedNs }: Intent): number =>
  (payload.kind === 'order' ? payload.acceptedSeconds : undefined) ??
  Number(receivedNs / NS_PER_SECOND)

/**
 * Returns when an order came as far as it is, by the time of the chain: as long after its
 * acceptance as by the clocks of the venue, which may be ahead of the block that follows.
 */
const updatedNs = (intent: Intent): bigint =>
  BigInt(acceptedSeconds(intent)) * NS_PER_SECOND + intent.updatedNs - intent.receivedNs

const NO_REASON: EndReason = { code: undefined, contractError: undefined }

/** Returns the reason of an order that was taken back for the edit of that id. */
export const replacedReason = (id: string): string => `REPLACED ${id}`

/** Returns why an order ended, without a code while it lives. Contract errors keep their names. */
export function endReason(market: Market, intent: Intent): EndReason {
  const { state, payload, reason, id } = intent
  if (payload.kind !== 'order') return NO_REASON
  if (state === 'withdrawn') {
    const [code, replacedBy] = (reason ?? 'USER').split(' ')
    return { ...NO_REASON, code, ...(replacedBy !== undefined && { replacedBy }) }
  }
  if (state === 'expired') return { ...NO_REASON, code: reason ?? 'ORDER_TIMED_OUT' }
  if (state !== 'refused') return NO_REASON
  return refusedReason({ market, order: signedOrder(payload.order), digest: id }, reason)
}

/** Returns why the relayer or the contract refused an order. */
function refusedReason(order: RefusedOrder, reason = 'ORDER_REFUSED'): EndReason {
  if (Object.hasOwn(REFUSALS, reason)) return { ...NO_REASON, code: reason }
  return { code: errorCode(order, reason) ?? 'ORDER_REFUSED', contractError: reason }
}

type NotificationContext = Readonly<{ model: Pick<VenueModel, 'market'>; chainId: number }>

/** Returns a notification as REST and the sockets send it. */
export const notificationBody = (
  { model, chainId }: NotificationContext,
  notification: NotificationRecord,
): NotificationItem =>
  encodeNotification({ ...notification, data: dataOf(model, notification) }, chainId)

function dataOf(
  model: NotificationContext['model'],
  { type, data }: NotificationRecord,
): NotificationRecord['data'] {
  const { instrumentId, orderId, side, reason } = data as Readonly<Record<string, string>>
  const market = model.market(instrumentId ?? '')?.market
  if (type !== 'order_rejected' || market === undefined) return data
  // The code depends on nothing else of the order.
  const order = { isBuy: side === 'buy', amount: 0n, replaces: NOTHING_REPLACED }
  const { code, contractError } = refusedReason({ market, digest: orderId ?? '', order }, reason)
  return { ...data, reason: code, ...(contractError === undefined ? {} : { contractError }) }
}
