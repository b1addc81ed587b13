// Checks an order against what this node knows, without asking anybody: microseconds, before the
// chain is asked about what is left.
import type { Order } from '@openvenue/core/records'
import type { Taking } from '@openvenue/core/taking'
import type { FieldError } from '../http/refusals.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { ParsedOrder } from './order-body.ts'
import { editProblems, placedLots, replacedOrder } from './order-edits.ts'
import {
  admittedLots,
  balanceProblems,
  type MeansFacts,
  marginProblems,
  reduceOnlyProblems,
  restingLots,
} from './order-means.ts'
import { pathOf, pathProblems } from './order-path.ts'
import { ruleProblems } from './order-rules.ts'

export type CheckFacts = Readonly<{
  model: VenueModel
  /** The maker's number on the chain; undefined while it has none. What it owns is in the model. */
  account: number | undefined
  /** Of the clock; the newest block counts where it is ahead. */
  nowSeconds: number
}>

/**
 * Returns every rule that would refuse an order as the node's head has it, the first being the one
 * to say; none where only the chain knows. Look in a turn in which the model has what the maker
 * owns (`lookAtOwner`). An order that waits for a trigger or for its parent (`isHeld`) is held
 * against what cannot change alone.
 */
export function checkOrder(
  { model, account, nowSeconds }: CheckFacts,
  parsed: ParsedOrder,
  isHeld = isHeldBack(parsed),
): readonly FieldError[] {
  const seconds = Math.max(nowSeconds, model.head?.seconds ?? 0)
  const rules = ruleProblems(parsed, seconds)
  if (isHeld || hasBrokenSteps(parsed)) return rules
  const replaced = replacedOrder(model, parsed)
  const edits = editProblems(model, account, parsed)
  if (replaced !== undefined && placedLots(parsed, replaced) === 0n) return [...rules, ...edits]
  const facts: MeansFacts = { model, account, nowSeconds: seconds, replaced }
  return [...rules, ...edits, ...stateProblems(model, parsed, facts)]
}

/** Returns whether an order waits until the mark or its parent allows it. */
export const isHeldBack = ({ order, unsigned }: ParsedOrder): boolean =>
  order.triggerKind !== 0 || unsigned.parentOrderId !== undefined

/** Nothing can be said of what an order would meet before it is in whole steps. */
const hasBrokenSteps = ({ market, order }: ParsedOrder) =>
  order.amount === 0n ||
  order.limitPrice === 0n ||
  order.amount % market.amountStep !== 0n ||
  order.limitPrice % market.priceStep !== 0n

function stateProblems(
  model: VenueModel,
  parsed: ParsedOrder,
  facts: MeansFacts,
): readonly FieldError[] {
  const reduceOnly = reduceOnlyProblems(parsed, facts)
  if (reduceOnly.length > 0) return reduceOnly
  const { lots, path } = wayOf(model, parsed, facts)
  const found = pathProblems(parsed, path, { model, lots })
  // What a post-only order would fill is never paid for.
  if (found[0]?.code === 'POST_ONLY_CROSS') return found
  const outcome = { path, rested: restingLots(parsed, path, lots) }
  const means =
    parsed.market.type === 'SPOT'
      ? balanceProblems(parsed, facts, outcome)
      : marginProblems(parsed, facts, outcome)
  return [...found, ...means]
}

/** Returns the lots of an order that are admitted, and what they would meet. */
function wayOf(
  model: VenueModel,
  parsed: ParsedOrder,
  facts: MeansFacts & Readonly<{ replaced: Order | undefined }>,
): Readonly<{ lots: bigint; path: Taking }> {
  const { account, nowSeconds, replaced } = facts
  const lots = admittedLots(parsed, facts)
  return { lots, path: pathOf(parsed, { model, account, nowSeconds, replaced, lots }) }
}
