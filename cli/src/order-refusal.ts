// Converts the raw integers in a refusal of a signed order to human units.
import { fromRaw, RefusedError, type shapes } from 'openvenue'

type Decimals = Pick<shapes.Market, 'base_decimals' | 'quote_decimals'>

const INTEGER = /^\d+$/

/** Returns the refusal of an order with its nearest legal values in human units. */
export function humanRefusal(error: unknown, market: Decimals): unknown {
  if (!(error instanceof RefusedError)) return error
  const { code, status, requestId, retryAfterMs, message } = error
  const details = error.details.map((problem) => humanProblem(problem, market))
  const facts = { code, status, requestId, retryAfterMs, details }
  const kind = error.constructor as typeof RefusedError
  return new kind(message.slice(`${code}: `.length), facts)
}

/** Returns an invalid member of an order with its nearest legal value in human units. */
export function humanProblem(problem: shapes.FieldProblem, market: Decimals): shapes.FieldProblem {
  const decimals = decimalsOf(problem.field, market)
  const { nearest } = problem
  if (decimals === undefined || typeof nearest !== 'string' || !INTEGER.test(nearest))
    return problem
  return { ...problem, nearest: fromRaw(BigInt(nearest), decimals) }
}

function decimalsOf(field: string, { base_decimals, quote_decimals }: Decimals) {
  if (field === 'amount') return base_decimals
  return field === 'limit_price' || field === 'trigger' ? quote_decimals : undefined
}
