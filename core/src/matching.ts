// Applies book events of either engine: orders, trades and the funds that back them.

import { invariant } from './assert.ts'
import { lock } from './balances.ts'
import { addToBar } from './candles.ts'
import { endedBy } from './deadlines.ts'
import type { Draft, Slot } from './draft.ts'
import type { EventOf } from './events.ts'
import { settleMatch } from './fills.ts'
import { announced } from './forced-orders.ts'
import { orderId, orderKey, orderNumberIn } from './ids.ts'
import { listedMarket } from './markets.ts'
import {
  cancelledOrder,
  filledOrder,
  isExpired,
  placedOrder,
  reducedOrder,
  restingOrder,
  toUnswept,
} from './orders.ts'
import { moveResting } from './positions.ts'
import type { AccountNumber, Lots } from './record-schema.ts'
import type { Market, Order } from './records.ts'
import { recordTrade } from './trades.ts'

/** Removes expired orders from the book at this block's time. Their funds remain locked. */
export function expireOrders(draft: Draft): void {
  const { seconds } = draft.header
  for (const key of endedBy(draft.state.deadlines, seconds)) {
    const slot = draft.slot('order', key)
    const order = restingOrder(slot.after, { key })
    slot.after = cancelledOrder(order, 'EXPIRED', seconds)
    draft.slot('unswept', key).after = toUnswept(order)
  }
}

/** Places a new order. All of its lots rest until its fills are processed. */
export function placeOrder(draft: Draft, event: EventOf<'Placed'>): void {
  const market = listedMarket(draft, event.market)
  const slot = draft.slot('order', orderKey(event.market, event.order))
  const isForced = announced(draft, event)
  const order = placedOrder(slot.after, event, { header: draft.header, isForced })
  if (isExpired(order, draft.header.seconds))
    invariant(false, 'an order is placed before its good-til time', event)
  slot.after = linkReplaced(draft, order)
  bind(draft, market, order, order.lots)
}

/**
 * Sets `replacedBy` on the order that a new one replaces, which the same contract call removed from
 * the book. Returns the new order with the public id of the replaced one.
 */
function linkReplaced(draft: Draft, order: Order): Order {
  const { market, replaces } = order
  if (replaces === null) return order
  const number = orderNumberIn(market, replaces)
  // The digest is already known if the venue withdrew the order before it reached the chain.
  const key = number === undefined ? undefined : orderKey(market, number)
  const old = key === undefined ? undefined : draft.find('order', key)
  if (key === undefined || old === undefined || old.restingLots > 0n) return order
  draft.slot('order', key).after = { ...old, replacedBy: orderId(order) }
  return { ...order, replaces: orderId(old) }
}

/** Applies a match. The taker's order gives its side. */
export function fill(draft: Draft, event: EventOf<'Filled'>): void {
  const { seconds } = draft.header
  const market = listedMarket(draft, event.market)
  const makerSlot = draft.slot('order', orderKey(event.market, event.makerOrder))
  const takerSlot = draft.slot('order', orderKey(event.market, event.takerOrder))
  const makerOrder = restingOrder(makerSlot.after, event)
  const takerOrder = restingOrder(takerSlot.after, event)
  checkMatch(makerOrder, takerOrder, event)
  const maker = filledOrder(makerOrder, event, event.makerFee, seconds)
  const taker = filledOrder(takerOrder, event, event.takerFee, seconds)
  makerSlot.after = maker
  takerSlot.after = taker
  const id = draft.placeId(event.logIndex)
  recordTrade(draft, id, event, taker.isBuy)
  addToBar(draft.bars, event, taker.isBuy)
  settleMatch(draft, market, { id, event, maker, taker })
}

function checkMatch(maker: Order, taker: Order, event: EventOf<'Filled'>): void {
  if (maker.account !== event.maker || taker.account !== event.taker)
    invariant(false, 'a fill names the accounts of its orders', event)
  if (maker.account === taker.account)
    invariant(false, 'an account does not trade with itself', event)
  if (maker.isBuy === taker.isBuy) invariant(false, 'a buyer meets a seller', event)
  if (maker.tick !== event.tick) invariant(false, "a fill is at the maker's tick", event)
}

/** Removes an order from the book; for an expired order, releases the funds still locked. */
export function cancel(draft: Draft, event: EventOf<'Cancelled'>): void {
  const market = listedMarket(draft, event.market)
  const key = orderKey(event.market, event.order)
  const slot = draft.slot('order', key)
  if (slot.after === undefined || slot.after.restingLots === 0n) {
    sweep(draft, market, draft.slot('unswept', key), event)
    return
  }
  const order = slot.after
  checkOwner(order, event)
  if (order.restingLots !== event.lots)
    invariant(false, 'an order is cancelled with all of its resting lots', event)
  slot.after = cancelledOrder(order, event.reason, draft.header.seconds)
  bind(draft, market, order, -event.lots)
}

/** Reduces the lots of an order, which keeps its priority; for an expired order, releases them. */
export function reduce(draft: Draft, event: EventOf<'Reduced'>): void {
  const market = listedMarket(draft, event.market)
  const key = orderKey(event.market, event.order)
  const slot = draft.slot('order', key)
  if (slot.after === undefined || slot.after.restingLots === 0n) {
    sweep(draft, market, draft.slot('unswept', key), event)
    return
  }
  const order = slot.after
  checkOwner(order, event)
  slot.after = reducedOrder(order, event, draft.header.seconds)
  bind(draft, market, order, -event.lots)
}

function sweep(
  draft: Draft,
  market: Market,
  slot: Slot<'unswept'>,
  event: EventOf<'Cancelled'> | EventOf<'Reduced'>,
): void {
  const unswept = slot.after
  invariant(unswept !== undefined, 'only a resting order changes', event)
  checkOwner(unswept, event)
  const lots = unswept.lots - event.lots
  const isRight = event.type === 'Cancelled' ? lots === 0n : lots > 0n
  invariant(isRight, 'an expired order is swept with all of its remaining lots', event)
  slot.after = lots === 0n ? undefined : { ...unswept, lots }
  bind(draft, market, unswept, -event.lots)
}

function checkOwner(order: { account: AccountNumber }, event: { account: AccountNumber }): void {
  if (order.account !== event.account)
    invariant(false, 'only the owner of an order changes it', event)
}

/** Locks the funds that back `lots` of an order; negative lots release them. */
function bind(
  draft: Draft,
  market: Market,
  order: Pick<Order, 'market' | 'account' | 'isBuy' | 'tick'>,
  lots: Lots,
): void {
  if (market.type === 'PERPETUAL') moveResting(draft, order, lots)
  else lock(draft, market, order, lots)
}
