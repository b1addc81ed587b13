// Finds the positions, margin ratio and resting orders of accounts at risk in the state.

import { heldPositions } from '@openvenue/core/account-positions'
import { forcedMargin } from '@openvenue/core/distress'
import { abs } from '@openvenue/core/integers'
import { type AccountMargin, accountMargin, markPerLotDown } from '@openvenue/core/margin'
import { markAt } from '@openvenue/core/marks'
import type { Market, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'

/** Account of the insurance fund: takes over positions, and is deleveraged, never liquidated. */
export const INSURANCE_ACCOUNT = 1

/** A position and its value at the mark, quote raw. */
export type ValuedPosition = Readonly<{ market: Market; position: Position; notional: bigint }>
export type Risk = Readonly<{
  account: number
  margin: AccountMargin
  holdings: readonly ValuedPosition[]
}>

/**
 * Minimum seconds between the head and a call's block: a poke decision of the head applies there.
 */
export const AHEAD_SECONDS = 1

/** Returns the earliest time of the block that includes a call sent now. */
export const nextSeconds = (state: VenueState): number => (state.head?.seconds ?? 0) + AHEAD_SECONDS

/** Returns the margin of `account` in the next block; undefined while a mark is unknown. */
export const nextMargin = (state: VenueState, engine: string, account: number) =>
  state.head && accountMargin(state, { engine, account, seconds: nextSeconds(state) })

/** Returns the margin that decides a forced close of `account` in the next block. */
export const nextForcedMargin = (state: VenueState, engine: string, account: number) =>
  state.head && forcedMargin(state, { engine, account, seconds: nextSeconds(state) })

/** Returns the open positions of `account` that can be closed, the largest first. */
export function heldBy(state: VenueState, engine: string, account: number): ValuedPosition[] {
  const holdings: ValuedPosition[] = []
  for (const position of heldPositions(state, account)) {
    const market = state.records.market.get(position.market)
    const mark = state.records.mark.get(position.market)
    if (market?.engine !== engine || market.isEnded) continue
    if (position.lots === 0n || mark === undefined) continue
    const { price } = markAt(mark, nextSeconds(state))
    const notional = abs(position.lots) * markPerLotDown(market, price)
    holdings.push({ market, position, notional })
  }
  return holdings.sort(compareHeld)
}

/** The largest first; equal ones keep their order. */
function compareHeld(a: ValuedPosition, b: ValuedPosition): number {
  if (a.notional === b.notional) return a.market.number - b.market.number
  return a.notional < b.notional ? 1 : -1
}

type Ratio = Pick<AccountMargin, 'equity' | 'maintenance'>

/** Compares equity over maintenance margin, the lowest first. Maintenance margins are positive. */
export function compareRatio(a: Ratio, b: Ratio): number {
  const [left, right] = [a.equity * b.maintenance, b.equity * a.maintenance]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Returns the ratio for display, rounded down to four decimals. */
export function ratioText({ equity, maintenance }: Ratio): string {
  if (maintenance === 0n) return 'none'
  const units = (abs(equity) * 10_000n) / maintenance
  const sign = equity < 0n ? '-' : ''
  return `${sign}${units / 10_000n}.${(units % 10_000n).toString().padStart(4, '0')}`
}

/** Order numbers by `market|account`. */
export type OrdersBy = ReadonlyMap<string, readonly number[]>

/**
 * Returns the orders of `accounts` in the contract's book: resting ones, and ended ones that are
 * not yet swept.
 */
export function listOrders(state: VenueState, accounts: ReadonlySet<number>): OrdersBy {
  const numbersByKey = new Map<string, number[]>()
  const add = ({
    market,
    account,
    number,
  }: Readonly<{ market: string; account: number; number: number }>) => {
    if (!accounts.has(account)) return
    const key = `${market}|${account}`
    const numbers = numbersByKey.get(key)
    if (numbers === undefined) numbersByKey.set(key, [number])
    else numbers.push(number)
  }
  for (const order of state.records.order.values()) add(order)
  for (const order of state.records.unswept.values()) add(order)
  return numbersByKey
}
