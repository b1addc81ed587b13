// What an order that replaces another has to have in common with it.
import { orderKey } from '@openvenue/core/ids'
import { max } from '@openvenue/core/integers'
import type { Order } from '@openvenue/core/records'
import { amountText } from '@openvenue/core/units'
import { statusText } from '@openvenue/wire/orders'
import type { FieldError } from '../http/refusals.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { ParsedOrder } from './order-body.ts'
import { problem } from './order-problem.ts'
import { NOTHING_REPLACED } from './signed-order.ts'

/** `0x`, engine and market: the first digits of an order's id on the chain. */
const MARKET_DIGITS = 2 + 48

/**
 * Returns the resting order that `parsed` replaces; undefined where it replaces none, or none that
 * rests.
 */
export function replacedOrder(
  model: Pick<VenueModel, 'state'>,
  { market, order }: ParsedOrder,
): Order | undefined {
  if (order.replaces === NOTHING_REPLACED || !isOfMarket(order.replaces, market.id))
    return undefined
  return model.state.records.order.get(orderKey(market.id, replacedNumber(order.replaces)))
}

/**
 * Returns the lots that an order is placed with: without those that have left the order it replaces
 * since it was signed. 0 where nothing is left of it.
 */
export function placedLots({ market, order }: ParsedOrder, replaced: Order | undefined): bigint {
  const lots = order.amount / market.amountStep
  if (replaced === undefined) return lots
  const gone = max(order.replacesAmount / market.amountStep - replaced.restingLots, 0n)
  return max(lots - gone, 0n)
}

/** Returns the number in an order's id on the chain. */
export const replacedNumber = (id: string): number => Number(`0x${id.slice(MARKET_DIGITS)}`)

const isOfMarket = (id: string, market: string) => id.slice(0, MARKET_DIGITS) === market

/** Returns what keeps an order from replacing what it names. `account` is that of its maker. */
export function editProblems(
  model: Pick<VenueModel, 'state' | 'market'>,
  account: number | undefined,
  parsed: ParsedOrder,
): FieldError[] {
  const { market, order, digest } = parsed
  if (order.replaces === NOTHING_REPLACED) return []
  const field = 'replaces'
  const value = order.replaces
  const old = replacedOrder(model, parsed)
  if (!isOfMarket(value, market.id)) {
    const isOther = model.market(value.slice(0, MARKET_DIGITS)) !== undefined
    const rule = 'replaces is the chain_order_id of a resting order of the same market'
    const code = isOther ? 'EDIT_ORDER_DIFFERENT_INSTRUMENT' : 'ORDER_DOES_NOT_EXIST'
    return [problem(code, [field, rule], { value, facts: { order_id: value } })]
  }
  if (old === undefined || old.account !== account) {
    const rule = 'replaces is the chain_order_id of an order of the account that still rests'
    return [problem('ORDER_DOES_NOT_EXIST', [field, rule], { value, facts: { order_id: value } })]
  }
  const facts = { order_id: old.ref ?? value, order_status: statusText(old.status) }
  if (old.ref === digest)
    return [problem('EDIT_ORDER_SAME_ID', [field, 'an edit is signed anew'], { value, facts })]
  if (old.isBuy !== order.isBuy) {
    const rule = `is_buy must be ${old.isBuy}, as in the order that is replaced`
    const nearest = String(old.isBuy)
    const code = 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION'
    return [problem(code, ['is_buy', rule], { nearest, facts })]
  }
  return placedLots(parsed, old) === 0n ? [usedUp(parsed, old)] : []
}

/** As much has left the replaced order as the new one has: on the chain both would be cancelled. */
function usedUp({ market, order }: ParsedOrder, { restingLots }: Order): FieldError {
  const gone = order.replacesAmount - restingLots * market.amountStep
  const left = amountText(market, restingLots)
  const rule = `amount must be above ${gone}, which has left the replaced order since; it has ${left}`
  const nearest = (gone + market.amountStep).toString()
  return problem('BELOW_MIN_ORDER_VALUE', ['amount', rule], { value: `${order.amount}`, nearest })
}
