// Formats the venue's preview of an order.
import { fromRaw, RefusedError, type shapes, toRaw } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from '../../../text/decimal-text.ts'
import type { PreviewView } from '../order-protocol.ts'
import * as text from '../text.ts'

const VALUE_DIGITS = 2
const FEE_DIGITS = 4
const RATE_DIGITS = 3
const DECIMALS = 18
const NOTHING = '–'
/** A trigger order is previewed as if it were triggered now. */
type PreviewedOrder = Readonly<{ side: 'buy' | 'sell'; isTriggered: boolean }>
type Fact = PreviewView['facts'][number]

/**
 * Returns the view of a preview. Prices are exact; averages are cut to two more digits, fees to
 * four.
 */
export function viewPreview(
  preview: shapes.OrderPreview,
  market: shapes.Market,
  order: PreviewedOrder,
): PreviewView {
  const digits = decimalsOf(market.price_step)
  const price = (value: string | null | undefined, more = 0) =>
    value === null || value === undefined ? NOTHING : showDecimal(value, digits + more)
  const facts: readonly Fact[] = [
    {
      name: text.estimatedFill,
      value: fillText(preview),
      ...(order.isTriggered && { hint: text.ifTriggeredNow }),
    },
    ...restFacts(preview),
    ...(preview.filled === '0'
      ? []
      : [
          { name: text.averagePrice, value: price(preview.avg_price, 2) },
          { name: text.worstFill, value: price(preview.worst_price) },
        ]),
    { name: text.fee, value: feeText(preview, market) },
    ...marginFacts(preview, market, order.side),
    ...balanceFacts(preview, market),
  ]
  const fills = preview.fills.map((fill) => ({
    price: price(fill.price),
    amount: showDecimal(fill.amount),
    fees: showDecimal(fill.fees, FEE_DIGITS),
  }))
  return { facts, fills, block: showDecimal(String(preview.block_number)) }
}

/** With the taker's rate if all of it is filled, and the maker's if all of it rests. */
function feeText({ fees, filled, resting }: shapes.OrderPreview, market: shapes.Market): string {
  const { taker_fee: taker, maker_fee: maker } = market
  const whole = resting === '0' ? taker : maker
  const isOne = resting === '0' || filled === '0'
  const rate = whole && isOne ? showPercent(whole, RATE_DIGITS).replace('+', '') : ''
  return `${showDecimal(fees, FEE_DIGITS)} ${market.quote_asset}${rate && ` (${rate})`}`
}

/** The unfilled part rests, or is cancelled. */
const restFacts = ({ resting, cancelled }: shapes.OrderPreview): readonly Fact[] =>
  [
    { name: text.resting, value: resting },
    { name: text.cancelled, value: cancelled },
  ]
    .filter(({ value }) => value !== '0')
    .map(({ name, value }) => ({ name, value: showDecimal(value) }))

const fillText = ({ filled, amount }: shapes.OrderPreview): string =>
  text.filledOf(showDecimal(filled), showDecimal(amount))

function marginFacts(
  preview: shapes.OrderPreview,
  market: shapes.Market,
  side: PreviewedOrder['side'],
): readonly Fact[] {
  const { margin, filled } = preview
  const after = margin?.after ?? undefined
  if (margin === undefined || after === undefined) return []
  const { before } = margin
  const money = (value: string) => showDecimal(value, VALUE_DIGITS)
  const change = (from: string, to: string) => (from === to ? to : text.beforeAfter(from, to))
  const position = preview.position ?? '0'
  const signed = toRaw(filled, DECIMALS) * (side === 'buy' ? 1n : -1n)
  const held = fromRaw(toRaw(position, DECIMALS) - signed, DECIMALS)
  return [
    { name: text.position, value: change(showDecimal(held), showDecimal(position)) },
    {
      name: text.marginUsed,
      value: change(money(before.initial_margin), money(after.initial_margin)),
    },
    {
      name: text.available,
      value: change(money(before.available_margin), money(after.available_margin)),
    },
    liquidationFact(preview, market, position),
  ]
}

function liquidationFact(
  { liquidation_price: liquidation }: shapes.OrderPreview,
  market: shapes.Market,
  position: string,
): Fact {
  const name = text.liquidationPrice
  if (liquidation) return { name, value: showDecimal(liquidation, decimalsOf(market.price_step)) }
  const hint = position === '0' ? text.noPositionLeft : text.coveredByCollateral
  return { name, value: text.noLiquidation, hint }
}

function balanceFacts({ balances }: shapes.OrderPreview, market: shapes.Market): readonly Fact[] {
  const after = balances?.after ?? undefined
  if (after === undefined) return []
  const { underlying_asset: base, quote_asset: quote } = market
  return [
    { name: base, value: showDecimal(after.base) },
    { name: quote, value: showDecimal(after.quote, VALUE_DIGITS) },
  ]
}

/** Returns true if an error is a refusal by the venue. */
export const isRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError
