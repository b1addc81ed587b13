// Formats an order as the API does, with the members that the chain knows.
import { orderId } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import { amountText, type MarketUnits, priceText, quoteText } from './market-text.ts'

/** An order on the chain, with members as in the API. */
export type ChainOrder = Readonly<{
  order_id: string
  chain_order_id: string
  instrument_id: string
  instrument_type: 'SPOT' | 'PERPETUAL'
  side: 'buy' | 'sell'
  price: string
  amount: string
  filled: string
  remaining: string
  avg_price: string
  fees: string
  order_status: 'opened' | 'partial' | 'filled' | 'cancelled'
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Nanoseconds; undefined for an order that does not expire. */
  expires_timestamp: string | undefined
  post_only: boolean
  reduce_only: boolean
  cancel_reason: string | null
  tx_hash: string
  block_number: number
}>

/** Returns an order with the member names of the API. */
export function encodeOrder(market: MarketUnits, order: Order): ChainOrder {
  const { filledLots, goodTilSeconds, timeInForce, number, ref } = order
  const amount = amountLots(order)
  const isTimed = goodTilSeconds !== 0
  return {
    order_id: orderId({ market: market.id, number, ref }),
    chain_order_id: orderId({ market: market.id, number, ref: null }),
    instrument_id: market.id,
    instrument_type: market.type,
    side: order.isBuy ? 'buy' : 'sell',
    price: priceText(market, order.tick),
    amount: amountText(market, amount),
    filled: amountText(market, filledLots),
    remaining: amountText(market, amount - filledLots),
    avg_price: quoteText(market, averageDown(market, order)),
    fees: quoteText(market, order.fees),
    order_status: order.status === 'open' ? 'opened' : order.status,
    time_in_force:
      timeInForce === 'IOC' || timeInForce === 'FOK' ? timeInForce : isTimed ? 'GTD' : 'GTC',
    expires_timestamp: isTimed ? `${goodTilSeconds}000000000` : undefined,
    post_only: timeInForce === 'POST_ONLY',
    reduce_only: order.isReduceOnly,
    cancel_reason: order.reason,
    tx_hash: order.txHash,
    block_number: order.blockNumber,
  }
}

/** Raw quote units per whole base unit, rounded down; 0 while nothing is filled. */
const averageDown = ({ priceStep }: MarketUnits, { filledLots, filledUnits }: Order): bigint =>
  filledLots === 0n ? 0n : (filledUnits * priceStep) / filledLots

/** Returns the lots of an order less those lost to reductions, as the API shows them. */
function amountLots({ status, lots, filledLots, restingLots }: Order): bigint {
  return status === 'cancelled' ? lots : filledLots + restingLots
}
