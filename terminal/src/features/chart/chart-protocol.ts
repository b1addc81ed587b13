// Messages about the chart between the page and its worker. Numbers are only for drawing: a double
// is exact enough for a pixel. Displayed values are text.
import type { Question } from '../../protocol/question.ts'

/** All that the interface has, as it spells them: minutes, days, weeks, months. */
export const RESOLUTIONS = [
  ...(['1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720'] as const),
  ...(['1D', '3D', '1W', '1M'] as const),
] as const
export type Resolution = (typeof RESOLUTIONS)[number]

export const CANDLE_TYPE_NAMES = ['candles', 'hollow', 'bars', 'area'] as const
export type CandleTypeName = (typeof CANDLE_TYPE_NAMES)[number]
export const SCALE_NAMES = ['linear', 'log', 'percent'] as const
export type ScaleName = (typeof SCALE_NAMES)[number]

export const CHART_TABS = ['price', 'depth', 'funding'] as const
export type ChartTab = (typeof CHART_TABS)[number]

/** Chart view: only that is read. */
export type ChartChoice = Readonly<{ tab: ChartTab; hasMark: boolean; hasIndex: boolean }>

/** `time` is in Unix seconds; `mark` and `index` are those at its end, where they are shown. */
export type DrawnCandle = Readonly<{
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
  mark: number | undefined
  index: number | undefined
}>

/** A candle to be read. */
export type CandleText = Readonly<{
  open: string
  high: string
  low: string
  close: string
  change: string
  volume: string
  isUp: boolean
}>

/**
 * New candles: all drawn ones, or those from the first changed one on. A new `key` means that the
 * chart starts again.
 */
export type CandleNews = Readonly<{
  key: string
  isWhole: boolean
  candles: readonly DrawnCandle[]
  /** False if the user went so far back that the newest candle is not loaded. */
  hasNewest: boolean
  newest: CandleText | undefined
  /** Prices as they are now, for their lines. */
  mark: number | undefined
  index: number | undefined
  decimals: number
  /** The least step between two prices. */
  step: number
}>

/** A price with all that is to be had up to it. */
export type DepthPoint = Readonly<{ price: number; total: number; text: string }>
export type DepthView = Readonly<{
  market: string
  /** Best first. */
  bids: readonly DepthPoint[]
  asks: readonly DepthPoint[]
  /** Prices below the drawing, from the left to the right, and totals beside it, from the top. */
  prices: readonly string[]
  totals: readonly string[]
  /** Prices from the left to the right edge, and the total at the top. */
  from: number
  to: number
  most: number
}>
/** Distance from mid the depth is drawn, in percent; `all` of it. */
export const DEPTH_SPANS = ['0.5', '1', '2', '5', 'all'] as const
export type DepthSpan = (typeof DEPTH_SPANS)[number]

/** An hour of funding. `rank` is only for drawing. */
export type FundingHour = Readonly<{
  id: string
  time: string
  rate: string
  yearly: string
  mark: string
  rank: number
}>
export type FundingView = Readonly<{
  /** Newest first. */
  hours: readonly FundingHour[]
  /** Average of all hours. */
  average: string
  averageYearly: string
}>

export type ChartRequests = Readonly<{
  /** A candle by when it opens; null where it is not drawn any more. */
  describeCandle: Question<Readonly<{ time: number }>, CandleText | null>
  readFunding: Question<Readonly<{ market: string }>, FundingView>
}>
