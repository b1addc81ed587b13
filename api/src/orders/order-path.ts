// What an order would meet on the book as this node knows it, and what of that refuses it.
import { ceilDiv } from '@openvenue/core/integers'
import { markPerLotDown } from '@openvenue/core/margin'
import type { Market, Order } from '@openvenue/core/records'
import { type Taking, takeFrom } from '@openvenue/core/taking'
import { amountText, priceText } from '@openvenue/core/units'
import type { FieldError } from '../http/refusals.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { ParsedOrder } from './order-body.ts'
import { fillRule, nearestAmount, problem } from './order-problem.ts'
import { isPostOnly } from './order-rules.ts'

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
  /** As admitted: a reduce-only order is cut to what it may close. */
  lots: bigint
}>

type Band = Readonly<{ lowest: number; highest: number }>

/** Returns the ticks that a taker may trade at; undefined where there is no mark, or at spot. */
export function priceBand(market: Market, mark: bigint | undefined): Band | undefined {
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
export function pathOf({ market, order }: ParsedOrder, facts: PathFacts): Taking {
  const { model, account, nowSeconds, replaced, lots } = facts
  const tick = Number(order.limitPrice / market.priceStep)
  const band = isPostOnly(order) ? undefined : priceBand(market, model.mark(market.id)?.price)
  const reach = reachOf(order.isBuy, tick, band)
  const { isBuy, maxFills } = order
  const taker = { account, isBuy, tick, lots, maxFills, reach, replaced: replaced?.number }
  return takeFrom(market, model.book(market.id), taker, nowSeconds)
}

function reachOf(isBuy: boolean, tick: number, band: Band | undefined): number {
  if (band === undefined) return tick
  return isBuy ? Math.min(tick, band.highest) : Math.max(tick, band.lowest)
}

/** Returns what of its way over the book refuses an order. */
export function pathProblems(
  parsed: ParsedOrder,
  path: Taking,
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
    const rule = 'limit_price meets no order that rests'
    const near = path.best === undefined ? {} : { nearest: rawPrice(market, path.best) }
    const facts = { fillable, ...best }
    return [problem('IOC_ORDER_REJECTED', ['limit_price', rule], { ...near, facts })]
  }
  return []
}

const rawPrice = (market: Market, tick: number) => (BigInt(tick) * market.priceStep).toString()

function postOnlyProblems({ market, order }: ParsedOrder, { best }: Taking): FieldError[] {
  if (best === undefined) return []
  const tick = Number(order.limitPrice / market.priceStep)
  if (order.isBuy ? tick < best : tick > best) return []
  const nearest = rawPrice(market, order.isBuy ? best - 1 : best + 1)
  const price = priceText(market, best)
  const rule = `limit_price of a post-only order must be ${order.isBuy ? 'below' : 'above'} ${price}, the best opposite price`
  const facts = { best_price: price }
  const value = priceText(market, tick)
  return [problem('POST_ONLY_CROSS', ['limit_price', rule], { value, nearest, facts })]
}

function bandProblem({ market, order }: ParsedOrder, mark: bigint | undefined): FieldError {
  const band = priceBand(market, mark) ?? { lowest: 0, highest: TICK_NONE_ABOVE }
  const [minimum, maximum] = [priceText(market, band.lowest), priceText(market, band.highest)]
  const rule = `an order trades from ${minimum} to ${maximum}, and what rests is beyond that`
  const nearest = rawPrice(market, order.isBuy ? band.highest : band.lowest)
  const value = priceText(market, Number(order.limitPrice / market.priceStep))
  const facts = { minimum, maximum }
  return problem('EXCEED_TRADE_PRICE_BAND', ['limit_price', rule], { value, nearest, facts })
}
