// Builds the order that replaces another one, keeping all members that an edit does not change.
import type { Order } from '../../generated/shapes.ts'
import type { NewOrder } from './order-members.ts'
import type { Address } from './typed-data.ts'

const NS_PER_SECOND = 1_000_000_000n

/**
 * Returns an order that replaces `order` with identical terms: price, total amount, flags, trigger
 * and names. Change a member, sign it, and send it to `POST /orders/{order_id}`. The venue does not
 * return market-maker protection (`mmp`) and `maxFills`: set them again.
 *
 * @example signOrder(venue, key, { ...replacementOf(order), price: '2950' })
 */
export function replacementOf(order: Order): NewOrder {
  const { time_in_force: force, expires_timestamp: expires, parent_order_id: parent } = order
  const { client_order_id: clientOrderId, stop, trigger, order_status: status } = order
  // The trigger of a resting order has already fired.
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
