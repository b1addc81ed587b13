// Public data of a market for display: its row, its daily statistics, its book and its trades.

/** A market in the header and in the list of markets. */
export type MarketRow = Readonly<{
  name: string
  kind: 'SPOT' | 'PERPETUAL'
  base: string
  quote: string
  last: string
  mark: string
  index: string
  volume: string
  openInterest: string
  /** At the mark price, in the quote asset; empty while unknown. */
  openInterestValue: string
  /** Per hour, in percent; empty for a spot market. */
  funding: string
  /** Maximum leverage of the market; empty for a spot market, and while unknown. */
  maxLeverage: string
  state: 'active' | 'halted' | 'ended'
  /** True while a loss in this market blocks margin withdrawals from the venue. */
  withdrawalsStopped: boolean
  /** Only for sorting. */
  ranks: Readonly<{ mark: number; volume: number; openInterest: number; funding: number }>
}> &
  DayView

/** One row of the book. `share` is the size at its price or better, relative to the deepest row. */
export type BookRow = Readonly<{
  price: string
  amount: string
  total: string
  share: number
  /** The account's own remaining size; empty if there is none. */
  ownSize: string
  /** Upper bound of the size ahead of it at its price; "first" if there is none. */
  ahead: string
}>

export type BookView = Readonly<{
  bids: readonly BookRow[]
  asks: readonly BookRow[]
  spread: string
  mid: string
  /** The best bid, the middle at a legal price, and the best ask, as they can be typed. */
  picks: readonly string[]
  /** The available price groupings, and the chosen one. */
  groups: readonly string[]
  group: string
  block: string
}>

export type TradeRow = Readonly<{
  id: string
  price: string
  amount: string
  isBuy: boolean
  time: string
}>

/** Statistics of the last 24 hours; empty while unknown. */
export type DayView = Readonly<{
  change: string
  isUp: boolean
  high: string
  low: string
  /** Only for sorting. */
  changeRank: number
}>

/** A line of prices: the `d` of an SVG path in a box of {@link SPARK}. */
export type Spark = Readonly<{ name: string; path: string; isUp: boolean }>

export const SPARK = { width: 96, height: 24 } as const
