// Checks an order against the model of this node, the book included: microseconds, before the chain
// is asked about the rest.

import { type FillPreview, takeFrom } from '@openvenue/core/fill-preview'
import { ceilDiv } from '@openvenue/core/integers'
import { markPerLotDown } from '@openvenue/core/margin'
import type { Market, Order } from '@openvenue/core/records'
import { amountText, priceText } from '@openvenue/core/units'
import type { FieldError } from '../../http/refusals.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import {
  admittedLots,
  balanceProblems,
  type MeansFacts,
  marginProblems,
  reduceOnlyProblems,
  restingLots,
} from './balance-checks.ts'
import type { ParsedOrder } from './order-body.ts'
import {
  crossRule,
  editProblems,
  fillRule,
  isPostOnly,
  nearestAmount,
  placedLots,
  problem,
  replacedOrder,
  ruleProblems,
} from './order-rules.ts'

type CheckFacts = Readonly<{
  model: VenueModel
  /** The maker's number on the chain; undefined while it has none. The model has what it owns. */
  account: number | undefined
  /** Time of the clock; that of the newest block counts where it is ahead. */
  nowSeconds: number
}>

/**
 * Returns every rule that would refuse an order at the node's head, the one to report first; none
 * where only the chain knows. Call it in a turn in which the model has what the maker owns
 * (`loadOwner`). An order that waits for a trigger or for its parent (`isHeld`) is checked only
 * against rules whose outcome cannot change.
 */
export function checkOrder(
  { model, account, nowSeconds }: CheckFacts,
  parsed: ParsedOrder,
  isHeld = isHeldBack(parsed),
): readonly FieldError[] {
  const seconds = Math.max(nowSeconds, model.head?.seconds ?? 0)
  const rules = ruleProblems(parsed, seconds)
  if (isHeld || hasBrokenSteps(parsed)) return rules
  const replaced = replacedOrder(model, parsed)
  const edits = editProblems(model, account, parsed)
  if (replaced !== undefined && placedLots(parsed, replaced) === 0n) return [...rules, ...edits]
  const facts: MeansFacts = { model, account, nowSeconds: seconds, replaced }
  return [...rules, ...edits, ...stateProblems(model, parsed, facts)]
}

/** Returns whether an order waits until the mark or its parent allows it. */
export const isHeldBack = ({ order, unsigned }: ParsedOrder): boolean =>
  order.triggerKind !== 0 || unsigned.parentOrderId !== undefined

/** An order that is not in whole steps has no place on the book. */
const hasBrokenSteps = ({ market, order }: ParsedOrder) =>
  order.amount === 0n ||
  order.limitPrice === 0n ||
  order.amount % market.amountStep !== 0n ||
  order.limitPrice % market.priceStep !== 0n

function stateProblems(
  model: VenueModel,
  parsed: ParsedOrder,
  facts: MeansFacts,
): readonly FieldError[] {
  const reduceOnly = reduceOnlyProblems(parsed, facts)
  if (reduceOnly.length > 0) return reduceOnly
  const { lots, path } = wayOf(model, parsed, facts)
  const problems = pathProblems(parsed, path, { model, lots })
  // Fills of a post-only order are never paid for.
  if (problems[0]?.code === 'POST_ONLY_CROSS') return problems
  const outcome = { path, rested: restingLots(parsed, path, lots) }
  const means =
    parsed.market.type === 'SPOT'
      ? balanceProblems(parsed, facts, outcome)
      : marginProblems(parsed, facts, outcome)
  return [...problems, ...means]
}

/** Returns the lots of an order that are admitted, and what they would meet. */
function wayOf(
  model: VenueModel,
  parsed: ParsedOrder,
  facts: MeansFacts & Readonly<{ replaced: Order | undefined }>,
): Readonly<{ lots: bigint; path: FillPreview }> {
  const { account, nowSeconds, replaced } = facts
  const lots = admittedLots(parsed, facts)
  return { lots, path: pathOf(parsed, { model, account, nowSeconds, replaced, lots }) }
}

/** Farther from the mark no taker of a perpetual trades: a tenth. Source: `Perps.sol`. */
const BAND_DIVISOR = 10n
const TICK_NONE_ABOVE = 2 ** 24 - 1
const IOC = 1
const FOK = 2

type PathFacts = Readonly<{
  model: Pick<VenueModel, 'book' | 'mark'>
  account: number | undefined
  nowSeconds: number
  replaced: Order | undefined
  /** Admitted lots: a reduce-only order is cut to the lots that it may close. */
  lots: bigint
}>

type PriceBand = Readonly<{ lowest: number; highest: number }>

/** Returns the ticks that a taker may trade at; undefined where there is no mark, or at spot. */
function priceBand(market: Market, mark: bigint | undefined): PriceBand | undefined {
  if (market.type === 'SPOT' || mark === undefined || mark === 0n) return undefined
  const perLot = markPerLotDown(market, mark)
  const highest = (perLot * (BAND_DIVISOR + 1n)) / BAND_DIVISOR / market.quotePerLotTick
  const lowest = ceilDiv(
    ceilDiv(perLot * (BAND_DIVISOR - 1n), BAND_DIVISOR),
    market.quotePerLotTick,
  )
  return { lowest: toTick(lowest), highest: toTick(highest) }
}

const toTick = (tick: bigint) => Number(tick < TICK_NONE_ABOVE ? tick : TICK_NONE_ABOVE)

/** Returns what an order with whole steps would meet now. */
function pathOf({ market, order }: ParsedOrder, facts: PathFacts): FillPreview {
  const { model, account, nowSeconds, replaced, lots } = facts
  const tick = Number(order.limitPrice / market.priceStep)
  const band = isPostOnly(order) ? undefined : priceBand(market, model.mark(market.id)?.price)
  const reach = reachOf(order.isBuy, tick, band)
  const { isBuy, maxFills } = order
  const taker = { account, isBuy, tick, lots, maxFills, reach, replaced: replaced?.number }
  return takeFrom(market, model.book(market.id), taker, nowSeconds)
}

function reachOf(isBuy: boolean, tick: number, band: PriceBand | undefined): number {
  if (band === undefined) return tick
  return isBuy ? Math.min(tick, band.highest) : Math.max(tick, band.lowest)
}

/** Returns what of its way over the book refuses an order. */
function pathProblems(
  parsed: ParsedOrder,
  path: FillPreview,
  { model, lots }: Pick<PathFacts, 'model' | 'lots'>,
): FieldError[] {
  const { market, order } = parsed
  if (isPostOnly(order)) return postOnlyProblems(parsed, path)
  if (path.filled === 0n && path.stop === 'PRICE_BAND')
    return [bandProblem(parsed, model.mark(market.id)?.price)]
  const fillable = amountText(market, path.filled)
  const best = path.best === undefined ? {} : { best_price: priceText(market, path.best) }
  if (order.timeInForce === FOK && path.filled < lots) {
    const near = nearestAmount(path.filled * market.amountStep)
    const value = amountText(market, lots)
    const facts = { fillable, ...best }
    return [problem('FOK_UNFILLABLE', ['amount', fillRule(fillable)], { value, ...near, facts })]
  }
  if (order.timeInForce === IOC && path.filled === 0n) {
    const rule = 'Immediate-or-cancel order cannot be filled: no orders at limit_price or better'
    const near = path.best === undefined ? {} : { nearest: rawPrice(market, path.best) }
    const facts = { fillable, ...best }
    return [problem('IOC_ORDER_REJECTED', ['limit_price', rule], { ...near, facts })]
  }
  return []
}

const rawPrice = (market: Market, tick: number) => (BigInt(tick) * market.priceStep).toString()

function postOnlyProblems({ market, order }: ParsedOrder, { best }: FillPreview): FieldError[] {
  if (best === undefined) return []
  const tick = Number(order.limitPrice / market.priceStep)
  if (order.isBuy ? tick < best : tick > best) return []
  const nearest = rawPrice(market, order.isBuy ? best - 1 : best + 1)
  const price = priceText(market, best)
  const facts = { best_price: price }
  const value = priceText(market, tick)
  const rule = crossRule(order.isBuy, price, value)
  return [problem('POST_ONLY_CROSS', ['limit_price', rule], { value, nearest, facts })]
}

function bandProblem({ market, order }: ParsedOrder, mark: bigint | undefined): FieldError {
  const band = priceBand(market, mark) ?? { lowest: 0, highest: TICK_NONE_ABOVE }
  const [minimum, maximum] = [priceText(market, band.lowest), priceText(market, band.highest)]
  const rule = `Price band exceeded: orders trade from ${minimum} to ${maximum}, and the best price is beyond`
  const nearest = rawPrice(market, order.isBuy ? band.highest : band.lowest)
  const value = priceText(market, Number(order.limitPrice / market.priceStep))
  const facts = { minimum, maximum }
  return problem('EXCEED_TRADE_PRICE_BAND', ['limit_price', rule], { value, nearest, facts })
}
