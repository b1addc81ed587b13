// Writes a notification, one of a rejected order with the code that refuses such orders at entry.
import {
  encodeNotification,
  type KeptNotification,
  type NotificationItem,
} from '@openvenue/wire/notifications'
import type { VenueModel } from '../model/venue-model.ts'
import { refusedReason } from './end-reason.ts'
import { NOTHING_REPLACED } from './signed-order.ts'

type Words = Readonly<{ model: Pick<VenueModel, 'market'>; chainId: number }>

/** Returns a notification as REST and the sockets send it. */
export const notificationBody = (
  { model, chainId }: Words,
  notification: KeptNotification,
): NotificationItem =>
  encodeNotification({ ...notification, data: dataOf(model, notification) }, chainId)

function dataOf(model: Words['model'], { type, data }: KeptNotification): KeptNotification['data'] {
  const { instrumentId, orderId, side, reason } = data as Readonly<Record<string, string>>
  const market = model.market(instrumentId ?? '')?.market
  if (type !== 'order_rejected' || market === undefined) return data
  // Which code it is depends on nothing else of the order.
  const order = { isBuy: side === 'buy', amount: 0n, replaces: NOTHING_REPLACED }
  const { code, contractError } = refusedReason({ market, digest: orderId ?? '', order }, reason)
  return { ...data, reason: code, ...(contractError === undefined ? {} : { contractError }) }
}
