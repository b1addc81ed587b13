// Edits an order: a new one, signed, takes its place. A resting order is named by `replaces` and
// goes in the same call of the contract; a pending or held one is taken back first. Interface 4.6.
import { orderId } from '@openvenue/core/ids'
import type { Intent } from '@openvenue/store/intents/intents'
import { loadOwner, type Owner } from '../../account/owner.ts'
import { Refusal } from '../../http/refusals.ts'
import { fieldRefusal, invalid, missing } from '../../http/validation.ts'
import type { Caller } from '../../identity/caller.ts'
import { orderEnded, takeBack } from '../cancel/cancel-orders.ts'
import type { OrderParts } from '../order-parts.ts'
import { type AnswerOptions, answerOrder, type OrderAnswer } from '../place/place-orders.ts'
import type { PendingReplacement } from '../place/reservation.ts'
import { findLiveOrder, findOrder, type OrderLookup, replacedReason } from '../relay/find-order.ts'
import { closedRefusal } from '../relay/relay-status.ts'
import { type ParsedOrder, parseOrder } from '../rules/order-body.ts'
import { orderRefusal, problem } from '../rules/order-rules.ts'
import { NOTHING_REPLACED } from '../rules/signed-order.ts'

/** When to come back for an order whose transaction is in no block yet. */
const RETRY_MS = 1000

/** Places the order that replaces the caller's order of that id, either form. */
export async function editOrder(
  parts: OrderParts,
  caller: Caller,
  { id, body }: Readonly<{ id: string; body: unknown }>,
  options: AnswerOptions = {},
): Promise<OrderAnswer> {
  const find = () => findReplaced(parts, caller, { id, body })
  const source = { reqId: options.requestId, account: caller.account }
  const replaced = await parts.orderMeter.refusing(find, source)
  return answerOrder(parts, caller, body, { ...options, replaced })
}

/** Returns the pending order that the edit replaces; undefined when nothing is taken back. */
async function findReplaced(
  parts: OrderParts,
  caller: Caller,
  { id, body }: Readonly<{ id: string; body: unknown }>,
): Promise<PendingReplacement | undefined> {
  const parsed = parseOrder(body, parts)
  const orderId = id.toLowerCase()
  if (orderId === parsed.digest) throw orderRefusal([sameOrder(orderId)])
  const isNamed = orderId === parsed.order.replaces
  if (isNamed || (await isKnown(parts, parsed))) return undefined
  const closed = closedRefusal(parts.settings.trading)
  if (closed !== undefined) throw closed
  return requireReplaced(parts, caller, { id: orderId, parsed })
}

/** Returns whether it is a repeat: the replaced order is gone, and the answer is the first edit. */
async function isKnown({ intentBook, intents }: OrderParts, { digest }: ParsedOrder) {
  return intentBook.find(digest) !== undefined || (await intents.find([digest])).length > 0
}

const sameOrder = (order_id: string) =>
  problem('EDIT_ORDER_SAME_ID', ['salt', 'an edit has a signature of its own'], {
    facts: { order_id },
  })

/**
 * Refuses where the order of that id is not the one that the new order replaces. Returns what is to
 * be taken back for it, where the chain does not have that yet.
 */
async function requireReplaced(
  parts: OrderParts,
  caller: Caller,
  { id, parsed }: Readonly<{ id: string; parsed: ParsedOrder }>,
): Promise<PendingReplacement | undefined> {
  const owner = await loadOwner(parts, caller.account, (owner) => owner)
  const liveOrder = findLiveOrder(parts, owner, id)
  if (liveOrder?.order !== undefined) {
    requireNamed(liveOrder, parsed)
    return undefined
  }
  const intent = liveOrder?.intent
  // Whatever it names, the order of the path is another one, or ended.
  if (intent === undefined || parsed.order.replaces !== NOTHING_REPLACED)
    throw orderEnded(parts, owner, liveOrder ?? (await findOrder(parts, owner, id)))
  requireSameTerms(intent, parsed)
  const takeBack = () => takeBackPending(parts, owner, { intent, edit: parsed.digest })
  return { id: intent.id, takeBack }
}

/** Refuses an order that does not name the one that rests, with the id to sign. */
function requireNamed({ order }: OrderLookup, parsed: ParsedOrder): void {
  if (order === undefined) return
  const nearest = orderId({ ...order, ref: null })
  const { replaces } = parsed.order
  if (nearest === replaces) return
  if (replaces === NOTHING_REPLACED)
    throw fieldRefusal([{ ...missing('replaces', 'body member replaces'), nearest }])
  const fault = 'names another order'
  const expected = `${nearest}, the chain_order_id of the edited order`
  throw fieldRefusal([{ ...invalid('replaces', expected, { given: replaces, fault }), nearest }])
}

/** Refuses another market or side, like the rules of an order that replaces a resting one. */
function requireSameTerms({ id, market, payload }: Intent, { market: of, order }: ParsedOrder) {
  if (payload.kind !== 'order') return
  const facts = { order_id: id }
  if (market !== of.id) {
    const rule = 'instrument differs: expected that of the replaced order'
    throw orderRefusal([
      problem('EDIT_ORDER_DIFFERENT_INSTRUMENT', ['instrument', rule], { facts }),
    ])
  }
  const { isBuy } = payload.order
  if (isBuy === order.isBuy) return
  const rule = `is_buy differs: got ${order.isBuy}, expected ${isBuy}, as in the replaced order`
  const given = { nearest: String(isBuy), facts }
  throw orderRefusal([problem('EDIT_ORDER_CANNOT_CHANGE_DIRECTION', ['is_buy', rule], given)])
}

/**
 * Takes an order back that the chain does not have. If a transaction carries it, waits for that:
 * once the order rests, the new one has to name it, so that the chain lets only one of them live.
 */
async function takeBackPending(
  parts: OrderParts,
  owner: Owner,
  { intent, edit }: Readonly<{ intent: Intent; edit: string }>,
): Promise<Refusal | undefined> {
  const isBack = async () => (await takeBack(parts, intent, replacedReason(edit))) !== undefined
  if (await isBack()) return undefined
  await parts.waits.wait([{ ...intent, state: 'sent' }], new AbortController().signal)
  const liveOrder = findLiveOrder(parts, owner, intent.id)
  if (liveOrder?.order !== undefined) return restsNow(liveOrder)
  if (liveOrder === undefined)
    return orderEnded(parts, owner, await findOrder(parts, owner, intent.id))
  // Its transaction did not come, and it waits for another one.
  if (await isBack()) return undefined
  return new Refusal('ORDER_PENDING', {
    retryAfterMs: RETRY_MS,
    details: [
      problem('ORDER_PENDING', ['replaces', PENDING_RULE], { facts: { order_id: intent.id } }),
    ],
  })
}

const PENDING_RULE = 'replaces is required once the order rests: expected its chain_order_id'

function restsNow({ order }: OrderLookup): Refusal {
  const near = order === undefined ? {} : { nearest: orderId({ ...order, ref: null }) }
  return orderRefusal([problem('MISSING_PARAMETER', ['replaces', PENDING_RULE], near)])
}
