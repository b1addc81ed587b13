// An operator's terms for the venue on chain, in the raw integers of the contracts.
import type { Hex } from 'viem'
import { type ConfigFault, faultText } from './check-shape.ts'

export type SpotTerms = Readonly<{
  name: string
  base: Hex
  quote: Hex
  baseDecimals: number
  quoteDecimals: number
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

/** Insurance limits in a market: raw quote, and a share of its fund. */
export type Cover = Readonly<{ maxNotional: bigint; lossBps: number }>

export type PerpTerms = Readonly<{
  name: string
  asset: string
  priceStep: bigint
  amountStep: bigint
  impactValue: bigint
  indexAgeMaxSeconds: number
  cover: Cover
  parameters: PerpParameters
}>

type AssetTerms = Readonly<{
  asset: string
  source: 'pusher' | 'pyth' | 'chainlink'
  /** Pyth's id, or the address of the feed. */
  feed: Hex | undefined
}>

export type OutflowTerms = Readonly<{
  engine: 'spot' | 'perps'
  symbol: string
  token: Hex
  shareBps: number
  small: bigint
}>

/** Raw units of the token. */
export type DepositCapTerms = Readonly<{
  engine: 'spot' | 'perps'
  symbol: string
  token: Hex
  total: bigint
  perAccount: bigint
}>

export type VenueTerms = Readonly<{
  domainName: string
  salt: string
  tokens: Readonly<Record<string, Readonly<{ address: Hex; decimals: number }>>>
  collateral: Hex
  governance: Readonly<{
    delaySeconds: number
    proposers: readonly Hex[]
    executors: readonly Hex[]
    cancellers: readonly Hex[]
  }>
  guardian: Hex
  oracle: Readonly<{
    pusher: Hex
    pyth: Hex | undefined
    chainlink: Readonly<{ sequencer: Hex }> | undefined
    assets: readonly AssetTerms[]
  }>
  spot: readonly SpotTerms[]
  perps: readonly PerpTerms[]
  outflow: readonly OutflowTerms[]
  depositCaps: readonly DepositCapTerms[]
}>

/** Thrown when `venue.json` is invalid; each fault names its member. */
export class VenueFileInvalid extends Error {
  override name = 'VenueFileInvalid'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[], file?: unknown) {
    super(faults.map((fault) => faultText(fault, file)).join('\n'))
    this.faults = faults
  }
}

/** Makes every account the holder of a role. Source: solady's Timelock. */
export const ANYBODY: Hex = '0x0303030303030303030303030303030303030303'
export const NO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'
