// Writes what the venue says of an order: its preview, and the rules that refuse it.
import { fromRaw, RefusedError, type shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../text/decimal-text.ts'
import type { DraftField, OrderDraft, OrderProblem, PreviewView } from './order-protocol.ts'

const VALUE_DIGITS = 2
const INTEGER = /^\d+$/
const NOTHING = '–'

type Fact = PreviewView['facts'][number]

/**
 * Returns a preview as it is shown; prices are exact, averages cut to two digits more. One with a
 * trigger does nothing yet: what it shows is what it would do now.
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
    { name: isTriggered ? 'Fired now, fills' : 'Fills at once', value: fillText(preview) },
    { name: 'Rests', value: showDecimal(preview.resting) },
    { name: 'Average price', value: price(preview.avg_price, 2) },
    { name: 'Worst price', value: price(preview.worst_price) },
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

/** Returns a rule that the venue has for an order, its nearest legal value in the form's units. */
export function viewProblem(
  problem: shapes.FieldProblem,
  draft: OrderDraft,
  market: shapes.Market,
): OrderProblem {
  const field = fieldOf(problem.field, draft)
  const nearest = humanNumber(problem, market)
  const text = problem.message.replace(/\blimit_price\b/, 'price').replaceAll('_', ' ')
  return { field, text, nearest: field === undefined ? [] : nearest }
}

/** Returns what a refusal breaks; its own message where it names no member. */
export function viewRefusal(
  error: RefusedError,
  draft: OrderDraft,
  market: shapes.Market,
): readonly OrderProblem[] {
  const text = error.message.slice(`${error.code}: `.length)
  if (error.details.length === 0) return [{ field: undefined, text, nearest: [] }]
  return error.details.map((detail) => viewProblem(detail, draft, market))
}

/** What a signed member was typed into; the limit of a market order is made of its slippage. */
function fieldOf(member: string, draft: OrderDraft): DraftField | undefined {
  if (member === 'amount' || member === 'trigger') return member
  if (member === 'limit_price') return draft.type === 'limit' ? 'price' : undefined
  if (member === 'reduce_only') return 'isReduceOnly'
  return member === 'post_only' ? 'isPostOnly' : undefined
}

function humanNumber(
  { field, nearest }: shapes.FieldProblem,
  { base_decimals, quote_decimals }: shapes.Market,
): readonly string[] {
  if (typeof nearest !== 'string' || !INTEGER.test(nearest) || nearest === '0') return []
  if (field === 'amount') return [fromRaw(BigInt(nearest), base_decimals)]
  const isPrice = field === 'limit_price' || field === 'trigger'
  return isPrice ? [fromRaw(BigInt(nearest), quote_decimals)] : []
}

/** Whether an error is a refusal of the venue's. */
export const isRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError
