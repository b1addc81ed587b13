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
  const { state, clientOrderId, parentId, txHash, updatedNs } = intent
  const { isMarket = false, edits } = payload
  return encodeHeldOrder(of, {
    ...payload.order,
    ...{ digest: id, account: wallet, state, clientOrderId, parentId, txHash },
    ...{ isMarket, edits, updatedNs },
    reason: endReason(of, intent),
    acceptedSeconds: acceptedSeconds(intent),
  })
}

const NS_PER_SECOND = 1_000_000_000n

/** Returns when an order was accepted, by the time of the chain. */
export const acceptedSeconds = ({ payload, receivedNs }: Intent): number =>
  (payload.kind === 'order' ? payload.acceptedSeconds : undefined) ??
  Number(receivedNs / NS_PER_SECOND)
