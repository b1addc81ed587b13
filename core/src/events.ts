// What the chain says, decoded. Names and fields are those of the Solidity events; `market` is the
// instrument id (engine + number), so that no reader needs to know which engine spoke.
import type { PoolEvent } from './pool-events.ts'

/** A block header. Hashes are lower-case hex. */
export type Header = Readonly<{
  number: number
  hash: string
  parentHash: string
  /** Unix seconds of the block. */
  seconds: number
}>

/** Where a log stands in the chain. */
export type LogPlace = Readonly<{ logIndex: number; txHash: string }>

/** A block with the events of its logs in chain order. */
export type VenueBlock = Readonly<{ header: Header; events: readonly LoggedEvent[] }>

export type LoggedEvent = VenueEvent & LogPlace

/** Which kind of engine spoke: the decoder knows it by the address of the log. */
export type EngineType = 'SPOT' | 'PERPETUAL'

export type EventType = VenueEvent['type']

/** The event of one type, with its place: `EventOf<'Filled'>`. */
export type EventOf<T extends EventType> = Extract<VenueEvent, { type: T }> & LogPlace

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
  engine: string
  market: string
  number: number
  name: string
  base: string
  quote: string
  priceStep: bigint
  amountStep: bigint
  minOrderValue: bigint
  maxOrderValue: bigint
}>

export type PerpParameters = Readonly<{
  minOrderValue: bigint
  maxOrderValue: bigint
  maxNotionalValue: bigint
  maxOpenInterest: bigint
  maxLeverage: number
  makerFee: number
  takerFee: number
}>

type PerpListed = PerpParameters &
  Readonly<{
    type: 'PerpListed'
    engine: string
    market: string
    number: number
    name: string
    asset: string
    collateral: string
    priceStep: bigint
    amountStep: bigint
  }>

export type VenueEvent =
  | PoolEvent
  // Accounts
  | Readonly<{ type: 'AccountOpened'; account: number; wallet: string }>
  | Readonly<{ type: 'SubAccountOpened'; account: number; owner: string; index: number }>
  | Readonly<{ type: 'KeyRegistered'; account: number; key: string; expiry: number }>
  | Readonly<{ type: 'KeyRevoked'; account: number; key: string }>
  // Ledger, both engines
  | Readonly<{ type: 'TokenListed'; token: string; symbol: string; name: string; decimals: number }>
  | Readonly<{
      type: 'Deposited'
      engine: string
      engineType: EngineType
      account: number
      token: string
      amount: bigint
    }>
  | Readonly<{
      type: 'Withdrawn'
      engine: string
      engineType: EngineType
      account: number
      token: string
      amount: bigint
      to: string
    }>
  | Readonly<{
      type: 'Transferred'
      engine: string
      engineType: EngineType
      from: number
      to: number
      token: string
      amount: bigint
    }>
  // Markets
  | SpotListed
  | PerpListed
  | Readonly<{ type: 'SpotChanged'; market: string; minOrderValue: bigint; maxOrderValue: bigint }>
  | (PerpParameters & Readonly<{ type: 'PerpChanged'; market: string }>)
  | Readonly<{ type: 'Halted'; market: string; halted: boolean }>
  // Book, both engines
  | Readonly<{
      type: 'Placed'
      market: string
      account: number
      order: number
      buy: boolean
      tick: number
      lots: bigint
      timeInForce: TimeInForce
      reduceOnly: boolean
      goodTil: number
      ref: string | null
    }>
  | Readonly<{
      type: 'Filled'
      market: string
      maker: number
      makerOrder: number
      taker: number
      takerOrder: number
      tick: number
      lots: bigint
      /** Quote raw; 0 at the spot engine. */
      makerFee: bigint
      takerFee: bigint
    }>
  | Readonly<{
      type: 'Cancelled'
      market: string
      account: number
      order: number
      lots: bigint
      reason: CancelReason
    }>
  | Readonly<{ type: 'Reduced'; market: string; account: number; order: number; lots: bigint }>
  // Perpetuals
  | Readonly<{ type: 'LeverageSet'; market: string; account: number; leverage: number }>
  | Readonly<{ type: 'Indexed'; asset: string; price: bigint; time: number }>
  | Readonly<{
      type: 'Marked'
      market: string
      /** In force from the second after this block's, at the index of now; 18 decimals. */
      mark: bigint
      /** Mark over index, less one; 18 decimals. */
      basis: bigint
      /** Of mid over index, 18 decimals, as it counts for so many seconds of the hour. */
      premium: bigint
      seconds: number
    }>
  | Readonly<{
      type: 'FundingSettled'
      market: string
      time: number
      rate: bigint
      mark: bigint
      cumulative: bigint
      nextRate: bigint
      nextPerSecond: bigint
    }>
  // Positions that are closed by force
  | Readonly<{ type: 'Liquidating'; market: string; account: number; order: number }>
  | Readonly<{
      type: 'Liquidated'
      market: string
      account: number
      /** Above zero. */
      lots: bigint
      /** Quote raw, at least 0. */
      fee: bigint
      /** 0: none. */
      keeper: number
    }>
  | Readonly<{
      type: 'Absorbed'
      market: string
      account: number
      /** Signed, as the position. */
      lots: bigint
      /** Quote raw per lot. */
      unit: bigint
      /** Quote raw; below zero when insurance pays it in. */
      collateral: bigint
    }>
  | Readonly<{
      type: 'Deleveraged'
      market: string
      loser: number
      winner: number
      /** Signed, as the position of the loser. */
      lots: bigint
      /** Quote raw per lot; may be below zero. */
      unit: bigint
    }>
