// What the page and its worker say to each other of orders. Numbers are texts: those of a draft
// as they were typed, those of an answer as they are shown.

import type { Question } from '../question.ts'

export const ORDER_TYPES = ['limit', 'market', 'stop', 'take-profit'] as const
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD'] as const

/** The form, as it stands. What its type does not use is ignored. */
export type OrderDraft = Readonly<{
  market: string
  side: 'buy' | 'sell'
  type: (typeof ORDER_TYPES)[number]
  price: string
  /** The mark that fires a stop or a take-profit. */
  trigger: string
  amount: string
  /** How far from the best price a market order may trade. Percent. */
  slippage: string
  timeInForce: (typeof TIMES_IN_FORCE)[number]
  /** How long a GTD order rests. Hours. */
  hours: string
  isPostOnly: boolean
  isReduceOnly: boolean
  /** Marks at which what was filled is closed again; empty: at none. */
  takeProfit: string
  stopLoss: string
}>
export type DraftField = keyof OrderDraft

/** A rule that the draft breaks. `nearest` is what would do, ready to be put into the field. */
export type OrderProblem = Readonly<{
  /** Undefined where no field of the form is at fault. */
  field: DraftField | undefined
  text: string
  nearest: readonly string[]
}>

export type PreviewView = Readonly<{
  facts: readonly Readonly<{ name: string; value: string }>[]
  fills: readonly Readonly<{ price: string; amount: string; fees: string }>[]
  block: string
}>

/** What is to be said of a draft. */
export type OrderCheck = Readonly<{
  problems: readonly OrderProblem[]
  /** What would be signed, in words; empty while that is not known. */
  words: string
  /** What is legal, and still worth a second look. */
  warnings: readonly string[]
  /** Absent without an account, and while the draft is not legal. */
  preview: PreviewView | undefined
  /** The venue asks to wait so long. */
  retryAfterMs: number | undefined
}>

/** What became of placing an order. */
export type Placing = Readonly<{
  isPlaced: boolean
  problems: readonly OrderProblem[]
  retryAfterMs: number | undefined
}>

/** News of an order, for a while. */
export type OrderNews = Readonly<{ id: number; text: string; tone: 'good' | 'bad' | 'plain' }>

/** A line on the chart. The price is for drawing alone: a pixel needs no more than a double. */
export type ChartLine = Readonly<{
  key: string
  price: number
  text: string
  tone: 'buy' | 'sell' | 'quiet'
}>
/** A fill on the chart. `time` is in Unix seconds. */
export type ChartMark = Readonly<{ key: string; time: number; isBuy: boolean; text: string }>

/** What of the account is drawn into the market that is shown. */
export type OwnMarks = Readonly<{ lines: readonly ChartLine[]; marks: readonly ChartMark[] }>

/** What the page can ask about orders, each with what it sends and what comes back. */
export type OrderRequests = Readonly<{
  /** What a draft would do; the answer to an older question may be of nothing. */
  checkOrder: Question<OrderDraft, OrderCheck>
  placeOrder: Question<OrderDraft, Placing>
  /** So many percent of what the account can trade, as an amount. */
  sizeOrder: Question<Readonly<{ draft: OrderDraft; percent: number }>, string>
}>
