// Checks that the account can pay for an order: balances at spot, margin and positions at
// perpetuals. All figures are computed like on the chain, at the node's head.

import type { FillPreview } from '@openvenue/core/fill-preview'
import { abs, ceilDiv, max, min } from '@openvenue/core/integers'
import {
  type AccountMargin,
  accountMargin,
  exposureLots,
  initialMarginUp,
  maintenanceMarginUp,
  markPerLotDown,
} from '@openvenue/core/margin'
import { emptyPosition } from '@openvenue/core/positions'
import type { Order, Position } from '@openvenue/core/records'
import { amountText, fixedText, formatRaw, quoteRaw } from '@openvenue/core/units'
import type { FieldError } from '../../http/refusals.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { ParsedOrder } from './order-body.ts'
import {
  directionRule,
  freeRule,
  marginRule,
  mayRest,
  NO_POSITION,
  nearestAmount,
  notionalRule,
  placedLots,
  problem,
} from './order-rules.ts'

export type MeansFacts = Readonly<{
  model: Pick<VenueModel, 'state' | 'mark' | 'accountOrders'>
  /** Undefined while the chain has none for the maker. */
  account: number | undefined
  nowSeconds: number
  replaced: Order | undefined
}>

/** Effect of an order: the orders that it meets, and its lots that would rest. */
type ProjectedFill = Readonly<{ path: FillPreview; rested: bigint }>

/** Returns the lots that would rest of an order that takes `path`, of `lots` in all. */
export function restingLots(
  { market, order }: ParsedOrder,
  path: FillPreview,
  lots: bigint,
): bigint {
  const rested = lots - path.filled
  if (!mayRest(order) || path.stop !== undefined || rested <= 0n) return 0n
  const value = quoteRaw(market, (order.limitPrice / market.priceStep) * rested)
  return value < market.minOrderValue ? 0n : rested
}

/* SPOT */

/** Returns what keeps an account from paying for an order of a spot market. */
export function balanceProblems(
  parsed: ParsedOrder,
  { model, account, replaced }: MeansFacts,
  { path, rested }: ProjectedFill,
): FieldError[] {
  const { market, order } = parsed
  const { isBuy } = order
  const token = isBuy ? market.quoteToken : market.baseToken
  const decimals = isBuy ? market.quoteDecimals : market.baseDecimals
  const worth = (tick: bigint, lots: bigint) =>
    isBuy ? quoteRaw(market, tick * lots) : lots * market.amountStep
  const filled = isBuy ? quoteRaw(market, path.units) : path.filled * market.amountStep
  const needed = filled + worth(order.limitPrice / market.priceStep, rested)
  const balance = model.state.records.balance.get(`${account}|${token}`)?.free ?? 0n
  const released = replaced === undefined ? 0n : worth(BigInt(replaced.tick), replaced.restingLots)
  const free = balance + released
  if (needed <= free) return []
  const facts = {
    free: formatRaw(free, decimals),
    needed: formatRaw(needed, decimals),
    shortfall: formatRaw(needed - free, decimals),
  }
  const code = isBuy ? 'SPOT_NO_QUOTE_BALANCE' : 'SPOT_NO_BASE_BALANCE'
  const rule = freeRule(isBuy ? market.quoteAsset : market.asset, facts)
  const unit = isBuy ? quoteRaw(market, order.limitPrice / market.priceStep) : market.amountStep
  const near = nearestAmount((free / max(unit, 1n)) * market.amountStep)
  return [problem(code, ['amount', rule], { value: facts.needed, ...near, facts })]
}

/* REDUCE-ONLY */

/** Returns the account's position in the market of an order. */
const positionOf = ({ model, account }: MeansFacts, { market }: ParsedOrder): Position =>
  model.state.records.position.get(`${market.id}|${account}`) ??
  emptyPosition(market.id, account ?? 0)

/**
 * Returns the lots that an order may trade: a reduce-only one is cut to what it can close beside
 * other such orders. 0 when it is refused for that.
 */
export function admittedLots(parsed: ParsedOrder, facts: MeansFacts): bigint {
  const { market, order } = parsed
  const lots = placedLots(parsed, facts.replaced)
  if (!order.reduceOnly || market.type === 'SPOT') return lots
  const spare = closableLots(positionOf(facts, parsed), order.isBuy) - reservedLots(parsed, facts)
  return min(max(spare, 0n), lots)
}

const closableLots = ({ lots }: Position, isBuy: boolean) =>
  (isBuy ? lots < 0n : lots > 0n) ? abs(lots) : 0n

/** Lots of resting reduce-only orders on the same side, without the one that is replaced. */
function reservedLots(
  { market, order }: ParsedOrder,
  { model, account, replaced }: MeansFacts,
): bigint {
  if (account === undefined) return 0n
  let lots = 0n
  for (const resting of model.accountOrders.of(account))
    if (resting.market === market.id && resting.isReduceOnly && resting.isBuy === order.isBuy)
      lots += resting.number === replaced?.number ? 0n : resting.restingLots
  return lots
}

/** Returns why a reduce-only order has nothing to reduce. */
export function reduceOnlyProblems(parsed: ParsedOrder, facts: MeansFacts): FieldError[] {
  const { market, order } = parsed
  if (!order.reduceOnly || market.type === 'SPOT' || admittedLots(parsed, facts) > 0n) return []
  const current = positionOf(facts, parsed)
  const position = amountText(market, current.lots)
  if (current.lots === 0n) {
    // Without reduce_only it would open a position: that is not what was meant.
    return [
      problem('NO_POSITION_REDUCE_ONLY', ['reduce_only', NO_POSITION], { facts: { position } }),
    ]
  }
  if (closableLots(current, order.isBuy) === 0n) {
    const rule = directionRule(order.isBuy, position)
    const given = { nearest: String(!order.isBuy), facts: { position } }
    return [problem('INVALID_DIRECTION_REDUCE_ONLY', ['is_buy', rule], given)]
  }
  const reserved = amountText(market, reservedLots(parsed, facts))
  const rule = `Position is already covered: reduce-only orders of ${reserved} rest against the position of ${position}`
  const given = { value: reserved, facts: { position } }
  return [problem('ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY', ['amount', rule], given)]
}

/* MARGIN */

/** Returns what of the account's margin refuses an order of a perpetual. */
export function marginProblems(
  parsed: ParsedOrder,
  facts: MeansFacts,
  outcome: ProjectedFill,
): FieldError[] {
  const { market, order } = parsed
  const { model, account, nowSeconds } = facts
  const mark = model.mark(market.id)
  const at = {
    engine: market.engine,
    account: account ?? 0,
    seconds: model.state.head?.seconds ?? nowSeconds,
  }
  const before = accountMargin(model.state, at)
  // Without a mark only the chain can check it.
  if (mark === undefined || mark.price === 0n || before === undefined) return []
  const perLot = markPerLotDown(market, mark.price)
  const position = positionOf(facts, parsed)
  const after = positionAfter(parsed, facts, outcome)
  const traded = order.isBuy ? outcome.path.filled : -outcome.path.filled
  const paid = quoteRaw(market, order.isBuy ? outcome.path.units : -outcome.path.units)
  const equity = before.equity + traded * perLot - paid - outcome.path.fees
  const moved = (margin: typeof initialMarginUp) =>
    margin(market, after, perLot) - margin(market, position, perLot)
  if (order.reduceOnly) {
    const maintenance = before.maintenance + moved(maintenanceMarginUp)
    return outcome.path.filled === 0n || isBetter(before, { equity, maintenance })
      ? []
      : [shortMargin(equity, maintenance)]
  }
  const required = before.initial + moved(initialMarginUp)
  return [
    ...liquidationProblems(before),
    ...notionalProblems(parsed, exposureLots(after) * perLot, perLot),
    ...(equity < required ? [shortMargin(equity, required)] : []),
  ]
}

type AccountHealth = Pick<AccountMargin, 'equity' | 'maintenance'>

/** Source: `PerpsState.sol`, `_isBetter`. */
const isBetter = (before: AccountHealth, after: AccountHealth) =>
  after.equity >= after.maintenance ||
  after.equity * before.maintenance > before.equity * after.maintenance

/** The position once the order has filled and rests, and the lots of its orders. */
function positionAfter(parsed: ParsedOrder, facts: MeansFacts, outcome: ProjectedFill): Position {
  const position = positionOf(facts, parsed)
  const { path, rested } = outcome
  const { isBuy } = parsed.order
  const same = rested - (facts.replaced?.restingLots ?? 0n)
  return {
    ...position,
    lots: position.lots + (isBuy ? path.filled : -path.filled),
    bidLots: position.bidLots + (isBuy ? same : -path.ownLots),
    askLots: position.askLots + (isBuy ? -path.ownLots : same),
  }
}

function liquidationProblems({ equity, maintenance }: AccountMargin): FieldError[] {
  if (equity >= maintenance) return []
  const margins = marginFacts(equity, maintenance)
  const rule =
    `Account is in liquidation: equity is ${margins.equity}, maintenance margin is ` +
    `${margins.required}; only reduce-only orders are accepted`
  const given = { nearest: 'true', facts: margins }
  return [problem('ACCOUNT_LIQUIDATION', ['reduce_only', rule], given)]
}

const marginFacts = (equity: bigint, required: bigint) => ({
  equity: fixedText(equity),
  required: fixedText(required),
  shortfall: fixedText(required - equity),
})

function shortMargin(equity: bigint, required: bigint): FieldError {
  const facts = marginFacts(equity, required)
  const rule = marginRule(facts)
  return problem('INSUFFICIENT_MARGIN', ['amount', rule], { value: facts.equity, facts })
}

function notionalProblems(
  { market, order }: ParsedOrder,
  notional: bigint,
  perLot: bigint,
): FieldError[] {
  const maximum = market.maxNotionalValue
  if (notional <= maximum || perLot === 0n) return []
  const excess = ceilDiv(notional - maximum, perLot) * market.amountStep
  const nearest = max(order.amount - excess, 0n)
  const room = formatRaw(nearest, market.baseDecimals)
  const facts = { maximum: fixedText(maximum), room }
  const rule = notionalRule(fixedText(notional), facts.maximum)
  const given = { value: fixedText(notional), ...nearestAmount(nearest), facts }
  return [problem('EXCEEDS_MAX_NOTIONAL', ['amount', rule], given)]
}
