// Orders that the contract places to close a position by force, tracked from Liquidating until
// Liquidated or Absorbed. Both are in one transaction, hence in one block.

import { invariant } from './assert.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import type { AccountNumber, MarketId } from './record-schema.ts'

const forcedKey = ({ market, account }: Readonly<{ market: MarketId; account: AccountNumber }>) =>
  `${market}|${account}`

/** Marks the next order of an account as forced. */
export function announce(draft: Draft, event: EventOf<'Liquidating'>): void {
  const { order } = event
  draft.forced.set(forcedKey(event), { order, isPlaced: false, lots: 0n, units: 0n, fillId: '' })
}

/** Returns whether the order of `event` was announced as forced. */
export function announced(draft: Draft, event: EventOf<'Placed'>): boolean {
  if (draft.forced.size === 0) return false
  const forced = draft.forced.get(forcedKey(event))
  if (forced === undefined || forced.isPlaced) return false
  invariant(forced.order === event.order, 'an announced order is the next one', event)
  invariant(event.reduceOnly && event.timeInForce === 'IOC', 'a forced order is reduce-only', event)
  draft.forced.set(forcedKey(event), { ...forced, isPlaced: true })
  return true
}

/** Adds a fill to the totals of a forced order. */
export function countForced(draft: Draft, event: EventOf<'Filled'>, fillId: string): void {
  const key = forcedKey({ market: event.market, account: event.taker })
  const forced = draft.forced.get(key)
  invariant(forced?.order === event.takerOrder, 'a forced order fills when it is placed', event)
  const lots = forced.lots + event.lots
  const units = forced.units + BigInt(event.tick) * event.lots
  draft.forced.set(key, { ...forced, lots, units, fillId })
}

/** Returns the totals of an account's forced order and removes it. */
export function takeForced(draft: Draft, event: EventOf<'Liquidated'>) {
  const forced = draft.forced.get(forcedKey(event))
  invariant(forced?.isPlaced === true, 'a liquidation on the book has an order', event)
  invariant(forced.lots === event.lots, 'a liquidation reports the lots its order filled', event)
  draft.forced.delete(forcedKey(event))
  return forced
}

/** Removes a forced order without fills. */
export function dropForced(draft: Draft, event: EventOf<'Absorbed'>): void {
  const forced = draft.forced.get(forcedKey(event))
  if (forced === undefined) return
  invariant(forced.lots === 0n, 'an absorbed position had no fills on the book', event)
  draft.forced.delete(forcedKey(event))
}
