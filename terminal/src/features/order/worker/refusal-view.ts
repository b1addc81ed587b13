// Shows why an order is refused: a sentence for each code, and the nearest legal value. Loaded with
// the first refusal.
import { fromRaw, type RefusalCode, type RefusedError, type shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import { writeLocalTime } from '../../../text/time-text.ts'
import type { DraftField, OrderDraft, OrderProblem } from '../order-protocol.ts'
import { type RefusalFacts, refusals } from './refusal-text.ts'

const INTEGER = /^\d+$/
/** Time that a signed order needs to reach the chain. */
const SIGNED_SECONDS = 30

/** Returns a rule of the venue, with its nearest legal value in the form's units. */
export function viewProblem(
  problem: shapes.FieldProblem,
  draft: OrderDraft,
  market: shapes.Market,
): OrderProblem {
  const field = fieldOf(problem.field, draft)
  const text = refusalText(problem, market)
  if (field === undefined) return { field, text, nearest: [] }
  const nearest = nearestOf(problem, market)
  const isBase = field === 'amount' && nearest.length > 0 && draft.amountUnit === 'quote'
  return { field, text, nearest, ...(isBase && { amountUnit: 'base' as const }) }
}

/** Returns the broken rules of a refusal; its own message if it names no member. */
export function viewRefusal(
  error: RefusedError,
  draft: OrderDraft,
  market: shapes.Market,
): readonly OrderProblem[] {
  const { code, details } = error
  if (details.length === 0) {
    const message = error.message.slice(`${code}: `.length)
    return [{ field: undefined, text: refusalText({ code, message }, market), nearest: [] }]
  }
  return details.map((detail) => viewProblem(detail, draft, market))
}

/** Returns the field of a signed member; a market order's price limit comes from its slippage. */
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

/** Returns legal values for the field, converted from the raw signed units. */
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

const VALUE_DIGITS = 2

/** Returns the facts of a refusal with their units; undefined if the venue did not send them. */
function showFacts(facts: shapes.ProblemFacts, market: shapes.Market): RefusalFacts {
  const { quote_asset: quote, underlying_asset: base } = market
  const show = (fact: string | undefined, write: (fact: string) => string) =>
    fact === undefined ? undefined : write(fact)
  const money = (value: string) => `${showDecimal(value, VALUE_DIGITS)} ${quote}`
  const price = (value: string) => showDecimal(value, decimalsOf(market.price_step))
  const amount = (value: string) => `${showDecimal(value)} ${base}`
  return {
    priceStep: market.price_step,
    amountStep: `${market.amount_step} ${base}`,
    minValue: money(facts.minimum ?? market.min_order_value),
    maxValue: money(facts.maximum ?? market.max_order_value),
    minPrice: show(facts.minimum, price),
    maxPrice: show(facts.maximum, price),
    room: show(facts.room, amount),
    shortfall: show(facts.shortfall, money),
    freeQuote: show(facts.free, money),
    freeBase: show(facts.free, amount),
    bestPrice: show(facts.best_price, price),
    fillable: show(facts.fillable, amount),
    markPrice: show(facts.mark_price, price),
    contractError: facts.contract_error,
    isSpot: market.instrument_type === 'SPOT',
    isActive: market.is_active,
    isShort: facts.position?.startsWith('-') === true,
  }
}

/** Codes with a text here. */
export const WRITTEN_CODES: readonly string[] = Object.keys(refusals)

/** Returns why an order is refused. A code without a text here has the venue's message. */
export function refusalText(
  { code, message, facts = {} }: Omit<shapes.FieldProblem, 'field'>,
  market: shapes.Market,
): string {
  const write = refusals[code as RefusalCode]
  return write?.(showFacts(facts, market)) ?? plain(message)
}

/** Returns the venue's message, with members of the body named as in the form. */
function plain(message: string): string {
  const text = message
    .replace(/\blimit_price\b/g, 'price')
    .replaceAll('_', ' ')
    .trim()
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
