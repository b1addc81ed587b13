// Writes what the venue says of an order: its preview, and the rules that refuse it.
import { fromRaw, RefusedError, type shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../text/decimal-text.ts'
import { writeLocalTime } from '../text/time-text.ts'
import type { DraftField, OrderDraft, OrderProblem, PreviewView } from './order-protocol.ts'
import { refusalText } from './refusal-text.ts'

const VALUE_DIGITS = 2
const INTEGER = /^\d+$/
const NOTHING = '–'
/** What is signed needs so long until it is on the chain. */
const SIGNED_SECONDS = 30

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

/** What is not filled rests, or is cancelled at once. */
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

/** Returns a rule that the venue has for an order, its nearest legal value in the form's units. */
export function viewProblem(
  problem: shapes.FieldProblem,
  draft: OrderDraft,
  market: shapes.Market,
): OrderProblem {
  const field = fieldOf(problem.field, draft)
  const text = refusalText(problem, draft, market)
  if (field === undefined) return { field, text, nearest: [] }
  const nearest = nearestOf(problem, market)
  const isBase = field === 'amount' && nearest.length > 0 && draft.amountUnit === 'quote'
  return { field, text, nearest, ...(isBase && { amountUnit: 'base' as const }) }
}

/** Returns what a refusal breaks; its own message where it names no member. */
export function viewRefusal(
  error: RefusedError,
  draft: OrderDraft,
  market: shapes.Market,
): readonly OrderProblem[] {
  const { code, details } = error
  if (details.length === 0) {
    const message = error.message.slice(`${code}: `.length)
    return [{ field: undefined, text: refusalText({ code, message }, draft, market), nearest: [] }]
  }
  return details.map((detail) => viewProblem(detail, draft, market))
}

/** What a signed member was typed into; the limit of a market order is made of its slippage. */
function fieldOf(member: string, draft: OrderDraft): DraftField | undefined {
  if (member === 'limit_price') return draft.type === 'limit' ? 'price' : undefined
  if (member === 'good_til' || member === 'deadline')
    return draft.timeInForce === 'GTD' ? 'goodTil' : undefined
  return FIELDS[member]
}

const FIELDS: Readonly<Record<string, DraftField>> = {
  amount: 'amount',
  trigger: 'trigger',
  reduce_only: 'isReduceOnly',
  post_only: 'isPostOnly',
  is_buy: 'side',
}

/** Returns what would do, as the field has it; raw numbers are those that were signed. */
function nearestOf(
  { field, nearest }: shapes.FieldProblem,
  { base_decimals, quote_decimals }: shapes.Market,
): readonly string[] {
  if (field === 'is_buy') return [String(nearest) === 'true' ? 'buy' : 'sell']
  if (field === 'reduce_only' || field === 'post_only')
    return String(nearest) === 'false' ? ['off'] : []
  if (typeof nearest !== 'string' || !INTEGER.test(nearest) || nearest === '0') return []
  switch (field) {
    case 'amount':
      return [fromRaw(BigInt(nearest), base_decimals)]
    case 'limit_price':
    case 'trigger':
      return [fromRaw(BigInt(nearest), quote_decimals)]
    default:
      return [writeLocalTime(Number(nearest) + SIGNED_SECONDS, 'up')]
  }
}

/** Whether an error is a refusal of the venue's. */
export const isRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError
