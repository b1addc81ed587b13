// Declares the decoded events of the chain. Names and fields are those of the Solidity events;
// `market` is the instrument id (engine + number), so that no reader needs to know which engine
// spoke.
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

/** Where a log stands in the chain. */
export type LogPosition = Readonly<{ logIndex: number; txHash: Hash }>

/** A block with the events of its logs in chain order. */
export type VenueBlock = Readonly<{ header: Header; events: readonly LoggedEvent[] }>

export type LoggedEvent = VenueEvent & LogPosition

/** What the venue knows of an order that it accepted and brought to the chain. */
export type OrderOrigin = Readonly<{
  /** The chain's time when the venue accepted it. */
  acceptedSeconds: Seconds
  /** Placed as a market order: the contract knows only limits. */
  isMarket: boolean
  clientOrderId: string | null
  parentRef: Hash | null
  /** 1: at or above, 2: at or below the trigger price; null without a trigger. */
  triggerKind: number | null
  triggerPrice: Price | null
  /** The order that it replaces: a digest, or a market's id and 16 digits. */
  replaces: Hash | null
}>

/** Which kind of engine spoke: the decoder knows it by the address of the log. */
export type EngineType = 'SPOT' | 'PERPETUAL'

export type EventType = VenueEvent['type']

/** The event of one type, with its place: `EventOf<'Filled'>`. */
export type EventOf<T extends EventType> = Extract<VenueEvent, { type: T }> & LogPosition

export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY'

/** Indices are the numbers of the contract: `ITypes.Reason`. */
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

/** Indices are the numbers of the contract: `ITypes.TimeInForce`. */
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
      /** The signing key that allowed it, with which it ends; null where the wallet did. */
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
      /** Not of the chain: added where the venue accepted the order. */
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
      /** Of what the engine holds after a deposit, raw; null for none. */
      total: Raw | null
      /** Of what the account holds after its deposit, raw; null for none. */
      perAccount: Raw | null
    }>
  | Readonly<{ type: 'LeverageSet'; market: MarketId; account: AccountNumber; leverage: number }>
  | Readonly<{ type: 'Indexed'; asset: string; price: Price; time: Seconds }>
  | Readonly<{
      type: 'Marked'
      market: MarketId
      /** In force from the second after this block's, at the index of now; 18 decimals. */
      mark: Price
      /** Mark over index, less one; 18 decimals. */
      basis: Rate
      /** Of mid over index, 18 decimals, as it counts for so many seconds of the hour. */
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
  // Positions that are closed by force
  | Readonly<{
      type: 'Ended'
      market: MarketId
      /** At which every position of the market ends; 18 decimals. */
      mark: Price
      /** Up to which they owe funding. */
      fundingIndex: PerLot
    }>
  // Until a flagged loss is cleared, no collateral leaves the engine
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
      /** Signed, as the position. */
      lots: Lots
      /** Quote raw per lot. */
      unit: PerLot
      /** Quote raw; below zero when insurance pays it in. */
      collateral: Quote
    }>
  | Readonly<{
      type: 'Deleveraged'
      market: MarketId
      loser: AccountNumber
      winner: AccountNumber
      /** Signed, as the position of the loser. */
      lots: Lots
      /** Quote raw per lot; may be below zero. */
      unit: PerLot
    }>
