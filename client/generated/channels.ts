// Lists the socket channels with the data of each kind of message.
// Generated from the schemas of the server: npx node client/scripts/generate.ts
import type {
  Account,
  Funding,
  FundingPayment,
  InstrumentType,
  Liquidation,
  Market,
  Notification,
  Order,
  Position,
  Side,
  Statistics,
  TradeHistoryItem,
} from './shapes.ts'

/** Channels by the name used to subscribe. */
export interface Channels {
  /** The book, with each block that changes it. */
  [name: `orderbook:${string}`]: {
    snapshot: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** Best first. An update contains only changed levels. */
      bids: [string, string, string][]
      /** Best first. An update contains only changed levels. */
      asks: [string, string, string][]
      /**
       * Block time plus the seq, so that it increases with every message of a channel.
       * Nanoseconds.
       */
      last_updated: string
      /**
       * CRC32 of the resulting book in base 10, over its best 100 levels: bid price:amount,
       * then ask price:amount, level by level, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
    update: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** Best first. An update contains only changed levels. */
      bids: [string, string, string][]
      /** Best first. An update contains only changed levels. */
      asks: [string, string, string][]
      /**
       * Block time plus the seq, so that it increases with every message of a channel.
       * Nanoseconds.
       */
      last_updated: string
      /**
       * CRC32 of the resulting book in base 10, over its best 100 levels: bid price:amount,
       * then ask price:amount, level by level, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
  }
  /** The book, at most ten times a second. */
  [name: `orderbook-100ms:${string}`]: {
    snapshot: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** Best first. An update contains only changed levels. */
      bids: [string, string, string][]
      /** Best first. An update contains only changed levels. */
      asks: [string, string, string][]
      /**
       * Block time plus the seq, so that it increases with every message of a channel.
       * Nanoseconds.
       */
      last_updated: string
      /**
       * CRC32 of the resulting book in base 10, over its best 100 levels: bid price:amount,
       * then ask price:amount, level by level, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
    update: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** Best first. An update contains only changed levels. */
      bids: [string, string, string][]
      /** Best first. An update contains only changed levels. */
      asks: [string, string, string][]
      /**
       * Block time plus the seq, so that it increases with every message of a channel.
       * Nanoseconds.
       */
      last_updated: string
      /**
       * CRC32 of the resulting book in base 10, over its best 100 levels: bid price:amount,
       * then ask price:amount, level by level, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
  }
  /** The book, at most twice a second. */
  [name: `orderbook-500ms:${string}`]: {
    snapshot: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** Best first. An update contains only changed levels. */
      bids: [string, string, string][]
      /** Best first. An update contains only changed levels. */
      asks: [string, string, string][]
      /**
       * Block time plus the seq, so that it increases with every message of a channel.
       * Nanoseconds.
       */
      last_updated: string
      /**
       * CRC32 of the resulting book in base 10, over its best 100 levels: bid price:amount,
       * then ask price:amount, level by level, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
    update: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** Best first. An update contains only changed levels. */
      bids: [string, string, string][]
      /** Best first. An update contains only changed levels. */
      asks: [string, string, string][]
      /**
       * Block time plus the seq, so that it increases with every message of a channel.
       * Nanoseconds.
       */
      last_updated: string
      /**
       * CRC32 of the resulting book in base 10, over its best 100 levels: bid price:amount,
       * then ask price:amount, level by level, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
  }
  /** The best 500 orders of each side, one by one, with each block that changes them. */
  [name: `orderbook-l3:${string}`]: {
    snapshot: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** A snapshot has all, an update those that changed. Sort by price, then number. */
      bids: [string, string, string, number][]
      /** A snapshot has all, an update those that changed. Sort by price, then number. */
      asks: [string, string, string, number][]
      /**
       * CRC32 in base 10 over the best 100 orders of each side: bid order_id:amount, then
       * ask order_id:amount, order by order, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
    update: {
      type: 'snapshot' | 'update'
      instrument_id: string
      instrument_name: string
      instrument_type: InstrumentType
      /** A snapshot has all, an update those that changed. Sort by price, then number. */
      bids: [string, string, string, number][]
      /** A snapshot has all, an update those that changed. Sort by price, then number. */
      asks: [string, string, string, number][]
      /**
       * CRC32 in base 10 over the best 100 orders of each side: bid order_id:amount, then
       * ask order_id:amount, order by order, joined by ":".
       */
      checksum: string
      seq: number
      prev_seq: number | null
      block_number: number
    }
  }
  /** Prices and volume of markets. */
  [name: `ticker:${string}`]: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      tickers: ({
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
      })[]
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      tickers: ({
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
      })[]
    }
  }
  /** The same, at most twice a second. */
  [name: `ticker-500ms:${string}`]: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      tickers: ({
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
      })[]
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      tickers: ({
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
      })[]
    }
  }
  /** Best bid and ask. */
  [name: `book-ticker:${string}`]: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      tickers: ({
        /** 0x + engine (20 bytes) + market number (4 bytes). */
        instrument_id: string
        instrument_name: string
        instrument_type: InstrumentType
        /** The underlying. */
        asset: string
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
      })[]
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      tickers: ({
        /** 0x + engine (20 bytes) + market number (4 bytes). */
        instrument_id: string
        instrument_name: string
        instrument_type: InstrumentType
        /** The underlying. */
        asset: string
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
      })[]
    }
  }
  /** One message per trade. A snapshot, if requested, is the newest one. */
  [name: `trades:${string}`]: {
    snapshot: TradeHistoryItem | null
    update: TradeHistoryItem
    undo: {
      ids: string[]
    }
  }
  /** One message per block with trades. */
  [name: `trades-block:${string}`]: {
    snapshot: TradeHistoryItem[]
    update: TradeHistoryItem[]
    undo: {
      ids: string[]
    }
  }
  /**
   * One message per position closed by force, in any market. GET /liquidations has past
   * ones.
   */
  liquidations: {
    snapshot: null
    update: Liquidation
    undo: {
      ids: string[]
    }
  }
  /** The index price. */
  [name: `index:${string}`]: {
    snapshot: {
      /** Null when unavailable. */
      price: string | null
      /** Time at which the oracle accepted the price. Nanoseconds. */
      timestamp: string | null
    }
    update: {
      /** Null when unavailable. */
      price: string | null
      /** Time at which the oracle accepted the price. Nanoseconds. */
      timestamp: string | null
    }
  }
  /** Funding of a perpetual, as /funding. */
  [name: `funding:${string}`]: {
    snapshot: Funding
    update: Funding
  }
  /** The newest candle, and its close. */
  [name: `candles:${string}:${string}`]: {
    snapshot: {
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
      /** A block after the period exists: the candle is final. */
      closed: boolean
    } | null
    update: {
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
      /** A block after the period exists: the candle is final. */
      closed: boolean
    } | null
    undo: {
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
      /** A block after the period exists: the candle is final. */
      closed: boolean
    } | null
  }
  /** As /statistics. */
  [name: `statistics:${string}:${string}`]: {
    snapshot: Statistics
    update: Statistics
  }
  /** All market objects, then changed ones. */
  markets: {
    snapshot: Market[]
    update: Market[]
  }
  /** Open orders, then each order on every change. */
  orders: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      orders: Order[]
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      orders: Order[]
      /** Ids of orders removed by an undo. */
      removed?: string[]
    }
  }
  /** One message per fill. A snapshot, if requested, has the newest. */
  fills: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      fills: ({
        /** As `amount`. */
        filled: string
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
      })[]
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      fill: {
        /** As `amount`. */
        filled: string
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
    }
    undo: {
      ids: string[]
    }
  }
  /** Open positions, then each position on every change. */
  positions: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      positions: Position[]
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      positions: (Position | {
        /** 0x + engine (20 bytes) + market number (4 bytes). */
        instrument_id: string
        instrument_name: string
        instrument_type: InstrumentType
        /** The underlying. */
        asset: string
        amount: '0'
        side: 'buy'
      })[]
    }
  }
  /** Equity, margins and collaterals, as /account. */
  account: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      /** An account at one block. */
      account: Account
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      /** An account at one block. */
      account: Account
    }
  }
  /** As `account`. */
  balances: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      /** An account at one block. */
      account: Account
    }
    update: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      /** An account at one block. */
      account: Account
    }
  }
  /** One message per funding payment; snapshots as for `fills`. */
  fundings: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      fundings: FundingPayment[]
    }
    update: FundingPayment
    undo: {
      ids: string[]
    }
  }
  /** Deposits, withdrawals and transfers; snapshots as for `fills`. */
  transactions: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      transactions: ({
        /** Id used in an undo. */
        transaction_id: string
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
      })[]
    }
    update: {
      /** Id used in an undo. */
      transaction_id: string
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
    undo: {
      ids: string[]
    }
  }
  /** One message per notification; snapshots as for `fills`. */
  notifications: {
    snapshot: {
      /** Time of the block. Nanoseconds. */
      timestamp: string
      notifications: Notification[]
    }
    update: Notification
    undo: {
      ids: string[]
    }
  }
}
