// Converts orders and fills of the venue to ccxt structures; numbers stay decimal text.
import type { shapes } from 'openvenue'

/** ccxt statuses by the venue's: open, or one of the final ones. */
const STATUSES: Readonly<Record<shapes.OrderStatus, string>> = {
  pending: 'open',
  stop_order: 'open',
  opened: 'open',
  partial: 'open',
  filled: 'closed',
  cancelled: 'canceled',
  rejected: 'rejected',
  expired: 'expired',
}

/** ccxt has no good-till-date: it is GTC with an expiry. */
const timeInForce = ({ post_only, time_in_force }: shapes.Order) => {
  if (post_only) return 'PO'
  return time_in_force === 'GTD' ? 'GTC' : time_in_force
}

const triggers = ({ stop, trigger }: shapes.Order) => ({
  triggerPrice: trigger,
  stopLossPrice: stop === 'STOP_LOSS' ? trigger : undefined,
  takeProfitPrice: stop === 'TAKE_PROFIT' ? trigger : undefined,
})

/** Members of an order for `safeOrder`, except those that depend on the market or the clock. */
export const orderTexts = (order: shapes.Order) => ({
  id: order.order_id,
  clientOrderId: order.client_order_id,
  type: order.order_type,
  side: order.side,
  status: STATUSES[order.order_status],
  timeInForce: timeInForce(order),
  postOnly: order.post_only,
  reduceOnly: order.reduce_only,
  price: order.price,
  amount: order.amount,
  filled: order.filled,
  remaining: order.remaining,
  average: order.avg_price,
  ...triggers(order),
  info: order,
})

/** Members of a fill for `safeTrade`. */
export const fillTexts = (fill: shapes.Fill) => ({
  id: fill.trade_id,
  order: fill.order_id ?? undefined,
  type: fill.order_type ?? undefined,
  side: fill.side,
  takerOrMaker: fill.liquidity ?? undefined,
  price: fill.price,
  amount: fill.amount,
  cost: fill.quote_amount,
  info: fill,
})
