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

/** Returns what an order needs of a token, and what the account has. */
export const freeRule = (
  asset: string,
  { needed, free }: Readonly<{ needed: string; free: string }>,
): string => `the order needs ${needed} ${asset} free: the account has ${free}`

/** No order has the amount zero: it is near to nothing. */
export const nearestAmount = (amount: bigint): Readonly<{ nearest?: string }> =>
  amount > 0n ? { nearest: amount.toString() } : {}

/** Why a reduce-only order is refused while the account is flat. */
export const NO_POSITION = 'reduce_only needs a position in the market: the account has none'

/** Returns what an order needs of margin, and what the account would have. */
export const marginRule = ({
  equity,
  required,
}: Readonly<{ equity: string; required: string }>): string =>
  `the order needs a margin of ${required}: equity after it would be ${equity}`

export const notionalRule = (value: string, maximum: string): string =>
  `position and orders would be worth ${value}: the market allows an account ${maximum}`

/** Returns what a fill-or-kill order finds. */
export const fillRule = (fillable: string): string =>
  `only ${fillable} would be filled at once within limit_price`
