// Requests and views of orders between the page and its worker. Numbers are text: those of a draft
// as typed, those of an answer as displayed.
import type { Question } from '../../protocol/question.ts'

export const ORDER_TYPES = ['limit', 'market', 'stop', 'take-profit'] as const
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD'] as const

/** Current content of the form. Fields that its type does not use are ignored. */
export type OrderDraft = Readonly<{
  market: string
  side: 'buy' | 'sell'
  type: (typeof ORDER_TYPES)[number]
  price: string
  /** The mark price that triggers a stop or a take-profit. */
  trigger: string
  amount: string
  /** Unit of the amount: the base asset, or the quote asset to spend. */
  amountUnit: 'base' | 'quote'
  /** How far from the best price a market order may trade. Percent. */
  slippage: string
  timeInForce: (typeof TIMES_IN_FORCE)[number]
  /** Expiry of a GTD order: local time, such as "2026-11-24T21:45". */
  goodTil: string
  isPostOnly: boolean
  isReduceOnly: boolean
  /** Mark prices at which the filled size is closed again; empty: none. */
  takeProfit: string
  stopLoss: string
}>
export type DraftField = keyof OrderDraft

export type FieldHints = Readonly<Partial<Record<DraftField, string>>>

/** A rule that the draft breaks. `nearest` lists legal values, ready for the field. */
export type OrderProblem = Readonly<{
  /** Undefined if no field of the form is at fault. */
  field: DraftField | undefined
  text: string
  nearest: readonly string[]
  /** Unit of an amount in `nearest`, if it differs from the draft's. */
  amountUnit?: 'base'
}>

export type PreviewView = Readonly<{
  /** `hint` gives the reason of a value. */
  facts: readonly Readonly<{ name: string; value: string; hint?: string }>[]
  fills: readonly Readonly<{ price: string; amount: string; fees: string }>[]
  block: string
}>

export type OrderCheck = Readonly<{
  problems: readonly OrderProblem[]
  /** Description of what would be signed; empty while unknown. */
  words: string
  /** Warnings about legal but unusual terms. */
  warnings: readonly string[]
  /** Interpretation of a field's value, shown beside it. */
  hints: FieldHints
  /** Absent without an account, and while the draft is not legal. */
  preview: PreviewView | undefined
  /** Wait time requested by the venue. */
  retryAfterMs: number | undefined
}>

/** `reverse` opens the same size on the other side. */
export const CLOSE_WAYS = ['market', 'limit', 'reverse'] as const
export type CloseWay = (typeof CLOSE_WAYS)[number]
/** A position to close, and the way that was chosen. */
export type CloseTarget = Readonly<{ market: string; way: CloseWay }>
/** A part of a position to close: at a limit if a price is given, otherwise at the market. */
export type CloseRequest = Readonly<{
  market: string
  percent: number
  price: string
  isReverse: boolean
}>

/** `leverage` as typed; empty: the current one. */
export type LeverageRequest = Readonly<{ market: string; leverage: string }>
export type LeverageView = Readonly<{
  /** Current leverage and the market's maximum; empty while unknown. */
  now: string
  max: string
  /** Changed values, before and after. */
  facts: readonly Readonly<{ name: string; before: string; after: string }>[]
  /** Description of the transaction; empty if it is not legal or changes nothing. */
  words: string
  problems: readonly OrderProblem[]
}>

export type PlaceResult = Readonly<{
  isPlaced: boolean
  problems: readonly OrderProblem[]
  retryAfterMs: number | undefined
}>

/** The venue's receipt of an order, and the order's status on the chain since. */
export type PlacedView = Readonly<{
  /** Id at the venue and in the promise ledger. */
  id: string
  text: string
  tone: OrderNews['tone']
  /** Neither in the book yet nor ended. */
  isPending: boolean
  promise: string
  receipt: readonly Readonly<{ name: string; value: string }>[]
  /** Where the venue publishes the outcome of the promise. */
  ledgerUrl: string
}>

/** News of an order, shown for a while. */
export type OrderNews = Readonly<{ id: number; text: string; tone: 'good' | 'bad' | 'plain' }>

/** An order to be edited, with its numbers as they can be typed. */
export type EditView = Readonly<{
  id: string
  market: string
  side: 'buy' | 'sell'
  /** Description of the current order. */
  words: string
  price: string
  /** Empty if it has none. */
  trigger: string
  /** The total, including the filled part. */
  amount: string
}>
/** The typed values of an edit. */
export type EditDraft = Pick<EditView, 'id' | 'price' | 'trigger' | 'amount'>

/**
 * A line on the chart. The price is used only for drawing: a double is exact enough for a pixel.
 */
export type ChartLine = Readonly<{
  key: string
  price: number
  /** The price as text. */
  at: string
  text: string
  tone: 'buy' | 'sell' | 'quiet'
  /** The order of the line, which can be dragged; empty if it is not an order. */
  orderId: string
}>
/** A fill on the chart. `time` is in Unix seconds. */
export type ChartMark = Readonly<{ key: string; time: number; isBuy: boolean; text: string }>

/** Orders, positions and fills drawn into the displayed market. */
export type OwnMarks = Readonly<{ lines: readonly ChartLine[]; marks: readonly ChartMark[] }>

/** Requests about orders, with their parameters and results. */
export type OrderRequests = Readonly<{
  /** Checks and previews a draft. The answer to an outdated request may be empty. */
  checkOrder: Question<OrderDraft, OrderCheck>
  placeOrder: Question<OrderDraft, PlaceResult>
  /**
   * Returns an order to be edited, moved to the legal price nearest to `at` if that is not empty.
   */
  readEdit: Question<Readonly<{ id: string; at: string }>, EditView>
  checkEdit: Question<EditDraft, OrderCheck>
  placeEdit: Question<EditDraft, PlaceResult>
  /** Returns an amount that is `percent` of what the account can trade. */
  sizeOrder: Question<Readonly<{ draft: OrderDraft; percent: number }>, string>
  /** Previews closing a part of a position. */
  checkClose: Question<CloseRequest, OrderCheck>
  placeClose: Question<CloseRequest, PlaceResult>
  /** Previews another leverage; without one, returns the current leverage. */
  checkLeverage: Question<LeverageRequest, LeverageView>
  /** Sends a wallet transaction. */
  setLeverage: Question<LeverageRequest, null>
}>
