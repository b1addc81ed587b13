// The tokens and markets of scenarios. Steps are those of the devnet.

import { marketId } from '../../src/ids.ts'
import { E18 } from '../../src/integers.ts'

export const SPOT_ENGINE = '0x5000000000000000000000000000000000000051'
export const PERP_ENGINE = '0x9000000000000000000000000000000000000091'

type ScenarioToken = Readonly<{
  address: string
  symbol: string
  name: string
  decimals: number
}>

const token = (address: string, symbol: string, name: string, decimals: number): ScenarioToken => ({
  address: `0x${address.padStart(40, '0')}`,
  symbol,
  name,
  decimals,
})

export const TOKENS = {
  USDC: token('a1', 'USDC', 'USD Coin', 6),
  EURC: token('a2', 'EURC', 'Euro Coin', 6),
  ETH: token('a3', 'ETH', 'Ether', 18),
  BTC: token('a4', 'BTC', 'Bitcoin', 8),
} as const

export type TokenSymbol = keyof typeof TOKENS

export type ScenarioListing = Readonly<{
  id: string
  engine: string
  number: number
  name: string
  /** Symbol of the base token, or the asset of a perpetual. */
  asset: string
  isPerp: boolean
  baseDecimals: number
  priceStep: bigint
  amountStep: bigint
  quotePerLotTick: bigint
  /** Starting price of random scenarios. */
  startTick: number
}>

type Steps = Readonly<{ priceStep: bigint; amountStep: bigint; startTick: number }>

function listing(number: number, name: string, steps: Steps): ScenarioListing {
  const asset = name.slice(0, name.indexOf('-'))
  const isPerp = name.endsWith('-PERP')
  const engine = isPerp ? PERP_ENGINE : SPOT_ENGINE
  const baseDecimals = isPerp ? 18 : TOKENS[asset as TokenSymbol].decimals
  return {
    id: marketId(engine, number),
    engine,
    number,
    name,
    asset,
    isPerp,
    baseDecimals,
    ...steps,
    quotePerLotTick: (steps.priceStep * steps.amountStep) / 10n ** BigInt(baseDecimals),
  }
}

/** Prices of 0.01, 1 and 0.0001 quote a step at spot; 0.1, 1 and 0.01 at the perpetuals. */
export const LISTINGS = {
  'ETH-USDC': listing(1, 'ETH-USDC', {
    priceStep: 10_000n,
    amountStep: 10n ** 14n,
    startTick: 300_000,
  }),
  'BTC-USDC': listing(2, 'BTC-USDC', {
    priceStep: 1_000_000n,
    amountStep: 1000n,
    startTick: 60_000,
  }),
  'EURC-USDC': listing(3, 'EURC-USDC', {
    priceStep: 100n,
    amountStep: 10_000n,
    startTick: 11_000,
  }),
  'ETH-PERP': listing(1, 'ETH-PERP', {
    priceStep: E18 / 10n,
    amountStep: E18 / 1000n,
    startTick: 30_000,
  }),
  'BTC-PERP': listing(2, 'BTC-PERP', {
    priceStep: E18,
    amountStep: E18 / 10_000n,
    startTick: 60_000,
  }),
  'SOL-PERP': listing(3, 'SOL-PERP', {
    priceStep: E18 / 100n,
    amountStep: E18 / 10n,
    startTick: 15_000,
  }),
} as const

export type MarketName = keyof typeof LISTINGS

export const MARKET_NAMES = Object.keys(LISTINGS) as readonly MarketName[]

/** Parameters of the perpetuals of scenarios. Fees are 1 and 3.5 hundredths of a percent. */
export const PERP_PARAMETERS = {
  minOrderValue: E18,
  maxOrderValue: 10_000_000n * E18,
  maxNotionalValue: 50_000_000n * E18,
  maxOpenInterest: 10n ** 12n,
  maxLeverage: 20,
  makerFee: 100,
  takerFee: 350,
} as const

/** Returns the wallet of an account of a scenario. */
export const accountWallet = (account: number) => `0x${account.toString(16).padStart(40, 'c')}`
