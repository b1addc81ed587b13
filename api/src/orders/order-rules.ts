// The rules of a market and of time that an order stands under whatever else rests or is owned.
import { quoteRaw } from '@openvenue/core/units'
import type { FieldError } from '../http/refusals.ts'
import type { ParsedOrder } from './order-body.ts'
import { problem, quoteValue } from './order-problem.ts'

/** Ticks of a book lie between these; they stand for none. Source: `Ticks.sol`. */
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
  const found: FieldError[] = []
  const facts = { block_time: now.toString() }
  if (order.deadline < now)
    found.push(
      problem(
        'ORDER_TIMED_OUT',
        ['deadline', `deadline ${order.deadline} has passed: the block is of ${now}`],
        { value: order.deadline.toString(), nearest: now.toString(), facts },
      ),
    )
  const earliest = now + (mayRest(order) ? RESTING_SECONDS_MIN : 0n)
  if (order.goodTil !== 0n && order.goodTil < earliest)
    found.push(
      problem(
        'ORDER_EXPIRED',
        ['good_til', `good_til must be ${earliest} or later: what may rest lives for 5 s at least`],
        { value: order.goodTil.toString(), nearest: earliest.toString(), facts },
      ),
    )
  return found
}

/** Returns the rules of steps that an order breaks: then it is in no ticks and lots at all. */
export function stepProblems({ market, order }: ParsedOrder): FieldError[] {
  const found: FieldError[] = []
  const { priceStep, amountStep } = market
  if (order.limitPrice % priceStep !== 0n)
    found.push(offStep('INVALID_PRICE_STEP_SIZE', 'limit_price', [order.limitPrice, priceStep]))
  else if (order.limitPrice < TICK_MIN * priceStep || order.limitPrice > TICK_MAX * priceStep)
    found.push(
      outside('limit_price', order.limitPrice, [TICK_MIN * priceStep, TICK_MAX * priceStep]),
    )
  if (order.amount % amountStep !== 0n)
    found.push(offStep('INVALID_AMOUNT_STEP_SIZE', 'amount', [order.amount, amountStep]))
  else if (order.amount === 0n || order.amount > LOTS_MAX * amountStep)
    found.push(outside('amount', order.amount, [amountStep, LOTS_MAX * amountStep]))
  return found
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
  const rule = `${field} must be a multiple of ${step}: ${below} or ${above}`
  return problem(code, [field, rule], { value: `${value}`, nearest: `${nearest}`, facts })
}

function outside(field: string, value: bigint, [least, most]: readonly [bigint, bigint]) {
  const nearest = value < least ? least : most
  const facts = { lower: least.toString(), upper: most.toString() }
  const rule = `${field} must be from ${least} to ${most} in this market`
  const given = { value: value.toString(), nearest: nearest.toString(), facts }
  return problem('INVALID_PARAMETER', [field, rule], given)
}

function marketProblems({ market, order }: ParsedOrder): FieldError[] {
  const found: FieldError[] = []
  if (market.isEnded)
    found.push(
      problem('INSTRUMENT_PAUSED', ['instrument', 'the market has ended: it takes no orders']),
    )
  else if (market.isHalted && !order.reduceOnly)
    found.push(
      problem('INSTRUMENT_PAUSED', [
        'instrument',
        'the market is halted: only reduce-only orders are taken, and cancels',
      ]),
    )
  if (market.type === 'SPOT' && order.reduceOnly)
    found.push(
      problem('INVALID_PARAMETER', ['reduce_only', 'reduce_only is of perpetuals'], {
        nearest: 'false',
      }),
    )
  return found
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
    const rule = `amount at limit_price is worth ${worth}: the market takes at least ${facts.minimum}`
    const given = { value: worth, nearest: nearest.toString(), facts }
    return [problem('BELOW_MIN_ORDER_VALUE', ['amount', rule], given)]
  }
  if (value > maxOrderValue && !order.reduceOnly) {
    const nearest = (maxOrderValue / perLot) * amountStep
    const worth = quoteValue(market, value)
    const rule = `amount at limit_price is worth ${worth}: the market takes at most ${facts.maximum}`
    const given = { value: worth, nearest: nearest.toString(), facts }
    return [problem('EXCEED_MAX_ORDER_VALUE', ['amount', rule], given)]
  }
  return []
}
