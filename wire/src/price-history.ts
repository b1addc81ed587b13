// Past index prices and mark prices: /index-history and /mark-history.
import Type, { type Static } from 'typebox'
import { nsText } from './decimal.ts'
import { anyTime, decimal, limit, named, ns } from './field.ts'

export const PRICE_HISTORY_LIMIT_DEFAULT = 50
const PRICE_HISTORY_LIMIT_MAX = 500
/** Prices are stored by the minute. */
export const PERIOD_SECONDS_MIN = 60
const PERIOD_SECONDS_MAX = 7 * 24 * 3600

const PricePoint = Type.Tuple([ns('Start of the period.'), decimal('The last price in it.')], {
  title: 'PricePoint',
  description: 'A period and its last price.',
})
type PricePoint = Static<typeof PricePoint>

export const PriceHistory = named(
  'PriceHistory',
  {
    history: Type.Array(PricePoint, {
      description: 'Oldest first. Periods without a price have no row.',
    }),
  },
  'Prices over time: by the minute for two days, by the hour for 400 days.',
)
export type PriceHistory = Static<typeof PriceHistory>

const range = {
  resolution: Type.Optional(
    Type.Integer({
      minimum: PERIOD_SECONDS_MIN,
      maximum: PERIOD_SECONDS_MAX,
      default: PERIOD_SECONDS_MIN,
      'x-clamp': 'both',
      description: 'Seconds per period, rounded up to whole minutes.',
    }),
  ),
  start_time: anyTime('Earliest price, inclusive.'),
  end_time: anyTime('Latest price, inclusive.'),
  limit: limit(PRICE_HISTORY_LIMIT_MAX, PRICE_HISTORY_LIMIT_DEFAULT),
}

export const IndexHistoryQuery = Type.Object({
  asset: Type.String({ description: 'Symbol of an asset, case-insensitive.' }),
  ...range,
})
export const MarkHistoryQuery = Type.Object({
  instrument_name: Type.String({ description: 'Name or id of a market, case-sensitive.' }),
  ...range,
})

/** A period, and its formatted price. */
type PeriodPrice = Readonly<{ openSeconds: number; price: string }>

/** Returns a row of the history. */
export const encodePrice = ({ openSeconds, price }: PeriodPrice): PricePoint => [
  nsText(openSeconds),
  price,
]
