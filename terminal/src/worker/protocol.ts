// What the page and its worker say to each other. Everything that is shown comes as text that is
// ready to be shown: the page computes with no number.
import type { AccountRequests } from './account-protocol.ts'
import type { OrderNews, OrderRequests, OwnMarks } from './order-protocol.ts'
import type { Answered, Asked } from './question.ts'
import type { AccountView, TableRequests, TableRow } from './table-protocol.ts'
import type { WalletAnswered, WalletAsked, WalletView } from './wallet-protocol.ts'

/** A market in the header and in the list of markets. */
export type MarketRow = Readonly<{
  name: string
  kind: 'SPOT' | 'PERPETUAL'
  last: string
  /** Of 24 hours, with its sign. */
  change: string
  isUp: boolean
  mark: string
  index: string
  volume: string
  openInterest: string
  /** Per hour, in percent; empty at a spot market. */
  funding: string
  isActive: boolean
}>

/** One row of the book; `share` is how much of the deepest row is at its price or better. */
export type BookRow = Readonly<{
  price: string
  amount: string
  total: string
  share: number
  /** How much of it is the account's own; empty where nothing is. */
  own: string
}>

export type BookView = Readonly<{
  bids: readonly BookRow[]
  asks: readonly BookRow[]
  spread: string
  mid: string
  /** Sizes of price groups that can be chosen, and the chosen one. */
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

/** For drawing alone: a pixel needs no more than a double has. `time` is in Unix seconds. */
export type DrawnCandle = Readonly<{
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}>
/** `all` where the chart begins anew, otherwise the newest one, and older ones asked for. */
export type CandleNews = Readonly<{
  key: string
  all: readonly DrawnCandle[] | undefined
  newest: DrawnCandle | undefined
  older: readonly DrawnCandle[] | undefined
  decimals: number
}>
export const RESOLUTIONS = ['1', '5', '15', '60', '240', '1D'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** `stale`: nothing has come for a while; what is shown may be old. */
export type Connection = 'connecting' | 'open' | 'stale' | 'lost'

export type Trust = Readonly<{ block: string; isChecked: boolean }>

export type ToWorker =
  | Readonly<{ kind: 'open'; apiUrl: string; market: string | undefined }>
  | Readonly<{ kind: 'market'; market: string }>
  | Readonly<{ kind: 'group'; at: number }>
  | Readonly<{ kind: 'resolution'; resolution: Resolution }>
  | Readonly<{ kind: 'older'; before: number }>
  | Readonly<{ kind: 'visible'; isVisible: boolean }>
  | Asked
  | WalletAnswered

/** What the page can ask the worker and wait for, by name. */
export type Requests = AccountRequests & OrderRequests & TableRequests

/** The newest of each; what has not changed is absent. */
export type Shown = Readonly<{
  market: string
  markets: readonly MarketRow[]
  book: BookView
  trades: readonly TradeRow[]
  connection: Connection
  trust: Trust
  problem: string
  own: OwnMarks
  orderNews: readonly OrderNews[]
  /** Whether there is an account with a key to trade with. */
  isTrading: boolean
  wallet: WalletView
  account: AccountView
  positions: readonly TableRow[]
  orders: readonly TableRow[]
  fills: readonly TableRow[]
}>
export type FromWorker = Partial<Shown> &
  Readonly<{ candles?: CandleNews; answered?: Answered; walletAsked?: WalletAsked }>
