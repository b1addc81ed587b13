// Signs orders. The signature covers everything that an order may do.
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import type { OrderRequest } from '../../generated/shapes.ts'
import { checkInput, checkValue, InputError } from '../input.ts'
import { type OrderSide, toOrderAmount, toOrderPrice } from '../numbers.ts'
import { checkParties } from './checks.ts'
import { isChecked } from './checksum.ts'
import { type NewOrder, ORDER, OTHER_NAMES } from './order-members.ts'
import { nextSalt } from './salts.ts'
import {
  type Address,
  type Hex,
  type Signer,
  signWith,
  type TypedData,
  typedData,
} from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

/** Default lifetime of an order. */
const DEADLINE_SECONDS = 24 * 60 * 60
const NOTHING: Hex = `0x${'0'.repeat(64)}`
const TIMES_IN_FORCE = { GTC: 0, IOC: 1, FOK: 2 } as const
const POST_ONLY = 3

/** Body of POST /orders, /orders/preview, /orders/build or of an edit. */
export type SignedOrder = OrderRequest & Readonly<{ signature: Hex }>

/** An order with all defaults filled in. Built once, since a salt is used once. */
export type OrderToSign = Readonly<{ data: TypedData; body: OrderRequest }>

/**
 * Returns the typed data of an order, and its request body without the signature. Throws a
 * `StepError` if price or amount is below a step, and an `InputError` for a member that is missing,
 * unknown or invalid.
 */
export function orderToSign(venue: SigningVenue, account: Address, input: NewOrder): OrderToSign {
  checkParties(venue, {})
  checkValue('account', account, isChecked)
  const order = readOrder(input)
  const { engine, number, market } = venue.market(order.market)
  const { side, trigger, replacesAmount = '0' } = order
  const numbers = {
    limitPrice: toOrderPrice(market, side, order.price),
    amount: toOrderAmount(market, order.amount),
    triggerPrice: trigger === undefined ? 0n : toOrderPrice(market, side, trigger.price),
    goodTil: BigInt(order.goodTilSeconds ?? 0),
    replacesAmount: isZero(replacesAmount) ? 0n : toOrderAmount(market, replacesAmount),
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
 * Signs an order with the wallet itself or with a signing key of `account`.
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
  checkParties(venue, { signer })
  const { data, body } = orderToSign(venue, order?.account ?? signer.address, order)
  return { ...body, signature: await signWith(signer, data) }
}

const isZero = (amount: string): boolean => !/[1-9]/.test(amount)

type PlainOrder = Omit<NewOrder, 'replaces'> & Readonly<{ replaces?: string }>

/** Checks the rules that involve more than one member, and resolves the replaced order. */
function readOrder(order: NewOrder): PlainOrder {
  checkInput(order, ORDER, OTHER_NAMES)
  const { replaces, ...others } = order
  if (others.postOnly === true && (others.timeInForce ?? 'GTC') !== 'GTC')
    throw new InputError(
      'timeInForce',
      `: got ${others.timeInForce}, expected GTC for a postOnly order`,
      'GTC',
    )
  if (replaces === undefined) return others
  if (typeof replaces === 'string') {
    if (others.replacesAmount !== undefined) return { ...others, replaces }
    const rule =
      ' is missing: pass it, or the order itself as replaces, so that an edit cannot oversell'
    throw new InputError('replacesAmount', rule)
  }
  if (others.replacesAmount !== undefined)
    throw new InputError(
      'replacesAmount',
      ' is only for an id in replaces: an order has its amount',
    )
  if (replaces.side !== others.side)
    throw new InputError(
      'side',
      `: got ${others.side}, expected the side of the replaced order`,
      replaces.side,
    )
  // An order that is not on the chain is withdrawn by its edit, which replaces none there.
  if (replaces.chain_order_id === null) return others
  return { ...others, replaces: replaces.chain_order_id, replacesAmount: replaces.amount }
}

/** 1 fires at or above the trigger price, 2 at or below. */
const triggerKindOf = (side: OrderSide, kind: 'STOP_LOSS' | 'TAKE_PROFIT' | undefined): number => {
  if (kind === undefined) return 0
  return (kind === 'STOP_LOSS') === (side === 'buy') ? 1 : 2
}

type OrderMessage = Readonly<{ account: Address; isBuy: boolean }> &
  Readonly<
    Record<
      'limitPrice' | 'amount' | 'salt' | 'deadline' | 'triggerPrice' | 'goodTil' | 'replacesAmount',
      bigint
    >
  >

/** Omits members without a value, so that the venue applies the defaults that were signed. */
function bodyOf(order: PlainOrder, message: OrderMessage): OrderRequest {
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
    ...(goodTilSeconds !== undefined && { good_til: message.goodTil.toString() }),
    ...(maxFills !== undefined && { max_fills: maxFills }),
    ...(replaces !== undefined && { replaces }),
    ...(order.replacesAmount !== undefined && {
      replaces_amount: message.replacesAmount.toString(),
    }),
    ...(mmp && { mmp: true }),
    ...(clientOrderId !== undefined && { client_order_id: clientOrderId }),
    ...(parentOrderId !== undefined && { parent_order_id: parentOrderId }),
  }
}
