// Fills of an account, and funding in their form. Interface 2.10 and 4.4.

import { averageEntryDown } from '@openvenue/core/account'
import { orderId } from '@openvenue/core/ids'
import { abs } from '@openvenue/core/integers'
import type { Written } from '@openvenue/core/record-schema'
import type { Fill, FundingPayment, Market } from '@openvenue/core/records'
import { fixedText, pricePaidDown, priceRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder, timeRange } from './account-query.ts'
import { feeText, nsText, quoteRawText } from './decimal.ts'
import { Address, choice, decimal, named, ns, nullable, Side } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'
import { Pagination, pageParameters } from './pagination.ts'
import { isZero, marketScales, signedScale } from './scale.ts'

/** Kinds of rows that /trade-history can be asked for. */
export const TRADE_TYPES = ['trade', 'liquidation', 'settlement', 'funding'] as const
export type TradeType = (typeof TRADE_TYPES)[number]

export const FillItem = named(
  'Fill',
  {
    trade_id: Type.String({
      description:
        'That of the trade, with -m (maker) or -t (taker); off the book with -f (whose position it was) or -g (who got it).',
    }),
    order_id: nullable(Type.String({ description: 'Null off the book.' })),
    client_order_id: Type.Optional(Type.String({ description: 'Of the order, where it has one.' })),
    trade_type: choice(['trade', 'liquidation'], {
      description: 'liquidation: the position was closed, or taken over, by force.',
    }),
    account: Address('Wallet of the account.'),
    ...instrumentMembers,
    side: Side,
    price: decimal(
      'Human units. Off the book it may lie between ticks, and below zero where a position was deleveraged.',
    ),
    amount: decimal('Human units.'),
    quote_amount: decimal('price times amount.'),
    fees: decimal('Paid, in fee_asset; below zero is a rebate.'),
    fee_rate: decimal('fees / quote_amount, rounded to a millionth.'),
    fee_asset: Type.String(),
    liquidation_fee: Type.Optional(
      decimal(
        'Of a liquidation: what left the account besides, in fee_asset; below zero is what came. The fee of a forced order is that of its last fill.',
      ),
    ),
    liquidity: nullable(
      choice(['maker', 'taker'], {
        description: 'Null off the book, as order_type and order_status.',
      }),
    ),
    order_type: nullable(choice(['limit', 'market'])),
    order_status: nullable(
      choice(['partial', 'filled'], {
        description: 'Of the order, after this fill.',
      }),
    ),
    mark_price: nullable(decimal('At the fill.')),
    index_price: nullable(decimal('At the fill.')),
    pnl: nullable(
      decimal('Made by the part that closed, before fees; null for a fill that closed nothing.'),
    ),
    avg_entry_price: nullable(
      decimal(
        'Average entry of what the fill closed; of the position after it when it closed nothing. Rounded down. Null where the cost is not known.',
      ),
    ),
    is_closing: Type.Boolean({ description: 'Closed a position or part of it; at spot: a sale.' }),
    tx_hash: Type.String(),
    block_number: Type.Integer(),
    log_index: Type.Integer(),
    created_timestamp: ns('Time of the block.'),
  },
  "One account's side of a trade.",
)
export type FillItem = Static<typeof FillItem>

export const FundingItem = named(
  'FundingPayment',
  {
    trade_id: Type.String(),
    trade_type: Type.Literal('funding'),
    account: Address('Wallet of the account.'),
    ...instrumentMembers,
    side: Side,
    amount: decimal('Size of the position at the settlement.'),
    price: decimal('The same as mark_price.'),
    mark_price: decimal('At which the hour accrued.'),
    funding_rate: decimal('Per hour.'),
    pnl: decimal('The same as funding_payment.'),
    funding_payment: decimal('Above zero when the account received.'),
    fees: Type.Literal('0'),
    tx_hash: Type.String(),
    created_timestamp: ns('Time of the block.'),
  },
  'Funding of one position for one hour.',
)
export type FundingItem = Static<typeof FundingItem>

export const FillsPage = named('FillsPage', {
  trade_history: Type.Array(FillItem),
  pagination: Pagination,
})
export type FillsPage = Static<typeof FillsPage>

export const FundingPage = named('FundingPage', {
  trade_history: Type.Array(FundingItem, { description: 'Newest first.' }),
  count: Type.String({
    pattern: '^[0-9]+$',
    description: 'Rows of these filters among the 500 most recent.',
  }),
})
export type FundingPage = Static<typeof FundingPage>

export const FillsAnswer = Type.Union([FillsPage, FundingPage], {
  description: 'Fills, or with trade_types=funding settled funding.',
})

export const FillsQuery = Type.Object({
  ...marketFilter,
  ...timeRange,
  ...sortOrder,
  ...pageParameters,
  trade_types: Type.Optional(
    Type.String({
      description: `Some of ${TRADE_TYPES.join(', ')}, parted by commas; trade and liquidation by default. Exactly funding gives funding payments.`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'With trade_types=funding: so many rows are left out first.',
    }),
  ),
})

/** Returns the types that `text` lists, or undefined when it lists anything else. */
export function parseTradeTypes(text: string): ReadonlySet<TradeType> | undefined {
  const names = text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const types = names.filter((name): name is TradeType => TRADE_TYPES.some((type) => type === name))
  return types.length === names.length ? new Set(types) : undefined
}

/** Returns a fill of the account whose wallet is `account`. */
export function encodeFill(market: Market, fill: Written<Fill>, account: string): FillItem {
  const scales = marketScales(market)
  const quote = quoteOfFill(market, fill)
  const isClosing = fill.closedLots === null ? !fill.isBuy : !isZero(fill.closedLots)
  const entry = entryPrice(market, fill, { quote, isClosing })
  const { orderNumber, tick } = fill
  // Member by member: thousands are made at once, and a spread costs as much as all of these.
  const item: FillItem = {
    trade_id: fill.id,
    order_id: encodeOrderId(fill),
    trade_type: fill.kind === 'trade' ? 'trade' : 'liquidation',
    account,
    instrument_id: market.id,
    instrument_name: market.name,
    instrument_type: market.type as FillItem['instrument_type'],
    asset: market.asset,
    side: fill.isBuy ? 'buy' : 'sell',
    price:
      tick === null
        ? scales.quoteRaw(pricePaidDown(market, quote, BigInt(fill.lots)))
        : scales.price(tick),
    amount: scales.amount(fill.lots),
    quote_amount: scales.quoteRaw(quote),
    fees: scales.quoteRaw(fill.fee),
    fee_rate: isZero(fill.fee) ? '0' : feeRateText(BigInt(fill.fee), quote),
    fee_asset: market.quoteAsset,
    liquidity: orderNumber === null ? null : fill.isMaker ? 'maker' : 'taker',
    order_type: encodeOrderType(fill),
    order_status: encodeOrderStatus(fill),
    mark_price: fill.mark === null ? null : scales.quoteRaw(fill.mark),
    index_price: fill.index === null ? null : fixed(fill.index),
    pnl: isClosing && fill.realised !== null ? scales.quoteRaw(fill.realised) : null,
    avg_entry_price: entry === null ? null : scales.quoteRaw(entry),
    is_closing: isClosing,
    tx_hash: fill.txHash,
    block_number: fill.blockNumber,
    log_index: fill.logIndex,
    created_timestamp: nsText(fill.seconds),
  }
  if (fill.clientOrderId !== null) item.client_order_id = fill.clientOrderId
  if (fill.kind !== 'trade') item.liquidation_fee = scales.quoteRaw(fill.liquidationFee)
  return item
}

const encodeOrderId = ({ market, orderNumber: number, ref }: Written<Fill>): string | null =>
  number === null ? null : orderId({ market, number, ref })

function encodeOrderType({ timeInForce, isMarket }: Written<Fill>): FillItem['order_type'] {
  if (timeInForce === null) return null
  return isMarket ? 'market' : 'limit'
}

function encodeOrderStatus({ orderStatus }: Written<Fill>): FillItem['order_status'] {
  if (orderStatus === null) return null
  return orderStatus === 'filled' ? 'filled' : 'partial'
}

const fixed = signedScale(18)

/**
 * Returns what a fill cost or brought, quote raw; below zero only where a position was deleveraged.
 */
function quoteOfFill(market: Market, { tick, unit, lots }: Written<Fill>): bigint {
  if (unit !== null) return BigInt(unit) * BigInt(lots)
  return BigInt(tick ?? 0) * BigInt(lots) * market.quotePerLotTick
}

/** A rate of fees has six decimals; what the contract rounded off a fee is rounded back. */
function feeRateText(fee: bigint, quote: bigint): string {
  const halves = (abs(fee) * 2_000_000n) / quote
  const millionths = Number((halves + 1n) / 2n)
  return feeText(fee < 0n ? -millionths : millionths)
}

/** Returns the average entry price, quote raw; null where it is not known. */
function entryPrice(
  market: Market,
  fill: Written<Fill>,
  { quote, isClosing }: Readonly<{ quote: bigint; isClosing: boolean }>,
): bigint | null {
  const { isBuy, realised } = fill
  const lots = BigInt(fill.lots)
  if (fill.heldLots === null || fill.heldQuote === null) {
    // A purchase opens at its own price; a sale says what it made over the cost.
    if (isBuy) return priceRaw(market, fill.tick ?? 0)
    if (realised === null) return null
    return averageEntryDown(market, { lots, quote: quote - BigInt(realised) })
  }
  const heldLots = BigInt(fill.heldLots)
  const heldQuote = BigInt(fill.heldQuote)
  if (isClosing) return averageEntryDown(market, { lots: heldLots, quote: heldQuote })
  return averageEntryDown(market, {
    lots: heldLots + (isBuy ? lots : -lots),
    quote: heldQuote + (isBuy ? -quote : quote),
  })
}

/** Returns a funding payment of the account whose wallet is `account`. */
export function encodeFundingPayment(
  market: Market,
  payment: FundingPayment,
  account: string,
): FundingItem {
  const mark = fixedText(payment.mark)
  const amount = quoteRawText(market, payment.amount)
  return {
    trade_id: payment.id,
    trade_type: 'funding',
    account,
    ...encodeInstrument(market),
    side: payment.lots < 0n ? 'sell' : 'buy',
    amount: marketScales(market).amount(abs(payment.lots)),
    price: mark,
    mark_price: mark,
    funding_rate: fixedText(payment.rate),
    pnl: amount,
    funding_payment: amount,
    fees: '0',
    tx_hash: payment.txHash,
    created_timestamp: nsText(payment.seconds),
  }
}
