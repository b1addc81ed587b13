// Shows an intent that is an order as its owner sees it.
import type { Intent } from '@openvenue/store/intents'
import { encodeHeldOrder } from '@openvenue/wire/held-orders'
import type { OrderItem } from '@openvenue/wire/orders'
import type { VenueModel } from '../model/venue-model.ts'
import { endReason } from './end-reason.ts'

/** Returns the order that an intent is, as JSON; undefined: it is a cancel, or of no market. */
export function heldOrderItem(model: VenueModel, intent: Intent): OrderItem | undefined {
  const { payload, id, wallet, market } = intent
  const of = model.state.records.market.get(market)
  if (payload.kind !== 'order' || of === undefined) return undefined
  const { state, clientOrderId, parentId, txHash, receivedNs, updatedNs } = intent
  return encodeHeldOrder(of, {
    ...payload.order,
    ...{ digest: id, account: wallet, state, clientOrderId, parentId, txHash },
    reason: endReason(of, intent),
    receivedNs,
    updatedNs,
  })
}
