// Says why an order ended before the chain had it, in the codes that refuse orders at entry.
import type { Market } from '@openvenue/core/records'
import type { Intent } from '@openvenue/store/intents'
import type { EndReason } from '@openvenue/wire/held-orders'
import { REFUSALS } from '../http/refusals.ts'
import { errorCode, type RefusedOrder } from './contract-errors.ts'
import { signedOrder } from './signed-order.ts'

const NO_REASON: EndReason = { code: undefined, contractError: undefined }

/** Returns the reason of an order that was taken back for the edit of that id. */
export const replacedReason = (id: string): string => `REPLACED ${id}`

/** Returns why; no code while it has not ended. What the contract said keeps its name. */
export function endReason(market: Market, intent: Intent): EndReason {
  const { state, payload, reason, id } = intent
  if (payload.kind !== 'order') return NO_REASON
  if (state === 'withdrawn') {
    const [code, replacedBy] = (reason ?? 'USER').split(' ')
    return { ...NO_REASON, code, ...(replacedBy !== undefined && { replacedBy }) }
  }
  if (state === 'expired') return { ...NO_REASON, code: reason ?? 'ORDER_TIMED_OUT' }
  if (state !== 'refused') return NO_REASON
  return refusedReason({ market, order: signedOrder(payload.order), digest: id }, reason)
}

/** Returns why the relayer or the contract refused an order. */
export function refusedReason(order: RefusedOrder, reason = 'ORDER_REFUSED'): EndReason {
  if (Object.hasOwn(REFUSALS, reason)) return { ...NO_REASON, code: reason }
  return { code: errorCode(order, reason) ?? 'ORDER_REFUSED', contractError: reason }
}
