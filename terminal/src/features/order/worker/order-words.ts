// Describes orders in words before they are signed.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import { showMoment } from '../../../text/time-text.ts'
import type { FieldHints, OrderDraft } from '../order-protocol.ts'
import * as text from '../text.ts'
import type { OrderContext, OrderPlan } from './order-plan.ts'

const DECIMALS = 18
const VALUE_DIGITS = 2
const ONE = 10n ** BigInt(DECIMALS)

/** Returns a sentence for each order that is signed. */
export function describePlan({ order, exits }: OrderPlan, market: shapes.Market): string {
  const price = (value: string) => showDecimal(value, decimalsOf(market.price_step))
  const { side, trigger } = order
  const sentence = text.signedOrder({
    ...{ side, amount: showDecimal(`${order.amount}`), market: order.market },
    trigger: trigger === undefined ? '' : price(`${trigger.price}`),
    price: price(`${order.price}`),
    base: market.underlying_asset,
    total: `${showDecimal(costOf(order), VALUE_DIGITS)} ${market.quote_asset}`,
    rules: [...restText(order), ...(order.reduceOnly ? [text.ruleReduceOnly] : [])],
  })
  return [sentence, ...exitText(exits, price)].join(' ')
}

/** Price times amount, exact before it is cut for display. */
const costOf = ({ price, amount }: NewOrder): string =>
  fromRaw((toRaw(price, DECIMALS) * toRaw(amount, DECIMALS)) / ONE, DECIMALS)

function restText(order: NewOrder): readonly string[] {
  const { timeInForce, postOnly, goodTilSeconds, deadlineSeconds = 0 } = order
  const post = postOnly ? [text.rulePostOnly] : []
  if (order.trigger !== undefined)
    return [text.ruleTriggered, text.ruleExpires(showMoment(deadlineSeconds))]
  if (timeInForce === 'FOK') return [text.ruleFillOrKill]
  if (timeInForce === 'IOC') return [text.ruleImmediate]
  if (goodTilSeconds === undefined) return [...post, text.ruleGoodTilCancelled]
  return [...post, text.ruleGoodTil(showMoment(goodTilSeconds))]
}

function exitText(exits: readonly NewOrder[], price: (value: string) => string): readonly string[] {
  if (exits.length === 0) return []
  const signed = exits.map(({ trigger, price: worst, side }) => ({
    isTakeProfit: trigger?.kind === 'TAKE_PROFIT',
    ...{ side, trigger: price(`${trigger?.price}`), price: price(`${worst}`) },
  }))
  return [text.signedExits(signed)]
}

/** Returns the interpretation of fields where it differs from the typed text. */
export function hintsOf(
  { order }: OrderPlan,
  draft: OrderDraft,
  market: shapes.Market,
): FieldHints {
  const { goodTilSeconds, deadlineSeconds, trigger, amount } = order
  const until = trigger === undefined ? goodTilSeconds : deadlineSeconds
  const { underlying_asset: base, quote_asset: quote } = market
  const cost =
    draft.type === 'limit'
      ? text.exactCost(`${showDecimal(costOf(order))} ${quote}`)
      : text.costBound(order.side, `${showDecimal(costOf(order), VALUE_DIGITS)} ${quote}`)
  const size = `${showDecimal(`${amount}`)} ${base}${draft.type === 'limit' ? '' : ','}`
  return {
    amount: draft.amountUnit === 'quote' ? `${size} ${cost}` : cost,
    ...(draft.timeInForce === 'GTD' && until !== undefined && { goodTil: showMoment(until) }),
  }
}

/** Returns warnings about legal but unusual terms. */
export function warningsOf({ order }: OrderPlan, { market }: OrderContext): readonly string[] {
  const { trigger, side } = order
  const mark = market.mark_price
  if (trigger === undefined || mark === null) return []
  const firesAbove = (trigger.kind === 'STOP_LOSS') === (side === 'buy')
  const [now, at] = [toRaw(mark, DECIMALS), toRaw(trigger.price, DECIMALS)]
  const isReached = firesAbove ? now >= at : now <= at
  return isReached ? [text.alreadyTriggered] : []
}
