// Updates account funds: token balances at a spot engine, collateral at a perpetual engine.

import { invariant } from './assert.ts'
import type { Draft } from './draft.ts'
import { endHoldings } from './holdings.ts'
import type { AccountNumber, Address, Base, Lots, Quote, Raw, Tick } from './record-schema.ts'
import type { Balance, Market, Order } from './records.ts'
import { plus } from './units.ts'

/** A token and an amount of it in raw units. */
type Funds = Readonly<{ token: Address; amount: Base | Quote }>

/** Adds to the balance of `account` in `token`; either part may be negative. */
export function moveBalance(
  draft: Draft,
  account: AccountNumber,
  token: Address,
  by: Readonly<{ free: Raw; locked: Raw }>,
): void {
  const slot = draft.slot('balance', `${account}|${token}`)
  const before = slot.after
  slot.after = movedBalance(before, account, token, by)
  if (slot.after === undefined && before !== undefined) endHoldings(draft, account, token)
}

/** Returns `before` changed by `by`; undefined when the result is empty. */
function movedBalance(
  before: Balance | undefined,
  account: AccountNumber,
  token: Address,
  by: Readonly<{ free: Raw; locked: Raw }>,
): Balance | undefined {
  if (before === undefined) {
    if (by.free === 0n && by.locked === 0n) return undefined
    return { account, token, free: by.free, locked: by.locked }
  }
  const free = plus(before.free, by.free)
  const locked = plus(before.locked, by.locked)
  return free === 0n && locked === 0n ? undefined : { account, token, free, locked }
}

/**
 * Throws if a balance is negative. Checked at the end of a block only: within a transaction an
 * immediate order may cause a temporary debt, since the contract locks funds only for resting lots.
 */
export function checkBalance(balance: Balance | undefined): void {
  if (balance === undefined || (balance.free >= 0n && balance.locked >= 0n)) return
  invariant(false, 'a balance is never negative', balance)
}

/** Adds `amount` (18 decimals, may be negative) to the collateral of `account` at `engine`. */
export function moveCollateral(
  draft: Draft,
  engine: Address,
  account: AccountNumber,
  amount: Quote,
): void {
  if (amount === 0n) return
  const slot = draft.slot('collateral', `${engine}|${account}`)
  const total = plus(slot.after?.amount ?? 0n, amount)
  slot.after = total === 0n ? undefined : { engine, account, amount: total }
}

/** Returns the funds that back `lots` of a spot order: quote at its own limit price, or base. */
function requiredFunds(market: Market, order: Pick<Order, 'isBuy' | 'tick'>, lots: Lots): Funds {
  return order.isBuy
    ? { token: quoteToken(market), amount: quoteAmount(market, order.tick, lots) }
    : { token: baseToken(market), amount: lots * market.amountStep }
}

/** Moves the backing of `lots` of a spot order from free to locked. */
export function lock(
  draft: Draft,
  market: Market,
  order: Pick<Order, 'account' | 'isBuy' | 'tick'>,
  lots: Lots,
): void {
  const { token, amount } = requiredFunds(market, order, lots)
  moveBalance(draft, order.account, token, { free: -amount, locked: amount })
}

/**
 * Exchanges base for quote between two spot orders at `tick`. The buyer's funds were locked at its
 * own limit; the difference to the fill price returns to free.
 */
export function settleSpot(
  draft: Draft,
  market: Market,
  trade: Readonly<{ buy: Order; sell: Order; tick: Tick; lots: Lots }>,
): void {
  const { buy, sell, tick, lots } = trade
  const base = lots * market.amountStep
  const cost = quoteAmount(market, tick, lots)
  const locked = tick === buy.tick ? cost : quoteAmount(market, buy.tick, lots)
  moveBalance(draft, buy.account, quoteToken(market), { free: locked - cost, locked: -locked })
  moveBalance(draft, buy.account, baseToken(market), { free: base, locked: 0n })
  moveBalance(draft, sell.account, baseToken(market), { free: 0n, locked: -base })
  moveBalance(draft, sell.account, quoteToken(market), { free: cost, locked: 0n })
}

/** Returns the cost of `lots` at `tick`, quote raw, exact. */
export const quoteAmount = (market: Market, tick: Tick, lots: Lots): Quote =>
  BigInt(tick) * lots * market.quotePerLotTick

function baseToken(market: Market): Address {
  if (market.baseToken === null) invariant(false, 'a spot market has tokens', { id: market.id })
  return market.baseToken
}

function quoteToken(market: Market): Address {
  if (market.quoteToken === null) invariant(false, 'a spot market has tokens', { id: market.id })
  return market.quoteToken
}
