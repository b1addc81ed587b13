// The life cycle of an order: Placed, then any number of Filled and Reduced, then possibly
// Cancelled. An order whose lots are used up without Cancelled is filled.

import { invariant } from './assert.ts'
import type { CancelReason, EventOf, Header } from './events.ts'
import type { Quote, Seconds } from './record-schema.ts'
import type { Order, Unswept } from './records.ts'
import { minus, plus } from './units.ts'

/** Returns the order placed by `event`: all of its lots rest until they are filled. */
export function placedOrder(
  before: Order | undefined,
  event: EventOf<'Placed'>,
  { header, isForced }: Readonly<{ header: Header; isForced: boolean }>,
): Order {
  if (before !== undefined) invariant(false, 'an order is placed once', event)
  if (event.lots <= 0n) invariant(false, 'an order has lots', event)
  const { origin } = event
  return {
    market: event.market,
    number: event.order,
    ref: event.ref,
    account: event.account,
    isBuy: event.buy,
    tick: event.tick,
    lots: event.lots,
    restingLots: event.lots,
    filledLots: 0n,
    filledUnits: 0n,
    fees: 0n,
    timeInForce: event.timeInForce,
    isReduceOnly: event.reduceOnly,
    isForced,
    goodTilSeconds: event.goodTil,
    status: 'open',
    reason: null,
    blockNumber: header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    // An order is never created after its block, even if a reorganisation moved the block.
    createdSeconds: Math.min(origin?.acceptedSeconds ?? header.seconds, header.seconds),
    updatedSeconds: header.seconds,
    isMarket: origin?.isMarket ?? isForced,
    clientOrderId: origin?.clientOrderId ?? null,
    parentRef: origin?.parentRef ?? null,
    triggerKind: origin?.triggerKind ?? null,
    triggerPrice: origin?.triggerPrice ?? null,
    replaces: origin?.replaces ?? null,
    replacedBy: null,
  }
}

/** Returns `before`, which must be resting. */
export function restingOrder(before: Order | undefined, facts: object): Order {
  if (before === undefined) invariant(false, 'an order is placed before it changes', facts)
  if (before.restingLots === 0n) invariant(false, 'only a resting order changes', facts)
  return before
}

/** Returns `order` with another `event.lots` filled for `fee`. */
export function filledOrder(
  order: Order,
  event: EventOf<'Filled'>,
  fee: Quote,
  seconds: Seconds,
): Order {
  const { lots, tick } = event
  if (lots <= 0n) invariant(false, 'a fill has lots', event)
  if (lots > order.restingLots) invariant(false, 'a fill is at most the resting lots', event)
  if (order.isBuy ? tick > order.tick : tick < order.tick)
    invariant(false, 'a fill is never worse than the limit', event)
  const restingLots = minus(order.restingLots, lots)
  return {
    ...order,
    restingLots,
    filledLots: plus(order.filledLots, lots),
    filledUnits: order.filledUnits + BigInt(tick) * lots,
    fees: fee === 0n ? order.fees : plus(order.fees, fee),
    status: restingLots === 0n ? 'filled' : 'partial',
    updatedSeconds: seconds,
  }
}

/** Returns `order` removed from the book for `reason`. */
export function cancelledOrder(order: Order, reason: CancelReason, seconds: Seconds): Order {
  return { ...order, restingLots: 0n, status: 'cancelled', reason, updatedSeconds: seconds }
}

/** Returns `order` with `event.lots` fewer, as if placed that way; it keeps its priority. */
export function reducedOrder(order: Order, event: EventOf<'Reduced'>, seconds: Seconds): Order {
  const restingLots = minus(order.restingLots, event.lots)
  invariant(event.lots > 0n && restingLots > 0n, 'a reduction leaves some lots resting', event)
  const lots = minus(order.lots, event.lots)
  return { ...order, lots, restingLots, updatedSeconds: seconds }
}

/** Returns whether `order` has expired at `seconds`; it is valid through its last second. */
export const isExpired = (order: Order, seconds: Seconds): boolean =>
  order.goodTilSeconds !== 0 && seconds > order.goodTilSeconds

/** Returns the lots of an expired resting order that remain locked until it is swept. */
export const toUnswept = (order: Order): Unswept => ({
  market: order.market,
  number: order.number,
  account: order.account,
  isBuy: order.isBuy,
  tick: order.tick,
  lots: order.restingLots,
})
