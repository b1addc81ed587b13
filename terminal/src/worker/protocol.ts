// What the page and its worker say to each other. Everything that is shown comes as text that is
// ready to be shown: the page computes with no number.
import type { AccountRequests } from './account/account-protocol.ts'
import type { ChainShown } from './chain/chain-protocol.ts'
import type {
  CandleNews,
  ChartChoice,
  ChartRequests,
  DepthSpan,
  DepthView,
  Resolution,
} from './market/chart-protocol.ts'
import type { DayView, Spark } from './market/markets-view.ts'
import type { PoolsView } from './market/pools-view.ts'
import type {
  Alert,
  NotificationRequests,
  NotificationsView,
} from './notifications/notification-protocol.ts'
import type { OrderNews, OrderRequests, OwnMarks, PlacedView } from './order/order-protocol.ts'
import type { PageRequests } from './pages/page-protocol.ts'
import type { Answered, Asked } from './question.ts'
import type { Connection } from './status/connection-view.ts'
import type { StatusView } from './status/status-view.ts'
import type { AccountView, FileRequests, TableRequests, TableRow } from './tables/table-protocol.ts'
import type { WalletAnswered, WalletAsked, WalletView } from './wallet/wallet-protocol.ts'

/** A market in the header and in the list of markets. */
export type MarketRow = Readonly<{
  name: string
  kind: 'SPOT' | 'PERPETUAL'
  /** Symbols of the assets. */
  base: string
  quote: string
  last: string
  mark: string
  index: string
  volume: string
  openInterest: string
  /** Per hour, in percent; empty at a spot market. */
  funding: string
  /** That the market allows; empty at a spot market, and where it is not known. */
  maxLeverage: string
  state: 'active' | 'halted' | 'ended'
  /** A loss in this market keeps margin from leaving the venue. */
  withdrawalsStopped: boolean
  /** For sorting alone. */
  ranks: Readonly<{ mark: number; volume: number; openInterest: number; funding: number }>
}> &
  DayView

/** One row of the book; `share` is how much of the deepest row is at its price or better. */
export type BookRow = Readonly<{
  price: string
  amount: string
  total: string
  share: number
  /** How much of it is the account's own; empty where nothing is. */
  own: string
  /** How much there is before that at most, at its price; "first" where nothing is. */
  ahead: string
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

/** Empty before the venue said it. */
export type Network = Readonly<{
  name: string
  /** Money is for play. */
  isDevnet: boolean
  trading: '' | 'live' | 'coming_soon' | 'cancel_only'
}>

export type Trust = Readonly<{ block: string; isChecked: boolean }>

export type ToWorker =
  /** `config` is config.json as it was read: the worker looks at what it says of the chain. */
  | Readonly<{
      kind: 'open'
      apiUrl: string
      integratedUrl: string
      config: unknown
      market: string | undefined
    }>
  | Readonly<{ kind: 'market'; market: string }>
  | Readonly<{ kind: 'group'; at: number }>
  | Readonly<{ kind: 'resolution'; resolution: Resolution }>
  | Readonly<{ kind: 'older'; before: number }>
  | Readonly<{ kind: 'newer' }>
  | Readonly<{ kind: 'newest' }>
  | Readonly<{ kind: 'chart'; choice: ChartChoice }>
  | Readonly<{ kind: 'span'; span: DepthSpan }>
  | Readonly<{ kind: 'visible'; isVisible: boolean }>
  /** What moves by itself keeps still, to be read. */
  | Readonly<{ kind: 'freeze'; isFrozen: boolean }>
  /** Which page is shown: what only another one shows is not read. */
  | Readonly<{ kind: 'page'; page: string }>
  /** Which markets' lines of prices are on the screen. */
  | Readonly<{ kind: 'sparks'; markets: readonly string[] }>
  | Asked
  | WalletAnswered

/** What the page can ask the worker and wait for, by name. */
export type Requests = AccountRequests &
  NotificationRequests &
  OrderRequests &
  TableRequests &
  ChartRequests &
  FileRequests &
  PageRequests

/** The newest of each; what has not changed is absent. */
export type Shown = Readonly<{
  /** The market and its price, for the tab; empty before there is one. */
  title: string
  market: string
  markets: readonly MarketRow[]
  book: BookView
  trades: readonly TradeRow[]
  connection: Connection
  /** After so long without news it is stale, as text. */
  staleAfter: string
  /** While the API is away. */
  chain: ChainShown
  trust: Trust
  /** Of a message to the venue and back. */
  latency: string
  network: Network
  /** Until the next funding of the market; empty where it has none. */
  fundingIn: string
  /** Of the markets, those that were read. */
  sparks: readonly Spark[]
  status: StatusView
  pools: PoolsView
  problem: string
  own: OwnMarks
  orderNews: readonly OrderNews[]
  /** Orders that this page placed last, newest first. */
  placed: readonly PlacedView[]
  /** Whether there is an account with a key to trade with. */
  isTrading: boolean
  wallet: WalletView
  /** Address of the sub-account that orders and tables are of; empty: the wallet's own account. */
  acting: string
  notifications: NotificationsView
  account: AccountView
  positions: readonly TableRow[]
  orders: readonly TableRow[]
  fills: readonly TableRow[]
}>
export type FromWorker = Partial<Shown> &
  Readonly<{
    candles?: CandleNews
    /** The same for a drawing that begins. */
    drawn?: CandleNews
    depth?: DepthView
    answered?: Answered
    walletAsked?: WalletAsked
    alert?: Alert
  }>
