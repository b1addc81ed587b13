// An order as its owner sees it: in the open orders, in the history, on the sockets. Interface
// 2.10, 3.1 and 4.4.

import { orderId } from '@openvenue/core/ids'
import { ceilDiv } from '@openvenue/core/integers'
import type { WrittenRecord } from '@openvenue/core/record-schema'
import type { Market, Order } from '@openvenue/core/records'
import { averagePriceDown, formatRaw, quoteRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder } from './account-query.ts'
import { nsText } from './decimal.ts'
import { Address, choice, decimal, named, ns, nullable, Side } from './field.ts'
import { instrumentMembers } from './instrument.ts'
import { Pagination, pageParameters } from './pagination.ts'
import { isZero, marketScales, type StepCount } from './scale.ts'

/** Interface 8: maximum orders, newest first, of `/orders` and `/orders/{order_id}`. */
export const ORDERS_MAX = 200

/** Statuses of orders on the chain. */
const CHAIN_STATUSES = ['opened', 'partial', 'filled', 'cancelled'] as const
/** Statuses of orders held by the venue, including those that ended there. */
const HELD_STATUSES = ['pending', 'stop_order', 'rejected', 'expired'] as const

const OrderStatus = choice([...CHAIN_STATUSES, ...HELD_STATUSES], {
  title: 'OrderStatus',
  description:
    "pending: accepted, but not on the chain yet; clients that use the family's header names see " +
    'opened. stop_order: held until its trigger is met or its parent fills.',
})

/** Members of an order, for schemas that extend it. */
export const orderItemMembers = {
  order_id: Type.String({ description: 'The digest of a signed order, else its chain_order_id.' }),
  chain_order_id: nullable(
    Type.String({
      description:
        '0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain has ' +
        'the order.',
    }),
  ),
  client_order_id: Type.Optional(
    Type.String({ description: 'Client order id. Absent without one.' }),
  ),
  replaces: Type.Optional(
    Type.String({ description: 'For an edit: order_id of the replaced order.' }),
  ),
  replaced_by: Type.Optional(
    Type.String({ description: 'order_id of the edit that replaced it. With REPLACED.' }),
  ),
  account: Address('The wallet.'),
  ...instrumentMembers,
  order_type: choice(['limit', 'market'], {
    description:
      'market: placed with order_type market, an IOC order whose price is the worst acceptable one.',
  }),
  side: Side,
  price: decimal('Limit price; for a market order the worst acceptable price.'),
  amount: decimal('Ordered amount, minus reductions by the contract while it rested.'),
  filled: decimal('Filled amount.'),
  remaining: decimal('amount - filled.'),
  avg_price: decimal('Average price of its fills, rounded down; 0 while there are none.'),
  order_status: OrderStatus,
  time_in_force: choice(['GTC', 'IOC', 'FOK', 'GTD'], {
    description: 'GTD: good through expires_timestamp.',
  }),
  expires_timestamp: Type.Optional(ns('Absent if the order does not expire.')),
  post_only: Type.Boolean(),
  reduce_only: Type.Boolean(),
  close_position: Type.Literal(false),
  initial_margin: Type.Optional(
    decimal('Resting amount at its price, divided by the leverage. Perpetuals only.'),
  ),
  fees: decimal('Paid so far, in the quote asset; negative is a rebate.'),
  self_trade_prevention: Type.Literal('EXPIRE_MAKER'),
  system_type: Type.Optional(
    Type.Literal('LIQUIDATION', {
      description: 'Placed by the contract to close a position by force; else absent.',
    }),
  ),
  cancel_reason: nullable(
    Type.String({ description: 'Null unless cancelled. REPLACED: by an edit.' }),
  ),
  reject_reason: nullable(
    Type.String({ description: 'Error code of an order that never rested or traded, else null.' }),
  ),
  error: nullable(Type.String({ description: 'cancel_reason, if the owner did not cancel it.' })),
  contract_error: Type.Optional(
    Type.String({ description: "For a rejected order: the name of the contract's error." }),
  ),
  stop: Type.Optional(choice(['STOP_LOSS', 'TAKE_PROFIT'])),
  trigger: Type.Optional(decimal('The mark that triggers it. With stop.')),
  parent_order_id: Type.Optional(
    Type.String({
      description: 'The parent, whose first fill activates it, and with which it ends.',
    }),
  ),
  valid_until: Type.Optional(
    Type.String({
      pattern: '^[0-9]+$',
      description:
        'For an order that ended before it reached the chain: until then anyone could still submit ' +
        'the signed message; the venue does not. Unix seconds, as signed.',
    }),
  ),
  tx_hash: nullable(
    Type.String({ description: 'Transaction that placed it, or that is about to.' }),
  ),
  block_number: nullable(Type.Integer({ description: 'Block in which it was placed.' })),
  created_timestamp: ns(
    'Time of its acceptance by the venue, taken from the newest block; for an order submitted ' +
      'otherwise, the time of its block. Never changes and is not later than any of its fills.',
  ),
  timestamp: ns(
    'Time of the block that changed it last; created_timestamp until it is in a block; time of ' +
      'its end if it never was.',
  ),
  closed_timestamp: nullable(
    ns('Time of its final fill, cancellation or end off the chain; null while live.'),
  ),
}

export const OrderItem = named('Order', orderItemMembers, 'An order.')
export type OrderItem = Static<typeof OrderItem>

export const OpenOrdersPage = named(
  'OpenOrdersPage',
  { orders: Type.Array(OrderItem), pagination: Pagination },
  'Open and partially filled orders, by created_timestamp; include=pending adds those not yet on the chain.',
)
const pending = {
  include: Type.Optional(
    choice(['pending'], {
      description: 'pending: also orders that are not on the chain yet: on their way, or held.',
    }),
  ),
}
export const OpenOrdersQuery = Type.Object({
  ...marketFilter,
  ...sortOrder,
  ...pageParameters,
  ...pending,
})
export type OpenOrdersQuery = Static<typeof OpenOrdersQuery>

export const Orders = Type.Array(OrderItem, {
  maxItems: ORDERS_MAX,
  description: 'Open and partially filled orders, newest first.',
})
export const OrderQuery = Type.Object({
  include: Type.Optional(
    choice(['closed'], { description: 'closed: also an order that has ended.' }),
  ),
})

export const OrdersQuery = Type.Object({
  instrument_type: marketFilter.instrument_type,
  ...pending,
})
export type OrdersQuery = Static<typeof OrdersQuery>

/** Data of an order that its record lacks. */
type OrderFacts = Readonly<{
  /** Wallet of its account, lower case. */
  account: string
  /** Leverage of the account in the order's market; 0 is the market's maximum. */
  leverage: number
}>

/** Returns an order as JSON. `initial_margin` is rounded up; it is 0 once nothing rests. */
export function encodeOrder(
  market: Market,
  order: WrittenRecord<Order>,
  facts: OrderFacts,
): OrderItem {
  const { filledLots, timeInForce, goodTilSeconds } = order
  const amount = amountLots(order)
  const filled = BigInt(filledLots)
  const scales = marketScales(market)
  const chainOrderId = orderId({ market: order.market, number: order.number, ref: null })
  // Member by member: a history encodes thousands, and a spread costs as much as all of these.
  const item: OrderItem = {
    order_id: order.ref ?? chainOrderId,
    chain_order_id: chainOrderId,
    account: facts.account,
    instrument_id: market.id,
    instrument_name: market.name,
    instrument_type: market.type as OrderItem['instrument_type'],
    asset: market.asset,
    order_type: order.isMarket ? 'market' : 'limit',
    side: order.isBuy ? 'buy' : 'sell',
    price: scales.price(order.tick),
    amount: scales.amount(amount),
    filled: scales.amount(filledLots),
    remaining: scales.amount(BigInt(amount) - filled),
    avg_price: scales.quoteRaw(averagePriceDown(market, BigInt(order.filledUnits), filled)),
    order_status: statusText(order.status),
    time_in_force: timeInForceText(order),
    post_only: timeInForce === 'POST_ONLY',
    reduce_only: order.isReduceOnly,
    close_position: false,
    fees: scales.quoteRaw(order.fees),
    self_trade_prevention: 'EXPIRE_MAKER',
    cancel_reason: order.replacedBy === null ? order.reason : 'REPLACED',
    reject_reason: null,
    error: order.reason === 'USER' ? null : order.reason,
    tx_hash: order.txHash,
    block_number: order.blockNumber,
    created_timestamp: nsText(order.createdSeconds),
    timestamp: nsText(order.updatedSeconds),
    closed_timestamp: isZero(order.restingLots) ? nsText(order.updatedSeconds) : null,
  }
  addOrigin(item, market, order)
  if (order.isForced) item.system_type = 'LIQUIDATION'
  if (goodTilSeconds !== 0) item.expires_timestamp = nsText(goodTilSeconds)
  const { maxLeverage } = market
  if (maxLeverage !== null)
    item.initial_margin = scales.quoteRaw(initialMargin(market, order, maxLeverage, facts.leverage))
  return item
}

/** Adds the members known only to the venue, and its replacement. */
function addOrigin(item: OrderItem, market: Market, order: WrittenRecord<Order>): void {
  const { clientOrderId, parentRef, triggerKind, triggerPrice, replaces, replacedBy } = order
  if (clientOrderId !== null) item.client_order_id = clientOrderId
  if (parentRef !== null) item.parent_order_id = parentRef
  if (replaces !== null) item.replaces = replaces
  if (replacedBy !== null) item.replaced_by = replacedBy
  if (triggerKind === null || triggerPrice === null) return
  item.stop = stopWord(triggerKind, order.isBuy)
  item.trigger = formatRaw(BigInt(triggerPrice), market.quoteDecimals)
}

/**
 * Returns the kind of a trigger. `kind` 1 triggers at or above its price, 2 at or below: a selling
 * stop-loss and a buying take-profit trigger at or below.
 */
const stopWord = (kind: number, isBuy: boolean): 'STOP_LOSS' | 'TAKE_PROFIT' =>
  (kind === 2) === isBuy ? 'TAKE_PROFIT' : 'STOP_LOSS'

/** Lots of an order without its reductions, as far as its status determines them. */
function amountLots({ status, lots, filledLots, restingLots }: WrittenRecord<Order>): StepCount {
  if (status === 'cancelled') return lots
  return isZero(restingLots) ? filledLots : BigInt(filledLots) + BigInt(restingLots)
}

/** Returns an order's status as the API spells it. */
export const statusText = (status: string): Static<typeof OrderStatus> =>
  (status === 'open' ? 'opened' : status) as Static<typeof OrderStatus>

function timeInForceText({
  timeInForce,
  goodTilSeconds,
}: WrittenRecord<Order>): OrderItem['time_in_force'] {
  if (timeInForce === 'IOC' || timeInForce === 'FOK') return timeInForce
  return goodTilSeconds === 0 ? 'GTC' : 'GTD'
}

/** Rounded up. */
function initialMargin(
  market: Market,
  order: WrittenRecord<Order>,
  max: number,
  leverage: number,
): bigint {
  if (isZero(order.restingLots)) return 0n
  const value = quoteRaw(market, BigInt(order.tick) * BigInt(order.restingLots))
  const divisor = leverage === 0 ? max : Math.min(leverage, max)
  return ceilDiv(value, BigInt(divisor))
}
