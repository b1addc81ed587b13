// What would refuse an order: a rule with its code, in the body's terms.
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import { type FieldError, REFUSALS, Refusal, type RefusalCode } from '../http/refusals.ts'

/**
 * Returns a rule that an order breaks. Values of the body's fields (`nearest`, `step`, `lower`,
 * `upper`) are raw integers as the body has them, all others decimal text.
 */
export const problem = (
  code: RefusalCode,
  [field, message]: readonly [field: string, message: string],
  facts: Omit<FieldError, 'field' | 'code' | 'message'> = {},
): FieldError => ({ field, code, message, ...facts })

/** Returns the refusal that has the code of the first of `problems` and details all of them. */
export function orderRefusal(problems: readonly FieldError[]): Refusal {
  const [first] = problems as [FieldError]
  const { status } = REFUSALS[first.code]
  const retry = status === 503 || status === 429 ? { retryAfterMs: RETRY_MS } : {}
  return new Refusal(first.code, { message: first.message, details: problems, ...retry })
}

const RETRY_MS = 1000

/** Returns quote raw as decimal text. */
export const quoteValue = (market: Market, raw: bigint) => formatRaw(raw, market.quoteDecimals)
