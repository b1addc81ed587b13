// Makes the order that replaces another one: what an edit does not change stays as it was.
import type { Order } from '../../generated/shapes.ts'
import type { NewOrder } from './order.ts'
import type { Address } from './typed-data.ts'

const NS_PER_SECOND = 1_000_000_000n

/**
 * Returns the order that would replace `order` and be the same: with its price, total amount, flags,
 * trigger and names. Change what is to change, sign it, and send it to `POST /orders/{order_id}`.
 * Market-maker protection (`mmp`) and `maxFills` are not in what the venue answers: give them again.
 *
 * @example signOrder(venue, key, { ...replacementOf(order), price: '2950' })
 */
export function replacementOf(order: Order): NewOrder {
  const { time_in_force: force, expires_timestamp: expires, parent_order_id: parent } = order
  const { client_order_id: clientOrderId, stop, trigger, order_status: status } = order
  // One that rests has fired: its trigger is over.
  const isHeld = stop !== undefined && trigger !== undefined && !/^(opened|partial)$/.test(status)
  return {
    market: order.instrument_name,
    side: order.side,
    amount: order.amount,
    price: order.price,
    account: order.account as Address,
    replaces: order,
    timeInForce: force === 'GTD' ? 'GTC' : force,
    ...(expires !== undefined && { goodTilSeconds: Number(BigInt(expires) / NS_PER_SECOND) }),
    ...(order.order_type === 'market' && { orderType: 'market' as const }),
    ...(order.post_only && { postOnly: true }),
    ...(order.reduce_only && { reduceOnly: true }),
    ...(isHeld && { trigger: { kind: stop, price: trigger } }),
    ...(parent !== undefined && { parentOrderId: parent }),
    ...(clientOrderId !== undefined && { clientOrderId }),
  }
}
