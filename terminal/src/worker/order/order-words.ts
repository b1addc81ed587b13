// Says in words what an order does, before it is signed.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { decimalsOf, showDecimal } from '../text/decimal-text.ts'
import { showMoment } from '../text/time-text.ts'
import type { OrderContext, OrderPlan } from './order-plan.ts'
import type { FieldHints, OrderDraft } from './order-protocol.ts'

const DECIMALS = 18
const VALUE_DIGITS = 2
const ONE = 10n ** BigInt(DECIMALS)

/** Returns a sentence for each thing that is signed. */
export function describePlan({ order, exits }: OrderPlan, market: shapes.Market): string {
  const price = (text: string) => showDecimal(text, decimalsOf(market.price_step))
  const { trigger } = order
  const when = trigger === undefined ? '' : `When the mark reaches ${price(`${trigger.price}`)}: `
  const bound = order.side === 'buy' ? 'at most' : 'at least'
  const value = showDecimal(costOf(order), VALUE_DIGITS)
  const what = `${order.side} ${showDecimal(`${order.amount}`)} ${order.market}`
  const worst = `${bound} ${price(`${order.price}`)} each, ${bound} ${value} ${market.quote_asset}`
  const rules = [...restText(order), ...(order.reduceOnly ? ['only reduces a position'] : [])]
  const first = capital(`${when}${what} for ${worst}; ${rules.join('; ')}.`)
  return [first, ...exitText(exits, price)].join(' ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Price times amount, exactly, then cut. */
const costOf = ({ price, amount }: NewOrder): string =>
  fromRaw((toRaw(price, DECIMALS) * toRaw(amount, DECIMALS)) / ONE, DECIMALS)

function restText(order: NewOrder): readonly string[] {
  const { timeInForce, postOnly, goodTilSeconds, deadlineSeconds = 0 } = order
  const post = postOnly ? ['never filled at once'] : []
  if (order.trigger !== undefined)
    return ['then what finds nobody is cancelled', `waits until ${showMoment(deadlineSeconds)}`]
  if (timeInForce === 'FOK') return ['filled whole at once, or not at all']
  if (timeInForce === 'IOC') return ['filled at once; what finds nobody is cancelled']
  if (goodTilSeconds === undefined) return [...post, 'rests until it is cancelled']
  return [...post, `rests until ${showMoment(goodTilSeconds)}`]
}

function exitText(exits: readonly NewOrder[], price: (text: string) => string): readonly string[] {
  if (exits.length === 0) return []
  const each = exits.map(({ trigger, price: worst, side }) => {
    const kind = trigger?.kind === 'TAKE_PROFIT' ? 'take profit' : 'stop'
    const bound = side === 'buy' ? 'at most' : 'at least'
    return `${kind} at a mark of ${price(`${trigger?.price}`)} (for ${bound} ${price(`${worst}`)})`
  })
  const excluding = exits.length > 1 ? ', whichever comes first' : ''
  return [`Once it is filled: ${each.join(' or ')}${excluding}.`]
}

/** Returns what the fields of a draft come to, where that is not what was typed. */
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

/** Returns what is legal, and still worth a second look. */
export function warningsOf({ order }: OrderPlan, { market }: OrderContext): readonly string[] {
  const { trigger, side } = order
  const mark = market.mark_price
  if (trigger === undefined || mark === null) return []
  const firesAbove = (trigger.kind === 'STOP_LOSS') === (side === 'buy')
  const [now, at] = [toRaw(mark, DECIMALS), toRaw(trigger.price, DECIMALS)]
  const isThere = firesAbove ? now >= at : now <= at
  return isThere ? ['The mark is there already: it fires at once'] : []
}
