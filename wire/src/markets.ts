// The market object of /markets, /markets/{instrument_id} and /instrument/{name} (interface 2.1).
import { instrumentDecimal } from '@openvenue/core/ids'
import type { Funding, IndexPrice, Mark, Market, Ticker } from '@openvenue/core/records'
import { amountText, fixedText, formatRaw, quoteText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { feeText, quoteRawText } from './decimal.ts'
import { decimal, InstrumentType, named, nullable } from './field.ts'
import { type Trading, TradingField } from './trading.ts'

export const MarketObject = named(
  'Market',
  {
    instrument_id: Type.String({
      description: '0x + engine (20 bytes) + market number (4 bytes).',
    }),
    instrument: Type.String({ description: 'instrument_id as a decimal number.' }),
    instrument_name: Type.String(),
    instrument_type: InstrumentType,
    underlying_asset: Type.String(),
    quote_asset: Type.String(),
    price_step: decimal('Tick size: prices are whole multiples of it.'),
    amount_step: decimal('Amounts are whole multiples of it.'),
    min_order_value: decimal('Minimum price * amount of an order, in the quote asset.'),
    max_order_value: decimal('Maximum price * amount of an order, in the quote asset.'),
    max_notional_value: decimal('Maximum notional of a position, in the quote asset.'),
    max_leverage: Type.Optional(decimal('Perpetuals only; omitted when unknown.')),
    mark_price: nullable(decimal('Null when unavailable.')),
    index_price: nullable(decimal('Null when unavailable.')),
    funding_rate: nullable(decimal('Per hour, as a fraction; null for a spot market.')),
    open_interest: nullable(decimal('In the base asset; null for a spot market.')),
    volume_24h: decimal(
      'Quote amount traded from the start of the hour 23 hours ago through the current hour.',
    ),
    maker_fee: Type.Optional(nullable(decimal('Fraction. Perpetuals only; null when unknown.'))),
    taker_fee: Type.Optional(nullable(decimal('Fraction. Perpetuals only; null when unknown.'))),
    base_decimals: Type.Integer({ description: '18 for perpetuals.' }),
    quote_decimals: Type.Integer({ description: '18 for perpetuals.' }),
    is_active: Type.Boolean({
      description: 'False while new orders are halted, and permanently once the market has ended.',
    }),
    is_ended: Type.Optional(
      Type.Boolean({
        description:
          'Perpetuals only. True once the market has ended, permanently: it accepts no orders, and its positions close at the final mark.',
      }),
    ),
    withdrawals_stopped: Type.Optional(
      Type.Boolean({
        description:
          'Perpetuals only. True while a loss in this market exceeds what insurance can cover: no collateral can be withdrawn until it is covered.',
      }),
    ),
    trading: TradingField,
  },
  'A market with its current prices and volume.',
)
export type MarketObject = Static<typeof MarketObject>

export const Markets = Type.Array(MarketObject, { description: 'In order of listing.' })

export const MarketsQuery = Type.Object({
  instrument_type: Type.Optional(
    Type.String({
      description: 'SPOT or PERPETUAL, case-sensitive; any other value yields an empty list.',
    }),
  ),
  asset: Type.Optional(Type.String({ description: 'The underlying asset, case-insensitive.' })),
})

export const InstrumentIdPath = Type.Object({
  instrument_id: Type.String({ description: 'Name or id of the market, case-sensitive.' }),
})
export const InstrumentNamePath = Type.Object({
  instrument_name: Type.String({ description: 'Name or id of the market, case-sensitive.' }),
})

/** Inputs of a market object. `units24h` is the sum of tick * lots. */
export type MarketFacts = Readonly<{
  market: Market
  ticker: Ticker | undefined
  mark: Mark | undefined
  index: IndexPrice | undefined
  funding: Funding | undefined
  units24h: bigint
}>

/** Returns the market object; `trading` is the state of the venue. */
export function encodeMarket(facts: MarketFacts, trading: Trading): MarketObject {
  const { market } = facts
  return {
    instrument_id: market.id,
    instrument: instrumentDecimal(market.id),
    instrument_name: market.name,
    instrument_type: market.type as MarketObject['instrument_type'],
    underlying_asset: market.asset,
    quote_asset: market.quoteAsset,
    price_step: quoteRawText(market, market.priceStep),
    amount_step: formatRaw(market.amountStep, market.baseDecimals),
    min_order_value: quoteRawText(market, market.minOrderValue),
    max_order_value: quoteRawText(market, market.maxOrderValue),
    max_notional_value: quoteRawText(market, market.maxNotionalValue),
    ...(market.maxLeverage === null ? {} : { max_leverage: String(market.maxLeverage) }),
    mark_price: markText(market, facts.mark),
    index_price: indexText(facts.index),
    ...perpetualFacts(facts),
    volume_24h: quoteText(market, facts.units24h),
    base_decimals: market.baseDecimals,
    quote_decimals: market.quoteDecimals,
    is_active: !market.isHalted && !market.isEnded,
    trading,
  }
}

function perpetualFacts({ market, funding, ticker }: MarketFacts) {
  if (market.type !== 'PERPETUAL') return { funding_rate: null, open_interest: null }
  return {
    funding_rate: fundingText(funding),
    open_interest: amountText(market, ticker?.openInterest ?? 0n),
    maker_fee: market.makerFee === null ? null : feeText(market.makerFee),
    taker_fee: market.takerFee === null ? null : feeText(market.takerFee),
    is_ended: market.isEnded,
    withdrawals_stopped: market.lossAccount !== null,
  }
}

/** Returns the rate of an hour as a fraction, or null when there is none. */
export const fundingText = (funding: Funding | undefined) =>
  funding === undefined ? null : fixedText(funding.rate)

/** Returns the mark price in human units, or null when there is none. */
export const markText = (market: Market, mark: Mark | undefined) =>
  mark === undefined ? null : quoteRawText(market, mark.price)

/** Returns the index price in human units, or null when there is none. */
export const indexText = (index: IndexPrice | undefined) =>
  index === undefined ? null : fixedText(index.price)
