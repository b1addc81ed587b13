// Describes orders in words before they are signed.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import { showMoment } from '../../../text/time-text.ts'
import type { FieldHints, OrderDraft } from '../order-protocol.ts'
import type { OrderContext, OrderPlan } from './order-plan.ts'

const DECIMALS = 18
const VALUE_DIGITS = 2
const ONE = 10n ** BigInt(DECIMALS)

/** Returns a sentence for each order that is signed. */
export function describePlan({ order, exits }: OrderPlan, market: shapes.Market): string {
  const price = (text: string) => showDecimal(text, decimalsOf(market.price_step))
  const { trigger } = order
  const when = trigger === undefined ? '' : `Triggers at mark ${price(`${trigger.price}`)}: `
  const bound = order.side === 'buy' ? 'at most' : 'at least'
  const value = showDecimal(costOf(order), VALUE_DIGITS)
  const what = `${order.side} ${showDecimal(`${order.amount}`)} ${order.market}`
  const worst = `${bound} ${price(`${order.price}`)} per ${market.underlying_asset}, ${value} ${market.quote_asset} in total`
  const rules = [...restText(order), ...(order.reduceOnly ? ['reduce-only'] : [])]
  const first = capital(`${when}${what} for ${worst}; ${rules.join('; ')}.`)
  return [first, ...exitText(exits, price)].join(' ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Price times amount, exact before it is cut for display. */
const costOf = ({ price, amount }: NewOrder): string =>
  fromRaw((toRaw(price, DECIMALS) * toRaw(amount, DECIMALS)) / ONE, DECIMALS)

function restText(order: NewOrder): readonly string[] {
  const { timeInForce, postOnly, goodTilSeconds, deadlineSeconds = 0 } = order
  const post = postOnly ? ['post-only'] : []
  if (order.trigger !== undefined)
    return ['then immediate or cancel', `expires ${showMoment(deadlineSeconds)}`]
  if (timeInForce === 'FOK') return ['fill or kill']
  if (timeInForce === 'IOC') return ['immediate or cancel: any unfilled size is cancelled']
  if (goodTilSeconds === undefined) return [...post, 'good til cancelled']
  return [...post, `good til ${showMoment(goodTilSeconds)}`]
}

function exitText(exits: readonly NewOrder[], price: (text: string) => string): readonly string[] {
  if (exits.length === 0) return []
  const each = exits.map(({ trigger, price: worst, side }) => {
    const kind = trigger?.kind === 'TAKE_PROFIT' ? 'take profit' : 'stop'
    const bound = side === 'buy' ? 'at most' : 'at least'
    return `${kind} at mark ${price(`${trigger?.price}`)} (for ${bound} ${price(`${worst}`)})`
  })
  const excluding = exits.length > 1 ? ', whichever comes first' : ''
  return [`Once filled: ${each.join(' or ')}${excluding}.`]
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
  const bound = order.side === 'buy' ? 'at most' : 'at least'
  const cost =
    draft.type === 'limit'
      ? `= ${showDecimal(costOf(order))} ${quote}`
      : `${bound} ${showDecimal(costOf(order), VALUE_DIGITS)} ${quote}`
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
  const isThere = firesAbove ? now >= at : now <= at
  return isThere ? ['Trigger price already reached: it executes immediately'] : []
}
