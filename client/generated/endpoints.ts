// Lists the endpoints with what each takes and answers.
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

/** By method and path, as the description of the interface has them. */
export interface Endpoints {
  /** Liveness: always 200. Public. Not counted by any limit of rates. */
  'GET /health': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Health
  }
  /**
   * Readiness: 200 when cache store, RPC and indexer all answer, else 503; 503 while it
   * stops. Public. Not counted by any limit of rates.
   */
  'GET /ready': {
    path: Record<never, never>
    query: Record<never, never>
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
  /** Where a program begins: network, contracts, typed data, tokens. Public. */
  'GET /info': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: VenueInfo
  }
  /** Who brings orders to the chain, and by what rules. Public. */
  'GET /relay': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Relay
  }
  /** Every promise of the venue, and what became of it. Public. Counts as 5 requests. */
  'GET /relay/ledger': {
    path: Record<never, never>
    query: {
      /** Entries from this number on; from_seq of the answer where those are gone. */
      from_seq?: number
      /** Only the entries of this one, with the newest receipts of its promises. */
      order_id?: string
      /** At most this many. Above 1000 it is taken as 1000. */
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
  /** Every error code: what it means, whether to try again, what to do. Public. */
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
      /** SPOT or PERPETUAL, in that case; any other value gives an empty list. */
      instrument_type?: string
      /** The underlying, in any case. */
      asset?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Name or id of the market, in that case. */
      instrument_id: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Name or id of the market, in that case. */
      instrument_name: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Market
  }
  /**
   * The order book, in raw integers. Public. Refused while what this node knows is too
   * old.
   */
  'GET /orderbook/{instrument_name}': {
    path: {
      /** Name or id of the market, in that case. */
      instrument_name: string
    }
    query: {
      /** At most this many levels a side, counted after grouping. */
      depth?: number
      /** Merge levels on multiples of this many price steps: bids down, asks up. */
      group?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBook
  }
  /**
   * The order book, in raw integers. Public. Refused while what this node knows is too
   * old.
   */
  'GET /markets/{instrument_id}/orderbook': {
    path: {
      /** Name or id of the market, in that case. */
      instrument_id: string
    }
    query: {
      /** At most this many levels a side, counted after grouping. */
      depth?: number
      /** Merge levels on multiples of this many price steps: bids down, asks up. */
      group?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBook
  }
  /**
   * The order book, in raw integers. Public. Refused while what this node knows is too
   * old.
   */
  'GET /orderbook': {
    path: Record<never, never>
    query: {
      /** Name or id of the market. */
      instrument_name: string
      /** At most this many levels a side, counted after grouping. */
      depth?: number
      /** Merge levels on multiples of this many price steps: bids down, asks up. */
      group?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderBook
  }
  /** Recent trades, newest first. Public. */
  'GET /markets/{instrument_id}/trades': {
    path: {
      /** Name or id of the market, in that case. */
      instrument_id: string
    }
    query: {
      /**
       * The oldest trades from then on, in place of the newest of all; still newest first.
       * Unix seconds, milliseconds or nanoseconds, known by its size.
       */
      start_time?: number
      /**
       * With start_time: only trades after this trade_id. With the trade_id and the time of
       * the newest trade of an answer, the next answer goes on from it.
       */
      after?: string
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** Accepted and ignored. */
      offset?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Name or id of the market, in that case. */
      instrument_name: string
    }
    query: {
      /**
       * The oldest trades from then on, in place of the newest of all; still newest first.
       * Unix seconds, milliseconds or nanoseconds, known by its size.
       */
      start_time?: number
      /**
       * With start_time: only trades after this trade_id. With the trade_id and the time of
       * the newest trade of an answer, the next answer goes on from it.
       */
      after?: string
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: TradeHistory
  }
  /** Statistics of 24 hours. Public. Refused while what this node knows is too old. */
  'GET /statistics/{asset}/{instrument_type}': {
    path: {
      /** Underlying symbol. */
      asset: string
      /** PERPETUAL: the market `<asset>-PERP`; SPOT: the market `<asset>-USDC`. */
      instrument_type: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Statistics
  }
  /** Statistics of 24 hours. Public. Refused while what this node knows is too old. */
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
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Statistics
  }
  /**
   * Current funding of a perpetual. Public. Refused while what this node knows is too
   * old.
   */
  'GET /funding/{instrument_name}': {
    path: {
      /** Name of a perpetual; the suffix -PERP in that case. */
      instrument_name: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Funding
  }
  /**
   * Current funding of a perpetual. Public. Refused while what this node knows is too
   * old.
   */
  'GET /funding': {
    path: Record<never, never>
    query: {
      /** Name of a perpetual; the suffix -PERP in that case. */
      instrument_name: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Name of a perpetual; the suffix -PERP in that case. */
      instrument_name: string
    }
    query: {
      /** At most this many. Above 500 it is taken as 500. */
      limit?: number
      /**
       * Earliest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, known by
       * its size.
       */
      start_time?: number
      /**
       * Latest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, known by
       * its size.
       */
      end_time?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Name of a perpetual; the suffix -PERP in that case. */
      instrument_name: string
      /** At most this many. Above 500 it is taken as 500. */
      limit?: number
      /**
       * Earliest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, known by
       * its size.
       */
      start_time?: number
      /**
       * Latest settlement, inclusive. Unix seconds, milliseconds or nanoseconds, known by
       * its size.
       */
      end_time?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FundingHistory
  }
  /** Index price of an asset. Public. Refused while what this node knows is too old. */
  'GET /index/{asset}': {
    path: {
      /** Symbol of an asset, in any case. */
      asset: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: IndexPrice[]
  }
  /** Index prices of all tokens. Public. Refused while what this node knows is too old. */
  'GET /index': {
    path: Record<never, never>
    query: {
      /** Symbol of an asset, in any case. */
      asset?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Symbol of an asset, in any case. */
      asset: string
      /** Seconds of a period; taken as whole minutes, rounded up. */
      resolution?: number
      /**
       * Earliest price, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /**
       * Latest price, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      end_time?: number
      /** At most this many. Above 500 it is taken as 500. */
      limit?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Name or id of a market, in that case. */
      instrument_name: string
      /** Seconds of a period; taken as whole minutes, rounded up. */
      resolution?: number
      /**
       * Earliest price, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /**
       * Latest price, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      end_time?: number
      /** At most this many. Above 500 it is taken as 500. */
      limit?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PriceHistory
  }
  /**
   * All markets at once: prices, and what changed in 24 hours. Public. Refused while
   * what this node knows is too old.
   */
  'GET /tickers': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in that case; any other value gives an empty list. */
      instrument_type?: string
      /** The underlying, in any case. */
      asset?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Tickers
  }
  /**
   * Every perpetual as coingecko.com asks for it. Public. Refused while what this node
   * knows is too old.
   */
  'GET /coingecko-statistics': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: CoingeckoStatistic[]
  }
  /** Every asset with its markets. Public. Refused while what this node knows is too old. */
  'GET /markets-summary': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: MarketsSummary
  }
  /**
   * Candles in the form of a chart. Public. Counts as several requests where it reads
   * much.
   */
  'GET /last-traded-tradingview/history': {
    path: Record<never, never>
    query: {
      /** Name of a market in any case, or an asset; `OPENVENUE:` may stand before it. */
      symbol: string
      /** Another name of symbol, which comes first. */
      instrument_name?: string
      /** Minutes of a period, or 1D, 1W, 1M; D, W and M are the same. 1M is a month. */
      resolution: '1' | '3' | '5' | '15' | '30' | '60' | '120' | '240' | '360' | '480' | '720' | '1D' | '3D' | '1W' | '1M' | 'D' | 'W' | 'M'
      /**
       * Earliest open time, in seconds, milliseconds or nanoseconds, known by its size. The
       * start of the market by default.
       */
      from?: number
      /** Latest open time, as from. Now by default. */
      to?: number
      /**
       * The newest so many bars not after `to`, whatever `from` says. Above 5000 it is taken
       * as 5000.
       */
      countback?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: ChartHistory
  }
  /** Candles of a market. Public. Counts as several requests where it reads much. */
  'GET /candles': {
    path: Record<never, never>
    query: {
      /** Name of a market in any case, or an asset: `ETH` is ETH-PERP, else ETH-USDC. */
      instrument_name: string
      /** Another name of instrument_name, which comes first. */
      symbol?: string
      /** Minutes of a period, or 1D, 1W, 1M; D, W and M are the same. 1M is a month. */
      resolution: '1' | '3' | '5' | '15' | '30' | '60' | '120' | '240' | '360' | '480' | '720' | '1D' | '3D' | '1W' | '1M' | 'D' | 'W' | 'M'
      /**
       * Earliest open time, in seconds, milliseconds or nanoseconds, known by its size. The
       * start of the market by default.
       */
      from?: number
      /** Latest open time, as from. Now by default. */
      to?: number
      /**
       * The newest so many bars not after `to`, whatever `from` says. Above 5000 it is taken
       * as 5000.
       */
      countback?: number
      /**
       * `previous` adds a flat bar without volume for each period without trades after the
       * first bar. `none` by default.
       */
      fill?: 'none' | 'previous'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
  /** What a chart must know of a market. Public. */
  'GET /last-traded-tradingview/symbols': {
    path: Record<never, never>
    query: {
      /** Name of a market in any case, or an asset; `OPENVENUE:` may stand before it. */
      symbol: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** At most this many. Above 100 it is taken as 100. */
      limit?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: ChartQuotes | ChartError
  }
  /**
   * The account at one block. Needs an API key with the scope `read`. Refused while what
   * this node knows is too old.
   */
  'GET /account': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Account
  }
  /**
   * The account at one block. Needs an API key with the scope `read`. Refused while what
   * this node knows is too old.
   */
  'GET /account/{address}': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Account
  }
  /**
   * Tokens of the account. Needs an API key with the scope `read`. Refused while what
   * this node knows is too old.
   */
  'GET /account/collaterals': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Collaterals
  }
  /**
   * Tokens of the account. Needs an API key with the scope `read`. Refused while what
   * this node knows is too old.
   */
  'GET /account/{address}/collaterals': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Collaterals
  }
  /**
   * Leverage in every perpetual market. Needs an API key with the scope `read`. Refused
   * while what this node knows is too old.
   */
  'GET /account/leverages': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Leverages
  }
  /**
   * Leverage in every perpetual market. Needs an API key with the scope `read`. Refused
   * while what this node knows is too old.
   */
  'GET /account/{address}/leverages': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Leverages
  }
  /**
   * What the account may still do: rates, orders that the venue pays for, room. Needs an
   * API key with the scope `read`.
   */
  'GET /limits': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Limits
  }
  /**
   * What the account may still do: rates, orders that the venue pays for, room. Needs an
   * API key with the scope `read`.
   */
  'GET /account/{address}/limits': {
    path: {
      /** The key's account, in any case. */
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
      /** The first by name that is set unless given. */
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
      /** Symbol of the underlying: all markets on it. */
      asset: string
      /** Seconds whose fills count; 0: protection is off. */
      interval: number | string
      /** Seconds for which it is frozen then; 0: until POST /reset-mmp. */
      frozen: number | string
      /** Bought and sold together, in millionths of a whole base unit. */
      amount_limit: number | string
      /** Bought less sold, either way, in whole base units. */
      delta_limit?: number | string
    }
    answer: SafeguardDone
  }
  /** Market-maker protection of the account. Needs an API key with the scope `read`. */
  'GET /account/{address}/mmp': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** The first by name that is set unless given. */
      asset?: string
    }
    body: undefined
    answer: Mmp
  }
  /**
   * Whether orders end with the connection over which they were made. Needs an API key
   * with the scope `read`.
   */
  'GET /account/cancel-on-disconnect': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: CancelOnDisconnect
  }
  /**
   * Let orders end with the connection of a socket over which they are made. Needs an
   * API key with the scope `cancel`.
   */
  'POST /account/cancel-on-disconnect': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Orders made over a connection of a socket from now on end with it. */
      enabled: boolean
    }
    answer: SafeguardDone
  }
  /**
   * Whether orders end with the connection over which they were made. Needs an API key
   * with the scope `read`.
   */
  'GET /account/{address}/cancel-on-disconnect': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: Record<never, never>
    body: undefined
    answer: CancelOnDisconnect
  }
  /**
   * Volume and profit of the account: today, of 7 and 30 days, and ever. Needs an API
   * key with the scope `read`. Counts as 5 requests.
   */
  'GET /account/stats': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /** Also day by day, so many days back, today (UTC) included; taken as 1 to 92. */
      days?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccountStats
  }
  /**
   * Volume and profit of the account: today, of 7 and 30 days, and ever. Needs an API
   * key with the scope `read`. Counts as 5 requests.
   */
  'GET /account/{address}/stats': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /** Also day by day, so many days back, today (UTC) included; taken as 1 to 92. */
      days?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccountStats
  }
  /**
   * The account at a glance: balance, profit, margin, what positions amount to. Needs an
   * API key with the scope `read`. Counts as 5 requests. Refused while what this node
   * knows is too old.
   */
  'GET /portfolio': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Portfolio
  }
  /**
   * The account at a glance: balance, profit, margin, what positions amount to. Needs an
   * API key with the scope `read`. Counts as 5 requests. Refused while what this node
   * knows is too old.
   */
  'GET /account/{address}/portfolio': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * One or several of trade, liquidation, parted by commas; both unless given. Funding:
       * /trade-history?trade_types=funding.
       */
      trade_types?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** At most this many. Above 10000 it is taken as 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query: the rows after. */
      cursor?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * One or several of trade, liquidation, parted by commas; both unless given. Funding:
       * /trade-history?trade_types=funding.
       */
      trade_types?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** At most this many. Above 10000 it is taken as 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query: the rows after. */
      cursor?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** At most this many. Above 10000 it is taken as 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query: the rows after. */
      cursor?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** Only transactions of this type. */
      tx_type?: 'deposit' | 'withdraw' | 'send' | 'receive'
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** At most this many. Above 10000 it is taken as 10000. */
      limit?: number
      /** X-Next-Cursor of an answer to the same query: the rows after. */
      cursor?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: string
  }
  /**
   * Who may cancel orders of the account, and how to allow or revoke it. Needs an API
   * key with the scope `read`. Refused while what this node knows is too old.
   */
  'GET /account/cancellers': {
    path: Record<never, never>
    query: {
      /** Whom `allow` is about; the venue's own unless given. */
      canceller?: string
      /**
       * Until when `allow` is, Unix seconds: at most 30 days after the newest block; an hour
       * less unless given.
       */
      expiry?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Cancellers
  }
  /**
   * Allow the venue to cancel the account's orders: it brings what was signed to the
   * chain. Needs an API key with the scope `trade`.
   */
  'POST /account/cancellers': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The venue's own, which it is unless given: the venue pays. */
      canceller?: string
      /**
       * Unix seconds, as signed: at most 30 days after the newest block, and later than any
       * before.
       */
      expiry: number | string
      /**
       * Of AllowCanceller by the wallet, the owner of a sub-account (ECDSA or EIP-1271), or
       * a live signing key.
       */
      signature: string
    }
    answer: CancellerRelay
  }
  /** Revoke a canceller: the call that does it. Needs an API key with the scope `trade`. */
  'DELETE /account/cancellers': {
    path: Record<never, never>
    query: {
      /** Who is to cancel no more. Lower case. */
      canceller: string
    }
    body: undefined
    answer: MarginAnswer
  }
  /**
   * Who may cancel orders of the account, and how to allow or revoke it. Needs an API
   * key with the scope `read`. Refused while what this node knows is too old.
   */
  'GET /account/{address}/cancellers': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** Whom `allow` is about; the venue's own unless given. */
      canceller?: string
      /**
       * Until when `allow` is, Unix seconds: at most 30 days after the newest block; an hour
       * less unless given.
       */
      expiry?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Cancellers
  }
  /**
   * Funding of open perpetual positions. Needs an API key with the scope `read`. Refused
   * while what this node knows is too old.
   */
  'GET /account/accumulated-fundings': {
    path: Record<never, never>
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccumulatedFundings
  }
  /**
   * Funding of open perpetual positions. Needs an API key with the scope `read`. Refused
   * while what this node knows is too old.
   */
  'GET /account/{address}/accumulated-fundings': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: AccumulatedFundings
  }
  /**
   * Perpetual positions and spot holdings. Needs an API key with the scope `read`.
   * Refused while what this node knows is too old.
   */
  'GET /positions': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Underlying asset, in any case. */
      asset?: string
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PositionsPage
  }
  /**
   * Perpetual positions and spot holdings. Needs an API key with the scope `read`.
   * Refused while what this node knows is too old.
   */
  'GET /account/{address}/positions': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Underlying asset, in any case. */
      asset?: string
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: PositionsPage
  }
  /**
   * Orders that rest, are on their way or are held, page by page. Needs an API key with
   * the scope `read`. Refused while what this node knows is too old.
   */
  'GET /open-orders': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /** pending: also orders that the chain does not have: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OpenOrdersPage
  }
  /**
   * Orders that rest, are on their way or are held, page by page. Needs an API key with
   * the scope `read`. Refused while what this node knows is too old.
   */
  'GET /account/{address}/open-orders': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /** pending: also orders that the chain does not have: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OpenOrdersPage
  }
  /**
   * The most recent orders that rest, are on their way or are held. Needs an API key
   * with the scope `read`. Refused while what this node knows is too old.
   */
  'GET /orders': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** pending: also orders that the chain does not have: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
       * Answers once each order is in a block, has ended, or is held for its trigger; after
       * 2 s in any case. X-Wait says which: done, timeout, or busy where too many wait
       * already and this one was answered at once.
       */
      wait?: 'included'
    }
    body: OrderRequest
    answer: PlacedOrder
  }
  /**
   * Cancel orders by their ids, or those that a filter leaves. Needs an API key with the
   * scope `cancel`.
   */
  'DELETE /orders': {
    path: Record<never, never>
    query: Record<never, never>
    body: CancelOrdersRequest | undefined
    answer: CancelledOrders
  }
  /**
   * The most recent orders that rest, are on their way or are held. Needs an API key
   * with the scope `read`. Refused while what this node knows is too old.
   */
  'GET /account/{address}/orders': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** pending: also orders that the chain does not have: on their way, or held. */
      include?: 'pending'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order[]
  }
  /**
   * One of the most recent orders that live; with include=closed any order. Needs an API
   * key with the scope `read`. Refused while what this node knows is too old.
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
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * Replace an order: a resting one is named by replaces, a pending one is taken back.
   * Needs an API key with the scope `trade`.
   */
  'POST /orders/{order_id}': {
    path: {
      /** order_id or chain_order_id of the old order. */
      order_id: string
    }
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger; after
       * 2 s in any case. X-Wait says which: done, timeout, or busy where too many wait
       * already and this one was answered at once.
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
       * Answers once each order is in a block, has ended, or is held for its trigger; after
       * 2 s in any case. X-Wait says which: done, timeout, or busy where too many wait
       * already and this one was answered at once.
       */
      wait?: 'included'
    }
    body: CancelRequest | undefined
    answer: CancelledOrder
  }
  /**
   * One of the most recent orders that live; with include=closed any order. Needs an API
   * key with the scope `read`. Refused while what this node knows is too old.
   */
  'GET /account/{address}/orders/{order_id}': {
    path: {
      /** The key's account, in any case. */
      address: string
      /** order_id or chain_order_id. */
      order_id: string
    }
    query: {
      /** closed: also an order that has ended. */
      include?: 'closed'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * An order by the name that its client gave it, ended ones too. Needs an API key with
   * the scope `read`. Refused while what this node knows is too old.
   */
  'GET /orders/by-client-id/{client_order_id}': {
    path: {
      /** client_order_id of the live order, or of the newest that ended. */
      client_order_id: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * Cancel an order by the name that its client gave it. Needs an API key with the scope
   * `cancel`.
   */
  'DELETE /orders/by-client-id/{client_order_id}': {
    path: {
      /** client_order_id of the live order, or of the newest that ended. */
      client_order_id: string
    }
    query: {
      /**
       * Answers once each order is in a block, has ended, or is held for its trigger; after
       * 2 s in any case. X-Wait says which: done, timeout, or busy where too many wait
       * already and this one was answered at once.
       */
      wait?: 'included'
    }
    body: CancelRequest | undefined
    answer: CancelledOrder
  }
  /**
   * An order by the name that its client gave it, ended ones too. Needs an API key with
   * the scope `read`. Refused while what this node knows is too old.
   */
  'GET /account/{address}/orders/by-client-id/{client_order_id}': {
    path: {
      /** The key's account, in any case. */
      address: string
      /** client_order_id of the live order, or of the newest that ended. */
      client_order_id: string
    }
    query: {
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: Order
  }
  /**
   * Fills of the account, or with trade_types=funding its funding. Needs an API key with
   * the scope `read`.
   */
  'GET /trade-history': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * Some of trade, liquidation, settlement, funding, parted by commas; trade and
       * liquidation by default. Exactly funding gives funding payments.
       */
      trade_types?: string
      /** With trade_types=funding: so many rows are left out first. */
      offset?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FillsPage | FundingPage
  }
  /**
   * Fills of the account, or with trade_types=funding its funding. Needs an API key with
   * the scope `read`.
   */
  'GET /account/{address}/trade-history': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * Some of trade, liquidation, settlement, funding, parted by commas; trade and
       * liquidation by default. Exactly funding gives funding payments.
       */
      trade_types?: string
      /** With trade_types=funding: so many rows are left out first. */
      offset?: number
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: FillsPage | FundingPage
  }
  /**
   * Filled, partially filled and cancelled orders. Needs an API key with the scope
   * `read`.
   */
  'GET /order-history': {
    path: Record<never, never>
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * The time that start_time and end_time select and that orders the list.
       * closed_timestamp leaves out what still rests.
       */
      sort_by?: 'created_timestamp' | 'closed_timestamp'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** SPOT or PERPETUAL, in any case. */
      instrument_type?: 'SPOT' | 'PERPETUAL'
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * The time that start_time and end_time select and that orders the list.
       * closed_timestamp leaves out what still rests.
       */
      sort_by?: 'created_timestamp' | 'closed_timestamp'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
       * s.
       */
      min_block?: number
    }
    body: undefined
    answer: OrderHistory
  }
  /**
   * Orders with a trigger, with what became of them. Needs an API key with the scope
   * `read`.
   */
  'GET /order-history/stops': {
    path: Record<never, never>
    query: {
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
    }
    body: undefined
    answer: StopOrders
  }
  /**
   * Orders with a trigger, with what became of them. Needs an API key with the scope
   * `read`.
   */
  'GET /account/{address}/order-history/stops': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
    }
    body: undefined
    answer: StopOrders
  }
  /** Closed perpetual positions. Needs an API key with the scope `read`. */
  'GET /position-history': {
    path: Record<never, never>
    query: {
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** Exact name, 0x id or decimal id of a market; another is refused. */
      instrument_name?: string
      /** Underlying asset, in any case. */
      asset?: string
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** asc for oldest first, desc for newest first. */
      sort_order?: 'asc' | 'desc'
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** So many rows are left out first. */
      offset?: number
      /** Only finalized returns rows. */
      tx_status?: string
      /** ASC for oldest first; anything else is newest first. */
      sort_order?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** Only transactions of this type. */
      tx_type?: 'deposit' | 'withdraw' | 'send' | 'receive'
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** So many rows are left out first. */
      offset?: number
      /** Only finalized returns rows. */
      tx_status?: string
      /** ASC for oldest first; anything else is newest first. */
      sort_order?: string
      /**
       * The answer is of this block or a later one. Waits until the node has it, at most 2
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
      /** Earliest point. Unix seconds, milliseconds or nanoseconds, known by its size. */
      start_time: number
      /**
       * Latest point; now by default. Unix seconds, milliseconds or nanoseconds, known by
       * its size.
       */
      end_time?: number
      /**
       * Seconds per point, taken as 60 to 604800. Coarsened to a multiple of it where there
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
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** Earliest point. Unix seconds, milliseconds or nanoseconds, known by its size. */
      start_time: number
      /**
       * Latest point; now by default. Unix seconds, milliseconds or nanoseconds, known by
       * its size.
       */
      end_time?: number
      /**
       * Seconds per point, taken as 60 to 604800. Coarsened to a multiple of it where there
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
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** Only of this chain; there is none of another one. */
      chain_id?: number
      /** Only those that were read, or were not. */
      status?: 'all' | 'unread' | 'read'
      /** What it says. */
      type?: NotificationType
    }
    body: undefined
    answer: NotificationsPage
  }
  /** Notifications of the account, newest first. Needs an API key with the scope `read`. */
  'GET /account/{address}/notifications': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** At most this many. Above 1000 it is taken as 1000. */
      limit?: number
      /** next_cursor or prev_cursor of an answer to the same query. */
      cursor?: string
      /** Which way to go from the cursor: next_cursor goes with next. */
      direction?: 'next' | 'prev'
      /**
       * Earliest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its
       * size.
       */
      start_time?: number
      /** Latest row, inclusive. Unix seconds, milliseconds or nanoseconds, known by its size. */
      end_time?: number
      /** Only of this chain; there is none of another one. */
      chain_id?: number
      /** Only those that were read, or were not. */
      status?: 'all' | 'unread' | 'read'
      /** What it says. */
      type?: NotificationType
    }
    body: undefined
    answer: NotificationsPage
  }
  /** How many notifications are not read. Needs an API key with the scope `read`. */
  'GET /notifications/unread-count': {
    path: Record<never, never>
    query: {
      /** Only of this chain; there is none of another one. */
      chain_id?: number
    }
    body: undefined
    answer: UnreadCount
  }
  /** How many notifications are not read. Needs an API key with the scope `read`. */
  'GET /account/{address}/notifications/unread-count': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: {
      /** Only of this chain; there is none of another one. */
      chain_id?: number
    }
    body: undefined
    answer: UnreadCount
  }
  /** What the account wants to be notified of. Needs an API key with the scope `read`. */
  'GET /notifications/preferences': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: NotificationPreferences
  }
  /**
   * Change what the account wants to be notified of; what is left out stays. Needs an
   * API key with the scope `read`.
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
  /** What the account wants to be notified of. Needs an API key with the scope `read`. */
  'GET /account/{address}/notifications/preferences': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: Record<never, never>
    body: undefined
    answer: NotificationPreferences
  }
  /**
   * Change what the account wants to be notified of; what is left out stays. Needs an
   * API key with the scope `read`.
   */
  'PUT /account/{address}/notifications/preferences': {
    path: {
      /** The key's account, in any case. */
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
   * Make another API key for the account, which can do no more than the one that asks.
   * Needs an API key.
   */
  'POST /api-keys': {
    path: Record<never, never>
    query: Record<never, never>
    body: KeyRequest
    answer: KeyIssued
  }
  /**
   * Set the leverage of a perpetual: the call that does it. Needs an API key with the
   * scope `trade`.
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
   * Set how margin is held: CROSS, or the call of a sub-account. Needs an API key with
   * the scope `trade`.
   */
  'POST /account/margin-type': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** A perpetual: name, 0x id or decimal id. */
      instrument: string | number
      /** CROSS: there is no other. ISOLATED is refused with the call of a sub-account. */
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
      /** Zero or absent; more is refused with the call of a sub-account. */
      isolated_margin?: string | number
      /** CROSS unless given. */
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
      /** Milliseconds: 5000 to 86400000, or 0 to disarm. Each call begins anew. */
      timeout_ms: number | string
      /** True: protective orders (reduce-only with a trigger) go as well. */
      include_triggers?: boolean
      /**
       * Signed beforehand, where the account has not allowed the venue to cancel until then:
       * one for each market of its live orders. Used once.
       */
      cancel_alls?: ({
        /** Name or id of the market. */
        instrument: string
        /** Of the message: spent at the market's engine when it is used. */
        salt: number | string
        /** Unix seconds, 60 or more after the timer ends: it has to be sent. */
        deadline: number | string
        /** Of `CancelAll`, by the wallet or a live signing key. */
        signature: string
      })[]
    }
    answer: CancelAfterAnswer
  }
  /**
   * Thaw market-maker protection, and count anew. Needs an API key with the scope
   * `trade`.
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
   * What an order would do at the newest block. Needs an API key with the scope `read`.
   * Counts as 5 requests.
   */
  'POST /orders/preview': {
    path: Record<never, never>
    query: Record<never, never>
    body: OrderRequest
    answer: OrderPreview
  }
  /**
   * The call that places an order, for a wallet that sends for itself. Needs an API key
   * with the scope `read`.
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
       * Answers once each order is in a block, has ended, or is held for its trigger; after
       * 2 s in any case. X-Wait says which: done, timeout, or busy where too many wait
       * already and this one was answered at once.
       */
      wait?: 'included'
    }
    body: BatchRequest
    answer: BatchAnswer
  }
  /**
   * Cancel all orders, or those of an asset or a type of market. Needs an API key with
   * the scope `cancel`.
   */
  'DELETE /orders-all': {
    path: Record<never, never>
    query: Record<never, never>
    body: CancelAllRequest | undefined
    answer: CancelledOrders
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'POST /notifications/{id}/read': {
    path: {
      /** Of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks as unread again. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'PUT /notifications/{id}/read': {
    path: {
      /** Of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks as unread again. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'POST /account/{address}/notifications/{id}/read': {
    path: {
      /** The key's account, in any case. */
      address: string
      /** Of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks as unread again. */
      read?: boolean
    } | undefined
    answer: NotificationRead
  }
  /** Mark a notification as read, or as unread. Needs an API key with the scope `read`. */
  'PUT /account/{address}/notifications/{id}/read': {
    path: {
      /** The key's account, in any case. */
      address: string
      /** Of the notification. */
      id: string
    }
    query: Record<never, never>
    body: {
      /** False marks as unread again. */
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
      /** False marks as unread again. */
      read?: boolean
    }
    answer: NotificationsRead
  }
  /** Mark notifications as read, or as unread. Needs an API key with the scope `read`. */
  'POST /account/{address}/notifications/read': {
    path: {
      /** The key's account, in any case. */
      address: string
    }
    query: Record<never, never>
    body: {
      ids: string[]
      /** False marks as unread again. */
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
      /** The key's account, in any case. */
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
      /** Of the notification. */
      id: string
    }
    query: Record<never, never>
    body: undefined
    answer: NotificationRemoved
  }
  /** Delete a notification. Needs an API key with the scope `read`. */
  'DELETE /account/{address}/notifications/{id}': {
    path: {
      /** The key's account, in any case. */
      address: string
      /** Of the notification. */
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
      /** The key to revoke; by default the one of the request. */
      api_key?: string
      /** True revokes every key of the account; all else is ignored. */
      all?: unknown
      /**
       * True is refused, and revokes nothing: only the wallet can revoke a signing key on
       * the chain. The refusal holds the call that it has to send.
       */
      on_chain?: boolean
    } | undefined
    answer: KeyRemoved
  }
  /** Rename an API key, or narrow what it may do. Needs an API key. */
  'PATCH /api-keys/{prefix}': {
    path: {
      /** How the key begins: 8 characters or more. */
      prefix: string
    }
    query: Record<never, never>
    body: KeyChange | undefined
    answer: ApiKey
  }
  /**
   * Revoke the API key that begins like this, as the list of keys shows it. Needs an API
   * key.
   */
  'DELETE /api-keys/{prefix}': {
    path: {
      /** How the key begins: 8 characters or more. */
      prefix: string
    }
    query: Record<never, never>
    body: undefined
    answer: KeyRemoved
  }
}
