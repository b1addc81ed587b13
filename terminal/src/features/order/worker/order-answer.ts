// Formats the venue's preview of an order.
import { RefusedError, type shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { PreviewView } from '../order-protocol.ts'
import * as text from '../text.ts'

const VALUE_DIGITS = 2
const NOTHING = '–'
type Fact = PreviewView['facts'][number]

/**
 * Returns the view of a preview. Prices are exact; averages are cut to two more digits. A trigger
 * order is previewed as if it were triggered now.
 */
export function viewPreview(
  preview: shapes.OrderPreview,
  market: shapes.Market,
  isTriggered: boolean,
): PreviewView {
  const digits = decimalsOf(market.price_step)
  const price = (value: string | null | undefined, more = 0) =>
    value === null || value === undefined ? NOTHING : showDecimal(value, digits + more)
  const facts: readonly Fact[] = [
    { name: isTriggered ? text.fillIfTriggered : text.estimatedFill, value: fillText(preview) },
    ...restFacts(preview),
    ...(preview.filled === '0'
      ? []
      : [
          { name: text.averagePrice, value: price(preview.avg_price, 2) },
          { name: text.worstPrice, value: price(preview.worst_price) },
        ]),
    { name: text.fee, value: `${showDecimal(preview.fees)} ${market.quote_asset}` },
    ...marginFacts(preview, market),
    ...balanceFacts(preview, market),
  ]
  const fills = preview.fills.map((fill) => ({
    price: price(fill.price),
    amount: showDecimal(fill.amount),
    fees: showDecimal(fill.fees),
  }))
  return { facts, fills, block: showDecimal(String(preview.block_number)) }
}

/** The unfilled part rests, or is cancelled. */
const restFacts = ({ resting, cancelled }: shapes.OrderPreview): readonly Fact[] =>
  [
    { name: text.rests, value: resting },
    { name: text.cancelled, value: cancelled },
  ]
    .filter(({ value }) => value !== '0')
    .map(({ name, value }) => ({ name, value: showDecimal(value) }))

const fillText = ({ filled, amount }: shapes.OrderPreview): string =>
  text.filledOf(showDecimal(filled), showDecimal(amount))

function marginFacts(preview: shapes.OrderPreview, market: shapes.Market): readonly Fact[] {
  const after = preview.margin?.after ?? undefined
  if (after === undefined) return []
  const { position, liquidation_price: liquidation } = preview
  const money = (value: string) => `${showDecimal(value, VALUE_DIGITS)} ${market.quote_asset}`
  const digits = decimalsOf(market.price_step)
  return [
    { name: text.positionAfter, value: showDecimal(position ?? '0') },
    { name: text.marginAfter, value: money(after.initial_margin) },
    { name: text.freeAfter, value: money(after.available_margin) },
    {
      name: text.liquidationPrice,
      value: liquidation ? showDecimal(liquidation, digits) : text.noLiquidation,
    },
  ]
}

function balanceFacts({ balances }: shapes.OrderPreview, market: shapes.Market): readonly Fact[] {
  const after = balances?.after ?? undefined
  if (after === undefined) return []
  const { underlying_asset: base, quote_asset: quote } = market
  return [
    { name: text.balanceAfter(base), value: showDecimal(after.base) },
    { name: text.balanceAfter(quote), value: showDecimal(after.quote, VALUE_DIGITS) },
  ]
}

/** Returns true if an error is a refusal by the venue. */
export const isRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError
