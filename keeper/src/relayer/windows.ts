// Picks what goes into the next transaction of a lane, and in which order.
import type { Intent, OrderMembers } from '@openvenue/store/intents'
import { engineOf } from './calls.ts'
import type { Tracked } from './intent-queue.ts'

/** Intents of one transaction. */
export const WINDOW_MAX = 64

const POST_ONLY = 3

export type WindowLimits = Readonly<{
  /** What the items may count together; one alone may count more. */
  gasMax: number
  /** The newest block. */
  head: number
}>

/**
 * Returns the first of `waiting` that fit in one transaction, in the order in which they are to be
 * sent: all of one engine, and whoever has failed before goes alone.
 */
export function pickWindow(
  waiting: readonly Tracked[],
  { gasMax, head }: WindowLimits,
): readonly Tracked[] {
  const window: Tracked[] = []
  let gas = 0
  for (const tracked of waiting) {
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

/** Who makes room goes first, then who cannot take from others. */
function rankOf({ payload }: Intent): number {
  if (payload.kind !== 'order') return 0
  const order: OrderMembers = payload.order
  if (order.reduceOnly) return 1
  return order.timeInForce === POST_ONLY ? 2 : 3
}

/** Whether it may meet makers. */
export const mayTake = ({ payload }: Intent): boolean =>
  payload.kind === 'order' && payload.order.timeInForce !== POST_ONLY

export const gasOfAll = (window: readonly Tracked[]): number =>
  window.reduce((sum, { intent }) => sum + intent.gas, 0)
