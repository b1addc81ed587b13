// Edits an order: a new one, signed, whose `replaces` names the old. Interface 4.6.
import { orderId } from '@openvenue/core/ids'
import { lookAtOwner } from '../account/owner.ts'
import { fieldRefusal, missing } from '../http/validation.ts'
import type { Caller } from '../identity/caller.ts'
import { type AnswerOptions, answerOrder, type OrderAnswer } from './answer-order.ts'
import { orderEnded } from './cancel-orders.ts'
import { findLiveOrder, findOrder } from './find-order.ts'
import { type ParsedOrder, parseOrder } from './order-body.ts'
import type { OrderParts } from './order-parts.ts'
import { NOTHING_REPLACED } from './signed-order.ts'

/** Places the order that replaces the caller's order of that id, either form. */
export async function editOrder(
  parts: OrderParts,
  caller: Caller,
  { id, body }: Readonly<{ id: string; body: unknown }>,
  options: AnswerOptions = {},
): Promise<OrderAnswer> {
  const parsed = parseOrder(body, parts)
  if (parsed.order.replaces === NOTHING_REPLACED)
    throw fieldRefusal([missing('replaces', 'body member replaces')])
  const asked = id.toLowerCase()
  if (asked !== parsed.order.replaces && !(await isKnown(parts, parsed)))
    await requireReplaced(parts, caller, { id: asked, parsed })
  return answerOrder(parts, caller, body, options)
}

/** The same edit again: what it replaced is gone, and it is answered as it stands. */
async function isKnown({ intentBook, intents }: OrderParts, { digest }: ParsedOrder) {
  return intentBook.find(digest) !== undefined || (await intents.find([digest])).length > 0
}

/** Refuses where the order of that id is not the one that the new order replaces. */
async function requireReplaced(
  parts: OrderParts,
  caller: Caller,
  { id, parsed }: Readonly<{ id: string; parsed: ParsedOrder }>,
): Promise<void> {
  const owner = await lookAtOwner(parts, caller.account, (known) => known)
  const order = findLiveOrder(parts, owner, id)?.order
  if (order === undefined) throw orderEnded(parts, owner, await findOrder(parts, owner, id))
  const nearest = orderId({ ...order, ref: null })
  if (nearest === parsed.order.replaces) return
  const code = 'INVALID_PARAMETER'
  const message = 'replaces is the chain_order_id of the order that the path names'
  throw fieldRefusal([{ field: 'replaces', code, message, nearest }])
}
