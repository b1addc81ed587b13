// Finds an order of an account by any of its names: on the book, on its way, held, or ended.
import { orderKey } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import type { AccountHistory, OrderName } from '@openvenue/store/account-history'
import { type Intent, type Intents, LIVE_STATES } from '@openvenue/store/intents'
import type { OrderItem } from '@openvenue/wire/orders'
import { encodeOrderItem } from '../account/account-orders.ts'
import type { Owner } from '../account/owner.ts'
import { historyUnavailable } from '../http/refusals.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { heldOrderItem } from './held-order.ts'
import type { IntentBook } from './intent-book.ts'

export type FindParts = Readonly<{
  model: VenueModel
  intentBook: IntentBook
  intents: Pick<Intents, 'find' | 'findByClientOrderId'>
  history: Pick<AccountHistory, 'order'>
  fresh: FreshReads
}>

/** An order of an account: what the chain has of it, what the venue has, or both. */
export type FoundOrder = Readonly<{ order: Order | undefined; intent: Intent | undefined }>

/** Both forms of an id are 32 bytes: a digest, or engine (20), market number (4), order number. */
const ID = /^0x[0-9a-f]{64}$/
const MARKET_END = 2 + 48

/** Returns the order of that id, either form, that rests, is on its way or is held. */
export function findLiveOrder(
  { model, intentBook }: Pick<FindParts, 'model' | 'intentBook'>,
  { account }: Owner,
  id: string,
): FoundOrder | undefined {
  if (account === undefined || !ID.test(id)) return undefined
  const order = restingOrder(model, account, id)
  const known = intentBook.find(order?.ref ?? id)
  const intent = known?.account === account && known.payload.kind === 'order' ? known : undefined
  if (order !== undefined) return { order, intent }
  return intent !== undefined && isLive(intent) ? { order, intent } : undefined
}

/**
 * As `findLiveOrder`; what this node has not heard of yet is asked of the database. With `ended` it
 * lives no more.
 */
export async function findToEnd(
  parts: FindParts,
  owner: Owner,
  id: string,
): Promise<Readonly<{ live: FoundOrder } | { live?: undefined; ended: FoundOrder | undefined }>> {
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

/** As `findLiveOrder`, and also orders that ended. Refuses while the database does not answer. */
export async function findOrder(
  parts: FindParts,
  owner: Owner,
  id: string,
): Promise<FoundOrder | undefined> {
  const live = findLiveOrder(parts, owner, id)
  if (live !== undefined || owner.account === undefined || !ID.test(id)) return live
  const order = await readOrder(parts, { ref: id }).then((found) => found ?? readByChain(parts, id))
  const mine = order?.account === owner.account ? order : undefined
  const intent = await findIntent(parts, owner, mine?.ref ?? id)
  return mine === undefined && intent === undefined ? undefined : { order: mine, intent }
}

async function readByChain(parts: FindParts, id: string): Promise<Order | undefined> {
  const name = chainName(id)
  if (!parts.model.state.records.market.has(name.market)) return undefined
  return Number.isSafeInteger(name.number) ? readOrder(parts, name) : undefined
}

async function readOrder(
  { fresh, history }: FindParts,
  name: OrderName,
): Promise<Order | undefined> {
  const read = fresh.read((from) => history.order(name, from))
  return (await read.catch(unavailable)).rows
}

async function findIntent(
  { intentBook, intents }: FindParts,
  { account }: Owner,
  digest: string,
): Promise<Intent | undefined> {
  const known = intentBook.find(digest) ?? (await intents.find([digest]))[0]
  const isMine = known?.account === account && known?.payload.kind === 'order'
  return isMine ? known : undefined
}

const unavailable = (cause: unknown): never => {
  throw historyUnavailable(cause)
}

/**
 * Returns the order whose client calls it so: the live one, or the newest that ended. Refuses while
 * the database does not answer.
 */
export async function findByClientOrderId(
  parts: FindParts,
  owner: Owner,
  clientOrderId: string,
): Promise<FoundOrder | undefined> {
  const { account } = owner
  if (account === undefined) return undefined
  const { intentBook, intents } = parts
  const intent =
    intentBook.findByClientOrderId(account, clientOrderId) ??
    (await intents.findByClientOrderId(account, clientOrderId))
  if (intent !== undefined) return findOrder(parts, owner, intent.id)
  const order = await readOrder(parts, { account, clientOrderId })
  return order && { order, intent }
}

/** Returns the order of an intent: as the chain has it, once it does. */
export async function followIntent(parts: FindParts, intent: Intent): Promise<FoundOrder> {
  const { model } = parts
  const resting = model.accountOrders.signed(intent.id)
  if (resting !== undefined || intent.state !== 'included') return { order: resting, intent }
  return { order: await readOrder(parts, { ref: intent.id }), intent }
}

/** Returns an order as its owner sees it; undefined where its market is gone. */
export function showOrder(
  model: VenueModel,
  { wallet }: Owner,
  { order, intent }: FoundOrder,
): OrderItem | undefined {
  if (order === undefined) return intent && heldOrderItem(model, intent)
  if (!model.state.records.market.has(order.market)) return undefined
  return encodeOrderItem(model, wallet, order)
}
