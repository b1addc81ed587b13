// Selects the intents of a lane's next transaction and their order.
import type { Intent, OrderMembers } from '@openvenue/store/intents/intents'
import { engineOf } from './calls.ts'
import type { TrackedIntent } from './intent-queue.ts'

/** Maximum number of intents in a transaction. */
export const WINDOW_MAX = 64

const POST_ONLY = 3

type WindowLimits = Readonly<{
  /** Maximum gas of all items; a single item may exceed it. */
  gasMax: number
  /** The newest block. */
  head: number
}>

/**
 * Returns the first of `candidates` that fit in one transaction, in sending order: all of one
 * engine. An intent that has failed before is sent on its own.
 */
export function pickWindow(
  candidates: readonly TrackedIntent[],
  { gasMax, head }: WindowLimits,
): readonly TrackedIntent[] {
  const window: TrackedIntent[] = []
  let gas = 0
  for (const tracked of candidates) {
    if (tracked.fromBlock > head) continue
    const [first] = window
    if (first === undefined && tracked.tries > 0) return [tracked]
    if (tracked.tries > 0) continue
    if (first !== undefined && engineOf(first.intent) !== engineOf(tracked.intent)) continue
    if (window.length === WINDOW_MAX || (first && gas + tracked.intent.gas > gasMax)) break
    window.push(tracked)
    gas += tracked.intent.gas
  }
  return window.sort((a, b) => rankOf(a.intent) - rankOf(b.intent) || a.arrival - b.arrival)
}

/**
 * Cancels and reduce-only orders first, since they free capacity; then post-only orders, which take
 * no liquidity.
 */
function rankOf({ payload }: Intent): number {
  if (payload.kind !== 'order') return 0
  const order: OrderMembers = payload.order
  if (order.reduceOnly) return 1
  return order.timeInForce === POST_ONLY ? 2 : 3
}

/** Returns whether it may match makers. */
export const mayTake = ({ payload }: Intent): boolean =>
  payload.kind === 'order' && payload.order.timeInForce !== POST_ONLY

export const gasOfAll = (window: readonly TrackedIntent[]): number =>
  window.reduce((sum, { intent }) => sum + intent.gas, 0)
