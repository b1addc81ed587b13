// Signs orders: what is signed is all that an order may do.
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import type { OrderRequest } from '../../generated/shapes.ts'
import { type Decimal, type OrderSide, toOrderAmount, toOrderPrice } from '../numbers.ts'
import { nextSalt } from './salts.ts'
import { type Address, type Hex, type Signer, type TypedData, typedData } from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

/** An order lives so long unless it says otherwise. */
const DEADLINE_SECONDS = 24 * 60 * 60
const NOTHING: Hex = `0x${'0'.repeat(64)}`
const TIMES_IN_FORCE = { GTC: 0, IOC: 1, FOK: 2 } as const
const POST_ONLY = 3

/** An order in the units that people trade in. */
export type NewOrder = Readonly<{
  /** Name of the market, such as `ETH-PERP`. */
  market: string
  side: OrderSide
  /** In the base asset; rounded down to a whole number of steps. */
  amount: Decimal
  /** The worst price, in the quote asset; rounded to a step that is never worse for you. */
  price: Decimal
  /** GTC unless given. */
  timeInForce?: keyof typeof TIMES_IN_FORCE
  /**
   * market: an IOC order that is shown as a market order, whose price is the worst that you accept.
   * Not signed; limit unless given.
   */
  orderType?: 'limit' | 'market'
  /** With GTC only: refused rather than filled at once. */
  postOnly?: boolean
  /** Perpetuals only: never enlarges a position. */
  reduceOnly?: boolean
  /** Held until the mark reaches the price; rounded as a price, which fires no later than asked. */
  trigger?: Readonly<{ kind: 'STOP_LOSS' | 'TAKE_PROFIT'; price: Decimal }>
  /** The last second in which it trades. Unix seconds. */
  goodTilSeconds?: number
  /** Makers that it meets at most; 100 unless given. */
  maxFills?: number
  /** `chain_order_id` of the resting order that it replaces. */
  replaces?: string
  /**
   * With `replaces`: what rested of that order (its `remaining`). What fills before the chain has
   * the edit is taken off `amount`, so that no edit fills twice what was quoted. Rounded as amount.
   * `editOf` fills in both, and counts what is filled already.
   */
  replacesAmount?: Decimal
  /** Two orders of one salt exclude each other. Chosen unless given. */
  salt?: bigint
  /** The last second in which it may be sent; in a day unless given. Unix seconds. */
  deadlineSeconds?: number
  /** The wallet or sub-account, where the signer is a key of it. */
  account?: Address
  /** A name of your own; not signed. */
  clientOrderId?: string
  /** Covered by market-maker protection; not signed. */
  mmp?: boolean
  /** `order_id` of the order whose first fill arms this one; not signed. */
  parentOrderId?: string
}>

/** The body of POST /orders, /orders/preview, /orders/build or of an edit. */
export type SignedOrder = OrderRequest & Readonly<{ signature: Hex }>

/** An order with all that is chosen for it: built once, since a salt is used once. */
export type OrderToSign = Readonly<{ data: TypedData; body: OrderRequest }>

/**
 * Returns what is signed for an order, and the body that it goes into without its signature.
 * Throws a `StepError` where price or amount are below a step.
 */
export function orderToSign(venue: SigningVenue, account: Address, order: NewOrder): OrderToSign {
  const { engine, number, market } = venue.market(order.market)
  const { side, trigger } = order
  const numbers = {
    limitPrice: toOrderPrice(market, side, order.price),
    amount: toOrderAmount(market, order.amount),
    triggerPrice: trigger === undefined ? 0n : toOrderPrice(market, side, trigger.price),
    goodTil: BigInt(order.goodTilSeconds ?? 0),
    replacesAmount: order.replacesAmount ? toOrderAmount(market, order.replacesAmount) : 0n,
    salt: order.salt ?? nextSalt(),
    deadline: BigInt(order.deadlineSeconds ?? Math.floor(Date.now() / 1000) + DEADLINE_SECONDS),
  }
  const message = {
    account,
    market: number,
    isBuy: side === 'buy',
    ...numbers,
    timeInForce: order.postOnly ? POST_ONLY : TIMES_IN_FORCE[order.timeInForce ?? 'GTC'],
    reduceOnly: order.reduceOnly ?? false,
    triggerKind: triggerKindOf(side, trigger?.kind),
    maxFills: order.maxFills ?? 0,
    replaces: (order.replaces ?? NOTHING) as Hex,
  }
  const data = typedData(venue.domainOf(engine), ['Order', ENGINE_MESSAGES.Order], message)
  return { data, body: bodyOf(order, message) }
}

/**
 * Signs an order, by the wallet itself or by a signing key of `account`.
 *
 * @example
 * const order = { account, market: 'ETH-PERP', side: 'buy', amount: '0.5', price: '2900' }
 * const body = await signOrder(venue, key, order)
 * const { order_id } = await rest.call('POST /orders', { body })
 */
export async function signOrder(
  venue: SigningVenue,
  signer: Signer,
  order: NewOrder,
): Promise<SignedOrder> {
  const { data, body } = orderToSign(venue, order.account ?? signer.address, order)
  return { ...body, signature: await signer.signTypedData(data) }
}

/** 1 fires at or above, 2 at or below. */
const triggerKindOf = (side: OrderSide, kind: 'STOP_LOSS' | 'TAKE_PROFIT' | undefined): number => {
  if (kind === undefined) return 0
  return (kind === 'STOP_LOSS') === (side === 'buy') ? 1 : 2
}

type Message = Readonly<{ account: Address; isBuy: boolean }> &
  Readonly<
    Record<
      'limitPrice' | 'amount' | 'salt' | 'deadline' | 'triggerPrice' | 'goodTil' | 'replacesAmount',
      bigint
    >
  >

/** What was not given is not in it, so that the venue's defaults are those that were signed. */
function bodyOf(order: NewOrder, message: Message): OrderRequest {
  const { trigger, postOnly, reduceOnly, goodTilSeconds, maxFills, replaces, mmp } = order
  const { timeInForce, orderType, clientOrderId, parentOrderId } = order
  return {
    instrument: order.market,
    maker: message.account,
    is_buy: message.isBuy,
    limit_price: message.limitPrice.toString(),
    amount: message.amount.toString(),
    salt: message.salt.toString(),
    deadline: message.deadline.toString(),
    ...(timeInForce && { time_in_force: timeInForce }),
    ...(orderType && { order_type: orderType }),
    ...(postOnly && { post_only: true }),
    ...(reduceOnly && { reduce_only: true }),
    ...(trigger && { stop: trigger.kind, trigger: message.triggerPrice.toString() }),
    ...(goodTilSeconds && { good_til: message.goodTil.toString() }),
    ...(maxFills && { max_fills: maxFills }),
    ...(replaces && { replaces }),
    ...(order.replacesAmount && { replaces_amount: message.replacesAmount.toString() }),
    ...(mmp && { mmp: true }),
    ...(clientOrderId && { client_order_id: clientOrderId }),
    ...(parentOrderId && { parent_order_id: parentOrderId }),
  }
}
