// Stages of placing between admission and the write: reserve room in the queue and in the budget of
// the account, and take back the order that an edit replaces. Interface 4.6.
import { heldPositions } from '@openvenue/core/account-positions'
import { orderId } from '@openvenue/core/ids'
import { gasOf, laneOf, orderLanesOf, type RelayStatus } from '@openvenue/core/relay'
import type { NewIntent, RequestTrace } from '@openvenue/store/intents/intents'
import type { Owner } from '../../account/owner.ts'
import { orUnavailable, Refusal } from '../../http/refusals.ts'
import type { OrderParts } from '../order-parts.ts'
import { promisedOrderBlock } from '../relay/promised-block.ts'
import { overHeld, overQueue, QUEUE_SHARES, requireRelay, unfunded } from '../relay/relay-status.ts'
import type { ParsedOrder } from '../rules/order-body.ts'
import { isHeldBack } from '../rules/order-checks.ts'
import { isPostOnly, mayRest, replacedOrder } from '../rules/order-rules.ts'
import { orderMembers } from '../rules/signed-order.ts'
import { advance, isOrder, isReserved, type OrderBatch, type ReservedIntent } from './admission.ts'

/** Live intents of an account at a time: on their way, or held for a trigger. */
export const LIVE_PER_ACCOUNT_MAX = 1000
/** When to come back with more than that. */
const LIVE_RETRY_MS = 2000
const NS_PER_MS = 1_000_000
const MS_PER_SECOND = 1000

/** A pending or held order that an edit replaces; `takeBack` refuses what is too late. */
export type PendingReplacement = Readonly<{
  id: string
  takeBack: () => Promise<Refusal | undefined>
}>

/** Room that an order needs. */
type Claim = Readonly<{ lane: string; gas: number; isHeld: boolean }>
/** Room that an account and the orders before one in its batch have taken. */
type RoomUsage = Readonly<{ live: number; held: number; gas: number }>

/** Data shared by the orders of a request. */
type ReserveOptions = Readonly<{
  owner: Owner
  connection: string | undefined
  request: RequestTrace | undefined
}>

/** Makes an intent of each order for which there is room; each finds less than the one before. */
export const reserve = (
  parts: OrderParts,
  { owner, ...origin }: ReserveOptions,
  batch: OrderBatch,
): Promise<OrderBatch> =>
  advance(batch, isOrder, async (items) => {
    const { account } = owner
    await orUnavailable(parts.budgets.prepare(account ?? 0))
    if (items.length === 0) return []
    const relay = requireRelay(parts.intentBook)
    const live = account === undefined ? 0 : parts.intentBook.liveOf(account)
    let taken: RoomUsage = { live, held: 0, gas: 0 }
    return items.map(({ order }) => {
      const claim = claimOf(parts, relay, owner, order)
      const refusal =
        findNoRoom(parts, relay, order, { claim, taken }) ?? parts.budgets.take(account ?? 0)
      if (refusal !== undefined) return refusal
      taken = add(taken, claim)
      const { lane, isHeld } = claim
      const includeByBlock = isHeld ? 0 : promisedOrderBlock(parts, relay, { lane, gas: taken.gas })
      return { reserved: newIntent(parts, owner, order, { claim, ...origin, includeByBlock }) }
    })
  })

const add = ({ live, held, gas }: RoomUsage, claim: Claim): RoomUsage => ({
  live: live + 1,
  held: held + (claim.isHeld ? 1 : 0),
  gas: gas + (claim.isHeld ? 0 : claim.gas),
})

function claimOf(
  { model }: OrderParts,
  relay: RelayStatus,
  { account }: Owner,
  parsed: ParsedOrder,
): Claim {
  const { order, market } = parsed
  const positions = account === undefined ? [] : heldPositions(model.state, account)
  const gas = gasOf({
    kind: 'order',
    isPerpetual: market.type === 'PERPETUAL',
    // An order that takes is expected to meet one maker.
    fills: mayRest(order) ? 0 : 1,
    positions: positions.filter((position) => position.market !== market.id).length,
  })
  const lane = laneOf('order', market.id, orderLanesOf(relay))
  return { lane, gas, isHeld: isHeldBack(parsed) }
}

/** Returns the refusal of an order for which the venue has no room. */
function findNoRoom(
  { intentBook }: OrderParts,
  relay: RelayStatus,
  { order }: ParsedOrder,
  { claim, taken }: Readonly<{ claim: Claim; taken: RoomUsage }>,
): Refusal | undefined {
  if (taken.live >= LIVE_PER_ACCOUNT_MAX) return tooManyLive()
  const share = order.reduceOnly
    ? QUEUE_SHARES.reduceOnly
    : isPostOnly(order)
      ? QUEUE_SHARES.postOnly
      : QUEUE_SHARES.rest
  const waiting = intentBook.waitingGas() + taken.gas
  const over = claim.isHeld
    ? overHeld(intentBook.held + taken.held)
    : overQueue(relay, { waiting, gas: claim.gas, share })
  return unfunded(relay, claim.lane) ?? over
}

function tooManyLive(): Refusal {
  const code = 'TOO_MANY_PENDING_ORDERS'
  const message = `Too many pending orders: an account may have ${LIVE_PER_ACCOUNT_MAX} pending or held`
  const details = [{ field: 'maker', code, message, nearest: LIVE_PER_ACCOUNT_MAX } as const]
  return new Refusal(code, { message, retryAfterMs: LIVE_RETRY_MS, details })
}

type Reservation = Omit<ReserveOptions, 'owner'> &
  Readonly<{ claim: Claim; includeByBlock: number }>

function newIntent(
  parts: OrderParts,
  owner: Owner,
  parsed: ParsedOrder,
  { claim: { lane, gas, isHeld }, connection, request, includeByBlock }: Reservation,
): NewIntent {
  const { order, market, digest, signature = '', unsigned } = parsed
  const replaced = replacedOrder(parts.model, parsed)
  const edits = replaced === undefined ? parsed.takesPlaceOf : orderId(replaced)
  return {
    id: digest,
    account: owner.account ?? 0,
    wallet: owner.wallet,
    market: market.id,
    lane,
    gas,
    state: isHeld ? 'received' : 'queued',
    payload: {
      kind: 'order',
      order: orderMembers(order),
      signature,
      ...(unsigned.isMmp ? { isMmp: true } : {}),
      ...(connection === undefined ? {} : { connection }),
      acceptedSeconds: acceptedAt(parts),
      ...(unsigned.isMarket ? { isMarket: true } : {}),
      ...(edits === undefined ? {} : { edits }),
      ...(request === undefined ? {} : { request }),
    },
    clientOrderId: unsigned.clientOrderId,
    takesNameOf: edits,
    parentId: unsigned.parentOrderId,
    deadlineSeconds: order.deadline,
    receivedNs: BigInt(Math.trunc(parts.clock.nowMs() * NS_PER_MS)),
    includeByBlock,
  }
}

/** The chain's time, where its clock is not ahead of this one: no later block is before it. */
function acceptedAt({ model, clock }: OrderParts): number {
  const seconds = Math.floor(clock.nowMs() / MS_PER_SECOND)
  return Math.min(seconds, model.head?.seconds ?? seconds)
}

/** Returns the budget of intents that were not written. */
export function release({ budgets }: OrderParts, items: readonly ReservedIntent[]): void {
  for (const { reserved } of items) budgets.putBack(reserved.account)
}

/** Takes back the order that an edit replaces; refuses the edit where that is too late. */
export const takeReplacedBack = (
  parts: OrderParts,
  replaced: PendingReplacement | undefined,
  batch: OrderBatch,
): Promise<OrderBatch> =>
  advance(batch, isReserved, async (items) => {
    const [edit] = items
    if (replaced === undefined || edit === undefined) return items
    try {
      // A taken name refuses the edit before anything is lost.
      const refusal = takenName(parts, edit.reserved) ?? (await replaced.takeBack())
      if (refusal === undefined) return items
      release(parts, items)
      return [refusal]
    } catch (error) {
      release(parts, items)
      throw error
    }
  })

function takenName(
  { intentBook }: OrderParts,
  { account, clientOrderId, takesNameOf }: NewIntent,
): Refusal | undefined {
  if (clientOrderId === undefined) return undefined
  const named = intentBook.findByClientOrderId(account, clientOrderId)
  return named === undefined || named.id === takesNameOf
    ? undefined
    : nameTaken(clientOrderId, named.id)
}

/** Returns the refusal of an order whose client order id names a live one. */
export function nameTaken(clientOrderId = '', takenBy: string): Refusal {
  const code = 'ORDER_EXISTS'
  const message = 'client_order_id is already used by a live order'
  const facts = { order_id: takenBy }
  const details = [
    { field: 'client_order_id', code, message, value: clientOrderId, facts } as const,
  ]
  return new Refusal(code, { message, details })
}
