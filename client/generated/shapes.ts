// Lists the shapes of the interface.
// Generated from the schemas of the server: npx node client/scripts/generate.ts

/** An account at one block. */
export type Account = {
  /** The wallet. Lower case. */
  account: string
  /**
   * At the perpetual engine, at the answer's block. Null while the mark of any market
   * with a position or order is unknown.
   */
  equity: string | null
  /**
   * Equity above initial margin, at least 0. Null while the mark of any market with a
   * position or order is unknown.
   */
  available_balance: string | null
  /** Margin collateral, before profit and loss; 18 decimals. */
  balance: string
  /** Spot tokens by symbol, then margin: a map by symbol keeps the margin. */
  collaterals: Collateral[]
  /** Same items as in /positions. */
  positions: Position[]
  /** Fees of every market. */
  fee_structures: FeeStructure[]
  /** Null while the mark of any market with a position or order is unknown. */
  initial_margin: string | null
  /** Null while the mark of any market with a position or order is unknown. */
  maintenance_margin: string | null
  in_liquidation: false
  /** Equity is below maintenance margin; null when unknown. */
  liquidatable: boolean | null
  /** Leverage in every perpetual market. */
  leverages: Leverage[]
  /** Realised by the open perpetual positions, before fees and funding. */
  realized_pnl: string
  /** Total of the perpetual positions at mark prices. Null when one is missing. */
  unrealized_pnl: string | null
  /** USD of the spot tokens at index prices; null without one. */
  spot_value: string | null
  /** equity + spot_value. */
  total_value: string | null
  /**
   * Empty if accounts have no cap and for the venue's own accounts. Venue-wide caps: GET
   * /info.
   */
  deposit_limits: DepositLimit[]
  /**
   * True while a loss in a perpetual market is more than insurance can carry: no
   * collateral leaves the perpetual engine before it is covered.
   */
  withdrawals_stopped: boolean
}

/** Trading of the account on one day. */
export type AccountDay = {
  /** The day (UTC), such as 2026-01-31. */
  date: string
  /** Null: accounts are not ranked. */
  ranking: string | null
  /** There are no options. */
  options_volume: '0'
  /** Quote amount traded in perpetuals. */
  perp_volume: string
  /** realized_pnl - fees + funding. */
  pnl: string
  /** Null: accounts have no user names. */
  username: string | null
  /** Profit of closed perpetual positions, before fees and funding. */
  realized_pnl: string
  /** Paid in perpetuals, including forced closes; negative for a rebate. */
  fees: string
  /** Settled; positive when the account received. */
  funding: string
  /** Fills in perpetuals. */
  perp_trades: number
  /** Statistics by quote asset. */
  spot: SpotStatistics[]
}

/** Trading of the account in perpetuals and at spot. */
export type AccountPeriod = {
  /** Null: accounts are not ranked. */
  ranking: string | null
  /** There are no options. */
  options_volume: '0'
  /** Quote amount traded in perpetuals. */
  perp_volume: string
  /** realized_pnl - fees + funding. */
  pnl: string
  /** Null: accounts have no user names. */
  username: string | null
  /** Profit of closed perpetual positions, before fees and funding. */
  realized_pnl: string
  /** Paid in perpetuals, including forced closes; negative for a rebate. */
  fees: string
  /** Settled; positive when the account received. */
  funding: string
  /** Fills in perpetuals. */
  perp_trades: number
  /** Statistics by quote asset. */
  spot: SpotStatistics[]
}

/** Since the start of today (UTC), since 6 and 29 days before, and in total. */
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
  /** With the parameter days: each day with trades or settlements, oldest first. */
  days?: AccountDay[]
}

/** Part of {@link AccumulatedFundings}. */
export type AccumulatedFunding = {
  instrument_id: string
  /** Settled in this cycle. */
  accumulated_funding: string
  /** Accrued since. */
  pending_funding_fee: string
  /** Sum of both. */
  total_funding_fee: string
}

/** Funding of open perpetual positions; positive in the holder's favour. */
export type AccumulatedFundings = {
  /** The wallet. Lower case. */
  account: string
  accumulated_fundings: AccumulatedFunding[]
}

/** An active key of the account. */
export type ApiKey = {
  /** Prefix of the key. */
  prefix: string
  /** Null for an unnamed key from a sign-in. */
  name: string | null
  /** Scopes of the key: read private data, trade (place, replace), cancel orders. */
  scopes: Scope[]
  /** Addresses the key may be used from; empty for any. */
  ip_addresses: string[]
  /** The key can sign requests, so that its secret is never sent. */
  hmac: boolean
  /** The signing key that it was issued for. Lower case. */
  signing_key: string
  /** Time of issue. Nanoseconds. */
  created_timestamp: string
  /** Expiry time. Nanoseconds. */
  expires_timestamp: string
  /** Last use, to about a minute; null if never. Nanoseconds. */
  last_used_timestamp: string | null
  /** True for the key of this request. */
  is_current: boolean
}

/** Active keys of the account. */
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
  /** Net amount of the perpetual positions; negative when short. */
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

/** Unix seconds and the equity at that time. */
export type BalancePoint = [number, string]

/** Result of a batch; a rejected order does not affect the others. */
export type BatchAnswer = {
  /** True if every order was accepted. */
  success: boolean
  /** Result of each order, in the order given. */
  results: (PlacedOrder | RefusedOrder)[]
}

/** Orders of any markets and sides. */
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

/** An armed timer, or null after it was disarmed. */
export type CancelAfterAnswer = {
  success: true
  /** Time of the cancels unless the timer is restarted. Nanoseconds. */
  trigger_time: string | null
}

/** Selects the orders; without members, all. Query parameters are equivalent. */
export type CancelAllRequest = {
  /** Only orders of this asset, in any case. */
  asset?: string
  instrument_type?: 'SPOT' | 'PERPETUAL'
}

/** Cancel-on-disconnect setting of the account. */
export type CancelOnDisconnect = {
  enabled: boolean
}

/** Ids, or a filter, or confirm. Query parameters are equivalent. */
export type CancelOrdersRequest = {
  /** order_id or chain_order_id of each order, comma-separated in a query. */
  order_ids?: string[]
  /** Only orders of this market: its name or id. */
  instrument_name?: string
  /** Only orders of this asset, in any case. */
  asset?: string
  instrument_type?: 'SPOT' | 'PERPETUAL'
  side?: 'buy' | 'sell'
  /** Required without any other selection of orders. */
  confirm?: 'all'
}

/** Empty, or a signature of Cancel. Query parameters are equivalent. */
export type CancelRequest = {
  /** Signature of Cancel, unless the account allows the venue to cancel. */
  signature?: string
  /** Signed value, Unix seconds. */
  deadline?: string
}

/**
 * A withdrawn order, or one whose cancel the venue has promised, in its current state.
 * The channel orders and wait=included report how it ended. receipt covers the cancel;
 * a withdrawn order was never sent, has ended, and needs none.
 */
export type CancelledOrder = {
  order_id: string
  success: true
  /**
   * accepted: the cancel is promised, and the order can fill until the cancel is in a
   * block. Otherwise the final status of the order, as in order_status.
   */
  status: 'accepted' | 'filled' | 'cancelled' | 'rejected' | 'expired'
  order: Order
  receipt?: Receipt
}

/** Result of a request to cancel several orders. */
export type CancelledOrders = {
  /** True if every order could be cancelled. */
  success: boolean
  /** Withdrawn orders, and those whose cancel the venue has promised. */
  order_ids: string[]
  /** Ids whose cancel is promised: they can fill until it is in a block. */
  accepted: string[]
  /** With wait=included: the orders of order_ids after the wait. */
  orders?: Order[]
  /** Error code of each rejected id. */
  failed: Record<string, string>
}

/** Part of {@link Cancellers}. */
export type Canceller = {
  /**
   * Address that may cancel resting orders of the account and do nothing else. Lower
   * case.
   */
  canceller: string
  /** First second in which it can no longer cancel, Unix seconds. */
  expiry: string
  /** The same time. Nanoseconds. */
  expires_timestamp: string
  /** The venue's own: DELETE /orders needs no signature. */
  is_venue: boolean
  /**
   * Revokes it immediately when sent by the wallet, the owner of a sub-account, or an
   * active signing key. Null if this node does not know the accounts contract.
   */
  revoke: {
    /** The accounts contract. Lower case. */
    to: string
    /** Call data, hex. */
    data: string
    value: '0'
    chain_id: number
  } | null
}

/** Ways to allow a canceller. */
export type CancellerAllowance = {
  /** The allowed address. Lower case. */
  canceller: string
  /** Expiry, Unix seconds: at most 30 days after the newest block. */
  expiry: string
  /**
   * AllowCanceller for eth_signTypedData_v4, to be signed by the wallet, the owner of a
   * sub-account, or an active signing key. Anyone can submit it to
   * Accounts.allowCancellerSigned.
   */
  typed_data: Record<string, unknown>
  /** Its EIP-712 hash. */
  digest: string
  /** Allows it without a signed message; may be sent by the same signers. */
  call: {
    /** The accounts contract. Lower case. */
    to: string
    /** Call data, hex. */
    data: string
    value: '0'
    chain_id: number
  }
}

/** An allowance that the venue submits to the chain. */
export type CancellerRelay = {
  /** The address to allow. Lower case. */
  canceller: string
  /** Expiry, Unix seconds, as signed. */
  expiry: string
  /** pending: not sent yet. sent: in a transaction. done: on the chain. failed: given up. */
  status: 'pending' | 'sent' | 'done' | 'failed'
  /** The newest transaction that contains it; null without one. */
  transaction_hash: string | null
  /** Reason of the failure: the contract's error. */
  reason: string | null
  /** Time of the request. Nanoseconds. */
  created_timestamp: string
  /** Time of the last status change. Nanoseconds. */
  timestamp: string
}

/** Cancellers of an account. */
export type Cancellers = {
  /** The wallet. Lower case. */
  account: string
  /** Active cancellers, the one that expires last first. */
  cancellers: Canceller[]
  /** The venue's own canceller; null if it has none. Lower case. */
  venue_canceller: string | null
  allow: CancellerAllowance | null
  on_chain: CancellerRelay | null
}

/** A period of a market. */
export type Candle = {
  /** Open time of the period. Unix seconds. */
  time: number
  /** Last second of the period; the next one opens a second later. Unix seconds. */
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
  /** Base amount of trades in which the taker bought. */
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

/** Columns of bars, an empty result, or an error. */
export type ChartHistory = ChartBars | ChartNoData | ChartError

/** Part of {@link ChartHistory}. */
export type ChartNoData = {
  s: 'no_data'
  /** Open time of the nearest earlier bar, if any. Unix seconds. */
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
  /** Change of the mark price over 24 hours. */
  ch?: number
  /** The same in percent. */
  chp?: number
  /** Price of the last trade. */
  lp?: number
  /** Best ask. */
  ask?: number
  /** Best bid. */
  bid?: number
  /** Highest price over 24 hours. */
  high_price?: number
  /** Lowest price over 24 hours. */
  low_price?: number
  /** Mark price 24 hours ago. */
  prev_close_price?: number
  /** Base amount traded over 24 hours. */
  volume?: number
}

/** Prices of the requested markets. */
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

/** Capabilities of the data feed. */
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
   * One of timeout, unreachable, no_head, lagging, feed_stale, starting, or http_ and
   * the status.
   */
  error?: string
}

/** A position from flat to flat. */
export type ClosedPosition = {
  /** <account>-<instrument_id>-<trade_id of the opening fill> */
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
  /** Total opened by fills. */
  opened_amount: string
  /** Total closed by fills; equal to opened_amount. */
  closed_amount: string
  /** Average price of the opened amount, rounded down. */
  avg_entry_price: string
  /** Average price of the closed amount, rounded down. */
  avg_exit_price: string
  /** Profit from prices only, before fees and funding. */
  realized_pnl: string
  /** Paid, including liquidation_fees; negative for a rebate. */
  fees: string
  /**
   * Paid because of forced closes, including collateral taken over by insurance;
   * negative if received.
   */
  liquidation_fees: string
  /** Positive when the account received. */
  funding: string
  /** realized_pnl - fees + funding. */
  net_pnl: string
  /**
   * net_pnl / (largest cost / leverage), 8 decimals, truncated. Null if the position
   * cost nothing.
   */
  roi: string | null
  /** Leverage at the end: the account's own, at most the market's. */
  leverage: string
  margin_type: 'CROSS'
  /** For a forced close: liquidation, or adl if closed against another one. */
  close_reason: 'trade' | 'flip' | 'liquidation' | 'adl'
  fill_count: number
  open_tx_hash: string
  close_tx_hash: string
  /** Time of the block with the first fill. Nanoseconds. */
  opened_timestamp: string
  /** Time of the block with the last fill. Nanoseconds. */
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
  /** Price of the last trade. */
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
  /** The underlying asset and the currency of its price. */
  index_name: string
  index_currency: 'USD'
  /** Rate of this hour, per hour, as a fraction. */
  funding_rate: string | null
  /** Rate of the next hour, from the samples so far. */
  next_funding_rate: string | null
  /** End of this funding hour. Nanoseconds. */
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
  /** Total balance, in the decimals of the token; rounded towards zero. */
  balance: string
  /**
   * SPOT: not locked. PERPETUAL: free margin. Null while the mark of any market with a
   * position or order is unknown.
   */
  available_balance: string | null
  /**
   * SPOT: in resting orders. PERPETUAL: balance minus free margin. Null while the mark
   * of any market with a position or order is unknown.
   */
  locked_balance: string | null
  /** USD. SPOT: at the index price, null without one. PERPETUAL: one to one. */
  collateral_value: string | null
  /** USD that backs perpetual positions: 0 for SPOT. */
  margin_value: string
  /** Fraction of it that counts as margin: 0 for SPOT, 1 for PERPETUAL. */
  collateral_factor: '0' | '1'
  /** Withdrawals are immediate. */
  pending_withdrawals: '0'
  /** Null while the mark of any market with a position or order is unknown. */
  withdrawable_balance: string | null
  /** Unrealised profit of its positions; 0 for SPOT. Null when a mark is missing. */
  unrealized_pnl: string | null
  decimals: number
}

/** Tokens of the account. */
export type Collaterals = {
  /** The wallet. Lower case. */
  account: string
  /** Spot tokens by symbol, then margin: a map by symbol keeps the margin. */
  collaterals: Collateral[]
}

/**
 * Cap on deposits of a token per account at one engine, and the room left for this
 * account.
 */
export type DepositLimit = {
  instrument_type: InstrumentType
  /** Symbol of the token. */
  collateral_asset: string
  /** Address of the token. */
  collateral_address: string
  /** Maximum balance of an account after its deposit. */
  cap: string
  /** Amount that this account can still deposit; 0 at or above the cap. */
  left: string
}

/** Every error code of REST and the sockets. */
export type ErrorCatalogue = {
  /** Sorted by code. */
  errors: ErrorEntry[]
}

/** Part of {@link ErrorCatalogue}. */
export type ErrorEntry = {
  code: RefusalCode
  /** HTTP status; null for a code used only by sockets. */
  status: number | null
  /** Meaning. A rejection may be more specific in its own message. */
  message: string
  retry: Retry
  /**
   * Members of each item of `details`, all but field optional, beside code and message;
   * a dot leads into facts. Empty: the rejection has no details.
   */
  details: string[]
  /** Recommended action. */
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
  /** The violated rule. */
  message: string
  /** The nearest valid value, if there is one. */
  nearest?: string | number
  /** All valid values, if there are few. */
  allowed?: string[]
  /** The violating value, if it was computed. */
  value?: string
  facts?: ProblemFacts
  /**
   * The queue for the chain: its gas, and the number of the venue's blocks that it
   * fills.
   */
  queue?: {
    gas: number
    blocks: number
  }
  /** The address recovered from the signature, lower case. */
  recovered?: string
  /** The message to sign, for eth_signTypedData_v4. */
  typed_data?: Record<string, unknown>
  /** Its EIP-712 hash. */
  digest?: string
  /** A transaction that only the wallet can send. */
  call?: {
    /** The contract. Lower case. */
    to: string
    /** Call data, hex. */
    data: string
    value: '0'
    chain_id: number
  }
}

/** One account's side of a trade. */
export type Fill = {
  /**
   * Id of the trade with -m (maker) or -t (taker); off the book with -f (previous
   * holder) or -g (recipient).
   */
  trade_id: string
  /** Null off the book. */
  order_id: string | null
  /** From the order, if it has one. */
  client_order_id?: string
  /** liquidation: the position was closed or taken over by force. */
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
   * Human units. Off the book it may lie between ticks, or be negative for a deleveraged
   * position.
   */
  price: string
  /** Human units. */
  amount: string
  /** price times amount. */
  quote_amount: string
  /** Paid, in fee_asset; negative for a rebate. */
  fees: string
  /** fees / quote_amount, rounded to a millionth. */
  fee_rate: string
  fee_asset: string
  /**
   * Liquidations only: the amount charged in addition, in fee_asset; negative if
   * received. On the book it is charged with the last fill of the forced order.
   */
  liquidation_fee?: string
  /** Null off the book, like order_type and order_status. */
  liquidity: 'maker' | 'taker' | null
  order_type: 'limit' | 'market' | null
  /** Status of the order after this fill. */
  order_status: 'partial' | 'filled' | null
  /** Mark price at the fill. */
  mark_price: string | null
  /** Index price at the fill. */
  index_price: string | null
  /** Profit of the closed part, before fees; null if nothing was closed. */
  pnl: string | null
  /**
   * Average entry of the closed part; if nothing was closed, of the position after the
   * fill. Rounded down. Null if the cost is unknown.
   */
  avg_entry_price: string | null
  /** Closed all or part of a position; at spot: a sale. */
  is_closing: boolean
  tx_hash: string
  block_number: number
  log_index: number
  /** Time of the block. Nanoseconds. */
  created_timestamp: string
}

/** Part of `GET /trade-history`, `GET /account/{address}/trade-history`. */
export type FillsAndFundingPage = {
  trade_history: (Fill | FundingPayment)[]
  pagination: Pagination
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
   * Rate of the next hour if this one ended now: seconds without a sample count as a
   * zero premium.
   */
  estimated_rate: string
  /** The rate that the contract applies. */
  protocol_funding_rate: string
  /** End of the current hour. Unix milliseconds. */
  next_funding_time: number
  /** next_funding_time in the family's format. Nanoseconds. */
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
  /** Number of rows among the 500 most recent that match the filters. */
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
  /** Mark price at which the hour accrued. */
  mark_price: string
  /** Per hour. */
  funding_rate: string
  /** The same as funding_payment. */
  pnl: string
  /** Positive when the account received. */
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
    /** Only while this node's data from the indexer is too old. */
    indexer?: {
      ok: boolean
      /**
       * One of timeout, unreachable, no_head, lagging, feed_stale, starting, or http_ and
       * the status.
       */
      error?: string
    }
  }
  /** Time of the answer. Unix milliseconds. */
  timestamp: number
  /** Name of the network. */
  environment: string
  version: string
  /**
   * True while a loss in a perpetual market is more than insurance can carry: no
   * collateral leaves the perpetual engine before it is covered. Absent while the node
   * is starting.
   */
  withdrawals_stopped?: boolean
  /**
   * Trading state. live: new orders are accepted. coming_soon: rejected with
   * TRADING_NOT_LIVE; cancel_only: orders and edits with MAINTENANCE_MODE_ENABLED;
   * everything else works.
   */
  trading: 'live' | 'coming_soon' | 'cancel_only'
}

/** Part of `GET /index/{asset}`, `GET /index`. */
export type IndexPrice = {
  asset: string
  /** "0" for an unknown asset; null when unavailable. */
  price: string | null
  /** Time at which the oracle accepted the price; null when there is none. Nanoseconds. */
  timestamp: string | null
}

/** Part of {@link Readiness}. */
export type IndexerCheck = {
  ok: boolean
  /**
   * One of timeout, unreachable, no_head, lagging, feed_stale, starting, or http_ and
   * the status.
   */
  error?: string
  /** Blocks behind the head; unknown if the indexer was only reached. */
  lag?: number | 'unknown'
}

/** A contract of the venue. */
export type InfoContract = {
  /**
   * Address of the contract, including proxies: the only one that clients call. Lower
   * case.
   */
  address: string
  /** Name of its ABI. */
  abi: string
  /** Path of its ABI, a JSON array. */
  abi_url: string
  /** Earlier blocks have no logs of it. Null if this node does not know. */
  from_block: number | null
}

/** Caps on deposits of the token at one engine; null for none. */
export type InfoDeposits = {
  instrument_type: InstrumentType
  /** The engine that receives the deposit. Lower case. */
  contract: string
  /** Maximum amount of the token at the engine after a deposit. */
  cap: string | null
  /**
   * Amount that can still be deposited. Tokens sent to the contract without a deposit
   * use up room as well, and are not deducted here.
   */
  left: string | null
  /** Maximum balance of an account after its deposit; SPOT: without its orders. */
  account_cap: string | null
}

/** Part of {@link InfoMessage}. */
export type InfoDomain = {
  name: string
  version: string
  chainId: number
  /** The verifying contract; absent for the API. Lower case. */
  verifyingContract?: string
}

/** Part of {@link InfoMessage}. */
export type InfoMember = {
  name: string
  type: string
}

/**
 * Together with a `message`, the arguments of signTypedData in ethers, viem and
 * eth-account.
 */
export type InfoMessage = {
  domain: InfoDomain
  /** The message, with its members in hashing order. */
  types: Record<string, InfoMember[]>
  /** Members of `domain`: `EIP712Domain` among the types of eth_signTypedData_v4. */
  domain_types: InfoMember[]
  primaryType: string
  /** Signer, and where to send the signature. */
  use: string
}

/** A token that is traded or serves as collateral. */
export type InfoToken = {
  /** The contract. Lower case. */
  address: string
  symbol: string
  name: string
  decimals: number
  /** Deposits by engine, present after the first deposit or cap. */
  deposits: InfoDeposits[]
  /** Path of the ABI shared by all ERC-20 tokens. */
  abi_url: string
}

/** Part of {@link ClosedPosition}, {@link Collateral}, {@link DepositLimit}. */
export type InstrumentType = 'SPOT' | 'PERPETUAL'

/** Part of `PATCH /api-keys/{prefix}`. */
export type KeyChange = {
  /** Name given by the owner. Sign-ins evict unnamed keys first. */
  name?: string
  /** A subset of its scopes. */
  scopes?: Scope[]
  /** Each within its current ones. */
  ip_addresses?: string[]
  /** No later than the current expiry. Unix seconds; a number, or its digits as text. */
  expiry?: number | string
}

/** The new key. */
export type KeyIssued = {
  /** The key. */
  api_key: string
  /** Never shown again. */
  api_secret: string
  /** The wallet. Lower case. */
  account: string
  /** Signing key of the requesting key. Lower case. */
  signing_key: string
  /** Prefix of the key. */
  prefix: string
  /** Name given by the owner. Sign-ins evict unnamed keys first. */
  name: string
  /** Scopes of the key: read private data, trade (place, replace), cancel orders. */
  scopes: Scope[]
  /** Addresses the key may be used from; empty for any. */
  ip_addresses: string[]
  /** The key can sign requests, so that its secret is never sent. */
  hmac: boolean
  /** Expiry time. Nanoseconds. */
  expires_timestamp: string
}

/** Part of {@link ApiKeys}. */
export type KeyRelay = {
  /** The signing key. Lower case. */
  signing_key: string
  /** Unix seconds, as signed. */
  expiry: string
  /** pending: not sent yet. sent: in a transaction. done: on the chain. failed: given up. */
  status: 'pending' | 'sent' | 'done' | 'failed'
  /** The newest transaction that contains it; null without one. */
  transaction_hash: string | null
  /** Reason of the failure: the contract's error, or why it was not submitted. */
  reason: string | null
  /** Time of the request. Nanoseconds. */
  created_timestamp: string
  /** Time of the last status change. Nanoseconds. */
  timestamp: string
}

/** The keys are revoked. */
export type KeyRemoved = {
  success: true
  /** Number of keys; only with all true. */
  revoked?: number
}

/** Part of `POST /api-keys`. */
export type KeyRequest = {
  /** Name given by the owner. Sign-ins evict unnamed keys first. */
  name: string
  /** A subset of the scopes of the requesting key; all of them by default. */
  scopes?: Scope[]
  /** Each within those of the requesting key; the same by default. */
  ip_addresses?: string[]
  /**
   * No later than that of the requesting key, which is the default. Unix seconds; a
   * number, or its digits as text.
   */
  expiry?: number | string
  /** True: the key can sign requests. Rejected if the venue does not offer it. */
  hmac?: boolean
}

/** A promise, or its outcome. */
export type LedgerEntry = {
  /** Sequence number, without gaps. */
  seq: number
  /**
   * The EIP-712 digest; for a cancel without a signature, cancel: and its order; for
   * further transactions of one CancelAll, cancel:, its digest, and :1 and so on.
   */
  order_id: string
  kind: 'order' | 'cancel' | 'signed_cancel' | 'signed_cancel_all'
  lane: string
  /**
   * received: held. queued: promised. sent: in a pending transaction. included: on the
   * chain. refused: rejected by the chain. expired: its deadline passed. withdrawn: by
   * its owner.
   */
  state: 'received' | 'queued' | 'sent' | 'included' | 'refused' | 'expired' | 'withdrawn'
  /** Time of the transition. Nanoseconds. */
  at_ns: string
  /** Block promised from this entry on; 0 while it is held. */
  include_by_block: number
  /** The transaction from this entry on. */
  tx_hash: string | null
  /** The block with the outcome. */
  block_number: number | null
  /** Reason, mostly the contract's error. */
  reason: string | null
  /** If expired: the last second for its submission. Unix seconds. */
  deadline?: number
  /**
   * SHA-256 of the previous hash and, each on a new line, the entries since: seq
   * order_id kind lane state at_ns include_by_block tx_hash block_number reason, a space
   * between two, a dash for null. On the last entry of each commit.
   */
  hash: string | null
  receipt?: Receipt
}

/** Part of {@link Account}, {@link Leverages}. */
export type Leverage = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  /** Leverage in force. */
  leverage: string
  /** The market's. */
  max_leverage: string
  margin_type: 'CROSS'
}

/** Leverage in every perpetual market. */
export type Leverages = {
  /** The wallet. Lower case. */
  account: string
  /** Leverage in every perpetual market. */
  leverages: Leverage[]
}

/** Rate limit across all nodes; null for no limit. */
export type LimitBucket = {
  /** Points per window. */
  limit: number
  /** Length of a window. */
  window_seconds: number
  /** Additional points for occasional bursts. */
  burst: number
  /** Points left in this window, without the burst. */
  remaining: number
  /** Milliseconds until the window ends. */
  reset_ms: number
}

/** Limits of the account and what is left of them. */
export type Limits = {
  /** The wallet. Lower case. */
  account: string
  requests: LimitBucket | null
  orders: LimitBucket | null
  cancels: LimitBucket | null
  /** Orders that the venue pays for; null for no limit. */
  order_budget: {
    /** Orders of an account without any trades. */
    initial: number
    /** Additional orders for each USDC traded. */
    per_usdc: string
    /** Orders that the account has earned so far. */
    allowed: number
    /**
     * Orders that the venue has accepted from it. One that the chain rejected counts
     * twice, a rejected cancel once.
     */
    used: number
    /** At 0 it may place one order in 10 seconds; cancels are always allowed. */
    remaining: number
    /** Milliseconds until it may place an order; 0 while any remain. */
    next_order_ms: number
  } | null
  /** Orders on their way to the chain, or held for a trigger or a parent. */
  live_orders: {
    /** Maximum number. */
    limit: number
    /** Current number. */
    used: number
  }
  /** Queue for the chain; null without a relayer. */
  queue: {
    /** Total gas of the queue, all accounts. */
    gas: number
    /** Blocks of the venue that it fills. */
    blocks: number
    /** Above this, orders are rejected with 429. */
    blocks_max: number
    /** The venue's share of a block's gas. */
    gas_per_block: number
  } | null
}

/**
 * A position closed by force: sell closed a long position, buy a short one. Names no
 * account.
 */
export type Liquidation = {
  /** <block>-<logIndex>; text order is chain order. */
  liquidation_id: string
  /**
   * liquidation: on the order book; absorption: taken over by insurance; deleverage:
   * closed against a winning position.
   */
  kind: 'liquidation' | 'absorption' | 'deleverage'
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** The underlying. */
  asset: string
  side: Side
  /**
   * Average, human units, rounded down. Off the book it may lie between ticks, or be
   * negative for a deleveraged position.
   */
  price: string
  /** Human units. */
  amount: string
  tx_hash: string
  block_number: number
  log_index: number
  /** Time of the block. Nanoseconds. */
  created_timestamp: string
}

/** Positions closed by force, newest first. */
export type Liquidations = {
  /** Newest first. */
  liquidations: Liquidation[]
  /** For older ones; null at the end of the list. */
  next_cursor: string | null
}

/** Already in effect. */
export type MarginAnswer = {
  success: true
}

/** A market with its current prices and volume. */
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
  /** Minimum price * amount of an order, in the quote asset. */
  min_order_value: string
  /** Maximum price * amount of an order, in the quote asset. */
  max_order_value: string
  /** Maximum notional of a position, in the quote asset. */
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
  /** False while new orders are halted, and permanently once the market has ended. */
  is_active: boolean
  /**
   * Perpetuals only. True once the market has ended, permanently: it accepts no orders,
   * and its positions close at the final mark.
   */
  is_ended?: boolean
  /**
   * Perpetuals only. True while a loss in this market exceeds what insurance can cover:
   * no collateral can be withdrawn until it is covered.
   */
  withdrawals_stopped?: boolean
  /**
   * Trading state. live: new orders are accepted. coming_soon: rejected with
   * TRADING_NOT_LIVE; cancel_only: orders and edits with MAINTENANCE_MODE_ENABLED;
   * everything else works.
   */
  trading: 'live' | 'coming_soon' | 'cancel_only'
}

/** Every asset traded in a market. */
export type MarketsSummary = {
  summaries: AssetSummary[]
}

/** Market-maker protection of an account on an asset. */
export type Mmp = {
  enabled: boolean
  /** Frozen: new orders with `mmp` are rejected. */
  triggered: boolean
  asset?: string
  /** Seconds. */
  interval?: string
  /** Seconds; 0: until reset. */
  frozen?: string
  /** End of the freeze. Nanoseconds. */
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
  /** Fields by type: order_id, instrument_name, amount, ... */
  data: Record<string, unknown>
  read: boolean
  /** Time at which it was marked as read. Nanoseconds. */
  read_timestamp: string | null
  /**
   * Time of its block; without a block, that of the newest block at the time, at most 60
   * s before the event. Nanoseconds.
   */
  created_timestamp: string
  /** Identical for every delivery of the notification. */
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

/** Enabled notification types and channels. Changes apply to later events. */
export type NotificationPreferences = {
  channels: NotificationChannels
  types: NotificationChoices
}

/** The notification after the change. */
export type NotificationRead = {
  success: true
  notification: Notification
}

/** It is deleted. */
export type NotificationRemoved = {
  success: true
}

/** Type of the notification. */
export type NotificationType = 'order_filled' | 'order_partially_filled' | 'order_cancelled' | 'position_liquidated' | 'liquidation_warning' | 'funding_paid' | 'deposit_finalized' | 'withdraw_finalized' | 'transfer_received' | 'market_halted' | 'withdrawals_stopped' | 'withdrawals_resumed' | 'order_rejected' | 'order_expired' | 'order_triggered' | 'api_key_created' | 'api_key_expiring' | 'api_key_revoked'

/** A page of notifications of the account. */
export type NotificationsPage = {
  /** Newest first. */
  notifications: Notification[]
  /** Unread ones, regardless of the filters. */
  unread_count: number
  pagination: Pagination
}

/** The notifications are marked. */
export type NotificationsRead = {
  success: true
  /** Number of notifications changed. */
  updated: number
}

/**
 * Open and partially filled orders, by created_timestamp; include=pending adds those
 * not yet on the chain.
 */
export type OpenOrdersPage = {
  orders: Order[]
  pagination: Pagination
}

/** An order. */
export type Order = {
  /** The digest of a signed order, else its chain_order_id. */
  order_id: string
  /**
   * 0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain
   * has the order.
   */
  chain_order_id: string | null
  /** Client order id. Absent without one. */
  client_order_id?: string
  /** For an edit: order_id of the replaced order. */
  replaces?: string
  /** order_id of the edit that replaced it. With REPLACED. */
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
  /** Limit price; for a market order the worst acceptable price. */
  price: string
  /** Ordered amount, minus reductions by the contract while it rested. */
  amount: string
  /** Filled amount. */
  filled: string
  /** amount - filled. */
  remaining: string
  /** Average price of its fills, rounded down; 0 while there are none. */
  avg_price: string
  order_status: OrderStatus
  /** GTD: good through expires_timestamp. */
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Absent if the order does not expire. Nanoseconds. */
  expires_timestamp?: string
  post_only: boolean
  reduce_only: boolean
  close_position: false
  /** Resting amount at its price, divided by the leverage. Perpetuals only. */
  initial_margin?: string
  /** Paid so far, in the quote asset; negative is a rebate. */
  fees: string
  self_trade_prevention: 'EXPIRE_MAKER'
  /** Placed by the contract to close a position by force; else absent. */
  system_type?: 'LIQUIDATION'
  /** Null unless cancelled. REPLACED: by an edit. */
  cancel_reason: string | null
  /** Error code of an order that never rested or traded, else null. */
  reject_reason: string | null
  /** cancel_reason, if the owner did not cancel it. */
  error: string | null
  /** For a rejected order: the name of the contract's error. */
  contract_error?: string
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /** The mark that triggers it. With stop. */
  trigger?: string
  /** The parent, whose first fill activates it, and with which it ends. */
  parent_order_id?: string
  /**
   * For an order that ended before it reached the chain: until then anyone could still
   * submit the signed message; the venue does not. Unix seconds, as signed.
   */
  valid_until?: string
  /** Transaction that placed it, or that is about to. */
  tx_hash: string | null
  /** Block in which it was placed. */
  block_number: number | null
  /**
   * Time of its acceptance by the venue, taken from the newest block; for an order
   * submitted otherwise, the time of its block. Never changes and is not later than any
   * of its fills. Nanoseconds.
   */
  created_timestamp: string
  /**
   * Time of the block that changed it last; created_timestamp until it is in a block;
   * time of its end if it never was. Nanoseconds.
   */
  timestamp: string
  /**
   * Time of its final fill, cancellation or end off the chain; null while live.
   * Nanoseconds.
   */
  closed_timestamp: string | null
}

/** Open and partially filled orders; at most 500 per side are read. */
export type OrderBook = {
  /** Best first. */
  bids: OrderBookLevel[]
  /** Best first. */
  asks: OrderBookLevel[]
  /** Time of the answer. Unix milliseconds. */
  last_updated_timestamp: number
  /** The server time in hex. Not a checksum of the book. */
  checksum: string
}

/** The best resting orders, at most 500 per side, without their accounts. */
export type OrderBookL3 = {
  instrument_id: string
  instrument_name: string
  instrument_type: InstrumentType
  /** Best first, and in queue order within a price. */
  bids: [string, string, string, number][]
  /** Best first, and in queue order within a price. */
  asks: [string, string, string, number][]
  /**
   * CRC32 in base 10 over the best 100 orders of each side: bid order_id:amount, then
   * ask order_id:amount, order by order, joined by ":".
   */
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

/** A call for a wallet that submits its own transactions. */
export type OrderBuilt = {
  /** The engine. Lower case. */
  to: string
  /** placeSigned with the signature, or place, which the wallet sends itself. */
  data: string
  value: '0'
  chain_id: number
  /** Digest of the typed data: the order_id once submitted. */
  digest: string
  /** Message for a signing key, for eth_signTypedData_v4. */
  typed_data: Record<string, unknown>
}

/** Filled, partially filled and cancelled orders. */
export type OrderHistory = {
  /** Sorted by created_timestamp, or by sort_by. */
  order_history: PastOrder[]
  pagination: Pagination
}

/** Effect of an order at the newest block. Nothing is submitted. */
export type OrderPreview = {
  /** Digest of the order, which is its id. */
  order_id: string
  /** The recovered signer; null without a signature. Lower case. */
  recovered_signer: string | null
  /** The newest block, which the preview is based on. */
  block_number: number
  /** Expected time of the block with the order: a second after the newest. Nanoseconds. */
  block_time: string
  /** True if no rule rejects the order. */
  is_accepted: boolean
  /** Every rule that would reject it. */
  refusals: FieldProblem[]
  /** Fills by level, best first. */
  fills: PreviewFill[]
  /** Accepted amount: a reduce-only order is reduced to the lots it may close. */
  amount: string
  /** Amount that would be filled immediately. */
  filled: string
  /** Amount that would rest. */
  resting: string
  /** Amount that would be cancelled immediately. */
  cancelled: string
  /** Reason; null if nothing is cancelled. */
  cancel_reason: string | null
  /** Average price of the fills, rounded down; null without any. */
  avg_price: string | null
  /** Price of the last fill; null without any. */
  worst_price: string | null
  /** Total of all fills, in the quote asset. */
  fees: string
  margin?: PreviewMarginChange
  balances?: PreviewBalanceChange
  /** Afterwards, negative when short; perpetuals only, null when rejected. */
  position?: string | null
  /** Liquidation price of that position; null without one. */
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
  /** Alias of instrument. */
  instrument_id?: string | number
  /** Alias of instrument. */
  instrument_name?: string | number
  /** The account: address of the wallet or sub-account, not of the signing key. */
  maker: string
  /** True buys. */
  is_buy: boolean
  /**
   * Worst price, as signed: price * 10^quote_decimals of the market. Decimal digits; a
   * number is accepted as well.
   */
  limit_price: string | number
  /**
   * Signed value: amount * 10^base_decimals of the market. Decimal digits; a number is
   * accepted as well.
   */
  amount: string | number
  /**
   * Signed value. Only one order per salt is accepted. Decimal digits; a number is
   * accepted as well.
   */
  salt: string | number
  /**
   * Signed value: the last second for its submission. Unix seconds. Decimal digits; a
   * number is accepted as well.
   */
  deadline: string | number
  /**
   * EIP-712 signature of the Order of GET /info by a signing key of the account, or by
   * its wallet: 65 bytes with a low s. Optional only for a preview and a build.
   */
  signature?: string
  /** GTC by default. */
  time_in_force?: 'GTC' | 'IOC' | 'FOK'
  /** With GTC only: signed as timeInForce 3, POST_ONLY. */
  post_only?: boolean
  /** Perpetuals only. */
  reduce_only?: boolean
  /**
   * With trigger. A selling STOP_LOSS and a buying TAKE_PROFIT trigger at or below it
   * (signed as triggerKind 2), the other two at or above (1).
   */
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /**
   * Mark that triggers the order, as signed; in price units. Decimal digits; a number is
   * accepted as well.
   */
  trigger?: string | number
  /**
   * Signed value: the last second in which it trades, 0 for none. Unix seconds. Decimal
   * digits; a number is accepted as well.
   */
  good_til?: string | number
  /** Signed value: maximum number of makers, 0 for 100. */
  max_fills?: number
  /** Signed value: chain_order_id of the resting order to replace, in the same market. */
  replaces?: string
  /**
   * Signed value, with replaces: resting amount of that order when this one was signed.
   * Later reductions of it, mostly fills, are deducted from amount, so that an edit
   * never fills the same quote twice; if nothing is left, the order is cancelled. 0
   * deducts nothing. Decimal digits; a number is accepted as well.
   */
  replaces_amount?: string | number
  /** Client order id, unique among the live orders of an account. */
  client_order_id?: string
  /** True: covered by market-maker protection. */
  mmp?: boolean
  /** order_id of the parent, whose first fill activates it and whose end cancels it. */
  parent_order_id?: string
  /** Rule of the contract; no other value is accepted. */
  self_trade_prevention?: 'EXPIRE_MAKER'
  /** market is an IOC order; no effect. */
  order_type?: 'limit' | 'market'
  /** Ignored. */
  timestamp?: unknown
  /** Not used: the amount is signed. Accepted when empty, false or zero. */
  close_position?: unknown
  /** Not used. Accepted when empty, false or zero. */
  partial_position?: unknown
  /** Not used: margin is isolated with a sub-account. Accepted when empty, false or zero. */
  isolated_margin?: unknown
  /** Not used. Accepted when empty, false or zero. */
  perps_plus?: unknown
  /** Not used. Accepted when empty, false or zero. */
  builder_id?: unknown
  /** Not used. Accepted when empty, false or zero. */
  builder_fee_rate?: unknown
}

/**
 * pending: accepted, but not on the chain yet; clients that use the family's header
 * names see opened. stop_order: held until its trigger is met or its parent fills.
 */
export type OrderStatus = 'opened' | 'partial' | 'filled' | 'cancelled' | 'pending' | 'stop_order' | 'rejected' | 'expired'

/** Position of the page in its list. */
export type Pagination = {
  /** For direction=next. */
  next_cursor: string | null
  /** For direction=prev. */
  prev_cursor: string | null
  has_next: boolean
  has_prev: boolean
  limit: number
  /** Rows of the whole list with the same filters. */
  total_count: number
  total_pages: number
  /**
   * The list has at least total_count rows: the time range splits a day with very many
   * of them. Absent if exact.
   */
  total_is_exact?: false
}

/** A filled, partially filled or cancelled order. */
export type PastOrder = {
  /** The digest of a signed order, else its chain_order_id. */
  order_id: string
  /**
   * 0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain
   * has the order.
   */
  chain_order_id: string | null
  /** Client order id. Absent without one. */
  client_order_id?: string
  /** For an edit: order_id of the replaced order. */
  replaces?: string
  /** order_id of the edit that replaced it. With REPLACED. */
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
  /** Limit price; for a market order the worst acceptable price. */
  price: string
  /** Ordered amount, minus reductions by the contract while it rested. */
  amount: string
  /** Filled amount. */
  filled: string
  /** amount - filled. */
  remaining: string
  /** Average price of its fills, rounded down; 0 while there are none. */
  avg_price: string
  order_status: OrderStatus
  /** GTD: good through expires_timestamp. */
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Absent if the order does not expire. Nanoseconds. */
  expires_timestamp?: string
  post_only: boolean
  reduce_only: boolean
  close_position: false
  /** Resting amount at its price, divided by the leverage. Perpetuals only. */
  initial_margin?: string
  /** Paid so far, in the quote asset; negative is a rebate. */
  fees: string
  self_trade_prevention: 'EXPIRE_MAKER'
  /** Placed by the contract to close a position by force; else absent. */
  system_type?: 'LIQUIDATION'
  /** Null unless cancelled. REPLACED: by an edit. */
  cancel_reason: string | null
  /** Error code of an order that never rested or traded, else null. */
  reject_reason: string | null
  /** cancel_reason, if the owner did not cancel it. */
  error: string | null
  /** For a rejected order: the name of the contract's error. */
  contract_error?: string
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /** The mark that triggers it. With stop. */
  trigger?: string
  /** The parent, whose first fill activates it, and with which it ends. */
  parent_order_id?: string
  /**
   * For an order that ended before it reached the chain: until then anyone could still
   * submit the signed message; the venue does not. Unix seconds, as signed.
   */
  valid_until?: string
  /** Transaction that placed it, or that is about to. */
  tx_hash: string | null
  /** Block in which it was placed. */
  block_number: number | null
  /**
   * Time of its acceptance by the venue, taken from the newest block; for an order
   * submitted otherwise, the time of its block. Never changes and is not later than any
   * of its fills. Nanoseconds.
   */
  created_timestamp: string
  /**
   * Time of the block that changed it last; created_timestamp until it is in a block;
   * time of its end if it never was. Nanoseconds.
   */
  timestamp: string
  /**
   * Time of its final fill, cancellation or end off the chain; null while live.
   * Nanoseconds.
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
  /** Size, never negative; side has the direction. */
  amount: string
  side: Side
  /** Null when unavailable. */
  mark_price: string | null
  /** Null when unavailable. */
  index_price: string | null
  /** Cost per unit of the position; rounded down. */
  avg_entry_price: string
  /** Profit at the mark price, without funding. */
  unrealized_pnl: string | null
  /** Realised in this cycle, since flat, before fees and funding. */
  realized_pnl: string
  /** Value of amount at the mark price. */
  notional_value: string | null
  /** Initial margin of the position and its resting orders. */
  initial_margin: string | null
  /** Maintenance margin of the position. */
  maintenance_margin: string | null
  margin_type: 'CROSS'
  /** Leverage in force. */
  leverage: string
  /** Null when no price would liquidate. */
  liquidation_price: string | null
  /** Settled in this cycle; positive in the holder's favour. */
  accumulated_funding: string
  /** Accrued since; positive in the holder's favour. */
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
  /** Quote amount traded in 24 hours, as in the market object. */
  volume_24h: string
  /** Per hour, as a fraction. */
  funding_rate: string | null
  /** In the base asset. */
  open_interest: string
  /** Omitted when unknown. */
  max_leverage?: string
}

/** An accepted order and its receipt. */
export type PlacedOrder = {
  /** The digest of a signed order, else its chain_order_id. */
  order_id: string
  /**
   * 0x + engine (20 bytes) + market number (4) + order number (8). Null until the chain
   * has the order.
   */
  chain_order_id: string | null
  /** Client order id. Absent without one. */
  client_order_id?: string
  /** For an edit: order_id of the replaced order. */
  replaces?: string
  /** order_id of the edit that replaced it. With REPLACED. */
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
  /** Limit price; for a market order the worst acceptable price. */
  price: string
  /** Ordered amount, minus reductions by the contract while it rested. */
  amount: string
  /** Filled amount. */
  filled: string
  /** amount - filled. */
  remaining: string
  /** Average price of its fills, rounded down; 0 while there are none. */
  avg_price: string
  order_status: OrderStatus
  /** GTD: good through expires_timestamp. */
  time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  /** Absent if the order does not expire. Nanoseconds. */
  expires_timestamp?: string
  post_only: boolean
  reduce_only: boolean
  close_position: false
  /** Resting amount at its price, divided by the leverage. Perpetuals only. */
  initial_margin?: string
  /** Paid so far, in the quote asset; negative is a rebate. */
  fees: string
  self_trade_prevention: 'EXPIRE_MAKER'
  /** Placed by the contract to close a position by force; else absent. */
  system_type?: 'LIQUIDATION'
  /** Null unless cancelled. REPLACED: by an edit. */
  cancel_reason: string | null
  /** Error code of an order that never rested or traded, else null. */
  reject_reason: string | null
  /** cancel_reason, if the owner did not cancel it. */
  error: string | null
  /** For a rejected order: the name of the contract's error. */
  contract_error?: string
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  /** The mark that triggers it. With stop. */
  trigger?: string
  /** The parent, whose first fill activates it, and with which it ends. */
  parent_order_id?: string
  /**
   * For an order that ended before it reached the chain: until then anyone could still
   * submit the signed message; the venue does not. Unix seconds, as signed.
   */
  valid_until?: string
  /** Transaction that placed it, or that is about to. */
  tx_hash: string | null
  /** Block in which it was placed. */
  block_number: number | null
  /**
   * Time of its acceptance by the venue, taken from the newest block; for an order
   * submitted otherwise, the time of its block. Never changes and is not later than any
   * of its fills. Nanoseconds.
   */
  created_timestamp: string
  /**
   * Time of the block that changed it last; created_timestamp until it is in a block;
   * time of its end if it never was. Nanoseconds.
   */
  timestamp: string
  /**
   * Time of its final fill, cancellation or end off the chain; null while live.
   * Nanoseconds.
   */
  closed_timestamp: string | null
  receipt: Receipt
}

/** Summary of an account. */
export type Portfolio = {
  /** The wallet. Lower case. */
  account: string
  /** Margin collateral, before profit and loss; 18 decimals. */
  balance: string
  /** realized_pnl + unrealized_pnl; null while a mark is missing. */
  pnl: string | null
  /** Total in perpetuals, minus fees, plus settled funding. */
  realized_pnl: string
  /** Total of the perpetual positions at mark prices. Null when one is missing. */
  unrealized_pnl: string | null
  /**
   * Profits of winning positions divided by losses of losing ones, net, over the newest
   * 1000; null without a loss.
   */
  profit_factor: string | null
  /** Fraction of the same positions that won; null without positions. */
  win_rate: string | null
  /** Not computed: deposits would count as returns. */
  sharpe_ratio: null
  /** Assets with a position. */
  greeks: AssetGreeks[]
  user_margin: UserMargin
  /** Spot tokens by symbol, then margin: a map by symbol keeps the margin. */
  collaterals: Collateral[]
}

/** Part of {@link Account}, {@link PositionsPage}. */
export type Position = PerpetualPosition | SpotPosition

/** Closed perpetual positions, one row per cycle, by the time they closed. */
export type PositionHistory = {
  position_history: ClosedPosition[]
  pagination: Pagination
}

/** Perpetual positions and spot holdings, in listing order of the markets. */
export type PositionsPage = {
  /** The wallet. Lower case. */
  account: string
  positions: Position[]
  pagination: Pagination
}

/** Spot only. `after` is null when the contract rejects the order. */
export type PreviewBalanceChange = {
  before: PreviewBalances
  after: PreviewBalances | null
}

/** Part of {@link PreviewBalanceChange}. */
export type PreviewBalances = {
  /** Free balance of the base asset. */
  base: string
  /** Free balance of the quote asset. */
  quote: string
}

/** Part of {@link OrderPreview}. */
export type PreviewFill = {
  /** Price of the level. */
  price: string
  /** Filled amount at the level. */
  amount: string
  /** Resting orders matched at the level. */
  orders: number
  /** Fees of the level, in the quote asset. */
  fees: string
}

/** Part of {@link PreviewMarginChange}. */
export type PreviewMargin = {
  /** Collateral plus profit or loss. */
  equity: string
  /** Initial margin of positions and orders. */
  initial_margin: string
  /** Of positions. */
  maintenance_margin: string
  /** Margin available to further orders. */
  available_margin: string
}

/** Perpetuals only. `after` is null when the contract rejects the order. */
export type PreviewMarginChange = {
  before: PreviewMargin
  after: PreviewMargin | null
}

/** Prices over time: by the minute for two days, by the hour for 400 days. */
export type PriceHistory = {
  /** Oldest first. Periods without a price have no row. */
  history: PricePoint[]
}

/** A period and its last price. */
export type PricePoint = [string, string]

/** A refused request. */
export type Problem = {
  /** The error code. */
  error: string
  message: string
  /** Violated rules, by field. */
  details?: FieldProblem[]
  /** Also the header X-Request-Id. */
  request_id: string
  /** When to retry. Only with 429 and 503. Nanoseconds. */
  retry_after?: string
  /** Charting endpoints only. */
  s?: 'error'
  /** Charting endpoints only. */
  errmsg?: string
}

/**
 * Values behind the rejection of an order: raw where the body is raw, else decimal
 * text.
 */
export type ProblemFacts = {
  /** Step of the field: it must be a multiple of it. Raw. */
  step?: string
  /** The nearest valid value below, or the minimum. Raw. */
  lower?: string
  /** The nearest valid value above, or the maximum. Raw. */
  upper?: string
  /** Amount of the market that can still be ordered. */
  room?: string
  /** Equity of the account. */
  equity?: string
  /** Margin that the order requires. */
  required?: string
  /** required - equity. */
  shortfall?: string
  /** Balance not held by orders. */
  free?: string
  /** Balance that the order requires. */
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
  /** Name of the contract's error. */
  contract_error?: string
  /** Minimum valid value or price. */
  minimum?: string
  /** Maximum valid value or price. */
  maximum?: string
}

/** Results of the dependency checks. */
export type Readiness = {
  status: 'ready' | 'not_ready'
  checks: {
    redis: Check
    rpc: RpcCheck
    indexer: IndexerCheck
  }
  /**
   * Effect of its work: the oldest index price of a perpetual market. The keeper pushes
   * them every second. Does not affect the status. Absent without such a market.
   */
  keeper?: {
    /** Asset with the oldest index price. */
    asset: string
    /** Time of that price; null if there is none yet. Unix seconds. */
    index_price_time: number | null
    index_price_age_ms: number | null
  }
  /** Only while the venue is starting: missing parts, in words. */
  awaiting?: string
  /** Time of the checks. Unix milliseconds. */
  timestamp: number
}

/**
 * Signed promise of the venue: the block by which an order is on the chain, and its
 * sequence.
 */
export type Receipt = {
  /** Subject of the promise: the EIP-712 digest of the signed message. */
  order_id: string
  /** Time of acceptance; for a held order, time of its release. Nanoseconds. */
  received_ns: string
  /** Sequence number of the acceptance, as in the ledger. */
  seq: number
  /** The lane of GET /relay that carries it. */
  lane: string
  /**
   * The last block by which it is on the chain, or rejected. 0 while it is held: until
   * its trigger is met, or its parent fills. The receipt of its promise is then in the
   * ledger.
   */
  include_by_block: number
  /** EIP-712 signature of Receipt by the receipt key of GET /relay. */
  signature: string
}

/** Codes of refusals. */
export type RefusalCode = import('./codes.ts').RefusalCode

/** A rejected order of a batch, as if it had been sent separately. */
export type RefusedOrder = {
  /** The error code. */
  error: string
  message: string
  /** Violated rules by field, as in every rejection. */
  details?: (Record<string, unknown>)[]
  request_id: string
  /** When to retry. Nanoseconds. */
  retry_after?: string
}

/**
 * The domain of Register and SignKey has name, version "1" and chainId; that of
 * RegisterKey and AcceptKey also verifyingContract, the accounts contract, which
 * publishes them. A pair of the first two yields one API key.
 */
export type RegisterRequest = {
  /** The wallet. Any case. */
  account: string
  /** The signing key created for it. Any case. */
  signing_key: string
  /**
   * Unix seconds, as signed, up to 2^256 - 1; a number, or its digits as text. The API
   * key expires then, but no later than the operator allows (30 days); if in the past,
   * in 60 seconds.
   */
  expiry: number | string
  /**
   * EIP-712 signature of Register(address key,uint256 expiry) by the wallet: ECDSA,
   * EIP-1271, or EIP-6492. 0x may be omitted.
   */
  account_signature: string
  /**
   * EIP-712 signature of SignKey(address account) by the signing key: ECDSA. 0x may be
   * omitted.
   */
  signing_key_signature: string
  referral_code?: string
  /** Required for the first registration if accounts need an invitation. */
  invite_code?: string
  /** True: no new API key if the account has an active one. */
  no_api_key?: boolean
  /**
   * True: the new API key can also sign requests, so that its secret need not be sent.
   * Rejected if the venue stores no secrets.
   */
  hmac?: boolean
  /**
   * True: the key is also registered with the accounts contract, with the two signatures
   * below, so that it can sign orders. The expiry must be in the future; the contract
   * limits it to 30 days from then. A registration that the contract would reject is
   * rejected, and nothing is registered.
   */
  on_chain?: boolean
  /**
   * With on_chain: EIP-712 signature of RegisterKey(address account,address key,uint256
   * expiry) by the wallet, or by the owner of the sub-account: ECDSA or EIP-1271. 0x may
   * be omitted.
   */
  chain_account_signature?: string
  /**
   * With on_chain: EIP-712 signature of AcceptKey(address account,address key,uint256
   * expiry) by the signing key: ECDSA. 0x may be omitted.
   */
  chain_signing_key_signature?: string
}

/** The registration and its API key. */
export type Registered = {
  /** Absent if an active key was kept. */
  api_key?: string
  /** Never shown again. */
  api_secret?: string
  /** The wallet. Lower case. */
  account: string
  /** The signing key. Lower case. */
  signing_key: string
  on_chain?: RelayState
}

/** The relayer and its rules. */
export type Relay = {
  /** Signer of receipts and ledger heads. Null: this node accepts no orders. Lower case. */
  receipt_key: string | null
  /**
   * Addresses whose receipts and ledger heads are valid: receipt_key first, then those
   * of former and next keys.
   */
  receipt_keys: string[]
  typed_data: {
    Receipt: InfoMessage
    LedgerHead: InfoMessage
  }
  /** The wallet that accounts allow to cancel; null before the first relayer. Lower case. */
  canceller: string | null
  lanes: RelayLane[]
  rules: RelayRules
  /** Status of the relayer. */
  status: {
    /** False: no status of the relayer for ten seconds; orders wait. */
    is_live: boolean
    /** Time of its last status. Unix milliseconds. */
    updated_ms: number
    /** The newest block that it has seen. */
    block: number
    /** Recent time between blocks, milliseconds. */
    block_ms: number
    /** The relayer's share of a block. */
    gas_per_block: number
    orders_per_transaction: number
    /** Maximum gas estimate of a transaction with several orders. */
    gas_per_transaction: number
    /** Queue of all lanes, as in the 429 answer. */
    queue: {
      /** What waits. */
      gas: number
      blocks: number
    }
  } | null
  /** Path of the ledger. */
  ledger: string
}

/** All orders of a market use one lane; cancels have their own. */
export type RelayLane = {
  name: string
  /** Its wallet, whose transaction nonces give the order of the lane. Lower case. */
  address: string
  /** False: it cannot pay and accepts nothing. */
  is_funded: boolean
  /** Intents waiting for a transaction. */
  queued: number
  /** Intents in a pending transaction. */
  sent: number
  /** Gas estimate of both. */
  gas: number
}

/** Every promise and its outcome, without a gap. */
export type RelayLedger = {
  entries: LedgerEntry[]
  /** First number from which all entries are available. */
  from_seq: number
  /** from_seq of the next page; null at the end. */
  next_seq: number | null
  /** The newest entry shown, whose hash covers all earlier ones. Null without entries. */
  head: {
    seq: number
    hash: string
    /** EIP-712 signature of LedgerHead by the receipt key; null without a key. */
    signature: string | null
  } | null
}

/** Rules for submitting orders to the chain. */
export type RelayRules = {
  /** Formula of include_by_block. */
  promise: string
  /** Blocks after the newest one, without a queue. */
  promised_blocks: number
  /** Rule for creating a transaction. */
  window: string
  /** Order within a transaction, first to last; by arrival within each. */
  order: string[]
  /** Order of the transactions of a lane. */
  lanes: string
  /** Maximum queue in blocks of gas; beyond it 429 with Retry-After. */
  queue_blocks_max: number
  /** Gas estimates for blocks, queues and budgets, as measured. */
  gas: {
    /** At a spot market. */
    spot: {
      /** An order, one of ten in a transaction. */
      place: number
      /** Each maker matched. */
      fill: number
      /** Each other perpetual position of the account. */
      position: number
    }
    /** At a perpetual market. */
    perpetual: {
      /** An order, one of ten in a transaction. */
      place: number
      /** Each maker matched. */
      fill: number
      /** Each other perpetual position of the account. */
      position: number
    }
    /** A cancel by the canceller, one of ten. */
    cancel: number
    /** A signed cancel. */
    signed_cancel: number
    /** Each order in a signed cancel. */
    cancelled_order: number
  }
  /** Content of the ledger, and how its hashes are computed. */
  ledger: string
  /** Delay before an entry is shown. */
  ledger_delay_ms: number
  /** Minimum retention of ended entries. */
  ledger_kept_ms: number
}

/** Only if requested. GET /api-keys reports its progress. */
export type RelayState = {
  /** pending: not sent yet. sent: in a transaction. done: on the chain. failed: given up. */
  status: 'pending' | 'sent' | 'done' | 'failed'
  /** The newest transaction that contains it; null without one. */
  transaction_hash: string | null
}

/**
 * How to retry. wait: the same request, after retry_after of the answer (Retry-After);
 * backoff: the same request, after growing pauses of your own; act: the same request,
 * once `action` was taken; change: only with another request.
 */
export type Retry = 'wait' | 'backoff' | 'act' | 'change'

/** Part of {@link Readiness}. */
export type RpcCheck = {
  ok: boolean
  /**
   * One of timeout, unreachable, no_head, lagging, feed_stale, starting, or http_ and
   * the status.
   */
  error?: string
  /** Its newest block. */
  head?: number
}

/** Done. */
export type SafeguardDone = {
  success: true
}

/** Part of {@link ApiKey}, {@link KeyChange}, {@link KeyIssued}. */
export type Scope = 'read' | 'trade' | 'cancel'

/** Part of {@link ClosedPosition}, {@link Fill}, {@link FundingPayment}. */
export type Side = 'buy' | 'sell'

/** Tokens held in the base of a spot market. */
export type SpotPosition = {
  /** 0x + engine (20 bytes) + market number (4 bytes). */
  instrument_id: string
  instrument_name: string
  instrument_type: 'SPOT'
  /** The underlying. */
  asset: string
  /** Balance of the base token, including locked_amount. */
  amount: string
  side: 'buy'
  /** Null when unavailable. */
  mark_price: string | null
  /** Null when unavailable. */
  index_price: string | null
  /** Average cost of purchases, rounded down; null unless they cover the balance. */
  avg_entry_price: string | null
  /** Value at the mark price minus cost. */
  unrealized_pnl: string | null
  /** Profit of sales since the holding began. */
  realized_pnl: string | null
  /** Value of amount at the mark price, rounded down. */
  notional_value: string | null
  /** Locked by resting orders. */
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
  /** Profit of sales over the average cost; spot trades have no fees. */
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
  /** Quote amount traded in 24 hours, as in the market object. */
  volume_24h: string
}

/** Statistics of a market. Unknown values are null. */
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
  /** In percent of the older price, truncated to 8 decimals. */
  mark_daily_change_pct: string | null
  /** Price of the last trade. */
  last_price: string | null
  /** Highest price traded in the 24 clock hours up to now. */
  high_24h: string | null
  /** Lowest price traded in the same hours. */
  low_24h: string | null
  best_bid: BestLevel | null
  best_ask: BestLevel | null
  /** Rate of this hour, per hour, as a fraction. Null for a spot market. */
  funding_rate: string | null
  /** Mean hourly rate of the funding hours settled in 24 hours. */
  funding_daily_avg: string | null
  /** End of this funding hour. Nanoseconds. */
  next_funding_rate_timestamp: string | null
  funding_interval_seconds: number | null
}

/** Orders with a trigger: held, on their way, on the chain, and ended. */
export type StopOrders = {
  /**
   * Sorted by time of acceptance. Ended ones are removed after a week, unless the
   * operator sets INTENTS_KEPT_S; orders that reached the chain stay in /order-history.
   */
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
  /** Rate of the next hour, from the samples so far. */
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
  /** Price of the last trade. */
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
  /** Mark price minus the mark price 24 hours ago. */
  mark_daily_change: string | null
  /** In percent of the older price, truncated to 8 decimals. */
  mark_daily_change_pct: string | null
}

/** All markets, as in the ticker channels, with the change of a day. */
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
  /** Number of trades in the answer. */
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

/** A deposit, withdrawal or transfer of tokens. */
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
  /** Decimals of the token. */
  decimals: number
  /** Human units. */
  amount: string
  /** Wallet of the other account of a send or receive. Lower case. */
  counter_party: string | null
  /** Recipient of a withdrawal. Lower case. */
  recipient: string | null
  tx_hash: string
  l1_tx_hash: null
  /** Same as tx_hash. */
  l2_tx_hash: string
  chain_id: number
  block_number: number
  /** Time of the block. Nanoseconds. */
  initiated_timestamp: string
  /** Time of the block. Nanoseconds. */
  finalized_timestamp: string
}

/** Deposits, withdrawals and transfers, newest first by default. */
export type TransactionHistory = {
  transaction_history: Transaction[]
  /** limit + offset: the size of the window that was read, not the total. */
  count: string
}

/** Number of unread notifications. */
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

/**
 * Everything that a program in any language needs to start. Paths are relative to the
 * URL of this host.
 */
export type VenueInfo = {
  name: 'openvenue'
  /** Version of the build. */
  version: string
  network: {
    /** Name of the network. */
    name: string
    chain_id: number
    /**
     * Trading state. live: new orders are accepted. coming_soon: rejected with
     * TRADING_NOT_LIVE; cancel_only: orders and edits with MAINTENANCE_MODE_ENABLED;
     * everything else works.
     */
    trading: 'live' | 'coming_soon' | 'cancel_only'
    /** Public nodes of the chain; empty if the operator names none. */
    rpc_urls: string[]
    /** Block explorer; null where there is none. */
    explorer_url: string | null
    /** Where to obtain test funds; null if there is none. */
    faucet_url: string | null
    /** Currency in which gas is paid. */
    currency: {
      symbol: string
      decimals: number
    }
    /** Minimum fee per gas; transactions below it are rejected. */
    fee_floor_wei: string
    /** Tip on top of the base fee. */
    tip_wei: string
  }
  /**
   * Contracts that clients call. A member is absent if the venue has none, or if this
   * node does not know it.
   */
  contracts: {
    accounts?: InfoContract
    spot?: InfoContract
    perps?: InfoContract
    lens?: InfoContract
    governance?: InfoContract
    treasury?: InfoContract
    /** Oracles read by the engines; empty if this node does not know them. */
    oracles: InfoContract[]
  }
  typed_data: {
    /** Signed for POST /register: the domain has no contract. */
    api: {
      Register: InfoMessage
      RegisterFor: InfoMessage
      SignKey: InfoMessage
    }
    /** Signed for the accounts contract. Absent if this node does not know the contract. */
    accounts?: {
      RegisterKey: InfoMessage
      AcceptKey: InfoMessage
      AllowCanceller: InfoMessage
    }
    /** Signed for the spot engine. Absent if this node does not know the contract. */
    spot?: {
      Order: InfoMessage
      Cancel: InfoMessage
      CancelAll: InfoMessage
      Burn: InfoMessage
    }
    /** Signed for the perpetual engine. Absent if this node does not know the contract. */
    perps?: {
      Order: InfoMessage
      Cancel: InfoMessage
      CancelAll: InfoMessage
      Burn: InfoMessage
    }
  }
  /** Tokens known to the indexer. */
  tokens: InfoToken[]
  /** Units of the contracts' integers. */
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
    /** Path of the list of all pages as Markdown, for language models (llms.txt). */
    llms: string
    /** Path of the workflow from a wallet to a fill (Arazzo). */
    arazzo: string
    /** Path of a collection of all requests (Postman). */
    postman: string
    /** Path of the relayer's rules and status, with the location of the ledger. */
    relay: string
  }
}

/** The build, the runtime and the network. */
export type Version = {
  version: string
  node: string
  environment: string
  /**
   * Trading state. live: new orders are accepted. coming_soon: rejected with
   * TRADING_NOT_LIVE; cancel_only: orders and edits with MAINTENANCE_MODE_ENABLED;
   * everything else works.
   */
  trading: 'live' | 'coming_soon' | 'cancel_only'
}
