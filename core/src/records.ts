// All records of the venue, each declared once: TypeScript types, SQL rows, the feed and the undo
// of a reorg derive from this table.
import { ACCOUNT_RECORDS, ORDER_STATUSES } from './account-records.ts'
import { CANCEL_REASONS, TIMES_IN_FORCE } from './events.ts'
import { POOL_RECORDS } from './pool-records.ts'
import {
  type FieldKind,
  LOG_FIELDS,
  oneOf,
  oneOfOrNull,
  type RecordSchema,
  type ValueOf,
} from './record-schema.ts'
import { RESOLUTION_NAMES } from './resolutions.ts'

export type { FieldKind } from './record-schema.ts'

export const RECORDS = {
  /** A token of an engine. `symbol` is also the name of its asset at the oracle. */
  token: {
    table: 'tokens',
    key: ['address'],
    fields: { address: 'address', symbol: 'text', name: 'text', decimals: 'int' },
  },
  /** A wallet's number in `Accounts`. */
  account: {
    table: 'accounts',
    key: ['account'],
    life: 'insert',
    fields: { account: 'account', wallet: 'address', openedSeconds: 'seconds' },
  },
  /** An additional account of a wallet, with an address of its own. */
  subAccount: {
    table: 'sub_accounts',
    key: ['account'],
    life: 'insert',
    fields: { account: 'account', owner: 'address', index: 'int', openedSeconds: 'seconds' },
  },
  /** A signing key. Revocation is permanent. */
  key: {
    table: 'signing_keys',
    key: ['key'],
    fields: { key: 'address', account: 'account', expirySeconds: 'seconds', isRevoked: 'bool' },
  },
  /**
   * An address that may cancel orders of an account and do nothing else. Removed when revoked.
   * `key` is the signing key that allowed it and with which it expires.
   */
  canceller: {
    table: 'cancellers',
    key: ['account', 'canceller'],
    fields: {
      account: 'account',
      canceller: 'address',
      /** The earlier of the allowed expiry and the expiry of `key`. */
      expirySeconds: 'seconds',
      key: 'address?',
      /** The allowed expiry, regardless of the key's; null in older records. */
      allowedSeconds: 'seconds?',
    },
  },
  /**
   * A market and its parameters. Price = tick * priceStep, amount = lots * amountStep, quote =
   * tick * lots * quotePerLotTick, all raw integers. `id` is `0x` + engine (20 bytes) + number (4).
   */
  market: {
    table: 'markets',
    key: ['id'],
    fields: {
      id: 'market',
      engine: 'address',
      number: 'int',
      name: 'text',
      type: oneOf('SPOT', 'PERPETUAL'),
      /** Symbol of the underlying, as used by the oracle. */
      asset: 'text',
      quoteAsset: 'text',
      /** Token addresses; null for a perpetual. */
      baseToken: 'address?',
      quoteToken: 'address?',
      baseDecimals: 'int',
      quoteDecimals: 'int',
      priceStep: 'price',
      amountStep: 'base',
      quotePerLotTick: 'quote',
      minOrderValue: 'quote',
      maxOrderValue: 'quote',
      /** Cap of an account's position, in quote raw; for a spot market equal to maxOrderValue. */
      maxNotionalValue: 'quote',
      /** Cap of the market's open interest in lots; null for a spot market. */
      maxOpenInterest: 'lots?',
      /** Perpetuals only, whole number. */
      maxLeverage: 'int?',
      /** Millionths of the notional (100 = 1 bp); perpetuals only. */
      makerFee: 'ppm?',
      takerFee: 'ppm?',
      isHalted: 'bool',
      listedSeconds: 'seconds',
      /** Permanent: the mark is frozen, and positions are to be closed at it. */
      isEnded: 'bool',
      /**
       * Account whose loss in this market is flagged; null for none. While a loss is flagged, no
       * collateral leaves the engine.
       */
      lossAccount: 'account?',
    },
  },
  /**
   * An order. `lots` is the placed amount minus reductions by the contract while it rested; `lots =
   * filled + resting + cancelled` at all times. The state keeps only resting orders. `filledUnits`
   * is the sum of tick * lots over its fills.
   */
  order: {
    table: 'orders',
    key: ['market', 'number'],
    fields: {
      market: 'market',
      number: 'orderNumber',
      /** Digest of a signed order, else null. */
      ref: 'hash?',
      account: 'account',
      isBuy: 'bool',
      tick: 'tick',
      lots: 'lots',
      restingLots: 'lots',
      filledLots: 'lots',
      filledUnits: 'tickLots',
      /** Fees paid so far, quote raw; negative is a rebate. */
      fees: 'quote',
      timeInForce: oneOf(...TIMES_IN_FORCE),
      isReduceOnly: 'bool',
      /** Placed by the contract to close a position by force. */
      isForced: 'bool',
      /** Unix seconds; 0 for none. */
      goodTilSeconds: 'seconds',
      status: oneOf(...ORDER_STATUSES),
      /** Reason of the cancellation, else null. */
      reason: oneOfOrNull(...CANCEL_REASONS),
      ...LOG_FIELDS,
      /** Chain time at which the venue accepted it, else the time of its block. */
      createdSeconds: 'seconds',
      updatedSeconds: 'seconds',
      // Data of the accepted order (`OrderOrigin`); false or null if submitted otherwise.
      /** Also true for forced orders. */
      isMarket: 'bool',
      clientOrderId: 'text?',
      parentRef: 'hash?',
      triggerKind: 'int?',
      triggerPrice: 'price?',
      /** Ids of the order it replaced, and of the order that replaced it. */
      replaces: 'hash?',
      replacedBy: 'hash?',
    },
  },
  /**
   * Lots of an order that has expired but has not been swept: it has left the book, while its funds
   * or margin remain locked until the contract emits Cancelled.
   */
  unswept: {
    table: 'unswept_orders',
    key: ['market', 'number'],
    fields: {
      market: 'market',
      number: 'orderNumber',
      account: 'account',
      isBuy: 'bool',
      tick: 'tick',
      lots: 'lots',
    },
  },
  /** A match. `id` is `<block>-<logIndex>`, padded so that text order is chain order. */
  trade: {
    table: 'trades',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      market: 'market',
      tick: 'tick',
      lots: 'lots',
      isTakerBuy: 'bool',
      maker: 'account',
      makerOrder: 'orderNumber',
      makerFee: 'quote',
      taker: 'account',
      takerOrder: 'orderNumber',
      takerFee: 'quote',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * A period of a market in which trades occurred. Prices are ticks; `volume` lots; `quoteUnits`
   * the sum of tick * lots; `taker*` the part where the taker bought.
   */
  candle: {
    table: 'candles',
    key: ['market', 'resolution', 'openSeconds'],
    slot: ['market', 'resolution'],
    fields: {
      market: 'market',
      /** Resolution as spelled in the interface: `1` ... `720`, `1D`, `3D`, `1W`, `1M`. */
      resolution: oneOf(...RESOLUTION_NAMES),
      openSeconds: 'seconds',
      open: 'tick',
      high: 'tick',
      low: 'tick',
      close: 'tick',
      volume: 'lots',
      quoteUnits: 'tickLots',
      takerBuyVolume: 'lots',
      takerBuyUnits: 'tickLots',
      trades: 'int',
    },
  },
  /** Totals of a market, updated by trades and position changes. */
  ticker: {
    table: 'tickers',
    key: ['market'],
    fields: {
      market: 'market',
      lastTick: 'tick?',
      lastTradeSeconds: 'seconds?',
      /** Sum of the long positions in lots, which equals that of the short ones. */
      openInterest: 'lots',
    },
  },
  /**
   * Token balance of an account at the spot engine, raw. `locked` backs its resting orders. Absent
   * while both are zero.
   */
  balance: {
    table: 'balances',
    key: ['account', 'token'],
    fields: { account: 'account', token: 'address', free: 'raw', locked: 'raw' },
  },
  /** Collateral of an account at a perpetual engine: 18 decimals, may be negative; absent at 0. */
  collateral: {
    table: 'collaterals',
    key: ['engine', 'account'],
    fields: { engine: 'address', account: 'account', amount: 'quote' },
  },
  /**
   * Token holdings of an engine, and its deposit caps; null for none. `held` is deposits minus
   * withdrawals, raw. Tokens sent to the contract without a deposit are not included, although the
   * contract counts them.
   */
  custody: {
    table: 'custodies',
    key: ['engine', 'token'],
    fields: {
      engine: 'address',
      token: 'address',
      engineType: oneOf('SPOT', 'PERPETUAL'),
      held: 'raw',
      /** Cap on the engine's balance after a deposit. */
      totalCap: 'raw?',
      /** Cap on the account's balance after a deposit; at a spot engine without funds in orders. */
      accountCap: 'raw?',
    },
  },
  /**
   * A perpetual position: signed lots, signed quote (18 decimals), the funding index it has paid up
   * to, its resting lots on each side, and its own leverage (0: the market's maximum). Absent while
   * all of these are zero.
   */
  position: {
    table: 'positions',
    key: ['market', 'account'],
    fields: {
      market: 'market',
      account: 'account',
      lots: 'lots',
      quote: 'quote',
      fundingIndex: 'perLot',
      bidLots: 'lots',
      askLots: 'lots',
      leverage: 'int',
    },
  },
  /** The newest index price of an asset, 18 decimals, as the oracle accepted it. */
  indexPrice: {
    table: 'index_prices',
    key: ['asset'],
    fields: { asset: 'text', price: 'price', seconds: 'seconds', blockNumber: 'int' },
  },
  /**
   * The mark price of a market. Perpetual: index * (1 + basis), 18 decimals; the basis is a rate
   * with 18 decimals. Spot: the mid, else the last trade, in quote raw; basis 0. From
   * `nextFromSeconds` on it is `nextPrice`: read it through `markAt`. `seconds` is the time the
   * price took effect.
   */
  mark: {
    table: 'marks',
    key: ['market'],
    fields: {
      market: 'market',
      price: 'price',
      basis: 'rate',
      nextPrice: 'price',
      nextBasis: 'rate',
      nextFromSeconds: 'seconds',
      seconds: 'seconds',
    },
  },
  /** The last price in a minute of a series: `index:<asset>` or `mark:<market id>`. */
  priceMinute: {
    table: 'price_minutes',
    key: ['series', 'openSeconds'],
    slot: ['series'],
    fields: { series: 'text', openSeconds: 'seconds', price: 'price' },
  },
  /**
   * Funding of a market since its last settlement. `rate` is per hour, 18 decimals. The funding
   * index at t is `cumulative + perSecond * (t - settledSeconds)`, quote raw per lot.
   */
  funding: {
    table: 'fundings',
    key: ['market'],
    fields: {
      market: 'market',
      settledSeconds: 'seconds',
      rate: 'rate',
      perSecond: 'big',
      cumulative: 'perLot',
      /**
       * This hour's premium samples: the sum of rate (18 decimals) times seconds, and the seconds.
       */
      premiumSum: 'big',
      sampledSeconds: 'seconds',
      /** Price at which this hour accrues, 18 decimals; 0 if there was no mark at its start. */
      mark: 'price',
    },
  },
  /** A settled funding hour. `seconds` is its end; `mark` is the price the hour accrued at. */
  settlement: {
    table: 'funding_settlements',
    key: ['market', 'seconds'],
    life: 'insert',
    fields: {
      market: 'market',
      seconds: 'seconds',
      rate: 'rate',
      mark: 'price',
      cumulative: 'perLot',
      ...LOG_FIELDS,
    },
  },
  ...ACCOUNT_RECORDS,
  ...POOL_RECORDS,
} as const satisfies Record<string, RecordSchema>

export type RecordKind = keyof typeof RECORDS

type FieldsOf<K extends RecordKind> = (typeof RECORDS)[K]['fields']

type RecordsByKind = {
  readonly [K in RecordKind]: {
    readonly [F in keyof FieldsOf<K>]: FieldsOf<K>[F] extends FieldKind
      ? ValueOf<FieldsOf<K>[F]>
      : never
  }
}

/** The TypeScript type of a record: `RecordOf<'order'>`. */
export type RecordOf<K extends RecordKind> = RecordsByKind[K]

export type Token = RecordOf<'token'>
export type Account = RecordOf<'account'>
export type Market = RecordOf<'market'>
export type Order = RecordOf<'order'>
export type Unswept = RecordOf<'unswept'>
export type Trade = RecordOf<'trade'>
export type Candle = RecordOf<'candle'>
export type Ticker = RecordOf<'ticker'>
export type Balance = RecordOf<'balance'>
export type Collateral = RecordOf<'collateral'>
export type Custody = RecordOf<'custody'>
export type Position = RecordOf<'position'>
export type IndexPrice = RecordOf<'indexPrice'>
export type Mark = RecordOf<'mark'>
export type PriceMinute = RecordOf<'priceMinute'>
export type Funding = RecordOf<'funding'>
export type Settlement = RecordOf<'settlement'>
export type Transfer = RecordOf<'transfer'>
export type Fill = RecordOf<'fill'>
export type Cycle = RecordOf<'cycle'>
export type ClosedCycle = RecordOf<'closedCycle'>
export type ForcedClose = RecordOf<'forcedClose'>
export type FundingPayment = RecordOf<'fundingPayment'>
export type Holding = RecordOf<'holding'>
export type PoolToken = RecordOf<'poolToken'>
export type Pool = RecordOf<'pool'>
export type PoolHour = RecordOf<'poolHour'>
