// Lists the endpoints with their parameters and answers.
// Generated from the schemas of the server: npx node client/scripts/generate.ts
import type {
  Account,
  AccountStats,
  AccumulatedFundings,
  ApiKey,
  ApiKeys,
  Asset,
  BalanceHistory,
  BatchAnswer,
  BatchRequest,
  CancelAfterAnswer,
  CancelAllRequest,
  CancelOnDisconnect,
  CancelOrdersRequest,
  CancelRequest,
  CancelledOrder,
  CancelledOrders,
  CancellerRelay,
  Cancellers,
  Candle,
  ChartError,
  ChartHistory,
  ChartQuotes,
  ChartSearchItem,
  ChartSymbol,
  ChartingConfig,
  CoingeckoStatistic,
  Collaterals,
  ErrorCatalogue,
  FillsAndFundingPage,
  FillsPage,
  Funding,
  FundingHistory,
  FundingPage,
  Health,
  IndexPrice,
  KeyChange,
  KeyIssued,
  KeyRemoved,
  KeyRequest,
  Leverages,
  Limits,
  Liquidations,
  MarginAnswer,
  Market,
  MarketsSummary,
  Mmp,
  NotificationPreferences,
  NotificationRead,
  NotificationRemoved,
  NotificationType,
  NotificationsPage,
  NotificationsRead,
  OpenOrdersPage,
  Order,
  OrderBook,
  OrderBookL3,
  OrderBuilt,
  OrderHistory,
  OrderPreview,
  OrderRequest,
  PlacedOrder,
  Portfolio,
  PositionHistory,
  PositionsPage,
  PriceHistory,
  Readiness,
  RegisterRequest,
  Registered,
  Relay,
  RelayLedger,
  SafeguardDone,
  Statistics,
  StopOrders,
  Tickers,
  Time,
  Trade,
  TradeHistory,
  TransactionHistory,
  UnreadCount,
  VenueInfo,
  Version,
} from './shapes.ts'

/** Endpoints by method and path, as in docs/openapi.json. */
export interface Endpoints {
  /** Liveness: always 200. Public. Not rate limited. */
  'GET /health': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Health
  }
  /**
   * Readiness: 200 when cache store, RPC and indexer all answer, else 503; 503 while it
   * stops. Public. Not rate limited.
   */
  'GET /ready': {
    path: Record<never, never>
    query: {
      /** For load balancers: 503 only while the node stops, or lags behind its indexers. */
      for?: 'traffic'
    }
    body: undefined
    answer: Readiness
  }
  /** Version. Public. */
  'GET /version': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Version
  }
  /** Server time. Public. */
  'GET /time': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Time
  }
  /** Entry point for programs: network, contracts, typed data, tokens. Public. */
  'GET /info': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: VenueInfo
  }
  /** The relayer of orders to the chain, and its rules. Public. */
  'GET /relay': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Relay
  }
  /** Every promise of the venue, with its outcome. Public. Counts as 5 requests. */
  'GET /relay/ledger': {
    path: Record<never, never>
    query: {
      /** Entries from this number on, or from from_seq of the answer if those are gone. */
      from_seq?: number
      /** Only the entries of this id, with the newest receipts of its promises. */
      order_id?: string
      /** Maximum number of items, clamped to 1000. */
      limit?: number
    }
    body: undefined
    answer: RelayLedger
  }
  /** ABI of a contract of /info, as a JSON array. Public. */
  'GET /abi/{file}': {
    path: {
      /**
       * One of accounts.json, spot.json, perps.json, lens.json, push-oracle.json,
       * chainlink-source.json, pyth-source.json, governance.json, treasury.json, erc20.json.
       */
      file: string
    }
    query: Record<never, never>
    body: undefined
    answer: ({
      /** function, event, error, constructor or fallback. */
      type: string
    })[]
  }
  /** Every error code: its meaning, retry rule and action. Public. */
  'GET /errors': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: ErrorCatalogue
  }
  /** Markets. Public. */
  'GET /markets': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-sensitive; any other value yields an empty list. */
      instrument_type?: string
      /** The underlying asset, case-insensitive. */
      asset?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Market[]
  }
  /** A market. Public. */
  'GET /markets/{instrument_id}': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_id: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Market
  }
  /** A market. Public. */
  'GET /instrument/{instrument_name}': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_name: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Market
  }
  /**
   * The order book, in raw integers. Public. Refused while the data of this node is too
   * old.
   */
  'GET /orderbook/{instrument_name}': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_name: string
    }
    query: {
      /** Maximum levels per side, counted after grouping. */
      depth?: number
      /** Group levels by multiples of this many price steps: bids down, asks up. */
      group?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBook
  }
  /**
   * The order book, in raw integers. Public. Refused while the data of this node is too
   * old.
   */
  'GET /markets/{instrument_id}/orderbook': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_id: string
    }
    query: {
      /** Maximum levels per side, counted after grouping. */
      depth?: number
      /** Group levels by multiples of this many price steps: bids down, asks up. */
      group?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBook
  }
  /**
   * The order book, in raw integers. Public. Refused while the data of this node is too
   * old.
   */
  'GET /orderbook': {
    path: Record<never, never>
    query: {
      /** Name or id of the market. */
      instrument_name: string
      /** Maximum levels per side, counted after grouping. */
      depth?: number
      /** Group levels by multiples of this many price steps: bids down, asks up. */
      group?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBook
  }
  /**
   * The order book order by order, without accounts. Public. Counts as 5 requests.
   * Refused while the data of this node is too old.
   */
  'GET /orderbook-l3/{instrument_name}': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_name: string
    }
    query: {
      /** Maximum orders per side. */
      depth?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBookL3
  }
  /** Recent trades, newest first. Public. */
  'GET /markets/{instrument_id}/trades': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_id: string
    }
    query: {
      /**
       * Returns the oldest trades from then on instead of the newest; still newest first.
       * Unix seconds, milliseconds or nanoseconds, by magnitude.
       */
      start_time?: number
      /**
       * With start_time: only trades after this trade_id. With the trade_id and the time of
       * the newest trade of an answer, the next answer continues from it.
       */
      after?: string
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** Accepted and ignored. */
      offset?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Trade[]
  }
  /** Recent trades, newest first, wrapped. Public. */
  'GET /instrument/{instrument_name}/trade-history': {
    path: {
      /** Name or id of the market, case-sensitive. */
      instrument_name: string
    }
    query: {
      /**
       * Returns the oldest trades from then on instead of the newest; still newest first.
       * Unix seconds, milliseconds or nanoseconds, by magnitude.
       */
      start_time?: number
      /**
       * With start_time: only trades after this trade_id. With the trade_id and the time of
       * the newest trade of an answer, the next answer continues from it.
       */
      after?: string
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: TradeHistory
  }
  /** Positions closed by force, newest first. Public. Counts as 5 requests. */
  'GET /liquidations': {
    path: Record<never, never>
    query: {
      /** Exact name, 0x id or decimal id; all markets by default. */
      instrument_name?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor of an answer to the same query. */
      cursor?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Liquidations
  }
  /** 24-hour statistics. Public. Refused while the data of this node is too old. */
  'GET /statistics/{asset}/{instrument_type}': {
    path: {
      /** Underlying symbol. */
      asset: string
      /** PERPETUAL: the market `<asset>-PERP`; SPOT: the market `<asset>-USDC`. */
      instrument_type: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Statistics
  }
  /** 24-hour statistics. Public. Refused while the data of this node is too old. */
  'GET /statistics': {
    path: Record<never, never>
    query: {
      /** Name or id of a market. */
      instrument_name?: string
      /** Underlying symbol. */
      asset?: string
      /** PERPETUAL or SPOT. */
      instrument_type?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Statistics
  }
  /**
   * Current funding of a perpetual. Public. Refused while the data of this node is too
   * old.
   */
  'GET /funding/{instrument_name}': {
    path: {
      /** Name of a perpetual; case-sensitive suffix -PERP. */
      instrument_name: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Funding
  }
  /**
   * Current funding of a perpetual. Public. Refused while the data of this node is too
   * old.
   */
  'GET /funding': {
    path: Record<never, never>
    query: {
      /** Name of a perpetual; case-sensitive suffix -PERP. */
      instrument_name: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Funding
  }
  /**
   * Settled funding hours: the newest of the range, oldest first. Public. Counts as 5
   * requests.
   */
  'GET /funding-history/{instrument_name}': {
    path: {
      /** Name of a perpetual; case-sensitive suffix -PERP. */
      instrument_name: string
    }
    query: {
      /** Maximum number of items, clamped to 500. */
      limit?: number
      /**
       * Earliest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, by
       * magnitude.
       */
      start_time?: number
      /**
       * Latest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, by
       * magnitude.
       */
      end_time?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FundingHistory
  }
  /**
   * Settled funding hours: the newest of the range, oldest first. Public. Counts as 5
   * requests.
   */
  'GET /funding-history': {
    path: Record<never, never>
    query: {
      /** Name of a perpetual; case-sensitive suffix -PERP. */
      instrument_name: string
      /** Maximum number of items, clamped to 500. */
      limit?: number
      /**
       * Earliest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, by
       * magnitude.
       */
      start_time?: number
      /**
       * Latest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, by
       * magnitude.
       */
      end_time?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FundingHistory
  }
  /** Index price of an asset. Public. Refused while the data of this node is too old. */
  'GET /index/{asset}': {
    path: {
      /** Symbol of an asset, case-insensitive. */
      asset: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: IndexPrice[]
  }
  /** Index prices of all tokens. Public. Refused while the data of this node is too old. */
  'GET /index': {
    path: Record<never, never>
    query: {
      /** Symbol of an asset, case-insensitive. */
      asset?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: IndexPrice[]
  }
  /** Tokens. Public. */
  'GET /assets': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Asset[]
  }
  /**
   * Index prices over time: the newest of the range, oldest first. Public. Counts as 5
   * requests.
   */
  'GET /index-history': {
    path: Record<never, never>
    query: {
      /** Symbol of an asset, case-insensitive. */
      asset: string
      /** Seconds per period, rounded up to whole minutes. */
      resolution?: number
      /** Earliest price, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest price, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 500. */
      limit?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PriceHistory
  }
  /**
   * Mark prices over time: the newest of the range, oldest first. Public. Counts as 5
   * requests.
   */
  'GET /mark-history': {
    path: Record<never, never>
    query: {
      /** Name or id of a market, case-sensitive. */
      instrument_name: string
      /** Seconds per period, rounded up to whole minutes. */
      resolution?: number
      /** Earliest price, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest price, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 500. */
      limit?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PriceHistory
  }
  /**
   * All markets at once: prices and 24-hour changes. Public. Refused while the data of
   * this node is too old.
   */
  'GET /tickers': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-sensitive; any other value yields an empty list. */
      instrument_type?: string
      /** The underlying asset, case-insensitive. */
      asset?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Tickers
  }
  /**
   * Every perpetual in the format of coingecko.com. Public. Refused while the data of
   * this node is too old.
   */
  'GET /coingecko-statistics': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: CoingeckoStatistic[]
  }
  /**
   * Every asset with its markets. Public. Refused while the data of this node is too
   * old.
   */
  'GET /markets-summary': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: MarketsSummary
  }
  /**
   * Candles in the form of a chart. Public. Counts as several requests when it reads
   * much data.
   */
  'GET /last-traded-tradingview/history': {
    path: Record<never, never>
    query: {
      /** Market name, case-insensitive, or an asset; may be prefixed by `OPENVENUE:`. */
      symbol: string
      /** Alias of symbol, which takes precedence. */
      instrument_name?: string
      /** Minutes of a period, or 1D, 1W, 1M; D, W and M are aliases. 1M is a month. */
      resolution: '1' | '3' | '5' | '15' | '30' | '60' | '120' | '240' | '360' | '480' | '720' | '1D' | '3D' | '1W' | '1M' | 'D' | 'W' | 'M'
      /**
       * Earliest open time in seconds, milliseconds or nanoseconds, by magnitude. Default:
       * the start of the market.
       */
      from?: number
      /** Latest open time, in the same units. Default: now. */
      to?: number
      /**
       * Returns this many of the newest bars up to `to`, regardless of `from`. Clamped to
       * 5000.
       */
      countback?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: ChartHistory
  }
  /** Candles of a market. Public. Counts as several requests when it reads much data. */
  'GET /candles': {
    path: Record<never, never>
    query: {
      /** Market name, case-insensitive, or an asset: `ETH` is ETH-PERP, else ETH-USDC. */
      instrument_name: string
      /** Alias of instrument_name, which takes precedence. */
      symbol?: string
      /** Minutes of a period, or 1D, 1W, 1M; D, W and M are aliases. 1M is a month. */
      resolution: '1' | '3' | '5' | '15' | '30' | '60' | '120' | '240' | '360' | '480' | '720' | '1D' | '3D' | '1W' | '1M' | 'D' | 'W' | 'M'
      /**
       * Earliest open time in seconds, milliseconds or nanoseconds, by magnitude. Default:
       * the start of the market.
       */
      from?: number
      /** Latest open time, in the same units. Default: now. */
      to?: number
      /**
       * Returns this many of the newest bars up to `to`, regardless of `from`. Clamped to
       * 5000.
       */
      countback?: number
      /**
       * `previous` adds a flat bar without volume for each period without trades after the
       * first bar. `none` by default.
       */
      fill?: 'none' | 'previous'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Candle[]
  }
  /** Configuration of the data feed. Public. */
  'GET /last-traded-tradingview/config': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: ChartingConfig
  }
  /** Unix seconds. Public. */
  'GET /last-traded-tradingview/time': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: number
  }
  /** Chart settings of a market. Public. */
  'GET /last-traded-tradingview/symbols': {
    path: Record<never, never>
    query: {
      /** Market name, case-insensitive, or an asset; may be prefixed by `OPENVENUE:`. */
      symbol: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: ChartSymbol | ChartError
  }
  /** Markets by part of their name. Public. */
  'GET /last-traded-tradingview/search': {
    path: Record<never, never>
    query: {
      /** Part of a name or description, any case. */
      query?: string
      /** spot or perpetual. */
      type?: string
      /** Exact name; there is one exchange. */
      exchange?: string
      /** Maximum number of items, clamped to 100. */
      limit?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: ChartSearchItem[] | ChartError
  }
  /** Prices of several markets. Public. */
  'GET /last-traded-tradingview/quotes': {
    path: Record<never, never>
    query: {
      /** Up to 100 names, separated by commas. */
      symbols?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: ChartQuotes | ChartError
  }
  /**
   * The account at one block. Needs an API key with the scope `read`. Refused while the
   * data of this node is too old.
   */
  'GET /account': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Account
  }
  /**
   * The account at one block. Needs an API key with the scope `read`. Refused while the
   * data of this node is too old.
   */
  'GET /account/{address}': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Account
  }
  /**
   * Tokens of the account. Needs an API key with the scope `read`. Refused while the
   * data of this node is too old.
   */
  'GET /account/collaterals': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Collaterals
  }
  /**
   * Tokens of the account. Needs an API key with the scope `read`. Refused while the
   * data of this node is too old.
   */
  'GET /account/{address}/collaterals': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Collaterals
  }
  /**
   * Leverage in every perpetual market. Needs an API key with the scope `read`. Refused
   * while the data of this node is too old.
   */
  'GET /account/leverages': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Leverages
  }
  /**
   * Leverage in every perpetual market. Needs an API key with the scope `read`. Refused
   * while the data of this node is too old.
   */
  'GET /account/{address}/leverages': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Leverages
  }
  /**
   * Remaining limits of the account: rates, orders that the venue pays for, live orders,
   * queue. Needs an API key with the scope `read`.
   */
  'GET /limits': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Limits
  }
  /**
   * Remaining limits of the account: rates, orders that the venue pays for, live orders,
   * queue. Needs an API key with the scope `read`.
   */
  'GET /account/{address}/limits': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: Record<never, never>
    body: undefined
    answer: Limits
  }
  /** Market-maker protection of the account. Needs an API key with the scope `read`. */
  'GET /mmp': {
    path: Record<never, never>
    query: {
      /** The first one with a rule by default. */
      asset?: string
    }
    body: undefined
    answer: Mmp
  }
  /** Set market-maker protection on an asset. Needs an API key with the scope `trade`. */
  'POST /mmp': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Symbol of the underlying; applies to all of its markets. */
      asset: string
      /** Window of fills in seconds; 0 disables protection. */
      interval: number | string
      /** Seconds of the freeze; 0: until POST /reset-mmp. */
      frozen: number | string
      /** Total bought and sold, in millionths of a whole base unit. */
      amount_limit: number | string
      /** Absolute difference of bought and sold, in whole base units. */
      delta_limit?: number | string
    }
    answer: SafeguardDone
  }
  /** Market-maker protection of the account. Needs an API key with the scope `read`. */
  'GET /account/{address}/mmp': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** The first one with a rule by default. */
      asset?: string
    }
    body: undefined
    answer: Mmp
  }
  /** Cancel-on-disconnect of the account. Needs an API key with the scope `read`. */
  'GET /account/cancel-on-disconnect': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: CancelOnDisconnect
  }
  /**
   * Set cancel-on-disconnect: orders placed over a socket end with its connection. Needs
   * an API key with the scope `cancel`.
   */
  'POST /account/cancel-on-disconnect': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Cancel orders placed over a socket connection from now on when it ends. */
      enabled: boolean
    }
    answer: SafeguardDone
  }
  /** Cancel-on-disconnect of the account. Needs an API key with the scope `read`. */
  'GET /account/{address}/cancel-on-disconnect': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: Record<never, never>
    body: undefined
    answer: CancelOnDisconnect
  }
  /**
   * Volume and profit of the account: today, 7 days, 30 days and all time. Needs an API
   * key with the scope `read`. Counts as 5 requests.
   */
  'GET /account/stats': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /**
       * Also returns daily statistics for this many days, today (UTC) included; clamped to 1
       * to 92.
       */
      days?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccountStats
  }
  /**
   * Volume and profit of the account: today, 7 days, 30 days and all time. Needs an API
   * key with the scope `read`. Counts as 5 requests.
   */
  'GET /account/{address}/stats': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /**
       * Also returns daily statistics for this many days, today (UTC) included; clamped to 1
       * to 92.
       */
      days?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccountStats
  }
  /**
   * Overview of the account: balance, profit, margin, value of positions. Needs an API
   * key with the scope `read`. Counts as 5 requests. Refused while the data of this node
   * is too old.
   */
  'GET /portfolio': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Portfolio
  }
  /**
   * Overview of the account: balance, profit, margin, value of positions. Needs an API
   * key with the scope `read`. Counts as 5 requests. Refused while the data of this node
   * is too old.
   */
  'GET /account/{address}/portfolio': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Portfolio
  }
  /**
   * Fills of the account as a table. Needs an API key with the scope `read`. Counts as 5
   * requests.
   */
  'GET /account/trades/csv': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /**
       * One or more of trade, liquidation, separated by commas; both by default. Funding:
       * /trade-history?trade_types=funding.
       */
      trade_types?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query. */
      cursor?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: string
  }
  /**
   * Fills of the account as a table. Needs an API key with the scope `read`. Counts as 5
   * requests.
   */
  'GET /account/{address}/trades/csv': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /**
       * One or more of trade, liquidation, separated by commas; both by default. Funding:
       * /trade-history?trade_types=funding.
       */
      trade_types?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query. */
      cursor?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: string
  }
  /**
   * Deposits, withdrawals and transfers as a table. Needs an API key with the scope
   * `read`. Counts as 5 requests.
   */
  'GET /account/transactions/csv': {
    path: Record<never, never>
    query: {
      /** Only transactions of this type. */
      tx_type?: 'deposit' | 'withdraw' | 'send' | 'receive'
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query. */
      cursor?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: string
  }
  /**
   * Deposits, withdrawals and transfers as a table. Needs an API key with the scope
   * `read`. Counts as 5 requests.
   */
  'GET /account/{address}/transactions/csv': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Only transactions of this type. */
      tx_type?: 'deposit' | 'withdraw' | 'send' | 'receive'
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query. */
      cursor?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: string
  }
  /**
   * Cancellers of the account, and how to allow or revoke one. Needs an API key with the
   * scope `read`. Refused while the data of this node is too old.
   */
  'GET /account/cancellers': {
    path: Record<never, never>
    query: {
      /** Canceller for `allow`; the venue's own by default. */
      canceller?: string
      /**
       * Expiry for `allow`, Unix seconds: at most 30 days after the newest block; by default
       * an hour less.
       */
      expiry?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Cancellers
  }
  /**
   * Allow the venue to cancel the account's orders: it relays the signed allowance to
   * the chain. Needs an API key with the scope `trade`.
   */
  'POST /account/cancellers': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The venue's own canceller by default, at its expense. */
      canceller?: string
      /**
       * Unix seconds, as signed: at most 30 days after the newest block, and later than any
       * earlier one.
       */
      expiry: number | string
      /**
       * AllowCanceller signed by the wallet, the owner of a sub-account (ECDSA or EIP-1271),
       * or an active signing key.
       */
      signature: string
    }
    answer: CancellerRelay
  }
  /**
   * Revoke a canceller: returns the call for the wallet. Needs an API key with the scope
   * `trade`.
   */
  'DELETE /account/cancellers': {
    path: Record<never, never>
    query: {
      /** The canceller to revoke. Lower case. */
      canceller: string
    }
    body: undefined
    answer: MarginAnswer
  }
  /**
   * Cancellers of the account, and how to allow or revoke one. Needs an API key with the
   * scope `read`. Refused while the data of this node is too old.
   */
  'GET /account/{address}/cancellers': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Canceller for `allow`; the venue's own by default. */
      canceller?: string
      /**
       * Expiry for `allow`, Unix seconds: at most 30 days after the newest block; by default
       * an hour less.
       */
      expiry?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Cancellers
  }
  /**
   * Funding of open perpetual positions. Needs an API key with the scope `read`. Refused
   * while the data of this node is too old.
   */
  'GET /account/accumulated-fundings': {
    path: Record<never, never>
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccumulatedFundings
  }
  /**
   * Funding of open perpetual positions. Needs an API key with the scope `read`. Refused
   * while the data of this node is too old.
   */
  'GET /account/{address}/accumulated-fundings': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccumulatedFundings
  }
  /**
   * Perpetual positions and spot holdings. Needs an API key with the scope `read`.
   * Refused while the data of this node is too old.
   */
  'GET /positions': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PositionsPage
  }
  /**
   * Perpetual positions and spot holdings. Needs an API key with the scope `read`.
   * Refused while the data of this node is too old.
   */
  'GET /account/{address}/positions': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PositionsPage
  }
  /**
   * Resting, pending and held orders, page by page. Needs an API key with the scope
   * `read`. Refused while the data of this node is too old.
   */
  'GET /open-orders': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /** pending: also orders that are not on the chain yet: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OpenOrdersPage
  }
  /**
   * Resting, pending and held orders, page by page. Needs an API key with the scope
   * `read`. Refused while the data of this node is too old.
   */
  'GET /account/{address}/open-orders': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /** pending: also orders that are not on the chain yet: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OpenOrdersPage
  }
  /**
   * The most recent resting, pending and held orders. Needs an API key with the scope
   * `read`. Refused while the data of this node is too old.
   */
  'GET /orders': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** pending: also orders that are not on the chain yet: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order[]
  }
  /** Place a signed order. Needs an API key with the scope `trade`. */
  'POST /orders': {
    path: Record<never, never>
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: OrderRequest
    answer: PlacedOrder
  }
  /** Cancel orders by ids or by a filter. Needs an API key with the scope `cancel`. */
  'DELETE /orders': {
    path: Record<never, never>
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: CancelOrdersRequest | undefined
    answer: CancelledOrders
  }
  /**
   * The most recent resting, pending and held orders. Needs an API key with the scope
   * `read`. Refused while the data of this node is too old.
   */
  'GET /account/{address}/orders': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** pending: also orders that are not on the chain yet: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order[]
  }
  /**
   * One of the most recent live orders; any order with include=closed. Needs an API key
   * with the scope `read`. Refused while the data of this node is too old.
   */
  'GET /orders/{order_id}': {
    path: {
      /** order_id or chain_order_id. */
      order_id: string
    }
    query: {
      /** closed: also an order that has ended. */
      include?: 'closed'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * Replace an order: a resting one is named in replaces, a pending one is withdrawn.
   * Needs an API key with the scope `trade`.
   */
  'POST /orders/{order_id}': {
    path: {
      /** order_id or chain_order_id of the old order. */
      order_id: string
    }
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: OrderRequest
    answer: PlacedOrder
  }
  /**
   * Cancel an order, by order_id or chain_order_id. Needs an API key with the scope
   * `cancel`.
   */
  'DELETE /orders/{order_id}': {
    path: {
      /** order_id or chain_order_id. */
      order_id: string
    }
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: CancelRequest | undefined
    answer: CancelledOrder
  }
  /**
   * One of the most recent live orders; any order with include=closed. Needs an API key
   * with the scope `read`. Refused while the data of this node is too old.
   */
  'GET /account/{address}/orders/{order_id}': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
      /** order_id or chain_order_id. */
      order_id: string
    }
    query: {
      /** closed: also an order that has ended. */
      include?: 'closed'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * An order by its client order id, including ended ones. Needs an API key with the
   * scope `read`. Refused while the data of this node is too old.
   */
  'GET /orders/by-client-id/{client_order_id}': {
    path: {
      /** client_order_id of the live order, or of the one that ended last. */
      client_order_id: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /** Cancel an order by its client order id. Needs an API key with the scope `cancel`. */
  'DELETE /orders/by-client-id/{client_order_id}': {
    path: {
      /** client_order_id of the live order, or of the one that ended last. */
      client_order_id: string
    }
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: CancelRequest | undefined
    answer: CancelledOrder
  }
  /**
   * An order by its client order id, including ended ones. Needs an API key with the
   * scope `read`. Refused while the data of this node is too old.
   */
  'GET /account/{address}/orders/by-client-id/{client_order_id}': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
      /** client_order_id of the live order, or of the one that ended last. */
      client_order_id: string
    }
    query: {
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * Fills of the account, its funding, or both in one list. Needs an API key with the
   * scope `read`.
   */
  'GET /trade-history': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * Some of trade, liquidation, settlement, funding, separated by commas; trade and
       * liquidation by default. With funding beside other types, one list of all of them,
       * paged by cursor; funding by itself gives the 500 most recent payments, paged by
       * offset.
       */
      trade_types?: string
      /** Only with trade_types=funding: number of rows to skip. */
      offset?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FillsPage | FundingPage | FillsAndFundingPage
  }
  /**
   * Fills of the account, its funding, or both in one list. Needs an API key with the
   * scope `read`.
   */
  'GET /account/{address}/trade-history': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * Some of trade, liquidation, settlement, funding, separated by commas; trade and
       * liquidation by default. With funding beside other types, one list of all of them,
       * paged by cursor; funding by itself gives the 500 most recent payments, paged by
       * offset.
       */
      trade_types?: string
      /** Only with trade_types=funding: number of rows to skip. */
      offset?: number
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FillsPage | FundingPage | FillsAndFundingPage
  }
  /**
   * Filled, partially filled and cancelled orders. Needs an API key with the scope
   * `read`.
   */
  'GET /order-history': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * The time that start_time and end_time filter and that sorts the list.
       * closed_timestamp excludes resting orders.
       */
      sort_by?: 'created_timestamp' | 'closed_timestamp'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderHistory
  }
  /**
   * Filled, partially filled and cancelled orders. Needs an API key with the scope
   * `read`.
   */
  'GET /account/{address}/order-history': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, case-insensitive. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * The time that start_time and end_time filter and that sorts the list.
       * closed_timestamp excludes resting orders.
       */
      sort_by?: 'created_timestamp' | 'closed_timestamp'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderHistory
  }
  /** Orders with a trigger, with their outcomes. Needs an API key with the scope `read`. */
  'GET /order-history/stops': {
    path: Record<never, never>
    query: {
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
    }
    body: undefined
    answer: StopOrders
  }
  /** Orders with a trigger, with their outcomes. Needs an API key with the scope `read`. */
  'GET /account/{address}/order-history/stops': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
    }
    body: undefined
    answer: StopOrders
  }
  /** Closed perpetual positions. Needs an API key with the scope `read`. */
  'GET /position-history': {
    path: Record<never, never>
    query: {
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PositionHistory
  }
  /** Closed perpetual positions. Needs an API key with the scope `read`. */
  'GET /account/{address}/position-history': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Exact name, 0x id or decimal id of a market; any other value is rejected. */
      instrument_name?: string
      /** Underlying asset, case-insensitive. */
      asset?: string
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PositionHistory
  }
  /** Deposits, withdrawals and transfers. Needs an API key with the scope `read`. */
  'GET /transaction-history': {
    path: Record<never, never>
    query: {
      /** Only transactions of this type. */
      tx_type?: 'deposit' | 'withdraw' | 'send' | 'receive'
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** Number of rows to skip. */
      offset?: number
      /** Only finalized returns rows. */
      tx_status?: string
      /** ASC for oldest first; any other value is newest first. */
      sort_order?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: TransactionHistory
  }
  /** Deposits, withdrawals and transfers. Needs an API key with the scope `read`. */
  'GET /account/{address}/transaction-history': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Only transactions of this type. */
      tx_type?: 'deposit' | 'withdraw' | 'send' | 'receive'
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** Number of rows to skip. */
      offset?: number
      /** Only finalized returns rows. */
      tx_status?: string
      /** ASC for oldest first; any other value is newest first. */
      sort_order?: string
      /**
       * The answer is at this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: TransactionHistory
  }
  /**
   * Equity over time: the last snapshot of each period, oldest first. Needs an API key
   * with the scope `read`.
   */
  'GET /balance-history': {
    path: Record<never, never>
    query: {
      /** Earliest point. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time: number
      /**
       * Latest point; now by default. Unix seconds, milliseconds or nanoseconds, by
       * magnitude.
       */
      end_time?: number
      /**
       * Seconds per point, clamped to 60 to 604800. Coarsened to a multiple of it if there
       * would be more points than the operator allows (2000).
       */
      resolution?: number
    }
    body: undefined
    answer: BalanceHistory
  }
  /**
   * Equity over time: the last snapshot of each period, oldest first. Needs an API key
   * with the scope `read`.
   */
  'GET /account/{address}/balance-history': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Earliest point. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time: number
      /**
       * Latest point; now by default. Unix seconds, milliseconds or nanoseconds, by
       * magnitude.
       */
      end_time?: number
      /**
       * Seconds per point, clamped to 60 to 604800. Coarsened to a multiple of it if there
       * would be more points than the operator allows (2000).
       */
      resolution?: number
    }
    body: undefined
    answer: BalanceHistory
  }
  /** Notifications of the account, newest first. Needs an API key with the scope `read`. */
  'GET /notifications': {
    path: Record<never, never>
    query: {
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Chain id; a different one yields no rows. */
      chain_id?: number
      /** Only read, or only unread, notifications. */
      status?: 'all' | 'unread' | 'read'
      /** Type of the notification. */
      type?: NotificationType
    }
    body: undefined
    answer: NotificationsPage
  }
  /** Notifications of the account, newest first. Needs an API key with the scope `read`. */
  'GET /account/{address}/notifications': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Maximum number of items, clamped to 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Direction from the cursor: use next with next_cursor. */
      direction?: 'next' | 'prev'
      /** Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, by magnitude. */
      end_time?: number
      /** Chain id; a different one yields no rows. */
      chain_id?: number
      /** Only read, or only unread, notifications. */
      status?: 'all' | 'unread' | 'read'
      /** Type of the notification. */
      type?: NotificationType
    }
    body: undefined
    answer: NotificationsPage
  }
  /** Number of unread notifications. Needs an API key with the scope `read`. */
  'GET /notifications/unread-count': {
    path: Record<never, never>
    query: {
      /** Chain id; a different one yields no rows. */
      chain_id?: number
    }
    body: undefined
    answer: UnreadCount
  }
  /** Number of unread notifications. Needs an API key with the scope `read`. */
  'GET /account/{address}/notifications/unread-count': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: {
      /** Chain id; a different one yields no rows. */
      chain_id?: number
    }
    body: undefined
    answer: UnreadCount
  }
  /** Notification preferences of the account. Needs an API key with the scope `read`. */
  'GET /notifications/preferences': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: NotificationPreferences
  }
  /**
   * Change the notification preferences; omitted ones stay. Needs an API key with the
   * scope `read`.
   */
  'PUT /notifications/preferences': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      channels?: {
        /** Listed by GET /notifications. */
        in_app?: boolean
        /** Pushed on the channel notifications. */
        websocket?: boolean
        /** Not offered. */
        webhook?: false
      }
      types?: {
        order_filled?: boolean
        order_partially_filled?: boolean
        order_cancelled?: boolean
        position_liquidated?: boolean
        liquidation_warning?: boolean
        funding_paid?: boolean
        deposit_finalized?: boolean
        withdraw_finalized?: boolean
        transfer_received?: boolean
        market_halted?: boolean
        withdrawals_stopped?: boolean
        withdrawals_resumed?: boolean
        order_rejected?: boolean
        order_expired?: boolean
        order_triggered?: boolean
        api_key_created?: boolean
        api_key_expiring?: boolean
        api_key_revoked?: boolean
      }
    } | undefined
    answer: NotificationPreferences
  }
  /** Notification preferences of the account. Needs an API key with the scope `read`. */
  'GET /account/{address}/notifications/preferences': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: Record<never, never>
    body: undefined
    answer: NotificationPreferences
  }
  /**
   * Change the notification preferences; omitted ones stay. Needs an API key with the
   * scope `read`.
   */
  'PUT /account/{address}/notifications/preferences': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: Record<never, never>
    body: {
      channels?: {
        /** Listed by GET /notifications. */
        in_app?: boolean
        /** Pushed on the channel notifications. */
        websocket?: boolean
        /** Not offered. */
        webhook?: false
      }
      types?: {
        order_filled?: boolean
        order_partially_filled?: boolean
        order_cancelled?: boolean
        position_liquidated?: boolean
        liquidation_warning?: boolean
        funding_paid?: boolean
        deposit_finalized?: boolean
        withdraw_finalized?: boolean
        transfer_received?: boolean
        market_halted?: boolean
        withdrawals_stopped?: boolean
        withdrawals_resumed?: boolean
        order_rejected?: boolean
        order_expired?: boolean
        order_triggered?: boolean
        api_key_created?: boolean
        api_key_expiring?: boolean
        api_key_revoked?: boolean
      }
    } | undefined
    answer: NotificationPreferences
  }
  /** Live API keys of the account. Needs an API key with the scope `read`. */
  'GET /api-keys': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: ApiKeys
  }
  /**
   * Create another API key for the account, with no more rights than the key of the
   * request. Needs an API key.
   */
  'POST /api-keys': {
    path: Record<never, never>
    query: Record<never, never>
    body: KeyRequest
    answer: KeyIssued
  }
  /**
   * Set the leverage of a perpetual: returns the call for the wallet. Needs an API key
   * with the scope `trade`.
   */
  'POST /account/leverage': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** A perpetual: name, 0x id or decimal id. */
      instrument: string | number
      /** A whole number from 1 to the market's max_leverage. */
      leverage: string | number
    }
    answer: MarginAnswer
  }
  /**
   * Set the margin mode: CROSS, or the call of a sub-account. Needs an API key with the
   * scope `trade`.
   */
  'POST /account/margin-type': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** A perpetual: name, 0x id or decimal id. */
      instrument: string | number
      /** Only CROSS. ISOLATED is rejected with the call for a sub-account. */
      margin_type: 'CROSS' | 'ISOLATED'
    }
    answer: MarginAnswer
  }
  /**
   * Move margin to a position: none, or the call of a sub-account. Needs an API key with
   * the scope `trade`.
   */
  'POST /account/update-margin': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** A perpetual: name, 0x id or decimal id. */
      instrument: string | number
      /** Zero or absent; any other value is rejected with the call for a sub-account. */
      isolated_margin?: string | number
      /** CROSS by default. */
      margin_type?: 'CROSS' | 'ISOLATED'
    }
    answer: MarginAnswer
  }
  /**
   * Cancel all orders unless this is called again in time. Needs an API key with the
   * scope `cancel`.
   */
  'POST /account/cancel-after': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Milliseconds: 5000 to 86400000, or 0 to disarm. Each call restarts the timer. */
      timeout_ms: number | string
      /** True: protective orders (reduce-only with a trigger) are cancelled as well. */
      include_triggers?: boolean
      /**
       * Signed in advance, if the account has not allowed the venue to cancel until then:
       * one for each market of its live orders. Used once.
       */
      cancel_alls?: ({
        /** Name or id of the market. */
        instrument: string
        /** Salt of the message, used up at the market's engine when it is submitted. */
        salt: number | string
        /** Unix seconds, at least 60 after the end of the timer, to leave time for submission. */
        deadline: number | string
        /** `CancelAll` signed by the wallet or a signing key. */
        signature: string
      })[]
    }
    answer: CancelAfterAnswer
  }
  /**
   * Thaw market-maker protection, and restart its counts. Needs an API key with the
   * scope `trade`.
   */
  'POST /reset-mmp': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      asset: string
    }
    answer: SafeguardDone
  }
  /**
   * Preview of an order at the newest block. Needs an API key with the scope `read`.
   * Counts as 5 requests.
   */
  'POST /orders/preview': {
    path: Record<never, never>
    query: Record<never, never>
    body: OrderRequest
    answer: OrderPreview
  }
  /**
   * The call that places an order, for a wallet that sends its own transactions. Needs
   * an API key with the scope `read`.
   */
  'POST /orders/build': {
    path: Record<never, never>
    query: Record<never, never>
    body: OrderRequest
    answer: OrderBuilt
  }
  /** Place up to 64 signed orders. Needs an API key with the scope `trade`. */
  'POST /batch-orders': {
    path: Record<never, never>
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: BatchRequest
    answer: BatchAnswer
  }
  /**
   * Cancel all orders, or those of an asset or a market type. Needs an API key with the
   * scope `cancel`.
   */
  'DELETE /orders-all': {
    path: Record<never, never>
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger, at the
       * latest after 2 s. X-Wait holds the outcome: done, timeout, or busy if too many
       * requests wait and this one was answered immediately.
       */
      wait?: 'included'
    }
    body: CancelAllRequest | undefined
    answer: CancelledOrders
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'POST /notifications/{id}/read': {
    path: {
      /** Id of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks it as unread. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'PUT /notifications/{id}/read': {
    path: {
      /** Id of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks it as unread. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'POST /account/{address}/notifications/{id}/read': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
      /** Id of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks it as unread. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'PUT /account/{address}/notifications/{id}/read': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
      /** Id of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks it as unread. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark notifications as read, or as unread. Needs an API key with the scope `read`. */
  'POST /notifications/read': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      ids: string[]
      /** False marks it as unread. */
      read?: boolean
    }
    answer: NotificationsRead
  }
  /** Mark notifications as read, or as unread. Needs an API key with the scope `read`. */
  'POST /account/{address}/notifications/read': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: Record<never, never>
    body: {
      ids: string[]
      /** False marks it as unread. */
      read?: boolean
    }
    answer: NotificationsRead
  }
  /**
   * Mark all notifications as read, or those before a time. Needs an API key with the
   * scope `read`.
   */
  'POST /notifications/read-all': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Only those up to this time, Unix nanoseconds as text. */
      before?: string
    } | undefined
    answer: NotificationsRead
  }
  /**
   * Mark all notifications as read, or those before a time. Needs an API key with the
   * scope `read`.
   */
  'POST /account/{address}/notifications/read-all': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
    }
    query: Record<never, never>
    body: {
      /** Only those up to this time, Unix nanoseconds as text. */
      before?: string
    } | undefined
    answer: NotificationsRead
  }
  /** Delete a notification. Needs an API key with the scope `read`. */
  'DELETE /notifications/{id}': {
    path: {
      /** Id of the notification. */
      id: string
    }
    query: Record<never, never>
    body: undefined
    answer: NotificationRemoved
  }
  /** Delete a notification. Needs an API key with the scope `read`. */
  'DELETE /account/{address}/notifications/{id}': {
    path: {
      /** The key's account, case-insensitive. */
      address: string
      /** Id of the notification. */
      id: string
    }
    query: Record<never, never>
    body: undefined
    answer: NotificationRemoved
  }
  /** Register a signing key and issue an API key, whose secret is shown once. Public. */
  'POST /register': {
    path: Record<never, never>
    query: Record<never, never>
    body: RegisterRequest
    answer: Registered
  }
  /** Revoke one API key, or all of the account. Needs an API key. */
  'DELETE /api-key': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The key to revoke; by default the key of the request. */
      api_key?: string
      /** True revokes every key of the account; else ignored. */
      all?: unknown
      /**
       * True is rejected, and revokes nothing: only the wallet can revoke a signing key on
       * the chain. The rejection contains the call to send.
       */
      on_chain?: boolean
    } | undefined
    answer: KeyRemoved
  }
  /** Rename an API key, or narrow its rights. Needs an API key. */
  'PATCH /api-keys/{prefix}': {
    path: {
      /** Beginning of the key: 8 characters or more. */
      prefix: string
    }
    query: Record<never, never>
    body: KeyChange | undefined
    answer: ApiKey
  }
  /** Revoke an API key by its prefix, as shown in the list of keys. Needs an API key. */
  'DELETE /api-keys/{prefix}': {
    path: {
      /** Beginning of the key: 8 characters or more. */
      prefix: string
    }
    query: Record<never, never>
    body: undefined
    answer: KeyRemoved
  }
}
