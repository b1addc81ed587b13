// Applies the events of a book, at either engine: orders, trades, and what backs them.

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

/** Takes the orders off the book that this block's time ends. Their funds stay bound. */
export function expireOrders(draft: Draft): void {
  const { seconds } = draft.header
  for (const key of endedBy(draft.state.deadlines, seconds)) {
    const slot = draft.slot('order', key)
    const order = restingOrder(slot.after, { key })
    slot.after = cancelledOrder(order, 'EXPIRED', seconds)
    draft.slot('unswept', key).after = toUnswept(order)
  }
}

/** Takes a new order. Until its fills are known all of its lots rest. */
export function place(draft: Draft, event: EventOf<'Placed'>): void {
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
 * Names the new order in the one that it replaces, which the same call of the contract has taken
 * off the book. Returns the new one with the public id of the old.
 */
function linkReplaced(draft: Draft, order: Order): Order {
  const { market, replaces } = order
  if (replaces === null) return order
  const number = orderNumberIn(market, replaces)
  // Of an order that the venue took back before the chain had it, the digest is known already.
  const key = number === undefined ? undefined : orderKey(market, number)
  const old = key === undefined ? undefined : draft.find('order', key)
  if (key === undefined || old === undefined || old.restingLots > 0n) return order
  draft.slot('order', key).after = { ...old, replacedBy: orderId(order) }
  return { ...order, replaces: orderId(old) }
}

/** Takes a match. The side of the taker is that of its order. */
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

/** Takes an order off the book; of one that has expired, releases what was still bound. */
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
    invariant(false, 'an order is cancelled with all that rests of it', event)
  slot.after = cancelledOrder(order, event.reason, draft.header.seconds)
  bind(draft, market, order, -event.lots)
}

/** Takes lots off an order, which keeps its place; of one that has expired, releases them. */
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
  invariant(isRight, 'an expired order is swept with all that was left of it', event)
  slot.after = lots === 0n ? undefined : { ...unswept, lots }
  bind(draft, market, unswept, -event.lots)
}

function checkOwner(order: { account: AccountNumber }, event: { account: AccountNumber }): void {
  if (order.account !== event.account)
    invariant(false, 'an order changes in the name of its owner', event)
}

/** Binds what backs `lots` of an order; negative lots release it. */
function bind(
  draft: Draft,
  market: Market,
  order: Pick<Order, 'market' | 'account' | 'isBuy' | 'tick'>,
  lots: Lots,
): void {
  if (market.type === 'PERPETUAL') moveResting(draft, order, lots)
  else lock(draft, market, order, lots)
}
