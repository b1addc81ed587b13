// Messages between the page and its worker. Displayed values are preformatted text: the page does
// no arithmetic.
import type { AccountRequests } from '../features/account/account-protocol.ts'
import type { AddressRequests } from '../features/address/address-protocol.ts'
import type { ChainStatus } from '../features/chain/chain-protocol.ts'
import type {
  CandleNews,
  ChartChoice,
  ChartRequests,
  DepthSpan,
  DepthView,
  Resolution,
} from '../features/chart/chart-protocol.ts'
import type { FaucetRequests } from '../features/faucet/faucet-protocol.ts'
import type { KeyRequests } from '../features/keys/keys-protocol.ts'
import type { BookView, MarketRow, Spark, TradeRow } from '../features/market/market-protocol.ts'
import type {
  Alert,
  NotificationRequests,
  NotificationsView,
} from '../features/notifications/notification-protocol.ts'
import type {
  OrderNews,
  OrderRequests,
  OwnMarks,
  PlacedView,
} from '../features/order/order-protocol.ts'
import type { PoolsView } from '../features/pools/pools-protocol.ts'
import type { PortfolioRequests } from '../features/portfolio/portfolio-protocol.ts'
import type {
  ConnectionState,
  NetworkStatus,
  StatusView,
  Trust,
} from '../features/status/status-protocol.ts'
import type { SubAccountRequests } from '../features/sub-accounts/sub-accounts-protocol.ts'
import type {
  AccountView,
  FileRequests,
  TableRequests,
  TableRow,
} from '../features/tables/table-protocol.ts'
import type {
  WalletAnswerMessage,
  WalletRequestMessage,
  WalletView,
} from '../features/wallet/wallet-protocol.ts'
import type { AnswerMessage, RequestMessage } from './question.ts'

export type ToWorker =
  /** `config` is config.json as read; the worker reads its chain settings. */
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
  /** Pauses data that updates continuously. */
  | Readonly<{ kind: 'freeze'; isFrozen: boolean }>
  /** The displayed page; data of other pages is not read. */
  | Readonly<{ kind: 'page'; page: string }>
  /** Markets whose price lines are visible. */
  | Readonly<{ kind: 'sparks'; markets: readonly string[] }>
  | RequestMessage
  | WalletAnswerMessage

/** Requests of the secondary pages. Their handlers are loaded with the first request. */
export type PageRequests = PortfolioRequests &
  KeyRequests &
  AddressRequests &
  SubAccountRequests &
  FaucetRequests

/** All requests of the page to the worker, by name. */
export type Requests = AccountRequests &
  NotificationRequests &
  OrderRequests &
  TableRequests &
  ChartRequests &
  FileRequests &
  PageRequests

/** The newest value of each member; unchanged members are absent. */
export type PageState = Readonly<{
  /** The market and its price, for the tab; empty before there is one. */
  title: string
  market: string
  markets: readonly MarketRow[]
  book: BookView
  trades: readonly TradeRow[]
  connection: ConnectionState
  /** Time without new data, while it is outdated: `3 s`. */
  quietFor: string
  /** State of chain mode, while the API is down. */
  chain: ChainStatus
  trust: Trust
  /** Round-trip time of a message to the venue. */
  latency: string
  network: NetworkStatus
  /** Time until the market's next funding; empty if it has none. */
  fundingIn: string
  /** Price lines of the markets that were read. */
  sparks: readonly Spark[]
  status: StatusView
  pools: PoolsView
  problem: string
  ownMarks: OwnMarks
  orderNews: readonly OrderNews[]
  /** Orders that this page placed last, newest first. */
  placed: readonly PlacedView[]
  /** True if there is an account with a key to trade with. */
  isTrading: boolean
  wallet: WalletView
  /** The sub-account of orders and tables; empty: the wallet's own account. */
  acting: string
  notifications: NotificationsView
  account: AccountView
  positions: readonly TableRow[]
  orders: readonly TableRow[]
  fills: readonly TableRow[]
}>
export type FromWorker = Partial<PageState> &
  Readonly<{
    candles?: CandleNews
    /** All candles, for a new chart. */
    drawn?: CandleNews
    depth?: DepthView
    answered?: AnswerMessage
    walletAsked?: WalletRequestMessage
    alert?: Alert
  }>
