// Tracks the base that accounts bought in spot markets and still hold, at its average cost.

import type { Draft } from './draft.ts'
import type { AccountNumber, Address, Base, Quote } from './record-schema.ts'
import type { Market } from './records.ts'

/** One side of a spot fill: base raw, and its cost or proceeds in quote raw. */
type Exchange = Readonly<{ account: AccountNumber; base: Base; quote: Quote }>

/** Adds a purchase to the holding of its account, or begins one. Called before base is credited. */
export function addPurchase(draft: Draft, market: Market, bought: Exchange): void {
  const { account, base, quote } = bought
  const { seconds } = draft.header
  const slot = draft.slot('holding', `${market.id}|${account}`)
  const before = slot.after
  slot.after = {
    market: market.id,
    account,
    amount: (before?.amount ?? 0n) + base,
    cost: (before?.cost ?? 0n) + quote,
    realised: before?.realised ?? 0n,
    openedSeconds: before?.openedSeconds ?? seconds,
    updatedSeconds: seconds,
  }
}

/**
 * Reduces the holding of an account by a sale and returns the profit over the average cost; null if
 * the cost is unknown, i.e. while the account holds more or less of the token than `amount`. Called
 * before the base is debited. The holding is reduced at its average cost, truncated towards zero;
 * the last sale takes the whole remaining cost.
 */
export function takeSale(draft: Draft, market: Market, sold: Exchange): bigint | null {
  const { account, base, quote } = sold
  const slot = draft.slot('holding', `${market.id}|${account}`)
  const before = slot.after
  if (before === undefined) return null
  const isKnown = before.amount === heldAmount(draft, market, account)
  if (base >= before.amount) {
    slot.after = undefined
    return isKnown ? quote - before.cost : null
  }
  const cost = (before.cost * base) / before.amount
  const realised = quote - cost
  slot.after = {
    ...before,
    amount: before.amount - base,
    cost: before.cost - cost,
    realised: before.realised + realised,
    updatedSeconds: draft.header.seconds,
  }
  return isKnown ? realised : null
}

function heldAmount(draft: Draft, market: Market, account: AccountNumber): bigint {
  const balance = draft.find('balance', `${account}|${market.baseToken}`)
  return balance === undefined ? 0n : balance.free + balance.locked
}

/** Ends the holdings of an account that no longer has any of `token`. */
export function endHoldings(draft: Draft, account: AccountNumber, token: Address): void {
  for (const market of draft.all('market')) {
    if (market.baseToken !== token) continue
    const key = `${market.id}|${account}`
    if (draft.find('holding', key) !== undefined) draft.slot('holding', key).after = undefined
  }
}
