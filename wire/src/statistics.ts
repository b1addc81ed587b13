// Statistics of a market over 24 hours (interface 2.4).
import type { Market } from '@openvenue/core/records'
import { amountText, fixedText, formatRaw, priceText, quoteText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { nsText, quoteRawText } from './decimal.ts'
import { decimal, InstrumentType, named, ns, nullable, strict } from './field.ts'

const FUNDING_INTERVAL_SECONDS = 3_600
const PERCENT_DECIMALS = 8

const price = (description: string) => nullable(decimal(description))
const level = nullable(
  named('BestLevel', { price: decimal('Price.'), amount: decimal('Base amount resting there.') }),
)

export const Statistics = named(
  'Statistics',
  {
    asset: nullable(Type.String({ description: 'The underlying.' })),
    instrument_id: nullable(Type.String()),
    instrument_name: nullable(Type.String()),
    instrument_type: nullable(InstrumentType),
    daily_volume: decimal('Quote amount traded in the 24 clock hours up to now.'),
    daily_buy_volume: decimal('The part of daily_volume in which the taker bought.'),
    daily_sell_volume: decimal('The part of daily_volume in which the taker sold.'),
    daily_volume_contracts: decimal('Base amount traded in the same hours.'),
    daily_trades: Type.Integer({ minimum: 0 }),
    total_volume: decimal('Quote amount traded since the market was listed.'),
    total_volume_contracts: decimal('Base amount traded since the market was listed.'),
    open_interest: strict(
      {
        total: price('Sum of the long positions, which equals that of the short ones.'),
        long: price('Sum of the long positions.'),
        short: price('Sum of the short positions.'),
      },
      'In base amounts. Null for a spot market.',
    ),
    index_price: price('Newest price of the oracle.'),
    index_price_24h_ago: price('Index price 24 hours ago.'),
    index_daily_change: price('index_price - index_price_24h_ago.'),
    mark_price: price('Mark price.'),
    mark_price_24h_ago: price('Mark price 24 hours ago.'),
    mark_daily_change: price('mark_price - mark_price_24h_ago.'),
    mark_daily_change_pct: price('In percent of the older price, truncated to 8 decimals.'),
    last_price: price('Price of the last trade.'),
    high_24h: price('Highest price traded in the 24 clock hours up to now.'),
    low_24h: price('Lowest price traded in the same hours.'),
    best_bid: level,
    best_ask: level,
    funding_rate: price('Rate of this hour, per hour, as a fraction. Null for a spot market.'),
    funding_daily_avg: price('Mean hourly rate of the funding hours settled in 24 hours.'),
    next_funding_rate_timestamp: nullable(ns('End of this funding hour.')),
    funding_interval_seconds: nullable(Type.Integer()),
  },
  'Statistics of a market. Unknown values are null.',
)
export type Statistics = Static<typeof Statistics>

export const StatisticsParams = Type.Object({
  asset: Type.String({ description: 'Underlying symbol.' }),
  instrument_type: Type.String({
    description: 'PERPETUAL: the market `<asset>-PERP`; SPOT: the market `<asset>-USDC`.',
  }),
})

export const StatisticsQuery = Type.Object({
  instrument_name: Type.Optional(Type.String({ description: 'Name or id of a market.' })),
  asset: Type.Optional(Type.String({ description: 'Underlying symbol.' })),
  instrument_type: Type.Optional(Type.String({ description: 'PERPETUAL or SPOT.' })),
})

type BookLevel = Readonly<{ tick: number; lots: bigint }>

/** Inputs of the statistics of a market: raw integers; undefined when unknown. */
export type MarketFacts = Readonly<{
  market: Market
  day: Readonly<{
    volume: bigint
    units: bigint
    takerBuyUnits: bigint
    trades: number
    high: number | undefined
    low: number | undefined
  }>
  totalVolume: bigint
  totalUnits: bigint
  openInterest: bigint
  index: bigint | undefined
  indexDayAgo: bigint | undefined
  mark: bigint | undefined
  markDayAgo: bigint | undefined
  lastTick: number | undefined
  bestBid: BookLevel | undefined
  bestAsk: BookLevel | undefined
  fundingRate: bigint | undefined
  fundingDayMean: bigint | undefined
  nextFundingSeconds: number | undefined
}>

/** Returns the statistics of a market. */
export function encodeStatistics(facts: MarketFacts): Statistics {
  const { market, day, mark, markDayAgo } = facts
  const isPerpetual = market.type === 'PERPETUAL'
  const openInterest = isPerpetual ? amountText(market, facts.openInterest) : null
  const quote = textOr((raw: bigint) => quoteRawText(market, raw))
  const tick = textOr((ticks: number) => priceText(market, ticks))
  return {
    asset: market.asset,
    instrument_id: market.id,
    instrument_name: market.name,
    instrument_type: market.type as Statistics['instrument_type'],
    daily_volume: quoteText(market, day.units),
    daily_buy_volume: quoteText(market, day.takerBuyUnits),
    daily_sell_volume: quoteText(market, day.units - day.takerBuyUnits),
    daily_volume_contracts: amountText(market, day.volume),
    daily_trades: day.trades,
    total_volume: quoteText(market, facts.totalUnits),
    total_volume_contracts: amountText(market, facts.totalVolume),
    open_interest: { total: openInterest, long: openInterest, short: openInterest },
    index_price: fixed(facts.index),
    index_price_24h_ago: fixed(facts.indexDayAgo),
    index_daily_change: fixed(difference(facts.index, facts.indexDayAgo)),
    mark_price: quote(mark),
    mark_price_24h_ago: quote(markDayAgo),
    mark_daily_change: quote(difference(mark, markDayAgo)),
    mark_daily_change_pct: changePercent(mark, markDayAgo),
    last_price: tick(facts.lastTick),
    high_24h: tick(day.high),
    low_24h: tick(day.low),
    best_bid: encodeLevel(market, facts.bestBid),
    best_ask: encodeLevel(market, facts.bestAsk),
    funding_rate: fixed(facts.fundingRate),
    funding_daily_avg: fixed(facts.fundingDayMean),
    next_funding_rate_timestamp: textOr(nsText)(facts.nextFundingSeconds),
    funding_interval_seconds: isPerpetual ? FUNDING_INTERVAL_SECONDS : null,
  }
}

/** Returns the statistics of a market that does not exist: nothing traded, every price null. */
export function encodeUnknownStatistics(asset: string | null): Statistics {
  return {
    asset,
    instrument_id: null,
    instrument_name: null,
    instrument_type: null,
    daily_volume: '0',
    daily_buy_volume: '0',
    daily_sell_volume: '0',
    daily_volume_contracts: '0',
    daily_trades: 0,
    total_volume: '0',
    total_volume_contracts: '0',
    open_interest: { total: null, long: null, short: null },
    index_price: null,
    index_price_24h_ago: null,
    index_daily_change: null,
    mark_price: null,
    mark_price_24h_ago: null,
    mark_daily_change: null,
    mark_daily_change_pct: null,
    last_price: null,
    high_24h: null,
    low_24h: null,
    best_bid: null,
    best_ask: null,
    funding_rate: null,
    funding_daily_avg: null,
    next_funding_rate_timestamp: null,
    funding_interval_seconds: null,
  }
}

const textOr =
  <T>(text: (value: T) => string) =>
  (value: T | undefined): string | null =>
    value === undefined ? null : text(value)

const fixed = textOr(fixedText)

const difference = (now: bigint | undefined, before: bigint | undefined) =>
  now === undefined || before === undefined ? undefined : now - before

/** Returns the change in percent of `before`, truncated to 8 decimals. */
export function changePercent(now: bigint | undefined, before: bigint | undefined): string | null {
  if (now === undefined || before === undefined || before === 0n) return null
  return formatRaw(
    ((now - before) * 100n * 10n ** BigInt(PERCENT_DECIMALS)) / before,
    PERCENT_DECIMALS,
  )
}

const encodeLevel = (market: Market, level: BookLevel | undefined) =>
  level === undefined
    ? null
    : { price: priceText(market, level.tick), amount: amountText(market, level.lots) }
