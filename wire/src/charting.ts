// The charting data feed (interface 4.3) for TradingView's stock UDF adapter.
import type { Market } from '@openvenue/core/records'
import { RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { RANGE_QUERY } from './candles.ts'
import { choice, limit, named, seconds, strict } from './field.ts'
import { encodeStatistics, type MarketFacts } from './statistics.ts'

/** Exchange name of the venue. */
export const EXCHANGE = 'OPENVENUE'

const symbol = Type.String({
  'x-described': { required: true },
  description: `Market name, case-insensitive, or an asset; may be prefixed by \`${EXCHANGE}:\`.`,
})

export const HistoryQuery = Type.Object({
  symbol: Type.Optional(symbol),
  instrument_name: Type.Optional(
    Type.String({ description: 'Alias of symbol, which takes precedence.' }),
  ),
  ...RANGE_QUERY,
})

const texts = (description: string) => Type.Array(Type.String(), { description })

const HistoryOk = named('ChartBars', {
  s: Type.Literal('ok'),
  t: Type.Array(Type.Integer(), { description: 'Open times, Unix seconds, oldest first.' }),
  o: texts('Open prices, exact decimals.'),
  h: texts('High prices.'),
  l: texts('Low prices.'),
  c: texts('Close prices.'),
  v: texts('Base amounts traded.'),
})

const NoData = named('ChartNoData', {
  s: Type.Literal('no_data'),
  nextTime: Type.Optional(seconds('Open time of the nearest earlier bar, if any.')),
})

const ChartError = named('ChartError', { s: Type.Literal('error'), errmsg: Type.String() })

export const History = Type.Union([HistoryOk, NoData, ChartError], {
  title: 'ChartHistory',
  description: 'Columns of bars, an empty result, or an error.',
})
export type History = Static<typeof History>

const option = strict({ value: Type.String(), name: Type.String() })
const exchange = strict({ value: Type.String(), name: Type.String(), desc: Type.String() })

export const ChartingConfig = named(
  'ChartingConfig',
  {
    supported_resolutions: Type.Array(Type.String()),
    supports_search: Type.Literal(true),
    supports_group_request: Type.Literal(false),
    supports_marks: Type.Literal(false),
    supports_timescale_marks: Type.Literal(false),
    supports_time: Type.Literal(true),
    exchanges: Type.Array(exchange),
    symbols_types: Type.Array(option),
  },
  'Capabilities of the data feed.',
)
export type ChartingConfig = Static<typeof ChartingConfig>

/** The feed configuration, identical for every venue. */
export const CHARTING_CONFIG: ChartingConfig = {
  supported_resolutions: [...RESOLUTION_NAMES],
  supports_search: true,
  supports_group_request: false,
  supports_marks: false,
  supports_timescale_marks: false,
  supports_time: true,
  exchanges: [
    { value: '', name: 'All', desc: '' },
    { value: EXCHANGE, name: EXCHANGE, desc: 'openvenue' },
  ],
  symbols_types: [
    { name: 'All', value: '' },
    { name: 'Spot', value: 'spot' },
    { name: 'Perpetual', value: 'perpetual' },
  ],
}

const ChartType = choice(['spot', 'perpetual'])

export const ChartSymbol = named('ChartSymbol', {
  name: Type.String(),
  ticker: Type.String(),
  full_name: Type.String(),
  description: Type.String(),
  type: ChartType,
  session: Type.Literal('24x7'),
  timezone: Type.Literal('Etc/UTC'),
  exchange: Type.String(),
  listed_exchange: Type.String(),
  minmov: Type.Integer({ description: 'The price step, in units of 1 / pricescale.' }),
  pricescale: Type.Integer(),
  minmove2: Type.Literal(0),
  has_intraday: Type.Literal(true),
  has_seconds: Type.Literal(false),
  has_daily: Type.Literal(true),
  has_weekly_and_monthly: Type.Literal(true),
  intraday_multipliers: Type.Array(Type.String()),
  supported_resolutions: Type.Array(Type.String()),
  volume_precision: Type.Integer(),
  data_status: Type.Literal('streaming'),
  format: Type.Literal('price'),
  currency_code: Type.String(),
})
export type ChartSymbol = Static<typeof ChartSymbol>

export const ChartSymbolAnswer = Type.Union([ChartSymbol, ChartError], {
  description: 'The market, or an error when it is unknown.',
})
/** Unix seconds as a bare number, as the adapter expects. */
export const ChartTime = Type.Integer({ description: 'Unix seconds.' })

const MINUTE_RESOLUTIONS = RESOLUTION_NAMES.filter((name) => /^[0-9]+$/.test(name))

/** Returns the chart parameters of a market. */
export function encodeChartSymbol(market: Market): ChartSymbol {
  const { scale, move } = chartScale(market)
  return {
    name: market.name,
    ticker: market.name,
    full_name: `${EXCHANGE}:${market.name}`,
    description: describeMarket(market),
    type: chartType(market),
    session: '24x7',
    timezone: 'Etc/UTC',
    exchange: EXCHANGE,
    listed_exchange: EXCHANGE,
    minmov: move,
    pricescale: scale,
    minmove2: 0,
    has_intraday: true,
    has_seconds: false,
    has_daily: true,
    has_weekly_and_monthly: true,
    intraday_multipliers: [...MINUTE_RESOLUTIONS],
    supported_resolutions: [...RESOLUTION_NAMES],
    volume_precision: countDecimals(market.amountStep, market.baseDecimals),
    data_status: 'streaming',
    format: 'price',
    currency_code: market.quoteAsset,
  }
}

/** Limit that the stock adapter requests. */
export const SEARCH_LIMIT_DEFAULT = 30
const SEARCH_LIMIT_MAX = 100

export const SearchQuery = Type.Object({
  query: Type.Optional(Type.String({ description: 'Part of a name or description, any case.' })),
  type: Type.Optional(Type.String({ description: 'spot or perpetual.' })),
  exchange: Type.Optional(Type.String({ description: 'Exact name; there is one exchange.' })),
  limit: limit(SEARCH_LIMIT_MAX, SEARCH_LIMIT_DEFAULT),
})

const SearchItem = named('ChartSearchItem', {
  symbol: Type.String(),
  full_name: Type.String(),
  description: Type.String(),
  exchange: Type.String(),
  ticker: Type.String(),
  type: ChartType,
})
type SearchItem = Static<typeof SearchItem>
/** Invalid requests are answered in the same form as by all charting endpoints. */
export const SearchItems = Type.Union(
  [Type.Array(SearchItem, { description: 'In order of listing.' }), ChartError],
  { description: 'Matching markets, or an error.' },
)

/** Returns a market as an item of the symbol search. */
export const encodeSearchItem = (market: Market): SearchItem => ({
  symbol: market.name,
  full_name: `${EXCHANGE}:${market.name}`,
  description: describeMarket(market),
  exchange: EXCHANGE,
  ticker: market.name,
  type: chartType(market),
})

const number = (description: string) => Type.Optional(Type.Number({ description }))

const QuoteValues = named('ChartQuoteValues', {
  ch: number('Change of the mark price over 24 hours.'),
  chp: number('The same in percent.'),
  lp: number('Price of the last trade.'),
  ask: number('Best ask.'),
  bid: number('Best bid.'),
  high_price: number('Highest price over 24 hours.'),
  low_price: number('Lowest price over 24 hours.'),
  prev_close_price: number('Mark price 24 hours ago.'),
  volume: number('Base amount traded over 24 hours.'),
})

export const Quotes = named(
  'ChartQuotes',
  {
    s: Type.Literal('ok'),
    d: Type.Array(
      named('ChartQuote', {
        s: choice(['ok', 'error']),
        n: Type.String(),
        v: QuoteValues,
      }),
    ),
  },
  'Prices of the requested markets.',
)
export type Quotes = Static<typeof Quotes>
export const QuotesAnswer = Type.Union([Quotes, ChartError], {
  description: 'Prices of the requested markets, or an error.',
})
export const QuotesQuery = Type.Object({
  symbols: Type.Optional(
    Type.String({ maxLength: 4096, description: 'Up to 100 names, separated by commas.' }),
  ),
})

export const SymbolQuery = Type.Object({
  symbol: Type.Optional(symbol),
})

/**
 * Returns the JSON of a quote. The charting library computes with the values, so they are JSON
 * numbers, written as exact decimals. Unknown values are omitted.
 */
export function encodeQuote(name: string, facts: MarketFacts | undefined): string {
  if (facts === undefined) return `{"s":"error","n":${JSON.stringify(name)},"v":{}}`
  const statistics = encodeStatistics(facts)
  const values: Record<string, string | null | undefined> = {
    ch: statistics.mark_daily_change,
    chp: statistics.mark_daily_change_pct,
    lp: statistics.last_price,
    ask: statistics.best_ask?.price,
    bid: statistics.best_bid?.price,
    high_price: statistics.high_24h,
    low_price: statistics.low_24h,
    prev_close_price: statistics.mark_price_24h_ago,
    volume: statistics.daily_volume_contracts,
  }
  const members = Object.entries(values)
    .filter(([, text]) => typeof text === 'string')
    .map(([key, text]) => `"${key}":${text}`)
  return `{"s":"ok","n":${JSON.stringify(name)},"v":{${members.join(',')}}}`
}

const chartType = (market: Market) => market.type.toLowerCase() as ChartSymbol['type']

const describeMarket = (market: Market) =>
  market.type === 'SPOT'
    ? `${market.asset} / ${market.quoteAsset}`
    : `${market.asset} perpetual / ${market.quoteAsset}`

/** Returns the number of decimals that `step / 10^decimals` needs. */
function countDecimals(step: bigint, decimals: number): number {
  const [, fraction = ''] = formatRaw(step, decimals).split('.')
  return fraction.length
}

/** Returns 10^(decimals of the price step) and the price step in that unit. */
function chartScale(market: Market): { scale: number; move: number } {
  const places = countDecimals(market.priceStep, market.quoteDecimals)
  const unit = 10n ** BigInt(market.quoteDecimals - places)
  return { scale: 10 ** places, move: Number(market.priceStep / unit) }
}
