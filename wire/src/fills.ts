// Fills of an account, and funding payments in the same form. Interface 2.10 and 4.4.

import { averageEntryDown } from '@openvenue/core/account'
import { orderId } from '@openvenue/core/ids'
import { abs } from '@openvenue/core/integers'
import type { WrittenRecord } from '@openvenue/core/record-schema'
import type { Fill, FundingPayment, Market } from '@openvenue/core/records'
import { fixedText, pricePaidDown, priceRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { marketFilter, sortOrder, timeRange } from './account-query.ts'
import { feeText, nsText, quoteRawText } from './decimal.ts'
import { Address, choice, decimal, named, ns, nullable, Side } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'
import { Pagination, pageParameters } from './pagination.ts'
import { isZero, marketScales, signedScale } from './scale.ts'

/** Row types of /trade-history. */
export const TRADE_TYPES = ['trade', 'liquidation', 'settlement', 'funding'] as const
export type TradeType = (typeof TRADE_TYPES)[number]

export const FillItem = named(
  'Fill',
  {
    trade_id: Type.String({
      description:
        'Id of the trade with -m (maker) or -t (taker); off the book with -f (previous holder) or -g (recipient).',
    }),
    order_id: nullable(Type.String({ description: 'Null off the book.' })),
    client_order_id: Type.Optional(Type.String({ description: 'From the order, if it has one.' })),
    trade_type: choice(['trade', 'liquidation'], {
      description: 'liquidation: the position was closed or taken over by force.',
    }),
    account: Address('Wallet of the account.'),
    ...instrumentMembers,
    side: Side,
    price: decimal(
      'Human units. Off the book it may lie between ticks, or be negative for a deleveraged position.',
    ),
    amount: decimal('Human units.'),
    quote_amount: decimal('price times amount.'),
    fees: decimal('Paid, in fee_asset; negative for a rebate.'),
    fee_rate: decimal('fees / quote_amount, rounded to a millionth.'),
    fee_asset: Type.String(),
    liquidation_fee: Type.Optional(
      decimal(
        'Liquidations only: the amount charged in addition, in fee_asset; negative if received. On the book it is charged with the last fill of the forced order.',
      ),
    ),
    liquidity: nullable(
      choice(['maker', 'taker'], {
        description: 'Null off the book, like order_type and order_status.',
      }),
    ),
    order_type: nullable(choice(['limit', 'market'])),
    order_status: nullable(
      choice(['partial', 'filled'], { description: 'Status of the order after this fill.' }),
    ),
    mark_price: nullable(decimal('Mark price at the fill.')),
    index_price: nullable(decimal('Index price at the fill.')),
    pnl: nullable(decimal('Profit of the closed part, before fees; null if nothing was closed.')),
    avg_entry_price: nullable(
      decimal(
        'Average entry of the closed part; if nothing was closed, of the position after the fill. Rounded down. Null if the cost is unknown.',
      ),
    ),
    is_closing: Type.Boolean({ description: 'Closed all or part of a position; at spot: a sale.' }),
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
    mark_price: decimal('Mark price at which the hour accrued.'),
    funding_rate: decimal('Per hour.'),
    pnl: decimal('The same as funding_payment.'),
    funding_payment: decimal('Positive when the account received.'),
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
    description: 'Number of rows among the 500 most recent that match the filters.',
  }),
})
export type FundingPage = Static<typeof FundingPage>

export const FillsAndFundingPage = named('FillsAndFundingPage', {
  trade_history: Type.Array(Type.Union([FillItem, FundingItem])),
  pagination: Pagination,
})
export type FillsAndFundingPage = Static<typeof FillsAndFundingPage>

export const FillsAnswer = Type.Union([FillsPage, FundingPage, FillsAndFundingPage], {
  description:
    'Fills; with trade_types=funding settled funding; with funding and other types both in one list.',
})

export const FillsQuery = Type.Object({
  ...marketFilter,
  ...timeRange,
  ...sortOrder,
  ...pageParameters,
  trade_types: Type.Optional(
    Type.String({
      description: `Some of ${TRADE_TYPES.join(', ')}, separated by commas; trade and liquidation by default. With funding beside other types, one list of all of them, paged by cursor; funding by itself gives the 500 most recent payments, paged by offset.`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Only with trade_types=funding: number of rows to skip.',
    }),
  ),
})

/** Returns the types listed in `text`, or undefined if it contains any other word. */
export function parseTradeTypes(text: string): ReadonlySet<TradeType> | undefined {
  const names = text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const types = names.filter((name): name is TradeType => TRADE_TYPES.some((type) => type === name))
  return types.length === names.length ? new Set(types) : undefined
}

/** Returns a fill of the account whose wallet is `account`. */
export function encodeFill(market: Market, fill: WrittenRecord<Fill>, account: string): FillItem {
  const scales = marketScales(market)
  const quote = quoteOfFill(market, fill)
  const isClosing = fill.closedLots === null ? !fill.isBuy : !isZero(fill.closedLots)
  const entry = entryPrice(market, fill, { quote, isClosing })
  const { orderNumber, tick } = fill
  // Member by member: thousands are built at a time, and a spread costs as much as all of these.
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

const encodeOrderId = ({ market, orderNumber: number, ref }: WrittenRecord<Fill>): string | null =>
  number === null ? null : orderId({ market, number, ref })

function encodeOrderType({ timeInForce, isMarket }: WrittenRecord<Fill>): FillItem['order_type'] {
  if (timeInForce === null) return null
  return isMarket ? 'market' : 'limit'
}

function encodeOrderStatus({ orderStatus }: WrittenRecord<Fill>): FillItem['order_status'] {
  if (orderStatus === null) return null
  return orderStatus === 'filled' ? 'filled' : 'partial'
}

const fixed = signedScale(18)

/** Returns the value of a fill, quote raw; negative only if a position was deleveraged. */
function quoteOfFill(market: Market, { tick, unit, lots }: WrittenRecord<Fill>): bigint {
  if (unit !== null) return BigInt(unit) * BigInt(lots)
  return BigInt(tick ?? 0) * BigInt(lots) * market.quotePerLotTick
}

/** Fee rates have six decimals; rounding to nearest undoes the contract's rounding of the fee. */
function feeRateText(fee: bigint, quote: bigint): string {
  const halves = (abs(fee) * 2_000_000n) / quote
  const millionths = Number((halves + 1n) / 2n)
  return feeText(fee < 0n ? -millionths : millionths)
}

/** Returns the average entry price, quote raw; null if unknown. */
function entryPrice(
  market: Market,
  fill: WrittenRecord<Fill>,
  { quote, isClosing }: Readonly<{ quote: bigint; isClosing: boolean }>,
): bigint | null {
  const { isBuy, realised } = fill
  const lots = BigInt(fill.lots)
  if (fill.heldLots === null || fill.heldQuote === null) {
    // A purchase opens at its own price; for a sale the cost follows from its profit.
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
