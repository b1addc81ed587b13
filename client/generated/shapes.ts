// Lists the shapes of the interface.
// Generated from the schemas of the server: npx node client/scripts/generate.ts

/** An account at one block. */
export type Account = {
  /** The wallet. Lower case. */
  account: string
  /**
   * Of the perpetual engine, at the block of the answer. Null while the mark of a market
   * that the account is in is not known.
   */
  equity: string | null
  /**
   * Equity above initial margin, at least 0. Null while the mark of a market that the
   * account is in is not known.
   */
  available_balance: string | null
  /** Margin collateral, before profit and loss; 18 decimals. */
  balance: string
  /** Spot tokens by symbol, then margin: a reader by symbol ends with the margin. */
  collaterals: Collateral[]
  /** As /positions gives them. */
  positions: Position[]
  /** Of every market. */
  fee_structures: FeeStructure[]
  /** Null while the mark of a market that the account is in is not known. */
  initial_margin: string | null
  /** Null while the mark of a market that the account is in is not known. */
  maintenance_margin: string | null
  in_liquidation: false
  /** Equity is below maintenance margin; null when unknown. */
  liquidatable: boolean | null
  /** Of every perpetual market. */
  leverages: Leverage[]
  /** Of the open perpetual positions, before fees and funding. */
  realized_pnl: string
  /** Of the perpetual positions at mark prices. Null when one is missing. */
  unrealized_pnl: string | null
  /** USD of the spot tokens at index prices; null without one. */
  spot_value: string | null
  /** equity + spot_value. */
  total_value: string | null
  /**
   * Only where accounts have a cap; empty for the accounts of the venue. Caps of the
   * whole venue: GET /info.
   */
  deposit_limits: DepositLimit[]
  /**
   * True while a loss in a perpetual market is more than insurance can carry: no
   * collateral leaves the perpetual engine before it is covered.
   */
  withdrawals_stopped: boolean
}

/** What the account did on a day. */
export type AccountDay = {
  /** The day (UTC), such as 2026-01-31. */
  date: string
  /** Null: nobody is ranked here. */
  ranking: string | null
  /** There are no options. */
  options_volume: '0'
  /** Quote amount traded in perpetuals. */
  perp_volume: string
  /** realized_pnl - fees + funding. */
  pnl: string
  /** Null: accounts have none. */
  username: string | null
  /** Made in perpetuals by what was closed, before fees and funding. */
  realized_pnl: string
  /** Paid in perpetuals, those of forced closes included; below zero is a rebate. */
  fees: string
  /** Settled; above zero when the account received. */
  funding: string
  /** Fills in perpetuals. */
  perp_trades: number
  /** By quote asset. */
  spot: SpotStatistics[]
}

/** What the account did in perpetuals and at spot. */
export type AccountPeriod = {
  /** Null: nobody is ranked here. */
  ranking: string | null
  /** There are no options. */
  options_volume: '0'
  /** Quote amount traded in perpetuals. */
  perp_volume: string
  /** realized_pnl - fees + funding. */
  pnl: string
  /** Null: accounts have none. */
  username: string | null
  /** Made in perpetuals by what was closed, before fees and funding. */
  realized_pnl: string
  /** Paid in perpetuals, those of forced closes included; below zero is a rebate. */
  fees: string
  /** Settled; above zero when the account received. */
  funding: string
  /** Fills in perpetuals. */
  perp_trades: number
  /** By quote asset. */
  spot: SpotStatistics[]
}

/** Since the start of today (UTC), of 6 and of 29 days before, and ever. */
export type AccountStatistics = {
  daily: AccountPeriod
  weekly: AccountPeriod
  monthly: AccountPeriod
  all_time: AccountPeriod
}

/** Volume and profit of the account. */
export type AccountStats = {
  /** The wallet. Lower case. */
  account: string
  account_statistics: AccountStatistics
  /**
   * With the parameter days: each day on which anything was traded or settled, oldest
   * first.
   */
  days?: AccountDay[]
}

/** Part of {@link AccumulatedFundings}. */
export type AccumulatedFunding = {
  instrument_id: string
  /** Of this cycle. */
  accumulated_funding: string
  /** Accrued since. */
  pending_funding_fee: string
  /** The sum of both. */
  total_funding_fee: string
}

/** Funding of open perpetual positions; positive is in the holder's favour. */
export type AccumulatedFundings = {
  /** The wallet. Lower case. */
  account: string
  accumulated_fundings: AccumulatedFunding[]
}

/** A live key of the account. */
export type ApiKey = {
  /** How the key begins. */
  prefix: string
  /** Null: a sign-in made it, and nobody named it. */
  name: string | null
  /**
   * What it may be used for: read what is private, trade (place, replace), cancel what
   * was placed.
   */
  scopes: Scope[]
  /** Where it may be used from; empty: anywhere. */
  ip_addresses: string[]
  /** It can sign requests, so that its secret is never sent. */
  hmac: boolean
  /** The signing key that it was issued for. Lower case. */
  signing_key: string
  /** When it was issued. Nanoseconds. */
  created_timestamp: string
  /** When it ends. Nanoseconds. */
  expires_timestamp: string
  /** When it was last used, to about a minute; null: never. Nanoseconds. */
  last_used_timestamp: string | null
  /** The request came with it. */
  is_current: boolean
}

/** Live keys of the account. */
export type ApiKeys = {
  /** Newest first. */
  api_keys: ApiKey[]
  /**
   * Registrations of signing keys on their way to the chain, and those that ended within
   * a week, newest first.
   */
  on_chain: KeyRelay[]
}

/** Part of `GET /assets`. */
export type Asset = {
  /** Address of the token. */
  asset_id: string
  asset_name: string
  symbol: string
  address: string
  decimals: number
}

/** Part of {@link Portfolio}. */
export type AssetGreeks = {
  /** The underlying. */
  asset: string
  /** Net amount of the perpetual positions; below zero is short. */
  delta: string
  /** There are no options. */
  gamma: '0'
  /** There are no options. */
  rho: '0'
  /** There are no options. */
  theta: '0'
  /** There are no options. */
  vega: '0'
}

/** Part of {@link MarketsSummary}. */
export type AssetSummary = {
  /** The underlying. */
  asset: string
  /** Null when unavailable. */
  index_price: string | null
  spot_info?: SpotSummary
  perpetual_info?: PerpetualSummary
}

/** Equity over time. */
export type BalanceHistory = {
  /** The last snapshot of each period of the resolution, oldest first. */
  history: BalancePoint[]
}

/** Unix seconds, and the equity then. */
export type BalancePoint = [number, string]

/** What became of a batch: one bad order spoils no other. */
export type BatchAnswer = {
  /** Whether every order was accepted. */
  success: boolean
  /** What became of each order, in the order given. */
  results: (PlacedOrder | RefusedOrder)[]
}

/** Orders in any mix of markets and sides. */
export type BatchRequest = {
  orders: OrderRequest[]
}

/** Part of {@link Statistics}. */
export type BestLevel = {
  /** Price. */
  price: string
  /** Base amount resting there. */
  amount: string
}

/** An armed timer, or null where it was disarmed. */
export type CancelAfterAnswer = {
  success: true
  /** When the orders are cancelled unless it is called before. Nanoseconds. */
  trigger_time: string | null
}

/** Which orders; without a member, all. The same as parameters of the query. */
export type CancelAllRequest = {
  /** Only orders of this asset, in any case. */
  asset?: string
  instrument_type?: 'SPOT' | 'PERPETUAL'
}

/** Whether orders end with the connection of a socket over which they were made. */
export type CancelOnDisconnect = {
  enabled: boolean
}

/** Ids, or a filter, or confirm. The same as parameters of the query. */
export type CancelOrdersRequest = {
  /** order_id or chain_order_id of each. In a query: with commas between. */
  order_ids?: string[]
  /** Only orders of this market: its name or id. */
  instrument_name?: string
  /** Only orders of this asset, in any case. */
  asset?: string
  instrument_type?: 'SPOT' | 'PERPETUAL'
  side?: 'buy' | 'sell'
  /** Needed where nothing else says which orders. */
  confirm?: 'all'
}

/** Nothing, or a signature of Cancel. The same as parameters of the query. */
export type CancelRequest = {
  /** Of Cancel, where the account has not allowed the venue to cancel for it. */
  signature?: string
  /** As signed. Unix seconds. */
  deadline?: string
}

/**
 * An order that is withdrawn, or whose cancel the venue has promised, as it is now.
 * The channel orders and wait=included say how it ended. receipt is of the cancel; an
 * order that was withdrawn had not been sent, has ended, and needs none.
 */
export type CancelledOrder = {
  order_id: string
  success: true
  /**
   * accepted: the cancel is promised, and the order can fill until a block has it. Else
   * how the order ended, as order_status.
   */
  status: 'accepted' | 'filled' | 'cancelled' | 'rejected' | 'expired'
  order: Order
  receipt?: Receipt
}

/** What became of a request to cancel several orders. */
export type CancelledOrders = {
  /** Whether each could be cancelled. */
  success: boolean
  /** Those withdrawn, or whose cancel the venue has promised. */
  order_ids: string[]
  /** Those of order_ids whose cancel is promised: they can fill until a block has it. */
  accepted: string[]
  /** The code that refused each other one, by its id. */
  failed: Record<string, string>
}

/** Part of {@link Cancellers}. */
export type Canceller = {
  /** Who may cancel resting orders of the account, and nothing else. Lower case. */
  canceller: string
  /** First second in which it no longer may, Unix seconds. */
  expiry: string
  /** The same. Nanoseconds. */
  expires_timestamp: string
  /** It is the venue's: DELETE /orders needs no signature. */
  is_venue: boolean
  /**
   * Ends it at once. The wallet sends it, the owner of a sub-account, or a live signing
   * key. Null where this node knows no contract of accounts.
   */
  revoke: {
    /** The contract of accounts. Lower case. */
    to: string
    /** Bytes of the call, hex. */
    data: string
    value: '0'
    chain_id: number
  } | null
}

/** How to allow a canceller. */
export type CancellerAllowance = {
  /** Who is allowed. Lower case. */
  canceller: string
  /** Until when, Unix seconds: at most 30 days after the newest block. */
  expiry: string
  /**
   * AllowCanceller, as eth_signTypedData_v4 takes it: signed by the wallet, the owner of
   * a sub-account, or a live signing key, for Accounts.allowCancellerSigned, which
   * anybody may send.
   */
  typed_data: Record<string, unknown>
  /** Its EIP-712 hash. */
  digest: string
  /** Allows it without a message. The same may send it who may sign. */
  call: {
    /** The contract of accounts. Lower case. */
    to: string
    /** Bytes of the call, hex. */
    data: string
    value: '0'
    chain_id: number
  }
}

/** An allowance that the venue brings to the chain. */
export type CancellerRelay = {
  /** Who is to be allowed. Lower case. */
  canceller: string
  /** Until when, Unix seconds, as signed. */
  expiry: string
  /**
   * pending: not sent yet. sent: in a transaction. done: the chain took it. failed: it
   * was given up.
   */
  status: 'pending' | 'sent' | 'done' | 'failed'
  /** The newest transaction that carries it; null while there is none. */
  transaction_hash: string | null
  /** Why it failed: the error of the contract. */
  reason: string | null
  /** When it was asked for. Nanoseconds. */
  created_timestamp: string
  /** When its status changed last. Nanoseconds. */
  timestamp: string
}

/** Who may cancel for an account. */
export type Cancellers = {
  /** The wallet. Lower case. */
  account: string
  /** Those that may cancel now, the one that may longest first. */
  cancellers: Canceller[]
  /** The venue's own; null where it has none. Lower case. */
  venue_canceller: string | null
  allow: CancellerAllowance | null
  on_chain: CancellerRelay | null
}

/** A period of a market. */
export type Candle = {
  /** When the period opens. Unix seconds. */
  time: number
  /** The last second of the period: the next one opens a second later. Unix seconds. */
  close_time: number
  /** Price of the first trade. */
  open: string
  /** Highest price. */
  high: string
  /** Lowest price. */
  low: string
  /** Price of the last trade. */
  close: string
  /** Base amount traded. */
  volume: string
  /** Quote amount traded. */
  quote_volume: string
  /** Number of trades. */
  trades: number
  /** quote_volume / volume, rounded down to the decimals of the quote asset. */
  average: string
  /** Base amount of the trades in which the taker bought. */
  taker_buy_volume: string
}

/** Part of {@link ChartHistory}. */
export type ChartBars = {
  s: 'ok'
  /** Open times, Unix seconds, oldest first. */
  t: number[]
  /** Open prices, exact decimals. */
  o: string[]
  /** High prices. */
  h: string[]
  /** Low prices. */
  l: string[]
  /** Close prices. */
  c: string[]
  /** Base amounts traded. */
  v: string[]
}

/** Part of {@link ChartHistory}. */
export type ChartError = {
  s: 'error'
  errmsg: string
}

/** Columns of bars, or that there are none, or what is wrong. */
export type ChartHistory = ChartBars | ChartNoData | ChartError

/** Part of {@link ChartHistory}. */
export type ChartNoData = {
  s: 'no_data'
  /** Open time of the nearest earlier bar, if there is one. Unix seconds. */
  nextTime?: number
}

/** Part of {@link ChartQuotes}. */
export type ChartQuote = {
  s: 'ok' | 'error'
  n: string
  v: ChartQuoteValues
}

/** Part of {@link ChartQuote}. */
export type ChartQuoteValues = {
  /** Change of the mark price in 24 hours. */
  ch?: number
  /** The same in percent. */
  chp?: number
  /** Price of the last trade. */
  lp?: number
  /** Best ask. */
  ask?: number
  /** Best bid. */
  bid?: number
  /** Highest price of 24 hours. */
  high_price?: number
  /** Lowest price of 24 hours. */
  low_price?: number
  /** Mark price 24 hours ago. */
  prev_close_price?: number
  /** Base amount of 24 hours. */
  volume?: number
}

/** Prices of the markets asked for. */
export type ChartQuotes = {
  s: 'ok'
  d: ChartQuote[]
}

/** Part of `GET /last-traded-tradingview/search`. */
export type ChartSearchItem = {
  symbol: string
  full_name: string
  description: string
  exchange: string
  ticker: string
  type: 'spot' | 'perpetual'
}

/** Part of `GET /last-traded-tradingview/symbols`. */
export type ChartSymbol = {
  name: string
  ticker: string
  full_name: string
  description: string
  type: 'spot' | 'perpetual'
  session: '24x7'
  timezone: 'Etc/UTC'
  exchange: string
  listed_exchange: string
  /** The price step, in units of 1 / pricescale. */
  minmov: number
  pricescale: number
  minmove2: 0
  has_intraday: true
  has_seconds: false
  has_daily: true
  has_weekly_and_monthly: true
  intraday_multipliers: string[]
  supported_resolutions: string[]
  volume_precision: number
  data_status: 'streaming'
  format: 'price'
  currency_code: string
}

/** What the data feed can do. */
export type ChartingConfig = {
  supported_resolutions: string[]
  supports_search: true
  supports_group_request: false
  supports_marks: false
  supports_timescale_marks: false
  supports_time: true
  exchanges: ({
    value: string
    name: string
    desc: string
  })[]
  symbols_types: ({
    value: string
    name: string
  })[]
}

/** Part of {@link Health}, {@link Readiness}. */
export type Check = {
  ok: boolean
  /**
   * A fixed word: timeout, unreachable, no_head, lagging, feed_stale, starting, or http_
   * and the status.
   */
  error?: string
}

/** A position from flat to flat. */
export type ClosedPosition = {
  /** <account>-<instrument_id>-<trade_id that opened it> */
  position_id: string
  /** Wallet of the account. Lower case. */
  account: string
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  side: Side
  /** Largest size. */
  max_amount: string
  /** Sum of what fills opened. */
  opened_amount: string
  /** Sum of what fills closed; equal to opened_amount. */
  closed_amount: string
  /** Of the opened amount, rounded down. */
  avg_entry_price: string
  /** Of the closed amount, rounded down. */
  avg_exit_price: string
  /** Of prices alone: before fees and funding. */
  realized_pnl: string
  /** Paid, liquidation_fees included; below zero is a rebate. */
  fees: string
  /**
   * Paid because closes were forced, collateral that insurance took over included; below
   * zero was received.
   */
  liquidation_fees: string
  /** Above zero when the account received. */
  funding: string
  /** realized_pnl - fees + funding. */
  net_pnl: string
  /**
   * net_pnl / (largest cost / leverage), 8 decimals, cut. Null when the position cost
   * nothing.
   */
  roi: string | null
  /** At the end: that of the account, at most that of the market. */
  leverage: string
  margin_type: 'CROSS'
  /** Of a forced close: liquidation, or adl when it was closed against another. */
  close_reason: 'trade' | 'flip' | 'liquidation' | 'adl'
  fill_count: number
  open_tx_hash: string
  close_tx_hash: string
  /** Block of the first fill. Nanoseconds. */
  opened_timestamp: string
  /** Block of the last fill. Nanoseconds. */
  closed_timestamp: string
}

/** Part of `GET /coingecko-statistics`. */
export type CoingeckoStatistic = {
  /** Name of the perpetual. */
  ticker_id: string
  /** The underlying. */
  base_currency: string
  /** The quote asset. */
  target_currency: string
  /** Of the last trade. */
  last_price: string | null
  /** Base amount traded in the 24 clock hours up to now. */
  base_volume: string
  /** Quote amount traded in the same hours. */
  target_volume: string
  /** Best bid. */
  bid: string | null
  /** Best ask. */
  ask: string | null
  /** Highest price traded in the same hours. */
  high: string | null
  /** Lowest price traded in the same hours. */
  low: string | null
  product_type: 'Perpetual'
  /** At the mark price, in the quote asset; null without one. */
  open_interest: string | null
  /** Null when unavailable. */
  index_price: string | null
  /** The underlying and the currency of its price. */
  index_name: string
  index_currency: 'USD'
  /** Of this hour, per hour, as a fraction. */
  funding_rate: string | null
  /** Of the next hour, as sampled so far. */
  next_funding_rate: string | null
  /** When this funding hour ends. Nanoseconds. */
  next_funding_rate_timestamp: string
  contract_type: 'Vanilla'
  /** The quote asset. */
  contract_price_currency: string
}

/**
 * Tokens at one engine. PERPETUAL is margin; SPOT is for spot markets and backs no
 * position.
 */
export type Collateral = {
  instrument_type: InstrumentType
  /** Symbol of the token. */
  collateral_asset: string
  /** Address of the token. */
  collateral_address: string
  /** Everything, in the decimals of the token; cut towards zero. */
  balance: string
  /**
   * SPOT: not locked. PERPETUAL: free margin. Null while the mark of a market that the
   * account is in is not known.
   */
  available_balance: string | null
  /**
   * SPOT: in resting orders. PERPETUAL: balance less free margin. Null while the mark of
   * a market that the account is in is not known.
   */
  locked_balance: string | null
  /** USD. SPOT: at the index price, null without one. PERPETUAL: one for one. */
  collateral_value: string | null
  /** USD that backs perpetual positions: 0 for SPOT. */
  margin_value: string
  /** The part of it that counts as margin: 0 for SPOT, 1 for PERPETUAL. */
  collateral_factor: '0' | '1'
  /** Withdrawals happen at once. */
  pending_withdrawals: '0'
  /** Null while the mark of a market that the account is in is not known. */
  withdrawable_balance: string | null
  /** Of the positions that it backs; 0 for SPOT. Null when a mark price is missing. */
  unrealized_pnl: string | null
  decimals: number
}

/** Tokens of the account. */
export type Collaterals = {
  /** The wallet. Lower case. */
  account: string
  /** Spot tokens by symbol, then margin: a reader by symbol ends with the margin. */
  collaterals: Collateral[]
}

/**
 * The cap of every account on deposits of a token at one engine, and what this one has
 * left.
 */
export type DepositLimit = {
  instrument_type: InstrumentType
  /** Symbol of the token. */
  collateral_asset: string
  /** Address of the token. */
  collateral_address: string
  /** Most that an account may hold after its deposit. */
  cap: string
  /** How much this account may still pay in; 0 when it holds the cap or more. */
  left: string
}

/** Every code by which REST and the sockets refuse. */
export type ErrorCatalogue = {
  /** Sorted by code. */
  errors: ErrorEntry[]
}

/** Part of {@link ErrorCatalogue}. */
export type ErrorEntry = {
  code: RefusalCode
  /** Of HTTP; null where sockets alone have the code. */
  status: number | null
  /** What it means. A refusal may say it more exactly, in its own message. */
  message: string
  retry: Retry
  /**
   * Members of each item of `details`, all but field optional, beside code and message;
   * a point leads into facts. Empty: the refusal has no details.
   */
  details: string[]
  /** What to do about it. */
  action: string
}

/** Part of {@link Account}. */
export type FeeStructure = {
  /** The underlying. */
  asset: string
  instrument_type: InstrumentType
  /** Fraction; null when unknown. */
  maker_fee: string | null
  /** Fraction; null when unknown. */
  taker_fee: string | null
}

/** Part of {@link OrderPreview}, {@link Problem}. */
export type FieldProblem = {
  /** The parameter. */
  field: string
  code: string
  /** The rule that should hold. */
  message: string
  /** The legal value nearest to the one given, where there is one. */
  nearest?: string | number
  /** Every legal value, where they are few. */
  allowed?: string[]
  /** The value that breaks the rule, where it was computed. */
  value?: string
  facts?: ProblemFacts
  /** What waits for the chain: its gas, and the blocks of the venue that it takes. */
  queue?: {
    gas: number
    blocks: number
  }
  /** The address that made the signature, lower case. */
  recovered?: string
  /** What should have been signed, as eth_signTypedData_v4 takes it. */
  typed_data?: Record<string, unknown>
  /** Its EIP-712 hash. */
  digest?: string
  /** A transaction that only the wallet can send. */
  call?: {
    /** The contract. Lower case. */
    to: string
    /** Bytes of the call, hex. */
    data: string
    value: '0'
    chain_id: number
  }
}

/** One account's side of a trade. */
export type Fill = {
  /**
   * That of the trade, with -m (maker) or -t (taker); off the book with -f (whose
   * position it was) or -g (who got it).
   */
  trade_id: string
  /** Null off the book. */
  order_id: string | null
  /** Of the order, where it has one. */
  client_order_id?: string
  /** liquidation: the position was closed, or taken over, by force. */
  trade_type: 'trade' | 'liquidation'
  /** Wallet of the account. Lower case. */
  account: string
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  side: Side
  /**
   * Human units. Off the book it may lie between ticks, and below zero where a position
   * was deleveraged.
   */
  price: string
  /** Human units. */
  amount: string
  /** price times amount. */
  quote_amount: string
  /** Paid, in fee_asset; below zero is a rebate. */
  fees: string
  /** fees / quote_amount, rounded to a millionth. */
  fee_rate: string
  fee_asset: string
  /**
   * Of a liquidation: what left the account besides, in fee_asset; below zero is what
   * came. The fee of a forced order is that of its last fill.
   */
  liquidation_fee?: string
  /** Null off the book, as order_type and order_status. */
  liquidity: 'maker' | 'taker' | null
  order_type: 'limit' | 'market' | null
  /** Of the order, after this fill. */
  order_status: 'partial' | 'filled' | null
  /** At the fill. */
  mark_price: string | null
  /** At the fill. */
  index_price: string | null
  /** Made by the part that closed, before fees; null for a fill that closed nothing. */
  pnl: string | null
  /**
   * Average entry of what the fill closed; of the position after it when it closed
   * nothing. Rounded down. Null where the cost is not known.
   */
  avg_entry_price: string | null
  /** Closed a position or part of it; at spot: a sale. */
  is_closing: boolean
  tx_hash: string
  block_number: number
  log_index: number
  /** Time of the block. Nanoseconds. */
  created_timestamp: string
}

/** Part of `GET /trade-history`, `GET /account/{address}/trade-history`. */
export type FillsPage = {
  trade_history: Fill[]
  pagination: Pagination
}

/** The rate is per hour; funding accrues continuously. */
export type Funding = {
  /** Rate of the current hour, per hour, as a fraction. */
  funding_rate: string
  /**
   * Rate of the next hour if this one ended now: seconds without a sample count as no
   * premium.
   */
  estimated_rate: string
  /** The rate that the contract applies. */
  protocol_funding_rate: string
  /** End of the current hour. Unix milliseconds. */
  next_funding_time: number
  /** next_funding_time, as the family writes it. Nanoseconds. */
  next_epoch: string
  funding_interval_seconds: 3600
  funding_accrual: 'continuous'
  funding_update_interval_seconds: 60
}

/** Settled funding hours. */
export type FundingHistory = {
  /** One row per settled hour, oldest first. */
  funding_history: FundingRow[]
}

/** Part of `GET /trade-history`, `GET /account/{address}/trade-history`. */
export type FundingPage = {
  /** Newest first. */
  trade_history: FundingPayment[]
  /** Rows of these filters among the 500 most recent. */
  count: string
}

/** Funding of one position for one hour. */
export type FundingPayment = {
  trade_id: string
  trade_type: 'funding'
  /** Wallet of the account. Lower case. */
  account: string
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  side: Side
  /** Size of the position at the settlement. */
  amount: string
  /** The same as mark_price. */
  price: string
  /** At which the hour accrued. */
  mark_price: string
  /** Per hour. */
  funding_rate: string
  /** The same as funding_payment. */
  pnl: string
  /** Above zero when the account received. */
  funding_payment: string
  fees: '0'
  tx_hash: string
  /** Time of the block. Nanoseconds. */
  created_timestamp: string
}

/** A settled hour: market, end, rate and mark price. */
export type FundingRow = [string, string, string, string]

/** Always 200. */
export type Health = {
  status: 'ok'
  degraded: boolean
  degradedDependencies: string[]
  dependencies: {
    redis: Check
    /** Only while what this node has from the indexer is too old. */
    indexer?: {
      ok: boolean
      /**
       * A fixed word: timeout, unreachable, no_head, lagging, feed_stale, starting, or http_
       * and the status.
       */
      error?: string
    }
  }
  /** When the answer was made. Unix milliseconds. */
  timestamp: number
  /** Name of the network. */
  environment: string
  version: string
  /**
   * True while a loss in a perpetual market is more than insurance can carry: no
   * collateral leaves the perpetual engine before it is covered. Absent while the node
   * starts.
   */
  withdrawals_stopped?: boolean
  /**
   * Whether new orders are taken. coming_soon: they are refused with TRADING_NOT_LIVE;
   * cancel_only: they and edits with MAINTENANCE_MODE_ENABLED; all else works.
   */
  trading: 'live' | 'coming_soon' | 'cancel_only'
}

/** Part of `GET /index/{asset}`, `GET /index`. */
export type IndexPrice = {
  asset: string
  /** "0" for an asset that nobody knows; null when unavailable. */
  price: string | null
  /** When the oracle accepted the price; null when there is none. Nanoseconds. */
  timestamp: string | null
}

/** Part of {@link Readiness}. */
export type IndexerCheck = {
  ok: boolean
  /**
   * A fixed word: timeout, unreachable, no_head, lagging, feed_stale, starting, or http_
   * and the status.
   */
  error?: string
  /** Blocks behind the head; unknown when the indexer was only reached. */
  lag?: number | 'unknown'
}

/** A contract of the venue. */
export type InfoContract = {
  /** Where it stands, proxies and delegates included: clients call no other. Lower case. */
  address: string
  /** Name of its ABI. */
  abi: string
  /** Path of its ABI, a JSON array. */
  abi_url: string
  /** No log of it is in an earlier block. Null where this node does not know. */
  from_block: number | null
}

/** Caps on deposits of the token at one engine; null for none. */
export type InfoDeposits = {
  instrument_type: InstrumentType
  /** The engine that takes the deposit. Lower case. */
  contract: string
  /** Most of the token that the engine may hold after a deposit. */
  cap: string | null
  /**
   * How much may still be paid in. Tokens sent to the contract without a deposit take
   * room as well, and are not deducted here.
   */
  left: string | null
  /** Most that an account may hold after its deposit; SPOT: without its orders. */
  account_cap: string | null
}

/** Part of {@link InfoMessage}. */
export type InfoDomain = {
  name: string
  version: string
  chainId: number
  /** The contract that verifies; absent at the API. Lower case. */
  verifyingContract?: string
}

/** Part of {@link InfoMessage}. */
export type InfoMember = {
  name: string
  type: string
}

/** With a `message`, what signTypedData of ethers and viem and eth-account take. */
export type InfoMessage = {
  domain: InfoDomain
  /** The message, its members in the order in which they are hashed. */
  types: Record<string, InfoMember[]>
  /** Members of `domain`: `EIP712Domain` among the types of eth_signTypedData_v4. */
  domain_types: InfoMember[]
  primaryType: string
  /** Who signs it, and where the signature goes. */
  use: string
}

/** A token that is traded or is collateral. */
export type InfoToken = {
  /** The contract. Lower case. */
  address: string
  symbol: string
  name: string
  decimals: number
  /** By engine, once somebody deposited there or a cap was set. */
  deposits: InfoDeposits[]
  /** Path of the ABI of every ERC-20 token. */
  abi_url: string
}

/** Part of {@link ClosedPosition}, {@link Collateral}, {@link DepositLimit}. */
export type InstrumentType = 'SPOT' | 'PERPETUAL'

/** Part of `PATCH /api-keys/{prefix}`. */
export type KeyChange = {
  /** What its owner calls it. A sign-in pushes out keys without a name first. */
  name?: string
  /** Some of those it has. */
  scopes?: Scope[]
  /** Each within those it has. */
  ip_addresses?: string[]
  /** No later than it is. Unix seconds; a number, or its digits as text. */
  expiry?: number | string
}

/** The key that was made. */
export type KeyIssued = {
  /** The key. */
  api_key: string
  /** Never shown again. */
  api_secret: string
  /** The wallet. Lower case. */
  account: string
  /** That of the key of the request. Lower case. */
  signing_key: string
  /** How the key begins. */
  prefix: string
  /** What its owner calls it. A sign-in pushes out keys without a name first. */
  name: string
  /**
   * What it may be used for: read what is private, trade (place, replace), cancel what
   * was placed.
   */
  scopes: Scope[]
  /** Where it may be used from; empty: anywhere. */
  ip_addresses: string[]
  /** It can sign requests, so that its secret is never sent. */
  hmac: boolean
  /** When it ends. Nanoseconds. */
  expires_timestamp: string
}

/** Part of {@link ApiKeys}. */
export type KeyRelay = {
  /** The signing key. Lower case. */
  signing_key: string
  /** Unix seconds, as signed. */
  expiry: string
  /**
   * pending: not sent yet. sent: in a transaction. done: the chain took it. failed: it
   * was given up.
   */
  status: 'pending' | 'sent' | 'done' | 'failed'
  /** The newest transaction that carries it; null while there is none. */
  transaction_hash: string | null
  /** Why it failed: the error of the contract, or what kept it from being sent. */
  reason: string | null
  /** When it was asked for. Nanoseconds. */
  created_timestamp: string
  /** When its status changed last. Nanoseconds. */
  timestamp: string
}

/** The key, or the keys, are revoked. */
export type KeyRemoved = {
  success: true
  /** How many keys; with all true only. */
  revoked?: number
}

/** Part of `POST /api-keys`. */
export type KeyRequest = {
  /** What its owner calls it. A sign-in pushes out keys without a name first. */
  name: string
  /** None that the key of the request has not; by default all it has. */
  scopes?: Scope[]
  /** Each within those of the key of the request; by default the same. */
  ip_addresses?: string[]
  /**
   * No later than that of the key of the request, and by default the same. Unix seconds;
   * a number, or its digits as text.
   */
  expiry?: number | string
  /** True: it can sign requests. Refused where the venue offers none. */
  hmac?: boolean
}

/** A promise, or what became of one. */
export type LedgerEntry = {
  /** Its number; there is none without an entry. */
  seq: number
  /**
   * The EIP-712 digest; of a cancel without a signature, cancel: and its order; of
   * further transactions of one CancelAll, cancel:, its digest, and :1 and so on.
   */
  order_id: string
  kind: 'order' | 'cancel' | 'signed_cancel' | 'signed_cancel_all'
  lane: string
  /**
   * received: held. queued: promised. sent: a transaction carries it. included: on the
   * chain. refused: the chain would not. expired: its time passed. withdrawn: its owner
   * took it back.
   */
  state: 'received' | 'queued' | 'sent' | 'included' | 'refused' | 'expired' | 'withdrawn'
  /** When it came so far. Nanoseconds. */
  at_ns: string
  /** What is promised from here on; 0 while it is held. */
  include_by_block: number
  /** The transaction that carries it from here on. */
  tx_hash: string | null
  /** The block that decided. */
  block_number: number | null
  /** Why it ended: mostly the contract's error. */
  reason: string | null
  /** Of what expired: the last second in which it could be sent. Unix seconds. */
  deadline?: number
  /**
   * SHA-256 of the text of the hash before and, each on a new line, the entries since:
   * seq order_id kind lane state at_ns include_by_block tx_hash block_number reason, a
   * space between two, a dash for null. On the last entry of each commit.
   */
  hash: string | null
  receipt?: Receipt
}

/** Part of {@link Account}, {@link Leverages}. */
export type Leverage = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  /** The one that binds. */
  leverage: string
  /** The market's. */
  max_leverage: string
  margin_type: 'CROSS'
}

/** Leverage in every perpetual market. */
export type Leverages = {
  /** The wallet. Lower case. */
  account: string
  /** Of every perpetual market. */
  leverages: Leverage[]
}

/** How often something may be done, over all nodes; null where there is no limit. */
export type LimitBucket = {
  /** Points of a window. */
  limit: number
  /** Length of a window. */
  window_seconds: number
  /** Points more, now and then. */
  burst: number
  /** Points left of this window, the burst not counted. */
  remaining: number
  /** Milliseconds until the window is over. */
  reset_ms: number
}

/** What the account may still do. */
export type Limits = {
  /** The wallet. Lower case. */
  account: string
  requests: LimitBucket | null
  orders: LimitBucket | null
  cancels: LimitBucket | null
  /** Orders that the venue pays for; null: all of them. */
  order_budget: {
    /** Orders of an account that has traded nothing. */
    initial: number
    /** Orders more for each USDC traded. */
    per_usdc: string
    /** Orders that the account has earned by now. */
    allowed: number
    /**
     * Orders that the venue has taken from it. One that the chain refused counts twice, a
     * refused cancel once.
     */
    used: number
    /** At 0 it may place one order in 10 seconds; cancels always. */
    remaining: number
    /** Milliseconds until it may place an order; 0 while something remains. */
    next_order_ms: number
  } | null
  /** Orders on their way to the chain, or held for a trigger or a parent. */
  live_orders: {
    /** How many there may be. */
    limit: number
    /** How many there are. */
    used: number
  }
  /** What waits for the chain; null while nobody brings orders to it. */
  queue: {
    /** What waits, of all accounts. */
    gas: number
    /** Blocks of the venue that it takes. */
    blocks: number
    /** With more than that, orders are refused with 429. */
    blocks_max: number
    /** The part of a block that the venue uses. */
    gas_per_block: number
  } | null
}

/** It is so already. */
export type MarginAnswer = {
  success: true
}

/** A market and what it stands at. */
export type Market = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  /** instrument_id as a decimal number. */
  instrument: string
  instrument_name: string
  instrument_type: InstrumentType
  underlying_asset: string
  quote_asset: string
  /** Tick size: prices are whole multiples of it. */
  price_step: string
  /** Amounts are whole multiples of it. */
  amount_step: string
  /** Least price * amount of an order, in the quote asset. */
  min_order_value: string
  /** Greatest price * amount of an order, in the quote asset. */
  max_order_value: string
  /** Greatest notional of a position, in the quote asset. */
  max_notional_value: string
  /** Perpetuals only; omitted when unknown. */
  max_leverage?: string
  /** Null when unavailable. */
  mark_price: string | null
  /** Null when unavailable. */
  index_price: string | null
  /** Per hour, as a fraction; null for a spot market. */
  funding_rate: string | null
  /** In the base asset; null for a spot market. */
  open_interest: string | null
  /**
   * Quote amount traded from the start of the hour 23 hours ago through the current
   * hour.
   */
  volume_24h: string
  /** Fraction. Perpetuals only; null when unknown. */
  maker_fee?: string | null
  /** Fraction. Perpetuals only; null when unknown. */
  taker_fee?: string | null
  /** 18 for perpetuals. */
  base_decimals: number
  /** 18 for perpetuals. */
  quote_decimals: number
  /** False while new orders are halted, and for ever once the market has ended. */
  is_active: boolean
  /**
   * Perpetuals only. True for ever once the market has ended: it takes no order, and its
   * positions close at the final mark.
   */
  is_ended?: boolean
  /**
   * Perpetuals only. True while a loss in this market is more than insurance can carry:
   * no collateral leaves before it is covered.
   */
  withdrawals_stopped?: boolean
  /**
   * Whether new orders are taken. coming_soon: they are refused with TRADING_NOT_LIVE;
   * cancel_only: they and edits with MAINTENANCE_MODE_ENABLED; all else works.
   */
  trading: 'live' | 'coming_soon' | 'cancel_only'
}

/** Every asset that a market trades. */
export type MarketsSummary = {
  summaries: AssetSummary[]
}

/** Market-maker protection of an account on an asset. */
export type Mmp = {
  enabled: boolean
  /** Frozen: new orders with `mmp` are refused. */
  triggered: boolean
  asset?: string
  /** Seconds. */
  interval?: string
  /** Seconds; 0: until it is reset. */
  frozen?: string
  /** When it thaws by itself. Nanoseconds. */
  frozen_end_time?: string
  /** Millionths of a whole base unit. */
  amount_limit?: string
  /** Whole base units. */
  delta_limit?: string
  /** Assets with a rule. */
  assets: string[]
}

/** A notification of an account. */
export type Notification = {
  /** Unique within the account. */
  id: string
  /** Wallet of the account. Lower case. */
  account: string
  chain_id: number
  type: NotificationType
  severity: 'info' | 'warning' | 'critical'
  title: string
  message: string
  /** What it is about: order_id, instrument_name, amount, ... by its type. */
  data: Record<string, unknown>
  read: boolean
  /** When it was marked as read. Nanoseconds. */
  read_timestamp: string | null
  /** When it happened; of the chain, the time of the block. Nanoseconds. */
  created_timestamp: string
  /** The same however often it is notified. */
  dedupe_key: string
}

/** Part of {@link NotificationPreferences}. */
export type NotificationChannels = {
  /** Listed by GET /notifications. */
  in_app: boolean
  /** Pushed on the channel notifications. */
  websocket: boolean
  /** Not offered. */
  webhook: false
}

/** Part of {@link NotificationPreferences}. */
export type NotificationChoices = {
  order_filled: boolean
  order_partially_filled: boolean
  order_cancelled: boolean
  position_liquidated: boolean
  liquidation_warning: boolean
  funding_paid: boolean
  deposit_finalized: boolean
  withdraw_finalized: boolean
  transfer_received: boolean
  market_halted: boolean
  withdrawals_stopped: boolean
  withdrawals_resumed: boolean
  order_rejected: boolean
  order_expired: boolean
  order_triggered: boolean
  api_key_created: boolean
  api_key_expiring: boolean
  api_key_revoked: boolean
}

/** Which notifications are wanted, and where. It holds for what happens from then on. */
export type NotificationPreferences = {
  channels: NotificationChannels
  types: NotificationChoices
}

/** The notification as it is now. */
export type NotificationRead = {
  success: true
  notification: Notification
}

/** It is deleted. */
export type NotificationRemoved = {
  success: true
}

/** What it says. */
export type NotificationType = 'order_filled' | 'order_partially_filled' | 'order_cancelled' | 'position_liquidated' | 'liquidation_warning' | 'funding_paid' | 'deposit_finalized' | 'withdraw_finalized' | 'transfer_received' | 'market_halted' | 'withdrawals_stopped' | 'withdrawals_resumed' | 'order_rejected' | 'order_expired' | 'order_triggered' | 'api_key_created' | 'api_key_expiring' | 'api_key_revoked'

/** A page of notifications of the account. */
export type NotificationsPage = {
  /** Newest first. */
  notifications: Notification[]
  /** Of the account, whatever the filters. */
  unread_count: number
  pagination: Pagination
}

/** They are marked. */
export type NotificationsRead = {
  success: true
  /** How many were not so before. */
  updated: number
}

/**
 * Open and partially filled orders, by created_timestamp; with include=pending also
 * those before.
 */
export type OpenOrdersPage = {
  orders: Order[]
  pagination: Pagination
}

/** An order. */
export type Order = {
  /** The digest of a signed order; of any other its chain_order_id. */
  order_id: string
  /**
   * 0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain
   * has the order.
   */
  chain_order_id: string | null
  /** As its client named it. Absent without one. */
  client_order_id?: string
  /** Of an edit: order_id of the order that it replaced. */
  replaces?: string
  /** order_id of the edit that took its place. With REPLACED. */
  replaced_by?: string
  /** The wallet. Lower case. */
  account: string
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  /**
   * market: placed with order_type market, an IOC order whose price is the worst
   * acceptable one.
   */
  order_type: 'limit' | 'market'
  side: Side
  /** Limit price; of a market order the worst acceptable one. */
  price: string
  /** What was ordered, less what the contract took off it while it rested. */
  amount: string
  /** How much of it is filled. */
  filled: string
  /** amount - filled. */
  remaining: string
  /** Average price of its fills, rounded down; 0 while there are none. */
  avg_price: string
  order_status: OrderStatus
  /** GTD: good through expires_timestamp. */
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Absent when the order has no end of its own. Nanoseconds. */
  expires_timestamp?: string
  post_only: boolean
  reduce_only: boolean
  close_position: false
  /** What rests of it at its price, divided by the leverage. Perpetuals only. */
  initial_margin?: string
  /** Paid so far, in the quote asset; negative is a rebate. */
  fees: string
  self_trade_prevention: 'EXPIRE_MAKER'
  /** The contract placed it, to close a position by force. Absent for any other. */
  system_type?: 'LIQUIDATION'
  /** Null unless it was cancelled. REPLACED: by an edit. */
  cancel_reason: string | null
  /** Why it never rested or traded: a code as orders are refused with, else null. */
  reject_reason: string | null
  /** cancel_reason, where it was not the owner who cancelled. */
  error: string | null
  /** Of a rejected order: what the contract said, by its name. */
  contract_error?: string
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /** The mark that fires it. With stop. */
  trigger?: string
  /** The order whose first fill arms it, and with which it ends. */
  parent_order_id?: string
  /**
   * Of an order that ended before the chain had it: until then somebody else could still
   * send what was signed; the venue does not. Unix seconds, as signed.
   */
  valid_until?: string
  /** Transaction that placed it, or that carries it there. */
  tx_hash: string | null
  /** Block that placed it. */
  block_number: number | null
  /**
   * When the venue accepted it, by the time of the newest block; of an order that came
   * another way the time of its block. It never changes, and no fill of the order is
   * earlier. Nanoseconds.
   */
  created_timestamp: string
  /**
   * Time of the block that changed it last; created_timestamp until a block has it; when
   * it ended, where none ever had it. Nanoseconds.
   */
  timestamp: string
  /**
   * When it was filled or cancelled, or ended before the chain had it; null while it
   * lives. Nanoseconds.
   */
  closed_timestamp: string | null
}

/** Open and partially filled orders; at most 500 a side are read. */
export type OrderBook = {
  /** Best first. */
  bids: OrderBookLevel[]
  /** Best first. */
  asks: OrderBookLevel[]
  /** When the answer was made. Unix milliseconds. */
  last_updated_timestamp: number
  /** The server time in hex. It is not a checksum of the book. */
  checksum: string
}

/** Part of {@link OrderBook}. */
export type OrderBookLevel = {
  /** Raw integer: human price = price / 10^quote_decimals. */
  price: string
  /** Raw integer: human amount = amount / 10^base_decimals. */
  amount: string
  /** Number of orders in the level. */
  orders: number
}

/** A call for a wallet that sends for itself. */
export type OrderBuilt = {
  /** The engine. Lower case. */
  to: string
  /** placeSigned with the signature, or place, which the wallet sends itself. */
  data: string
  value: '0'
  chain_id: number
  /** Of the typed data: the order_id once it is sent signed. */
  digest: string
  /** What a signing key signs, as eth_signTypedData_v4 takes it. */
  typed_data: Record<string, unknown>
}

/** Filled, partially filled and cancelled orders. */
export type OrderHistory = {
  /** By created_timestamp, or as sort_by says. */
  order_history: PastOrder[]
  pagination: Pagination
}

/** What an order would do at the newest block. Nothing happens. */
export type OrderPreview = {
  /** Digest of the order, which is its id. */
  order_id: string
  /** Who signed it; null without a signature. Lower case. */
  recovered_signer: string | null
  /** The newest block, on which all of it stands. */
  block_number: number
  /** Time of the block that would have the order: a second after the newest. Nanoseconds. */
  block_time: string
  /** Whether nothing refuses it. */
  is_accepted: boolean
  /** Every rule that would refuse it. */
  refusals: FieldProblem[]
  /** By level, best first. */
  fills: PreviewFill[]
  /** As admitted: a reduce-only order is cut to what it may close. */
  amount: string
  /** How much would be filled at once. */
  filled: string
  /** How much would rest. */
  resting: string
  /** How much would be cancelled at once. */
  cancelled: string
  /** Why; null when nothing is. */
  cancel_reason: string | null
  /** Average price of the fills, rounded down; null without any. */
  avg_price: string | null
  /** Price of the last fill; null without any. */
  worst_price: string | null
  /** Of all fills, in the quote asset. */
  fees: string
  margin?: PreviewMarginChange
  balances?: PreviewBalanceChange
  /** Afterwards, negative when short; perpetuals only, null when refused. */
  position?: string | null
  /** Of that position; null without one, or when no price would do. */
  liquidation_price?: string | null
}

/**
 * An order. Flags and integers are those of the signed Order: time_in_force and
 * post_only give its timeInForce (0 GTC, 1 IOC, 2 FOK, 3 POST_ONLY), stop and side its
 * triggerKind.
 */
export type OrderRequest = {
  /** The market: its name, its 0x id, or that id as a decimal number. */
  instrument?: string | number
  /** The same under another name. */
  instrument_id?: string | number
  /** The same under another name. */
  instrument_name?: string | number
  /** The account: address of the wallet or sub-account, not that of the signing key. */
  maker: string
  /** True buys. */
  is_buy: boolean
  /**
   * Worst price, as signed: price * 10^quote_decimals of the market. Decimal digits; a
   * number is taken as well.
   */
  limit_price: string | number
  /**
   * As signed: amount * 10^base_decimals of the market. Decimal digits; a number is
   * taken as well.
   */
  amount: string | number
  /**
   * As signed. Two orders with one salt exclude each other. Decimal digits; a number is
   * taken as well.
   */
  salt: string | number
  /**
   * As signed: the last second in which the order may be sent. Unix seconds. Decimal
   * digits; a number is taken as well.
   */
  deadline: string | number
  /**
   * EIP-712 signature of the Order of GET /info by a signing key of the account, or by
   * its wallet: 65 bytes with a low s. Only a preview and a build do without.
   */
  signature?: string
  /** GTC unless given. */
  time_in_force?: 'GTC' | 'IOC' | 'FOK'
  /** With GTC only: signed as timeInForce 3, POST_ONLY. */
  post_only?: boolean
  /** Perpetuals only. */
  reduce_only?: boolean
  /**
   * With trigger. A selling STOP_LOSS and a buying TAKE_PROFIT fire at or below it
   * (signed as triggerKind 2), the other two at or above (1).
   */
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /**
   * Mark that fires the order, as signed; in the units of a price. Decimal digits; a
   * number is taken as well.
   */
  trigger?: string | number
  /**
   * As signed: the last second in which it trades, 0 for none. Unix seconds. Decimal
   * digits; a number is taken as well.
   */
  good_til?: string | number
  /** As signed: makers that it meets at most, 0 for 100. */
  max_fills?: number
  /** As signed: chain_order_id of the resting order that it replaces, in the same market. */
  replaces?: string
  /**
   * As signed, with replaces: what rested of that order when this one was signed. What
   * has left it since, filled above all, is taken off amount, so that an edit never
   * fills twice what was quoted; where nothing is left, the order is cancelled at once.
   * 0 takes nothing off. Decimal digits; a number is taken as well.
   */
  replaces_amount?: string | number
  /** Name of your own for the order. One of an account is live at a time. */
  client_order_id?: string
  /** True: market-maker protection covers it. */
  mmp?: boolean
  /**
   * order_id of the order whose first fill arms this one, and with which it is
   * cancelled.
   */
  parent_order_id?: string
  /** What the contract does; nothing else is accepted. */
  self_trade_prevention?: 'EXPIRE_MAKER'
  /** market is an IOC order; it changes nothing. */
  order_type?: 'limit' | 'market'
  /** Of the family; ignored. */
  timestamp?: unknown
  /** Of the family: the amount is signed. Accepted when empty, false or zero. */
  close_position?: unknown
  /** Of the family. Accepted when empty, false or zero. */
  partial_position?: unknown
  /**
   * Of the family: margin is isolated by a sub-account. Accepted when empty, false or
   * zero.
   */
  isolated_margin?: unknown
  /** Of the family. Accepted when empty, false or zero. */
  perps_plus?: unknown
  /** Of the family. Accepted when empty, false or zero. */
  builder_id?: unknown
  /** Of the family. Accepted when empty, false or zero. */
  builder_fee_rate?: unknown
}

/**
 * pending: accepted, and not on the chain yet; to callers with the header names of the
 * family it is opened. stop_order: held until its trigger or its parent allows it.
 */
export type OrderStatus = 'opened' | 'partial' | 'filled' | 'cancelled' | 'pending' | 'stop_order' | 'rejected' | 'expired'

/** Where the page stands in its list. */
export type Pagination = {
  /** Goes with direction=next. */
  next_cursor: string | null
  /** Goes with direction=prev. */
  prev_cursor: string | null
  has_next: boolean
  has_prev: boolean
  limit: number
  /** Rows of the whole list under the same filters. */
  total_count: number
  total_pages: number
  /**
   * There are at least total_count rows: the range of time cuts a day with very many of
   * them. Absent while exact.
   */
  total_is_exact?: false
}

/** An order that was filled, in whole or in part, or cancelled. */
export type PastOrder = {
  /** The digest of a signed order; of any other its chain_order_id. */
  order_id: string
  /**
   * 0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain
   * has the order.
   */
  chain_order_id: string | null
  /** As its client named it. Absent without one. */
  client_order_id?: string
  /** Of an edit: order_id of the order that it replaced. */
  replaces?: string
  /** order_id of the edit that took its place. With REPLACED. */
  replaced_by?: string
  /** The wallet. Lower case. */
  account: string
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  /**
   * market: placed with order_type market, an IOC order whose price is the worst
   * acceptable one.
   */
  order_type: 'limit' | 'market'
  side: Side
  /** Limit price; of a market order the worst acceptable one. */
  price: string
  /** What was ordered, less what the contract took off it while it rested. */
  amount: string
  /** How much of it is filled. */
  filled: string
  /** amount - filled. */
  remaining: string
  /** Average price of its fills, rounded down; 0 while there are none. */
  avg_price: string
  order_status: OrderStatus
  /** GTD: good through expires_timestamp. */
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Absent when the order has no end of its own. Nanoseconds. */
  expires_timestamp?: string
  post_only: boolean
  reduce_only: boolean
  close_position: false
  /** What rests of it at its price, divided by the leverage. Perpetuals only. */
  initial_margin?: string
  /** Paid so far, in the quote asset; negative is a rebate. */
  fees: string
  self_trade_prevention: 'EXPIRE_MAKER'
  /** The contract placed it, to close a position by force. Absent for any other. */
  system_type?: 'LIQUIDATION'
  /** Null unless it was cancelled. REPLACED: by an edit. */
  cancel_reason: string | null
  /** Why it never rested or traded: a code as orders are refused with, else null. */
  reject_reason: string | null
  /** cancel_reason, where it was not the owner who cancelled. */
  error: string | null
  /** Of a rejected order: what the contract said, by its name. */
  contract_error?: string
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /** The mark that fires it. With stop. */
  trigger?: string
  /** The order whose first fill arms it, and with which it ends. */
  parent_order_id?: string
  /**
   * Of an order that ended before the chain had it: until then somebody else could still
   * send what was signed; the venue does not. Unix seconds, as signed.
   */
  valid_until?: string
  /** Transaction that placed it, or that carries it there. */
  tx_hash: string | null
  /** Block that placed it. */
  block_number: number | null
  /**
   * When the venue accepted it, by the time of the newest block; of an order that came
   * another way the time of its block. It never changes, and no fill of the order is
   * earlier. Nanoseconds.
   */
  created_timestamp: string
  /**
   * Time of the block that changed it last; created_timestamp until a block has it; when
   * it ended, where none ever had it. Nanoseconds.
   */
  timestamp: string
  /**
   * When it was filled or cancelled, or ended before the chain had it; null while it
   * lives. Nanoseconds.
   */
  closed_timestamp: string | null
}

/** A perpetual position. */
export type PerpetualPosition = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: 'PERPETUAL'
  /** The underlying. */
  asset: string
  /** Size, never negative: side has the direction. */
  amount: string
  side: Side
  /** Null when unavailable. */
  mark_price: string | null
  /** Null when unavailable. */
  index_price: string | null
  /** What the position cost, per unit; rounded down. */
  avg_entry_price: string
  /** At the mark price, without funding. */
  unrealized_pnl: string | null
  /** Of this cycle, from flat on, before fees and funding. */
  realized_pnl: string
  /** amount at the mark price. */
  notional_value: string | null
  /** What it asks for with its resting orders. */
  initial_margin: string | null
  /** What it asks for to be kept. */
  maintenance_margin: string | null
  margin_type: 'CROSS'
  /** The one that binds. */
  leverage: string
  /** Null when no price would liquidate. */
  liquidation_price: string | null
  /** Of this cycle; positive is in the holder's favour. */
  accumulated_funding: string
  /** Accrued since; positive is in the holder's favour. */
  pending_funding_fee: string
  /** Time at which the cycle began. Nanoseconds. */
  opened_timestamp: string
  /** Time of its last fill. Nanoseconds. */
  updated_timestamp: string
}

/** Absent when the asset has no perpetual. */
export type PerpetualSummary = {
  instrument_id: string
  instrument_name: string
  /** Null when unavailable. */
  mark_price: string | null
  /** Price of the last trade; null before the first. */
  last_price: string | null
  /** As in the market object, in the quote asset. */
  volume_24h: string
  /** Per hour, as a fraction. */
  funding_rate: string | null
  /** In the base asset. */
  open_interest: string
  /** Omitted when unknown. */
  max_leverage?: string
}

/** An order that the venue has accepted, and its receipt. */
export type PlacedOrder = {
  /** The digest of a signed order; of any other its chain_order_id. */
  order_id: string
  /**
   * 0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain
   * has the order.
   */
  chain_order_id: string | null
  /** As its client named it. Absent without one. */
  client_order_id?: string
  /** Of an edit: order_id of the order that it replaced. */
  replaces?: string
  /** order_id of the edit that took its place. With REPLACED. */
  replaced_by?: string
  /** The wallet. Lower case. */
  account: string
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  /**
   * market: placed with order_type market, an IOC order whose price is the worst
   * acceptable one.
   */
  order_type: 'limit' | 'market'
  side: Side
  /** Limit price; of a market order the worst acceptable one. */
  price: string
  /** What was ordered, less what the contract took off it while it rested. */
  amount: string
  /** How much of it is filled. */
  filled: string
  /** amount - filled. */
  remaining: string
  /** Average price of its fills, rounded down; 0 while there are none. */
  avg_price: string
  order_status: OrderStatus
  /** GTD: good through expires_timestamp. */
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Absent when the order has no end of its own. Nanoseconds. */
  expires_timestamp?: string
  post_only: boolean
  reduce_only: boolean
  close_position: false
  /** What rests of it at its price, divided by the leverage. Perpetuals only. */
  initial_margin?: string
  /** Paid so far, in the quote asset; negative is a rebate. */
  fees: string
  self_trade_prevention: 'EXPIRE_MAKER'
  /** The contract placed it, to close a position by force. Absent for any other. */
  system_type?: 'LIQUIDATION'
  /** Null unless it was cancelled. REPLACED: by an edit. */
  cancel_reason: string | null
  /** Why it never rested or traded: a code as orders are refused with, else null. */
  reject_reason: string | null
  /** cancel_reason, where it was not the owner who cancelled. */
  error: string | null
  /** Of a rejected order: what the contract said, by its name. */
  contract_error?: string
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /** The mark that fires it. With stop. */
  trigger?: string
  /** The order whose first fill arms it, and with which it ends. */
  parent_order_id?: string
  /**
   * Of an order that ended before the chain had it: until then somebody else could still
   * send what was signed; the venue does not. Unix seconds, as signed.
   */
  valid_until?: string
  /** Transaction that placed it, or that carries it there. */
  tx_hash: string | null
  /** Block that placed it. */
  block_number: number | null
  /**
   * When the venue accepted it, by the time of the newest block; of an order that came
   * another way the time of its block. It never changes, and no fill of the order is
   * earlier. Nanoseconds.
   */
  created_timestamp: string
  /**
   * Time of the block that changed it last; created_timestamp until a block has it; when
   * it ended, where none ever had it. Nanoseconds.
   */
  timestamp: string
  /**
   * When it was filled or cancelled, or ended before the chain had it; null while it
   * lives. Nanoseconds.
   */
  closed_timestamp: string | null
  receipt: Receipt
}

/** An account at a glance. */
export type Portfolio = {
  /** The wallet. Lower case. */
  account: string
  /** Margin collateral, before profit and loss; 18 decimals. */
  balance: string
  /** realized_pnl + unrealized_pnl; null while a mark is missing. */
  pnl: string | null
  /** Ever made in perpetuals, less fees, with settled funding. */
  realized_pnl: string
  /** Of the perpetual positions at mark prices. Null when one is missing. */
  unrealized_pnl: string | null
  /**
   * What closed positions won by what others lost, net, of the newest 1000; null while
   * none lost.
   */
  profit_factor: string | null
  /** The part of the same positions that won, as a fraction; null while there are none. */
  win_rate: string | null
  /** Not computed: deposits would pass for returns. */
  sharpe_ratio: null
  /** By asset; those with a position. */
  greeks: AssetGreeks[]
  user_margin: UserMargin
  /** Spot tokens by symbol, then margin: a reader by symbol ends with the margin. */
  collaterals: Collateral[]
}

/** Part of {@link Account}, {@link PositionsPage}. */
export type Position = PerpetualPosition | SpotPosition

/** Closed perpetual positions, one row per cycle, by the time they closed. */
export type PositionHistory = {
  position_history: ClosedPosition[]
  pagination: Pagination
}

/** Perpetual positions and spot holdings, in the order in which markets were listed. */
export type PositionsPage = {
  /** The wallet. Lower case. */
  account: string
  positions: Position[]
  pagination: Pagination
}

/** Spot only. `after` is null when the contract refuses the order. */
export type PreviewBalanceChange = {
  before: PreviewBalances
  after: PreviewBalances | null
}

/** Part of {@link PreviewBalanceChange}. */
export type PreviewBalances = {
  /** Free, in the base asset. */
  base: string
  /** Free, in the quote asset. */
  quote: string
}

/** Part of {@link OrderPreview}. */
export type PreviewFill = {
  /** Price of the level. */
  price: string
  /** How much of it is filled. */
  amount: string
  /** Resting orders that it meets there. */
  orders: number
  /** Fees of it, in the quote asset. */
  fees: string
}

/** Part of {@link PreviewMarginChange}. */
export type PreviewMargin = {
  /** Collateral and profit or loss. */
  equity: string
  /** Of positions and orders. */
  initial_margin: string
  /** Of positions. */
  maintenance_margin: string
  /** What further orders may use. */
  available_margin: string
}

/** Perpetuals only. `after` is null when the contract refuses the order. */
export type PreviewMarginChange = {
  before: PreviewMargin
  after: PreviewMargin | null
}

/** Prices over time: by the minute for two days, by the hour for 400 days. */
export type PriceHistory = {
  /** Oldest first. Periods in which no price came have no row. */
  history: PricePoint[]
}

/** A period and its last price. */
export type PricePoint = [string, string]

/** A refused request. */
export type Problem = {
  /** The code of the refusal. */
  error: string
  message: string
  /** What was wrong, field by field. */
  details?: FieldProblem[]
  /** Also the header X-Request-Id. */
  request_id: string
  /** How long to wait. Only with 429 and 503. Nanoseconds. */
  retry_after?: string
  /** Charting endpoints only. */
  s?: 'error'
  /** Charting endpoints only. */
  errmsg?: string
}

/**
 * What is behind the refusal of an order: raw where the body is, all else decimal
 * text.
 */
export type ProblemFacts = {
  /** Of the field: it is a multiple of it. Raw. */
  step?: string
  /** The nearest legal value below, or the least. Raw. */
  lower?: string
  /** The nearest legal value above, or the largest. Raw. */
  upper?: string
  /** How much of the market may still be ordered. */
  room?: string
  /** Of the account. */
  equity?: string
  /** Margin that the order asks for. */
  required?: string
  /** required - equity. */
  shortfall?: string
  /** Balance that no order holds. */
  free?: string
  /** Balance that the order takes. */
  needed?: string
  /** Best opposite price. */
  best_price?: string
  /** Amount that would be filled. */
  fillable?: string
  /** Position of the account, negative when short. */
  position?: string
  /** The mark. */
  mark_price?: string
  /** The other order. */
  order_id?: string
  /** Its last known status. */
  order_status?: string
  /** Time of the newest block, Unix seconds. */
  block_time?: string
  /** Name of the error of the contract. */
  contract_error?: string
  /** Least legal value or price. */
  minimum?: string
  /** Largest legal value or price. */
  maximum?: string
}

/** What the dependencies said. */
export type Readiness = {
  status: 'ready' | 'not_ready'
  checks: {
    redis: Check
    rpc: RpcCheck
    indexer: IndexerCheck
  }
  /**
   * What its work shows of it: the oldest index price that a perpetual market trades by.
   * The keeper pushes them every second. It does not count for the status. Absent
   * without such a market.
   */
  keeper?: {
    /** Whose index price is the oldest. */
    asset: string
    /** Of that price; null: there is none yet. Unix seconds. */
    index_price_time: number | null
    index_price_age_ms: number | null
  }
  /** Only while the venue starts: what is not there yet, in words. */
  awaiting?: string
  /** When the dependencies were asked. Unix milliseconds. */
  timestamp: number
}

/**
 * What the venue promises, signed: by when an order is on the chain, and in which
 * place.
 */
export type Receipt = {
  /** What is promised: the EIP-712 digest of what was signed. */
  order_id: string
  /** When it was accepted; of an order that was held, when it was let go. Nanoseconds. */
  received_ns: string
  /** Its place among all that was accepted: a number of the ledger. */
  seq: number
  /** Which of the lanes of GET /relay carries it. */
  lane: string
  /**
   * The last block in which it is on the chain, or refused. 0 while it is held: until
   * its trigger is met, or its parent fills. The ledger then has the receipt of its
   * promise.
   */
  include_by_block: number
  /** EIP-712 signature of Receipt by the receipt key of GET /relay. */
  signature: string
}

/** Codes that a refusal has. */
export type RefusalCode = import('./codes.ts').RefusalCode

/** An order of a batch that was refused, as it would be alone. */
export type RefusedOrder = {
  /** The code of the refusal. */
  error: string
  message: string
  /** What was wrong, field by field, as in every refusal. */
  details?: (Record<string, unknown>)[]
  request_id: string
  /** How long to wait. Nanoseconds. */
  retry_after?: string
}

/**
 * The domain of Register and SignKey has name, version "1" and chainId; that of
 * RegisterKey and AcceptKey also verifyingContract, the contract of accounts, which
 * publishes them. A pair of the first two makes one API key.
 */
export type RegisterRequest = {
  /** The wallet. In any case. */
  account: string
  /** The signing key that was made for it. In any case. */
  signing_key: string
  /**
   * Unix seconds, as signed, up to 2^256 - 1; a number, or its digits as text. The API
   * key lives until then, but no longer than the operator allows (30 days); in the past,
   * 60 seconds.
   */
  expiry: number | string
  /**
   * EIP-712 signature of Register(address key,uint256 expiry) by the wallet: ECDSA,
   * EIP-1271, or EIP-6492. 0x may be left out.
   */
  account_signature: string
  /**
   * EIP-712 signature of SignKey(address account) by the signing key: ECDSA. 0x may be
   * left out.
   */
  signing_key_signature: string
  referral_code?: string
  /** Needed where accounts register by invitation, the first time. */
  invite_code?: string
  /** True: no new API key when the account has a live one. */
  no_api_key?: boolean
  /**
   * True: the new API key can also sign requests, so that its secret need not be sent.
   * Refused where the venue keeps no secrets.
   */
  hmac?: boolean
  /**
   * True: the key is also registered with the contract of accounts, with the two
   * signatures below, so that it can sign orders. The expiry must be in the future; the
   * contract cuts it to 30 days from then. What the contract would refuse is refused at
   * once, and nothing is registered.
   */
  on_chain?: boolean
  /**
   * With on_chain: EIP-712 signature of RegisterKey(address account,address key,uint256
   * expiry) by the wallet, or by the owner of the sub-account: ECDSA or EIP-1271. 0x may
   * be left out.
   */
  chain_account_signature?: string
  /**
   * With on_chain: EIP-712 signature of AcceptKey(address account,address key,uint256
   * expiry) by the signing key: ECDSA. 0x may be left out.
   */
  chain_signing_key_signature?: string
}

/** What was registered, and the key that was issued. */
export type Registered = {
  /** Absent: a live key was kept. */
  api_key?: string
  /** Never shown again. */
  api_secret?: string
  /** The wallet. Lower case. */
  account: string
  /** The signing key. Lower case. */
  signing_key: string
  on_chain?: RelayState
}

/** Who brings orders to the chain, and by what rules. */
export type Relay = {
  /**
   * Signs receipts and heads of the ledger. Null: this node accepts no orders. Lower
   * case.
   */
  receipt_key: string | null
  typed_data: {
    Receipt: InfoMessage
    LedgerHead: InfoMessage
  }
  /**
   * The wallet that accounts allow to cancel; null before there was a relayer. Lower
   * case.
   */
  canceller: string | null
  lanes: RelayLane[]
  rules: RelayRules
  /** How the relayer is. */
  status: {
    /** False: the relayer has said nothing for ten seconds; orders wait. */
    is_live: boolean
    /** When it last said how it is. Unix milliseconds. */
    updated_ms: number
    /** The newest block that it knew of. */
    block: number
    /** From block to block of late, milliseconds. */
    block_ms: number
    /** The relayer's share of a block. */
    gas_per_block: number
    orders_per_transaction: number
    /** The most that a transaction of several orders counts. */
    gas_per_transaction: number
    /** What waits for a block in all lanes, as the 429 says it. */
    queue: {
      /** What waits. */
      gas: number
      blocks: number
    }
  } | null
  /** Path of the ledger. */
  ledger: string
}

/** Orders of a market keep to one lane, cancels have one of their own. */
export type RelayLane = {
  name: string
  /** Its wallet: the nonces of its transactions are the order of the lane. Lower case. */
  address: string
  /** False: it can pay for nothing, and takes nothing. */
  is_funded: boolean
  /** What waits for a transaction. */
  queued: number
  /** What waits for a block. */
  sent: number
  /** What both will most likely take. */
  gas: number
}

/** Every promise and what became of it, without a gap. */
export type RelayLedger = {
  entries: LedgerEntry[]
  /** From this number on nothing is gone. */
  from_seq: number
  /** from_seq of the next page; null at the end. */
  next_seq: number | null
  /**
   * The newest entry that is shown: all before it are in its hash. Null while there is
   * none.
   */
  head: {
    seq: number
    hash: string
    /** EIP-712 signature of LedgerHead by the receipt key; null without one. */
    signature: string | null
  } | null
}

/** By what rules orders are brought to the chain. */
export type RelayRules = {
  /** How include_by_block is made. */
  promise: string
  /** Blocks after the newest one, with no queue. */
  promised_blocks: number
  /** When a transaction is made. */
  window: string
  /** The order inside of a transaction, first to last; by arrival in each. */
  order: string[]
  /** The order of the transactions of a lane. */
  lanes: string
  /** More gas than that of so many blocks does not wait: 429 with Retry-After. */
  queue_blocks_max: number
  /** What counts in blocks, queues and budgets, as measured. */
  gas: {
    /** At a spot market. */
    spot: {
      /** An order, one of ten in a transaction. */
      place: number
      /** Each maker that it meets. */
      fill: number
      /** Each other perpetual position of the account. */
      position: number
    }
    /** At a perpetual market. */
    perpetual: {
      /** An order, one of ten in a transaction. */
      place: number
      /** Each maker that it meets. */
      fill: number
      /** Each other perpetual position of the account. */
      position: number
    }
    /** A cancel by the canceller, one of ten. */
    cancel: number
    /** A signed cancel. */
    signed_cancel: number
    /** Each order that a signed cancel names. */
    cancelled_order: number
  }
  /** What the ledger shows, and how its hashes are made. */
  ledger: string
  /** Entries are shown once they are so old. */
  ledger_delay_ms: number
  /** What has ended is kept so long at least. */
  ledger_kept_ms: number
}

/** Only when it was asked for. GET /api-keys says how it goes on. */
export type RelayState = {
  /**
   * pending: not sent yet. sent: in a transaction. done: the chain took it. failed: it
   * was given up.
   */
  status: 'pending' | 'sent' | 'done' | 'failed'
  /** The newest transaction that carries it; null while there is none. */
  transaction_hash: string | null
}

/**
 * What may help. wait: the same request, after retry_after of the answer
 * (Retry-After); backoff: the same request, after growing pauses of your own; act: the
 * same request, once what `action` says is done; change: another request alone.
 */
export type Retry = 'wait' | 'backoff' | 'act' | 'change'

/** Part of {@link Readiness}. */
export type RpcCheck = {
  ok: boolean
  /**
   * A fixed word: timeout, unreachable, no_head, lagging, feed_stale, starting, or http_
   * and the status.
   */
  error?: string
  /** Its newest block. */
  head?: number
}

/** It is done. */
export type SafeguardDone = {
  success: true
}

/** Part of {@link ApiKey}, {@link KeyChange}, {@link KeyIssued}. */
export type Scope = 'read' | 'trade' | 'cancel'

/** Part of {@link ClosedPosition}, {@link Fill}, {@link FundingPayment}. */
export type Side = 'buy' | 'sell'

/** Tokens held for a spot market. */
export type SpotPosition = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: 'SPOT'
  /** The underlying. */
  asset: string
  /** Balance of the base token, locked_amount included. */
  amount: string
  side: 'buy'
  /** Null when unavailable. */
  mark_price: string | null
  /** Null when unavailable. */
  index_price: string | null
  /** Average cost of purchases, rounded down; null unless they explain the balance. */
  avg_entry_price: string | null
  /** Value at the mark price less cost. */
  unrealized_pnl: string | null
  /** Made by sales since the holding began. */
  realized_pnl: string | null
  /** amount at the mark price, rounded down. */
  notional_value: string | null
  /** Tied up in resting orders. */
  locked_amount: string
  /** First purchase; null when nothing was bought here. Nanoseconds. */
  opened_timestamp: string | null
  /** Last trade; null when nothing was bought here. Nanoseconds. */
  updated_timestamp: string | null
}

/** Part of {@link AccountDay}, {@link AccountPeriod}. */
export type SpotStatistics = {
  quote_asset: string
  /** Quote amount traded. */
  volume: string
  /** Made by sales over the average cost; spot trades have no fees. */
  pnl: string
  trades: number
}

/** Absent when the asset has no spot market. */
export type SpotSummary = {
  instrument_id: string
  instrument_name: string
  /** Null when unavailable. */
  mark_price: string | null
  /** Price of the last trade; null before the first. */
  last_price: string | null
  /** As in the market object, in the quote asset. */
  volume_24h: string
}

/** Statistics of a market. What cannot be known now is null. */
export type Statistics = {
  /** The underlying. */
  asset: string | null
  instrument_id: string | null
  instrument_name: string | null
  instrument_type: InstrumentType | null
  /** Quote amount traded in the 24 clock hours up to now. */
  daily_volume: string
  /** The part of daily_volume in which the taker bought. */
  daily_buy_volume: string
  /** The part of daily_volume in which the taker sold. */
  daily_sell_volume: string
  /** Base amount traded in the same hours. */
  daily_volume_contracts: string
  daily_trades: number
  /** Quote amount traded since the market was listed. */
  total_volume: string
  /** Base amount traded since the market was listed. */
  total_volume_contracts: string
  /** In base amounts. Null for a spot market. */
  open_interest: {
    /** Sum of the long positions, which equals that of the short ones. */
    total: string | null
    /** Sum of the long positions. */
    long: string | null
    /** Sum of the short positions. */
    short: string | null
  }
  /** Newest price of the oracle. */
  index_price: string | null
  /** Index price 24 hours ago. */
  index_price_24h_ago: string | null
  /** index_price - index_price_24h_ago. */
  index_daily_change: string | null
  /** Mark price. */
  mark_price: string | null
  /** Mark price 24 hours ago. */
  mark_price_24h_ago: string | null
  /** mark_price - mark_price_24h_ago. */
  mark_daily_change: string | null
  /** The same in percent of the older price, cut to 8 decimals. */
  mark_daily_change_pct: string | null
  /** Price of the last trade. */
  last_price: string | null
  /** Highest price traded in the 24 clock hours up to now. */
  high_24h: string | null
  /** Lowest price traded in the same hours. */
  low_24h: string | null
  best_bid: BestLevel | null
  best_ask: BestLevel | null
  /** Of this hour, per hour, as a fraction. Null for a spot market. */
  funding_rate: string | null
  /** Mean hourly rate of the funding hours settled in 24 hours. */
  funding_daily_avg: string | null
  /** When this funding hour ends. Nanoseconds. */
  next_funding_rate_timestamp: string | null
  funding_interval_seconds: number | null
}

/** Orders with a trigger: held, on their way, on the chain, and ended. */
export type StopOrders = {
  /** By the time they were accepted; those that ended are kept for some days. */
  order_history: Order[]
  pagination: Pagination
}

/** Part of {@link Tickers}. */
export type Ticker = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  /** Per hour, as a fraction; null for a spot market. */
  funding_rate: string | null
  /** Of the next hour, as sampled so far. */
  next_funding_rate: string | null
  mark: {
    /** Null when unavailable. */
    price: string | null
  }
  index: {
    /** Null when unavailable. */
    price: string | null
  }
  bid: {
    /** Human units. */
    price: string
    /** Base amount resting there. */
    amount: string
  } | null
  ask: {
    /** Human units. */
    price: string
    /** Base amount resting there. */
    amount: string
  } | null
  /** Of the last trade. */
  last_price: string | null
  /** In the base asset; null for a spot market. */
  open_interest: string | null
  /** Quote amount traded in the 24 clock hours up to now. */
  volume_24h: string
  /** Highest price traded in the 24 clock hours up to now. */
  high_24h: string | null
  /** Lowest price traded in the same hours. */
  low_24h: string | null
  /** Mark price 24 hours ago. */
  mark_price_24h_ago: string | null
  /** Mark price less that of 24 hours ago. */
  mark_daily_change: string | null
  /** The same in percent of the older price, cut to 8 decimals. */
  mark_daily_change_pct: string | null
}

/** All markets at once, as the ticker channels have them, with the change of a day. */
export type Tickers = {
  /** Time of the block. Nanoseconds. */
  timestamp: string
  /** In order of listing. */
  tickers: Ticker[]
}

/** Server time. */
export type Time = {
  /** Server time. Nanoseconds. */
  time: string
}

/** Part of `GET /markets/{instrument_id}/trades`. */
export type Trade = {
  /** <block>-<logIndex>; text order is chain order. */
  trade_id: string
  tx_hash: string
  instrument_name: string
  is_buyer_taker: boolean
  side: Side
  trade_type: 'trade'
  /** Time of the block. Unix seconds. */
  created_timestamp: number
  /** Human units. */
  price: string
  /** Human units. */
  amount: string
  fees: '0'
}

/** Recent trades, newest first. */
export type TradeHistory = {
  /** Number of the trades given. */
  count: string
  /** Newest first. */
  trade_history: TradeHistoryItem[]
}

/** Part of {@link TradeHistory}. */
export type TradeHistoryItem = {
  /** <block>-<logIndex>; text order is chain order. */
  trade_id: string
  tx_hash: string
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  side: Side
  /** Human units. */
  price: string
  /** Human units. */
  amount: string
  /** Time of the block. Nanoseconds. */
  created_timestamp: string
}

/** Tokens that came, went or changed hands. */
export type Transaction = {
  /** Wallet of the account. Lower case. */
  account: string
  tx_type: 'deposit' | 'withdraw' | 'send' | 'receive'
  tx_status: 'finalized'
  /** The token. Lower case. */
  collateral: string
  /** Symbol of the token. */
  collateral_asset: string
  /** Name of the token. */
  collateral_name: string
  /** Of the token. */
  decimals: number
  /** Human units. */
  amount: string
  /** Wallet of the other account of a send or receive. Lower case. */
  counter_party: string | null
  /** Where a withdrawal went. Lower case. */
  recipient: string | null
  tx_hash: string
  l1_tx_hash: null
  /** The same as tx_hash. */
  l2_tx_hash: string
  chain_id: number
  block_number: number
  /** Time of the block. Nanoseconds. */
  initiated_timestamp: string
  /** Time of the block. Nanoseconds. */
  finalized_timestamp: string
}

/** Deposits, withdrawals and transfers, newest first unless asked otherwise. */
export type TransactionHistory = {
  transaction_history: Transaction[]
  /** limit + offset: the size of the window that was read, not the total. */
  count: string
}

/** How many are not read. */
export type UnreadCount = {
  unread_count: number
}

/** Part of {@link Portfolio}. */
export type UserMargin = {
  /** Initial margin. Null while a mark is missing. */
  used: string | null
  /** Equity. Null while a mark is missing. */
  balance: string | null
}

/** What a program in any language needs to begin. Paths are below the URL of this host. */
export type VenueInfo = {
  name: 'openvenue'
  /** Of the build. */
  version: string
  network: {
    /** Name of the network. */
    name: string
    chain_id: number
    /**
     * Whether new orders are taken. coming_soon: they are refused with TRADING_NOT_LIVE;
     * cancel_only: they and edits with MAINTENANCE_MODE_ENABLED; all else works.
     */
    trading: 'live' | 'coming_soon' | 'cancel_only'
    /** Nodes of the chain that anybody may ask; empty where the operator names none. */
    rpc_urls: string[]
    /** Block explorer; null where there is none. */
    explorer_url: string | null
    /** Where test money is given; null where there is none. */
    faucet_url: string | null
    /** What gas is paid in. */
    currency: {
      symbol: string
      decimals: number
    }
    /** A transaction that offers less for a unit of gas is not taken. */
    fee_floor_wei: string
    /** Offered beyond the base fee. */
    tip_wei: string
  }
  /**
   * What clients call. A member is absent where the venue has none, or this node does
   * not know it.
   */
  contracts: {
    accounts?: InfoContract
    spot?: InfoContract
    perps?: InfoContract
    lens?: InfoContract
    governance?: InfoContract
    treasury?: InfoContract
    /** Those that the engines read; empty where this node does not know them. */
    oracles: InfoContract[]
  }
  typed_data: {
    /** Signed for POST /register: the domain has no contract. */
    api: {
      Register: InfoMessage
      RegisterFor: InfoMessage
      SignKey: InfoMessage
    }
    /**
     * Signed for the contract of accounts. Absent where this node does not know the
     * contract.
     */
    accounts?: {
      RegisterKey: InfoMessage
      AcceptKey: InfoMessage
      AllowCanceller: InfoMessage
    }
    /** Signed for the spot engine. Absent where this node does not know the contract. */
    spot?: {
      Order: InfoMessage
      Cancel: InfoMessage
      CancelAll: InfoMessage
      Burn: InfoMessage
    }
    /** Signed for the perpetual engine. Absent where this node does not know the contract. */
    perps?: {
      Order: InfoMessage
      Cancel: InfoMessage
      CancelAll: InfoMessage
      Burn: InfoMessage
    }
  }
  /** Tokens that the indexer knows. */
  tokens: InfoToken[]
  /** What the integers of the contracts mean. */
  units: {
    tick: string
    lots: string
    limitPrice: string
    amount: string
    market: string
    token: string
    time: string
  }
  sockets: {
    /** Path of plain WebSocket. */
    websocket: string
    /** Path of Socket.IO. */
    socket_io: string
  }
  documents: {
    /** Path of the description of REST. */
    openapi: string
    /** Path of the description of the sockets. */
    asyncapi: string
    /** Path of the page about REST. */
    docs: string
    /** Path of the page about the sockets. */
    sockets: string
    /** Path of the catalogue of error codes. */
    errors: string
    /** Path of the list of all pages as Markdown, for programs that read (llms.txt). */
    llms: string
    /** Path of the workflow from a wallet to a fill (Arazzo). */
    arazzo: string
    /** Path of a collection of all requests (Postman). */
    postman: string
    /** Path of who brings orders to the chain, by what rules, and where the ledger is. */
    relay: string
  }
}

/** The build, the runtime and the network. */
export type Version = {
  version: string
  node: string
  environment: string
  /**
   * Whether new orders are taken. coming_soon: they are refused with TRADING_NOT_LIVE;
   * cancel_only: they and edits with MAINTENANCE_MODE_ENABLED; all else works.
   */
  trading: 'live' | 'coming_soon' | 'cancel_only'
}
