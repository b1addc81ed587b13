// An order as its owner sees it: in the lists of open orders, in the history, on the sockets.
// Interface 2.10, 3.1 and 4.4.

import { orderId } from '@openvenue/core/ids'
import { ceilDiv } from '@openvenue/core/integers'
import type { Written } from '@openvenue/core/record-schema'
import type { Market, Order } from '@openvenue/core/records'
import { averagePriceDown, formatRaw, quoteRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder } from './account-query.ts'
import { nsText } from './decimal.ts'
import { Address, choice, decimal, named, ns, nullable, Side } from './field.ts'
import { instrumentMembers } from './instrument.ts'
import { Pagination, pageParameters } from './pagination.ts'
import { type Count, isZero, marketScales } from './scale.ts'

/** Interface 8: `/orders` and `/orders/{order_id}` look at so many, the most recent ones. */
export const ORDERS_MAX = 200

/** Of orders that the chain has. */
const CHAIN_STATUSES = ['opened', 'partial', 'filled', 'cancelled'] as const
/** Of orders that the venue holds, or held until they ended without the chain. */
const HELD_STATUSES = ['pending', 'stop_order', 'rejected', 'expired'] as const

export const OrderStatus = choice([...CHAIN_STATUSES, ...HELD_STATUSES], {
  title: 'OrderStatus',
  description:
    'pending: accepted, and not on the chain yet; to callers with the header names of the family ' +
    'it is opened. stop_order: held until its trigger or its parent allows it.',
})

/** Members of an order, for shapes that add some. */
export const orderItemMembers = {
  order_id: Type.String({
    description: 'The digest of a signed order; of any other its chain_order_id.',
  }),
  chain_order_id: nullable(
    Type.String({
      description:
        '0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain has ' +
        'the order.',
    }),
  ),
  client_order_id: Type.Optional(
    Type.String({ description: 'As its client named it. Absent without one.' }),
  ),
  replaces: Type.Optional(
    Type.String({ description: 'Of an edit: order_id of the order that it replaced.' }),
  ),
  replaced_by: Type.Optional(
    Type.String({ description: 'order_id of the edit that took its place. With REPLACED.' }),
  ),
  account: Address('The wallet.'),
  ...instrumentMembers,
  order_type: choice(['limit', 'market'], {
    description:
      'market: placed with order_type market, an IOC order whose price is the worst acceptable one.',
  }),
  side: Side,
  price: decimal('Limit price; of a market order the worst acceptable one.'),
  amount: decimal('What was ordered, less what the contract took off it while it rested.'),
  filled: decimal('How much of it is filled.'),
  remaining: decimal('amount - filled.'),
  avg_price: decimal('Average price of its fills, rounded down; 0 while there are none.'),
  order_status: OrderStatus,
  time_in_force: choice(['GTC', 'IOC', 'FOK', 'GTD'], {
    description: 'GTD: good through expires_timestamp.',
  }),
  expires_timestamp: Type.Optional(ns('Absent when the order has no end of its own.')),
  post_only: Type.Boolean(),
  reduce_only: Type.Boolean(),
  close_position: Type.Literal(false),
  initial_margin: Type.Optional(
    decimal('What rests of it at its price, divided by the leverage. Perpetuals only.'),
  ),
  fees: decimal('Paid so far, in the quote asset; negative is a rebate.'),
  self_trade_prevention: Type.Literal('EXPIRE_MAKER'),
  system_type: Type.Optional(
    Type.Literal('LIQUIDATION', {
      description: 'The contract placed it, to close a position by force. Absent for any other.',
    }),
  ),
  cancel_reason: nullable(
    Type.String({ description: 'Null unless it was cancelled. REPLACED: by an edit.' }),
  ),
  reject_reason: nullable(
    Type.String({
      description: 'Why it never rested or traded: a code as orders are refused with, else null.',
    }),
  ),
  error: nullable(
    Type.String({ description: 'cancel_reason, where it was not the owner who cancelled.' }),
  ),
  contract_error: Type.Optional(
    Type.String({ description: 'Of a rejected order: what the contract said, by its name.' }),
  ),
  stop: Type.Optional(choice(['STOP_LOSS', 'TAKE_PROFIT'])),
  trigger: Type.Optional(decimal('The mark that fires it. With stop.')),
  parent_order_id: Type.Optional(
    Type.String({ description: 'The order whose first fill arms it, and with which it ends.' }),
  ),
  valid_until: Type.Optional(
    Type.String({
      pattern: '^[0-9]+$',
      description:
        'Of an order that ended before the chain had it: until then somebody else could still ' +
        'send what was signed; the venue does not. Unix seconds, as signed.',
    }),
  ),
  tx_hash: nullable(
    Type.String({ description: 'Transaction that placed it, or that carries it there.' }),
  ),
  block_number: nullable(Type.Integer({ description: 'Block that placed it.' })),
  created_timestamp: ns(
    'When the venue accepted it, by the time of the newest block; of an order that came another ' +
      'way the time of its block. It never changes, and no fill of the order is earlier.',
  ),
  timestamp: ns(
    'Time of the block that changed it last; created_timestamp until a block has it; when it ' +
      'ended, where none ever had it.',
  ),
  closed_timestamp: nullable(
    ns('When it was filled or cancelled, or ended before the chain had it; null while it lives.'),
  ),
}

export const OrderItem = named('Order', orderItemMembers, 'An order.')
export type OrderItem = Static<typeof OrderItem>

export const OpenOrdersPage = named(
  'OpenOrdersPage',
  { orders: Type.Array(OrderItem), pagination: Pagination },
  'Open and partially filled orders, by created_timestamp; with include=pending also those before.',
)
const pending = {
  include: Type.Optional(
    choice(['pending'], {
      description: 'pending: also orders that the chain does not have: on their way, or held.',
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

/** The facts of an order that its record lacks. */
export type OrderFacts = Readonly<{
  /** Wallet of its account, lower case. */
  account: string
  /** Leverage of the account in the order's market; 0 is the market's maximum. */
  leverage: number
}>

/** Returns an order as JSON. `initial_margin` is rounded up; it is 0 once nothing rests. */
export function encodeOrder(market: Market, order: Written<Order>, facts: OrderFacts): OrderItem {
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

/** Adds what only the venue knows of an order, and what it was given. */
function addOrigin(item: OrderItem, market: Market, order: Written<Order>): void {
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
 * Returns what a trigger is for. `kind` 1 fires at or above its price, 2 at or below: a selling
 * stop-loss and a buying take-profit fire at or below.
 */
const stopWord = (kind: number, isBuy: boolean): 'STOP_LOSS' | 'TAKE_PROFIT' =>
  (kind === 2) === isBuy ? 'TAKE_PROFIT' : 'STOP_LOSS'

/** Lots of an order without those that it lost to reductions, as far as its state says them. */
function amountLots({ status, lots, filledLots, restingLots }: Written<Order>): Count {
  if (status === 'cancelled') return lots
  return isZero(restingLots) ? filledLots : BigInt(filledLots) + BigInt(restingLots)
}

/** Returns an order's status in the words of the API. */
export const statusText = (status: string): Static<typeof OrderStatus> =>
  (status === 'open' ? 'opened' : status) as Static<typeof OrderStatus>

function timeInForceText({
  timeInForce,
  goodTilSeconds,
}: Written<Order>): OrderItem['time_in_force'] {
  if (timeInForce === 'IOC' || timeInForce === 'FOK') return timeInForce
  return goodTilSeconds === 0 ? 'GTC' : 'GTD'
}

/** Rounded up. */
function initialMargin(
  market: Market,
  order: Written<Order>,
  max: number,
  leverage: number,
): bigint {
  if (isZero(order.restingLots)) return 0n
  const value = quoteRaw(market, BigInt(order.tick) * BigInt(order.restingLots))
  const divisor = leverage === 0 ? max : Math.min(leverage, max)
  return ceilDiv(value, BigInt(divisor))
}
