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
  /** What the amount counts: the base asset, or the quote asset that it may cost. */
  amountUnit: 'base' | 'quote'
  /** How far from the best price a market order may trade. Percent. */
  slippage: string
  timeInForce: (typeof TIMES_IN_FORCE)[number]
  /** Until when a GTD order lives: local time, such as "2026-11-24T21:45". */
  goodTil: string
  isPostOnly: boolean
  isReduceOnly: boolean
  /** Marks at which what was filled is closed again; empty: at none. */
  takeProfit: string
  stopLoss: string
}>
export type DraftField = keyof OrderDraft

export type FieldHints = Readonly<Partial<Record<DraftField, string>>>

/** A rule that the draft breaks. `nearest` is what would do, ready to be put into the field. */
export type OrderProblem = Readonly<{
  /** Undefined where no field of the form is at fault. */
  field: DraftField | undefined
  text: string
  nearest: readonly string[]
  /** Of an amount in `nearest`, where it is not the one of the draft. */
  amountUnit?: 'base'
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
  /** What is read out of a field, beside it. */
  hints: FieldHints
  /** Absent without an account, and while the draft is not legal. */
  preview: PreviewView | undefined
  /** The venue asks to wait so long. */
  retryAfterMs: number | undefined
}>

/** A part of a position; at a limit where a price is given, otherwise at what is there. */
export type CloseAsked = Readonly<{ market: string; percent: number; price: string }>

/** `leverage` as it is typed; empty: the one there is. */
export type LeverageAsked = Readonly<{ market: string; leverage: string }>
export type LeverageView = Readonly<{
  /** What binds now, and the most that the market allows; empty where it is not known. */
  now: string
  max: string
  /** What changes, before and after. */
  facts: readonly Readonly<{ name: string; before: string; after: string }>[]
  /** What the wallet sends, in words; empty while that is not legal, or changes nothing. */
  words: string
  problems: readonly OrderProblem[]
}>

/** What became of placing an order. */
export type Placing = Readonly<{
  isPlaced: boolean
  problems: readonly OrderProblem[]
  retryAfterMs: number | undefined
}>

/** What the venue promised of an order, and what the chain has said of it since. */
export type PlacedView = Readonly<{
  /** Names it at the venue, and in the ledger of promises. */
  id: string
  text: string
  tone: OrderNews['tone']
  /** Neither in the book yet nor ended. */
  isPending: boolean
  promise: string
  /** The receipt, member by member. */
  receipt: readonly Readonly<{ name: string; value: string }>[]
  /** Where the venue publishes what became of the promise. */
  ledgerUrl: string
}>

/** News of an order, for a while. */
export type OrderNews = Readonly<{ id: number; text: string; tone: 'good' | 'bad' | 'plain' }>

/** An order to be edited, its numbers as they can be typed. */
export type EditView = Readonly<{
  id: string
  market: string
  side: 'buy' | 'sell'
  /** What it is now. */
  words: string
  price: string
  /** Empty where it has none. */
  trigger: string
  /** What is left of it. */
  amount: string
  /** How much of it was filled when it was read. */
  filled: string
}>
/** What is typed of it. */
export type EditDraft = Pick<EditView, 'id' | 'price' | 'trigger' | 'amount' | 'filled'>

/** A line on the chart. The price is for drawing alone: a pixel needs no more than a double. */
export type ChartLine = Readonly<{
  key: string
  price: number
  /** The same, to be read. */
  at: string
  text: string
  tone: 'buy' | 'sell' | 'quiet'
  /** The order that it is of, which can be moved; empty where it is none. */
  orderId: string
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
  /** An order to be edited, moved to the nearest price of `at` where that is not empty. */
  readEdit: Question<Readonly<{ id: string; at: string }>, EditView>
  checkEdit: Question<EditDraft, OrderCheck>
  placeEdit: Question<EditDraft, Placing>
  /** So many percent of what the account can trade, as an amount. */
  sizeOrder: Question<Readonly<{ draft: OrderDraft; percent: number }>, string>
  /** What closing a part of a position would do. */
  checkClose: Question<CloseAsked, OrderCheck>
  placeClose: Question<CloseAsked, Placing>
  /** What another leverage would change; without one, what it is. */
  checkLeverage: Question<LeverageAsked, LeverageView>
  /** By a transaction of the wallet. */
  setLeverage: Question<LeverageAsked, null>
}>
