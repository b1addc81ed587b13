// Candles of /candles (interface 2.7, 4.3). The text of each bar is encoded once and then joined.
import type { Market } from '@openvenue/core/records'
import {
  isResolution,
  periodClose,
  RESOLUTION_NAMES,
  type Resolution,
} from '@openvenue/core/resolutions'
import { averagePriceDown } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { quoteRawText } from './decimal.ts'
import { choice, decimal, named, seconds } from './field.ts'
import { marketScales, type StepCount } from './scale.ts'

/** Spec section 8: at most 5000 bars per request. */
export const CANDLES_MAX = 5_000

/** Aliases of a day, a week and a month. There is no `1m` and no `1h`. */
const RESOLUTION_ALIASES: Readonly<Record<string, Resolution>> = { D: '1D', W: '1W', M: '1M' }
/** All accepted names of resolutions. */
const RESOLUTION_WORDS = [...RESOLUTION_NAMES, ...Object.keys(RESOLUTION_ALIASES)]

/** Returns the resolution named `text`, or undefined. Case-sensitive: `1M` is a month. */
export function parseResolution(text: string): Resolution | undefined {
  const name = Object.hasOwn(RESOLUTION_ALIASES, text) ? RESOLUTION_ALIASES[text] : text
  return name !== undefined && isResolution(name) ? name : undefined
}

export const CandleItem = named(
  'Candle',
  {
    time: seconds('Open time of the period.'),
    close_time: seconds('Last second of the period; the next one opens a second later.'),
    open: decimal('Price of the first trade.'),
    high: decimal('Highest price.'),
    low: decimal('Lowest price.'),
    close: decimal('Price of the last trade.'),
    volume: decimal('Base amount traded.'),
    quote_volume: decimal('Quote amount traded.'),
    trades: Type.Integer({ minimum: 0, description: 'Number of trades.' }),
    average: decimal('quote_volume / volume, rounded down to the decimals of the quote asset.'),
    taker_buy_volume: decimal('Base amount of trades in which the taker bought.'),
  },
  'A period of a market.',
)
export type CandleItem = Static<typeof CandleItem>

export const Candles = Type.Array(CandleItem, { description: 'Oldest first.' })

const instrument = Type.String({
  'x-described': { required: true },
  description: 'Market name, case-insensitive, or an asset: `ETH` is ETH-PERP, else ETH-USDC.',
})
const integer = (description: string) =>
  Type.Optional(Type.Integer({ format: 'int64', description }))

/** Parameters shared by /candles and the charting history; the handlers validate them. */
export const RANGE_QUERY = {
  resolution: Type.Optional(
    Type.String({
      'x-described': { required: true, enum: RESOLUTION_WORDS },
      description: 'Minutes of a period, or 1D, 1W, 1M; D, W and M are aliases. 1M is a month.',
    }),
  ),
  from: integer(
    'Earliest open time in seconds, milliseconds or nanoseconds, by magnitude. Default: the start of the market.',
  ),
  to: integer('Latest open time, in the same units. Default: now.'),
  countback: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CANDLES_MAX,
      'x-clamp': 'max',
      description: `Returns this many of the newest bars up to \`to\`, regardless of \`from\`. Clamped to ${CANDLES_MAX}.`,
    }),
  ),
}

export const CandlesQuery = Type.Object({
  instrument_name: Type.Optional(instrument),
  symbol: Type.Optional(
    Type.String({ description: 'Alias of instrument_name, which takes precedence.' }),
  ),
  ...RANGE_QUERY,
  fill: Type.Optional(
    choice(['none', 'previous'], {
      description:
        '`previous` adds a flat bar without volume for each period without trades after the first bar. `none` by default.',
    }),
  ),
})

/** Inputs of a bar's text: a candle, with its counts in any form. */
export type BarCounts = Readonly<{
  resolution: string
  openSeconds: number
  open: StepCount
  high: StepCount
  low: StepCount
  close: StepCount
  volume: StepCount
  quoteUnits: StepCount
  takerBuyVolume: StepCount
  trades: StepCount
}>

/**
 * The texts of a bar: the JSON of its item, in which nothing needs escaping, and the numbers that
 * charts need separately. A class, because the engine tracks the lifetime of objects per object
 * literal: since the newest bars are long-lived, it would also keep the texts of old bars alive,
 * with everything they reference (decision 0012).
 */
export class BarTexts {
  readonly item: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string

  /** `average` is rounded down to the quote decimals; for a bar without volume it is the close. */
  constructor(market: Market, candle: BarCounts) {
    const { openSeconds, trades } = candle
    const scales = marketScales(market)
    const open = scales.price(candle.open)
    const high = scales.price(candle.high)
    const low = scales.price(candle.low)
    const close = scales.price(candle.close)
    const volume = scales.amount(candle.volume)
    const average = volume === '0' ? close : averageText(market, candle, low)
    this.item =
      `{"time":${openSeconds},"close_time":${periodClose(candle.resolution as Resolution, openSeconds)}` +
      `,"open":"${open}","high":"${high}","low":"${low}","close":"${close}"` +
      `,"volume":"${volume}","quote_volume":"${scales.quote(candle.quoteUnits)}"` +
      `,"trades":${trades},"average":"${average}"` +
      `,"taker_buy_volume":"${scales.amount(candle.takerBuyVolume)}"}`
    this.open = open
    this.high = high
    this.low = low
    this.close = close
    this.volume = volume
  }
}

/** Returns the texts of a candle. */
export const encodeBar = (market: Market, candle: BarCounts): BarTexts =>
  new BarTexts(market, candle)

/** If all trades had one price, the average is that price. */
const averageText = (
  market: Market,
  { low, high, quoteUnits, volume }: BarCounts,
  lowText: string,
) =>
  low === high
    ? lowText
    : quoteRawText(market, averagePriceDown(market, BigInt(quoteUnits), BigInt(volume)))
