// All markets in one answer, for aggregators: /tickers and /coingecko-statistics.
import { estimatedRate, nextFundingSeconds } from '@openvenue/core/funding'
import type { Market } from '@openvenue/core/records'
import { amountText, fixedText, formatRaw, priceText, quoteText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { encodeTicker, type TickerFacts, TickerItem } from './channels.ts'
import { nsText, quoteRawText } from './decimal.ts'
import { decimal, named, ns, nullable } from './field.ts'
import { changePercent } from './statistics.ts'

const price = (description: string) => nullable(decimal(description))

export const Tickers = named(
  'Tickers',
  {
    timestamp: ns('Time of the block.'),
    tickers: Type.Array(
      named('Ticker', {
        ...TickerItem.properties,
        high_24h: price('Highest price traded in the 24 clock hours up to now.'),
        low_24h: price('Lowest price traded in the same hours.'),
        mark_price_24h_ago: price('Mark price 24 hours ago.'),
        mark_daily_change: price('Mark price minus the mark price 24 hours ago.'),
        mark_daily_change_pct: price('In percent of the older price, truncated to 8 decimals.'),
      }),
      { description: 'In order of listing.' },
    ),
  },
  'All markets, as in the ticker channels, with the change of a day.',
)
export type Tickers = Static<typeof Tickers>
type Ticker = Tickers['tickers'][number]

export const TickersQuery = Type.Object({
  instrument_type: Type.Optional(
    Type.String({
      description: 'SPOT or PERPETUAL, case-sensitive; any other value yields an empty list.',
    }),
  ),
  asset: Type.Optional(Type.String({ description: 'The underlying asset, case-insensitive.' })),
})

export const CoingeckoStatistics = Type.Array(
  named('CoingeckoStatistic', {
    ticker_id: Type.String({ description: 'Name of the perpetual.' }),
    base_currency: Type.String({ description: 'The underlying.' }),
    target_currency: Type.String({ description: 'The quote asset.' }),
    last_price: price('Price of the last trade.'),
    base_volume: decimal('Base amount traded in the 24 clock hours up to now.'),
    target_volume: decimal('Quote amount traded in the same hours.'),
    bid: price('Best bid.'),
    ask: price('Best ask.'),
    high: price('Highest price traded in the same hours.'),
    low: price('Lowest price traded in the same hours.'),
    product_type: Type.Literal('Perpetual'),
    open_interest: price('At the mark price, in the quote asset; null without one.'),
    index_price: price('Null when unavailable.'),
    index_name: Type.String({ description: 'The underlying asset and the currency of its price.' }),
    index_currency: Type.Literal('USD'),
    funding_rate: price('Rate of this hour, per hour, as a fraction.'),
    next_funding_rate: price('Rate of the next hour, from the samples so far.'),
    next_funding_rate_timestamp: ns('End of this funding hour.'),
    contract_type: Type.Literal('Vanilla'),
    contract_price_currency: Type.String({ description: 'The quote asset.' }),
  }),
  { description: 'Every perpetual, in order of listing.' },
)
type CoingeckoStatistic = Static<typeof CoingeckoStatistics>[number]

/** Volume and price range of 24 clock hours, in raw integers. */
export type DayFacts = TickerFacts &
  Readonly<{
    day: Readonly<{ volume: bigint; high: number | undefined; low: number | undefined }>
    markDayAgo: bigint | undefined
  }>

/** Returns the ticker of a market with the change of a day. */
export function encodeDayTicker(facts: DayFacts): Ticker {
  const { market, mark, markDayAgo, day } = facts
  const then = markDayAgo === undefined ? null : quoteRawText(market, markDayAgo)
  const change =
    mark === undefined || markDayAgo === undefined
      ? null
      : quoteRawText(market, mark.price - markDayAgo)
  return {
    ...encodeTicker(facts),
    high_24h: tickText(market, day.high),
    low_24h: tickText(market, day.low),
    mark_price_24h_ago: then,
    mark_daily_change: change,
    mark_daily_change_pct: changePercent(mark?.price, markDayAgo),
  }
}

/** Returns a perpetual in the format of CoinGecko. */
export function encodeCoingecko(facts: DayFacts, nowSeconds: number): CoingeckoStatistic {
  const { market, ticker, mark, index, funding, day } = facts
  return {
    ticker_id: market.name,
    base_currency: market.asset,
    target_currency: market.quoteAsset,
    last_price: tickText(market, ticker?.lastTick ?? undefined),
    base_volume: amountText(market, day.volume),
    target_volume: quoteText(market, facts.units24h),
    bid: tickText(market, facts.bid?.tick),
    ask: tickText(market, facts.ask?.tick),
    high: tickText(market, day.high),
    low: tickText(market, day.low),
    product_type: 'Perpetual',
    open_interest: mark === undefined ? null : valueText(market, ticker?.openInterest, mark.price),
    index_price: index === undefined ? null : fixedText(index.price),
    index_name: `${market.asset}-USD`,
    index_currency: 'USD',
    funding_rate: funding === undefined ? null : fixedText(funding.rate),
    next_funding_rate: funding === undefined ? null : fixedText(estimatedRate(funding)),
    next_funding_rate_timestamp: nsText(nextFundingSeconds(nowSeconds)),
    contract_type: 'Vanilla',
    contract_price_currency: market.quoteAsset,
  }
}

const tickText = (market: Market, tick: number | undefined) =>
  tick === undefined ? null : priceText(market, tick)

/** Returns the value of lots at a price, truncated to the decimals of the quote asset. */
const valueText = (market: Market, lots = 0n, rawPrice: bigint) =>
  formatRaw(
    (lots * market.amountStep * rawPrice) / 10n ** BigInt(market.baseDecimals),
    market.quoteDecimals,
  )
