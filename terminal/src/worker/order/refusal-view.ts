// Writes the rules of the venue that refuse an order. It is loaded with the first refusal.
import { fromRaw, type RefusedError, type shapes } from 'openvenue'
import { writeLocalTime } from '../text/time-text.ts'
import type { DraftField, OrderDraft, OrderProblem } from './order-protocol.ts'
import { refusalText } from './refusal-text.ts'

const INTEGER = /^\d+$/
/** What is signed needs so long until it is on the chain. */
const SIGNED_SECONDS = 30

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
