// Rules of an order that depend on its market, the time and the order that it replaces, and the
// form of a broken rule.

import { orderKey } from '@openvenue/core/ids'
import { max } from '@openvenue/core/integers'
import type { Market, Order } from '@openvenue/core/records'
import { amountText, formatRaw, quoteRaw } from '@openvenue/core/units'
import { statusText } from '@openvenue/wire/orders'
import { type FieldError, REFUSALS, Refusal, type RefusalCode } from '../../http/refusals.ts'
import { mismatchText } from '../../http/validation.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { ParsedOrder } from './order-body.ts'
import { NOTHING_REPLACED } from './signed-order.ts'

/**
 * Returns a rule that an order breaks. Values of the body's fields (`nearest`, `step`, `lower`,
 * `upper`) are raw integers as the body has them, all others decimal text.
 */
export const problem = (
  code: RefusalCode,
  [field, message]: readonly [field: string, message: string],
  facts: Omit<FieldError, 'field' | 'code' | 'message'> = {},
): FieldError => ({ field, code, message, ...facts })

/** Returns the refusal that has the code of the first of `problems` and details all of them. */
export function orderRefusal(problems: readonly FieldError[]): Refusal {
  const [first] = problems as [FieldError]
  const { status } = REFUSALS[first.code]
  const retry = status === 503 || status === 429 ? { retryAfterMs: RETRY_MS } : {}
  return new Refusal(first.code, { message: first.message, details: problems, ...retry })
}

const RETRY_MS = 1000

/** Returns quote raw as decimal text. */
export const quoteValue = (market: Market, raw: bigint) => formatRaw(raw, market.quoteDecimals)

/** Describes the balance that an order requires, and the free one. */
export const freeRule = (
  asset: string,
  { needed, free }: Readonly<{ needed: string; free: string }>,
): string => `Insufficient ${asset} balance: the order requires ${needed}, free balance is ${free}`

/** No order has the amount zero: it is near to nothing. */
export const nearestAmount = (amount: bigint): Readonly<{ nearest?: string }> =>
  amount > 0n ? { nearest: amount.toString() } : {}

/** Why a reduce-only order is refused while the account is flat. */
export const NO_POSITION = 'Reduce-only order rejected: the account has no position in the market'

/** Describes the margin that an order requires, and the equity after it. */
export const marginRule = ({
  equity,
  required,
}: Readonly<{ equity: string; required: string }>): string =>
  `Insufficient margin: the order requires ${required}, equity after it would be ${equity}`

export const notionalRule = (value: string, maximum: string): string =>
  `Position limit exceeded: position and orders would be worth ${value}, the maximum is ${maximum}`

/** Describes how much of a fill-or-kill order can be filled. */
export const fillRule = (fillable: string): string =>
  `Fill-or-kill order cannot be filled in full: ${fillable} is available within limit_price`

/** Describes a reduce-only order on the side of the position. */
export const directionRule = (isBuy: boolean, position: string): string =>
  `is_buy does not reduce the position of ${position}: got ${isBuy}, expected ${!isBuy}`

/** Describes a post-only order that would trade at once. `price` is the best opposite one. */
export const crossRule = (isBuy: boolean, price: string, value?: string): string =>
  `limit_price of a post-only order crosses the book: ${value === undefined ? '' : `got ${value}, `}` +
  `expected ${isBuy ? `below ${price}, the best ask` : `above ${price}, the best bid`}`

/** Describes the value of an order outside the limits of its market. */
export const orderValueRule = (
  value: string,
  [bound, limit]: readonly [bound: 'minimum' | 'maximum', limit: string],
): string =>
  bound === 'minimum'
    ? `Order value is below the minimum: got ${value}, expected at least ${limit}`
    : `Order value is above the maximum: got ${value}, expected at most ${limit}`

/** Messages of a market that does not accept an order. */
export const MARKET_ENDED = 'Market has ended: it accepts no orders'
export const MARKET_HALTED = 'Market is halted: only reduce-only orders and cancels are accepted'
export const SPOT_REDUCE_ONLY = 'reduce_only is not supported at spot: expected false'

/** Smallest and largest tick of a book; beyond them are none. Source: `Ticks.sol`. */
const TICK_MIN = 1n
const TICK_MAX = 2n ** 24n - 2n
const LOTS_MAX = 2n ** 64n - 1n
/** The least life of what may rest with a good-til time. Source: `Matching.sol`. */
const RESTING_SECONDS_MIN = 5n
const GTC = 0
const POST_ONLY = 3

/** Returns whether an order may come to rest. */
export const mayRest = ({ timeInForce }: ParsedOrder['order']): boolean =>
  timeInForce === GTC || timeInForce === POST_ONLY
/** Returns whether an order refuses to trade at once. */
export const isPostOnly = ({ timeInForce }: ParsedOrder['order']): boolean =>
  timeInForce === POST_ONLY

/** Returns the rules of its market that an order breaks, in the order in which they are checked. */
export function ruleProblems(parsed: ParsedOrder, nowSeconds: number): FieldError[] {
  return [
    ...timeProblems(parsed, BigInt(nowSeconds)),
    ...stepProblems(parsed),
    ...marketProblems(parsed),
    ...valueProblems(parsed),
  ]
}

function timeProblems({ order }: ParsedOrder, now: bigint): FieldError[] {
  const problems: FieldError[] = []
  const facts = { block_time: now.toString() }
  if (order.deadline < now)
    problems.push(
      problem(
        'ORDER_TIMED_OUT',
        ['deadline', `deadline has passed: got ${order.deadline}, expected at least ${now}`],
        { value: order.deadline.toString(), nearest: now.toString(), facts },
      ),
    )
  const earliest = now + (mayRest(order) ? RESTING_SECONDS_MIN : 0n)
  if (order.goodTil !== 0n && order.goodTil < earliest)
    problems.push(
      problem(
        'ORDER_EXPIRED',
        ['good_til', `good_til is too early: got ${order.goodTil}, expected at least ${earliest}`],
        { value: order.goodTil.toString(), nearest: earliest.toString(), facts },
      ),
    )
  return problems
}

/** Returns the rules of steps that an order breaks: then it is in no ticks and lots at all. */
export function stepProblems({ market, order }: ParsedOrder): FieldError[] {
  const problems: FieldError[] = []
  const { priceStep, amountStep } = market
  if (order.limitPrice % priceStep !== 0n)
    problems.push(offStep('INVALID_PRICE_STEP_SIZE', 'limit_price', [order.limitPrice, priceStep]))
  else if (order.limitPrice < TICK_MIN * priceStep || order.limitPrice > TICK_MAX * priceStep)
    problems.push(
      outside('limit_price', order.limitPrice, [TICK_MIN * priceStep, TICK_MAX * priceStep]),
    )
  if (order.amount % amountStep !== 0n)
    problems.push(offStep('INVALID_AMOUNT_STEP_SIZE', 'amount', [order.amount, amountStep]))
  else if (order.amount === 0n || order.amount > LOTS_MAX * amountStep)
    problems.push(outside('amount', order.amount, [amountStep, LOTS_MAX * amountStep]))
  return problems
}

function offStep(
  code: 'INVALID_PRICE_STEP_SIZE' | 'INVALID_AMOUNT_STEP_SIZE',
  field: string,
  [value, step]: readonly [bigint, bigint],
): FieldError {
  const below = value - (value % step)
  const above = below + step
  const nearest = value - below <= above - value && below > 0n ? below : above
  const facts = { step: `${step}`, lower: `${below}`, upper: `${above}` }
  const rule = `${field} is not a multiple of ${step}: got ${value}, expected ${below} or ${above}`
  return problem(code, [field, rule], { value: `${value}`, nearest: `${nearest}`, facts })
}

function outside(field: string, value: bigint, [least, most]: readonly [bigint, bigint]) {
  const nearest = value < least ? least : most
  const facts = { lower: least.toString(), upper: most.toString() }
  const rule = `${field} is out of range: got ${value}, expected ${least} to ${most}`
  const given = { value: value.toString(), nearest: nearest.toString(), facts }
  return problem('INVALID_PARAMETER', [field, rule], given)
}

function marketProblems({ market, order }: ParsedOrder): FieldError[] {
  const problems: FieldError[] = []
  if (market.isEnded) problems.push(problem('INSTRUMENT_PAUSED', ['instrument', MARKET_ENDED]))
  else if (market.isHalted && !order.reduceOnly)
    problems.push(problem('INSTRUMENT_PAUSED', ['instrument', MARKET_HALTED]))
  if (market.type === 'SPOT' && order.reduceOnly)
    problems.push(
      problem('INVALID_PARAMETER', ['reduce_only', SPOT_REDUCE_ONLY], {
        nearest: 'false',
      }),
    )
  return problems
}

/** A reduce-only order may be larger, and as IOC or FOK smaller: every position can be closed. */
function valueProblems({ market, order }: ParsedOrder): FieldError[] {
  const { priceStep, amountStep, minOrderValue, maxOrderValue } = market
  const tick = order.limitPrice / priceStep
  if (tick < TICK_MIN || tick > TICK_MAX || order.amount < amountStep) return []
  const perLot = quoteRaw(market, tick)
  const value = perLot * (order.amount / amountStep)
  const facts = {
    minimum: quoteValue(market, minOrderValue),
    maximum: quoteValue(market, maxOrderValue),
  }
  if (value < minOrderValue && !(order.reduceOnly && !mayRest(order))) {
    const nearest = ((minOrderValue + perLot - 1n) / perLot) * amountStep
    const worth = quoteValue(market, value)
    const rule = orderValueRule(worth, ['minimum', facts.minimum])
    const given = { value: worth, nearest: nearest.toString(), facts }
    return [problem('BELOW_MIN_ORDER_VALUE', ['amount', rule], given)]
  }
  if (value > maxOrderValue && !order.reduceOnly) {
    const nearest = (maxOrderValue / perLot) * amountStep
    const worth = quoteValue(market, value)
    const rule = orderValueRule(worth, ['maximum', facts.maximum])
    const given = { value: worth, nearest: nearest.toString(), facts }
    return [problem('EXCEED_MAX_ORDER_VALUE', ['amount', rule], given)]
  }
  return []
}

const REPLACES_RULE = 'the chain_order_id of a resting order of the account in this market'

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
    const rule = `replaces is not of this market: ${mismatchText(REPLACES_RULE, value)}`
    const code = isOther ? 'EDIT_ORDER_DIFFERENT_INSTRUMENT' : 'ORDER_DOES_NOT_EXIST'
    return [problem(code, [field, rule], { value, facts: { order_id: value } })]
  }
  if (old === undefined || old.account !== account) {
    const rule = `replaces is unknown: ${mismatchText(REPLACES_RULE, value)}`
    return [problem('ORDER_DOES_NOT_EXIST', [field, rule], { value, facts: { order_id: value } })]
  }
  const facts = { order_id: old.ref ?? value, order_status: statusText(old.status) }
  if (old.ref === digest)
    return [
      problem(
        'EDIT_ORDER_SAME_ID',
        [field, 'replaces is the edit itself: sign an order with another salt'],
        {
          value,
          facts,
        },
      ),
    ]
  if (old.isBuy !== order.isBuy) {
    const rule = `is_buy differs: got ${order.isBuy}, expected ${old.isBuy}, as in the replaced order`
    const nearest = String(old.isBuy)
    const code = 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION'
    return [problem(code, ['is_buy', rule], { nearest, facts })]
  }
  return placedLots(parsed, old) === 0n ? [usedUp(parsed, old)] : []
}

/** Returns the rule of an edit with nothing left: the chain would cancel both orders. */
function usedUp({ market, order }: ParsedOrder, { restingLots }: Order): FieldError {
  const gone = order.replacesAmount - restingLots * market.amountStep
  const left = amountText(market, restingLots)
  const rule =
    `amount is used up: got ${order.amount}, expected above ${gone}, which has left the replaced ` +
    `order; ${left} rests`
  const nearest = (gone + market.amountStep).toString()
  return problem('BELOW_MIN_ORDER_VALUE', ['amount', rule], { value: `${order.amount}`, nearest })
}
