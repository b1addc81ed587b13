// Says which other order has an order's salt: on its way, resting, or included of late.
import { marketEngine } from '@openvenue/core/ids'
import type { Intent } from '@openvenue/store/intents'
import type { FieldError } from '../http/refusals.ts'
import type { IntentBook } from './intent-book.ts'
import type { ParsedOrder } from './order-body.ts'
import { isHeldBack } from './order-checks.ts'
import { problem } from './order-problem.ts'

const CODE = 'ORDER_INVALID_SALT'

/** Returns what is wrong with a salt that another order brings to the chain. Held ones share it. */
export function saltProblems(
  intentBook: IntentBook,
  account: number | undefined,
  parsed: ParsedOrder,
): readonly FieldError[] {
  if (account === undefined || isHeldBack(parsed)) return []
  const { order, market, takesPlaceOf } = parsed
  const salt = { account, market: market.id, salt: order.salt.toString() }
  const id = intentBook.spenderOf(salt, takesPlaceOf)
  return id === undefined ? [] : [saltSpent(id)]
}

/** Names the order that spent a salt, where the chain has only said that it is spent. */
export function nameSpender(
  intentBook: IntentBook,
  account: number | undefined,
  parsed: ParsedOrder,
  found: FieldError,
): FieldError {
  if (found.code !== CODE || account === undefined) return found
  const spender = intentBook.endedWith(account, hasSaltOf(parsed))
  return spender === undefined ? found : saltSpent(spender.id)
}

/** Each engine counts the salts of an account apart. */
function hasSaltOf({ order, market }: ParsedOrder): (intent: Intent) => boolean {
  const [salt, engine] = [order.salt.toString(), marketEngine(market.id)]
  return ({ payload, market: other }) =>
    payload.kind === 'order' && payload.order.salt === salt && marketEngine(other) === engine
}

const saltSpent = (order_id: string): FieldError =>
  problem(CODE, ['salt', 'salt is that of no other order'], { facts: { order_id } })
