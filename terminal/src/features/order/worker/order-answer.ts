// Formats the venue's preview of an order.
import { RefusedError, type shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { PreviewView } from '../order-protocol.ts'

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
  const price = (text: string | null | undefined, more = 0) =>
    text === null || text === undefined ? NOTHING : showDecimal(text, digits + more)
  const facts: readonly Fact[] = [
    { name: isTriggered ? 'If triggered now' : 'Est. filled', value: fillText(preview) },
    ...restFacts(preview),
    ...(preview.filled === '0'
      ? []
      : [
          { name: 'Average price', value: price(preview.avg_price, 2) },
          { name: 'Worst price', value: price(preview.worst_price) },
        ]),
    { name: 'Fee', value: `${showDecimal(preview.fees)} ${market.quote_asset}` },
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
    { name: 'Rests', value: resting },
    { name: 'Cancelled', value: cancelled },
  ]
    .filter(({ value }) => value !== '0')
    .map(({ name, value }) => ({ name, value: showDecimal(value) }))

const fillText = ({ filled, amount }: shapes.OrderPreview): string =>
  `${showDecimal(filled)} of ${showDecimal(amount)}`

function marginFacts(preview: shapes.OrderPreview, market: shapes.Market): readonly Fact[] {
  const after = preview.margin?.after ?? undefined
  if (after === undefined) return []
  const { position, liquidation_price: liquidation } = preview
  const money = (text: string) => `${showDecimal(text, VALUE_DIGITS)} ${market.quote_asset}`
  const digits = decimalsOf(market.price_step)
  return [
    { name: 'Position after', value: showDecimal(position ?? '0') },
    { name: 'Margin after', value: money(after.initial_margin) },
    { name: 'Free after', value: money(after.available_margin) },
    {
      name: 'Liquidation price',
      value: liquidation ? showDecimal(liquidation, digits) : 'none',
    },
  ]
}

function balanceFacts({ balances }: shapes.OrderPreview, market: shapes.Market): readonly Fact[] {
  const after = balances?.after ?? undefined
  if (after === undefined) return []
  const { underlying_asset: base, quote_asset: quote } = market
  return [
    { name: `${base} after`, value: showDecimal(after.base) },
    { name: `${quote} after`, value: showDecimal(after.quote, VALUE_DIGITS) },
  ]
}

/** Returns true if an error is a refusal by the venue. */
export const isRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError
