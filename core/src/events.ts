// Declares the decoded events of the chain. Names and fields are those of the Solidity events;
// `market` is the instrument id (engine + number), so that readers need not know the emitting
// engine.
import type { PoolEvent } from './pool-events.ts'
import type {
  AccountNumber,
  Address,
  Base,
  Hash,
  Lots,
  MarketId,
  OrderNumber,
  PerLot,
  Ppm,
  Price,
  Quote,
  Rate,
  Raw,
  Seconds,
  Tick,
} from './record-schema.ts'

/** A block header. Hashes are lower-case hex. */
export type Header = Readonly<{
  number: number
  hash: string
  parentHash: string
  /** Unix seconds of the block. */
  seconds: Seconds
}>

/** Position of a log in the chain. */
export type LogPosition = Readonly<{ logIndex: number; txHash: Hash }>

/** A block with its events in log order. */
export type VenueBlock = Readonly<{ header: Header; events: readonly LoggedEvent[] }>

export type LoggedEvent = VenueEvent & LogPosition

/** Data of an order that the venue accepted and submitted itself. */
export type OrderOrigin = Readonly<{
  /** Chain time at which the venue accepted it. */
  acceptedSeconds: Seconds
  /** Placed as a market order; the contract only knows limit orders. */
  isMarket: boolean
  clientOrderId: string | null
  parentRef: Hash | null
  /** 1: at or above the trigger price, 2: at or below it; null without a trigger. */
  triggerKind: number | null
  triggerPrice: Price | null
  /** Id of the order it replaces: a digest, or a market's id and 16 digits. */
  replaces: Hash | null
}>

/** Kind of the emitting engine, which the decoder knows from the address of the log. */
export type EngineType = 'SPOT' | 'PERPETUAL'

export type EventType = VenueEvent['type']

/** The event of one type with its log position: `EventOf<'Filled'>`. */
export type EventOf<T extends EventType> = Extract<VenueEvent, { type: T }> & LogPosition

export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY'

/** Ordered like the contract's enum `ITypes.Reason`. */
export const CANCEL_REASONS = [
  'USER',
  'IOC_REMAINDER',
  'FILL_LIMIT',
  'SELF_TRADE',
  'REDUCE_ONLY_CAPPED',
  'MARGIN',
  'EXPIRED',
  'LIQUIDATION',
  'KEY_REVOKED',
  'PRICE_BAND',
  'BELOW_MINIMUM',
] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** Ordered like the contract's enum `ITypes.TimeInForce`. */
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'POST_ONLY'] as const

type SpotListed = Readonly<{
  type: 'SpotListed'
  engine: Address
  market: MarketId
  number: number
  name: string
  base: Address
  quote: Address
  priceStep: Price
  amountStep: Base
  minOrderValue: Quote
  maxOrderValue: Quote
}>

export type PerpParameters = Readonly<{
  minOrderValue: Quote
  maxOrderValue: Quote
  maxNotionalValue: Quote
  maxOpenInterest: Lots
  maxLeverage: number
  makerFee: Ppm
  takerFee: Ppm
}>

type PerpListed = PerpParameters &
  Readonly<{
    type: 'PerpListed'
    engine: Address
    market: MarketId
    number: number
    name: string
    asset: string
    collateral: Address
    priceStep: Price
    amountStep: Base
  }>

export type VenueEvent =
  | PoolEvent
  // Accounts
  | Readonly<{ type: 'AccountOpened'; account: AccountNumber; wallet: Address }>
  | Readonly<{ type: 'SubAccountOpened'; account: AccountNumber; owner: Address; index: number }>
  | Readonly<{ type: 'KeyRegistered'; account: AccountNumber; key: Address; expiry: Seconds }>
  | Readonly<{ type: 'KeyRevoked'; account: AccountNumber; key: Address }>
  | Readonly<{
      type: 'CancellerAllowed'
      account: AccountNumber
      canceller: Address
      expiry: Seconds
      /** The signing key that allowed it and with which it expires; null for the wallet. */
      key: Address | null
    }>
  | Readonly<{ type: 'CancellerRevoked'; account: AccountNumber; canceller: Address }>
  // Ledger, both engines
  | Readonly<{
      type: 'TokenListed'
      token: Address
      symbol: string
      name: string
      decimals: number
    }>
  | Readonly<{
      type: 'Deposited'
      engine: Address
      engineType: EngineType
      account: AccountNumber
      token: Address
      amount: Raw
    }>
  | Readonly<{
      type: 'Withdrawn'
      engine: Address
      engineType: EngineType
      account: AccountNumber
      token: Address
      amount: Raw
      to: Address
    }>
  | Readonly<{
      type: 'Transferred'
      engine: Address
      engineType: EngineType
      from: AccountNumber
      to: AccountNumber
      token: Address
      amount: Raw
    }>
  // Markets
  | SpotListed
  | PerpListed
  | Readonly<{ type: 'SpotChanged'; market: MarketId; minOrderValue: Quote; maxOrderValue: Quote }>
  | (PerpParameters & Readonly<{ type: 'PerpChanged'; market: MarketId }>)
  | Readonly<{ type: 'Halted'; market: MarketId; halted: boolean }>
  // Book, both engines
  | Readonly<{
      type: 'Placed'
      market: MarketId
      account: AccountNumber
      order: OrderNumber
      buy: boolean
      tick: Tick
      lots: Lots
      timeInForce: TimeInForce
      reduceOnly: boolean
      goodTil: Seconds
      ref: Hash | null
      /** Not on the chain: added for orders that the venue accepted. */
      origin?: OrderOrigin | undefined
    }>
  | Readonly<{
      type: 'Filled'
      market: MarketId
      maker: AccountNumber
      makerOrder: OrderNumber
      taker: AccountNumber
      takerOrder: OrderNumber
      tick: Tick
      lots: Lots
      /** Quote raw; 0 at the spot engine. */
      makerFee: Quote
      takerFee: Quote
    }>
  | Readonly<{
      type: 'Cancelled'
      market: MarketId
      account: AccountNumber
      order: OrderNumber
      lots: Lots
      reason: CancelReason
    }>
  | Readonly<{
      type: 'Reduced'
      market: MarketId
      account: AccountNumber
      order: OrderNumber
      lots: Lots
    }>
  // Perpetuals
  // Deposits
  | Readonly<{
      type: 'DepositCapSet'
      engine: Address
      engineType: EngineType
      token: Address
      /** Cap on the engine's balance after a deposit, raw; null for none. */
      total: Raw | null
      /** Cap on the account's balance after a deposit, raw; null for none. */
      perAccount: Raw | null
    }>
  | Readonly<{ type: 'LeverageSet'; market: MarketId; account: AccountNumber; leverage: number }>
  | Readonly<{ type: 'Indexed'; asset: string; price: Price; time: Seconds }>
  | Readonly<{
      type: 'Marked'
      market: MarketId
      /** In force from the second after this block, at the current index; 18 decimals. */
      mark: Price
      /** Mark over index, minus one; 18 decimals. */
      basis: Rate
      /** Premium of mid over index, 18 decimals, weighted by `seconds` of the hour. */
      premium: Rate
      seconds: Seconds
    }>
  | Readonly<{
      type: 'FundingSettled'
      market: MarketId
      time: Seconds
      rate: Rate
      mark: Price
      cumulative: PerLot
      nextRate: Rate
      nextPerSecond: bigint
    }>
  // Forced closes
  | Readonly<{
      type: 'Ended'
      market: MarketId
      /** Closing price of all positions of the market; 18 decimals. */
      mark: Price
      /** Funding index up to which they owe funding. */
      fundingIndex: PerLot
    }>
  // While a loss is flagged, no collateral can leave the engine.
  | Readonly<{ type: 'LossFlagged'; market: MarketId; account: AccountNumber }>
  | Readonly<{ type: 'LossCleared'; market: MarketId; account: AccountNumber }>
  | Readonly<{ type: 'Liquidating'; market: MarketId; account: AccountNumber; order: OrderNumber }>
  | Readonly<{
      type: 'Liquidated'
      market: MarketId
      account: AccountNumber
      /** Above zero. */
      lots: Lots
      /** Quote raw, at least 0. */
      fee: Quote
      /** 0: none. */
      keeper: AccountNumber
    }>
  | Readonly<{
      type: 'Absorbed'
      market: MarketId
      account: AccountNumber
      /** Signed like the position. */
      lots: Lots
      /** Quote raw per lot. */
      unit: PerLot
      /** Quote raw; negative when insurance pays it in. */
      collateral: Quote
    }>
  | Readonly<{
      type: 'Deleveraged'
      market: MarketId
      loser: AccountNumber
      winner: AccountNumber
      /** Signed like the loser's position. */
      lots: Lots
      /** Quote raw per lot; may be negative. */
      unit: PerLot
    }>
