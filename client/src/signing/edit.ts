// Makes an edit of an order: the new order that takes its place.
import type { Order } from '../../generated/shapes.ts'
import { fromRaw, toRaw } from '../numbers.ts'
import type { NewOrder } from './order.ts'

/** Decimal places of any amount, at most. */
const DECIMALS = 18
const NS_PER_SECOND = 1_000_000_000n

/** What an edit changes; what is left out stays as it is. */
export type OrderChanges = Readonly<{
  /** All of the order, with what is filled already: "1" is never more than 1 in both together. */
  amount?: string
  price?: NewOrder['price']
  /** Of an order with a trigger. */
  trigger?: NewOrder['price']
  /** Absent: the edit keeps the name of the order. */
  clientOrderId?: string
  deadlineSeconds?: number
}>

/**
 * Returns the order that takes the place of `order`, which is as the venue showed it last. What
 * fills until the chain has the edit is taken off it there (`replacesAmount`), so that both
 * together never fill more than `amount`.
 *
 * @throws RangeError where `amount` is not above what is filled.
 * @example
 * const edit = editOf(order, { price: '2950' })
 * const body = await signOrder(venue, key, edit)
 * const path = { order_id: order.order_id }
 * await rest.call('POST /orders/{order_id}', { path, body })
 */
export function editOf(order: Order, changes: OrderChanges): NewOrder {
  const { client_order_id, expires_timestamp } = order
  const clientOrderId = changes.clientOrderId ?? client_order_id
  const isPending = order.chain_order_id === null
  return {
    market: order.instrument_name,
    account: order.account as `0x${string}`,
    side: order.side,
    amount: remainingOf(order, changes.amount ?? order.amount),
    price: changes.price ?? order.price,
    timeInForce: order.time_in_force === 'GTD' ? 'GTC' : order.time_in_force,
    ...(order.post_only && { postOnly: true }),
    ...(order.reduce_only && { reduceOnly: true }),
    ...(order.order_type === 'market' && { orderType: 'market' as const }),
    ...(expires_timestamp !== undefined && {
      goodTilSeconds: Number(BigInt(expires_timestamp) / NS_PER_SECOND),
    }),
    ...(isPending ? heldTerms(order, changes) : restingTerms(order)),
    ...(clientOrderId !== undefined && { clientOrderId }),
    ...(changes.deadlineSeconds !== undefined && { deadlineSeconds: changes.deadlineSeconds }),
  }
}

function remainingOf({ filled }: Order, total: string): string {
  const left = toRaw(total, DECIMALS) - toRaw(filled, DECIMALS)
  if (left > 0n) return fromRaw(left, DECIMALS)
  throw new RangeError(
    `amount is all of the order, with the ${filled} that is filled: got ${total}, expected more`,
  )
}

const restingTerms = ({ chain_order_id, remaining }: Order) => ({
  replaces: chain_order_id as string,
  replacesAmount: remaining,
})

/** Once the chain has an order, its trigger has fired and its parent has filled. */
const heldTerms = ({ stop, trigger, parent_order_id }: Order, changes: OrderChanges) => ({
  ...(stop !== undefined &&
    trigger !== undefined && { trigger: { kind: stop, price: changes.trigger ?? trigger } }),
  ...(parent_order_id !== undefined && { parentOrderId: parent_order_id }),
})
