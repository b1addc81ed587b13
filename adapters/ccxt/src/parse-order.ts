// Says an order and a fill of the venue in ccxt's words; numbers stay decimal text.
import type { shapes } from 'openvenue'

/** Every status is open, or one of the ends. */
export const STATUSES: Readonly<Record<shapes.OrderStatus, string>> = {
  pending: 'open',
  stop_order: 'open',
  opened: 'open',
  partial: 'open',
  filled: 'closed',
  cancelled: 'canceled',
  rejected: 'rejected',
  expired: 'expired',
}

/** Good-till-date is good till cancelled with an end of its own. */
const timeInForce = ({ post_only, time_in_force }: shapes.Order) => {
  if (post_only) return 'PO'
  return time_in_force === 'GTD' ? 'GTC' : time_in_force
}

const triggers = ({ stop, trigger }: shapes.Order) => ({
  triggerPrice: trigger,
  stopLossPrice: stop === 'STOP_LOSS' ? trigger : undefined,
  takeProfitPrice: stop === 'TAKE_PROFIT' ? trigger : undefined,
})

/** What `safeOrder` makes an order of, but for what depends on the market and the clock. */
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

/** What `safeTrade` makes a fill of. */
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
