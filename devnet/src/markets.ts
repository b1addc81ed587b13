// Tokens, markets and first prices of the devnet.
import { E18 } from '@openvenue/core/integers'

export const TOKENS = [
  { symbol: 'USDC', name: 'USD Coin', decimals: 6 },
  { symbol: 'EURC', name: 'Euro Coin', decimals: 6 },
  { symbol: 'ETH', name: 'Ether', decimals: 18 },
  { symbol: 'BTC', name: 'Bitcoin', decimals: 8 },
] as const satisfies readonly Readonly<{ symbol: string; name: string; decimals: number }>[]

export type TokenSymbol = (typeof TOKENS)[number]['symbol']

/** The seeded random walk of an asset's price: 18 decimals, spread in millionths per second. */
export type AssetTerms = Readonly<{ asset: string; startPrice: bigint; spreadPpm: number }>

/** USDC and EURC barely move; about 3 % a day for the others. */
export const ASSETS: readonly AssetTerms[] = [
  { asset: 'ETH', startPrice: 3_200n * E18, spreadPpm: 110 },
  { asset: 'BTC', startPrice: 96_000n * E18, spreadPpm: 90 },
  { asset: 'SOL', startPrice: 180n * E18, spreadPpm: 140 },
  { asset: 'EURC', startPrice: (108n * E18) / 100n, spreadPpm: 12 },
  { asset: 'USDC', startPrice: E18, spreadPpm: 2 },
]

type Terms = Readonly<{
  name: string
  /** Asset whose oracle price is the fair price of the market. */
  asset: string
  priceStep: bigint
  amountStep: bigint
  /** Decimals of the quote raw amounts: a price at the oracle has 18. */
  quoteDecimals: number
  /** Quote raw. */
  minOrderValue: bigint
  maxOrderValue: bigint
  quoting: QuotingTerms
}>

/** How the traders fill the book of a market. */
export type QuotingTerms = Readonly<{
  /** Ticks between two levels. */
  gridTicks: number
  /** Lots of a usual order. */
  lots: number
}>

export type SpotTerms = Terms & Readonly<{ type: 'spot'; base: TokenSymbol; quote: TokenSymbol }>
export type PerpTerms = Terms &
  Readonly<{
    type: 'perp'
    /** Quote raw: the value for which a poke reads average prices. */
    impactValue: bigint
    parameters: Readonly<{
      minOrderValue: bigint
      maxOrderValue: bigint
      maxNotionalValue: bigint
      maxOpenInterest: bigint
      maxLeverage: number
      makerFee: number
      takerFee: number
    }>
  }>
export type MarketTerms = SpotTerms | PerpTerms

const USDC = 10n ** 6n

const spot = (
  base: TokenSymbol,
  terms: Omit<Terms, 'name' | 'asset' | 'minOrderValue' | 'maxOrderValue' | 'quoteDecimals'>,
): SpotTerms => ({
  type: 'spot',
  name: `${base}-USDC`,
  asset: base,
  base,
  quote: 'USDC',
  quoteDecimals: 6,
  minOrderValue: USDC,
  maxOrderValue: 1_000_000n * USDC,
  ...terms,
})

/** Fees of the interface's own network: 1 bp for makers and 3.5 bp for takers, in millionths. */
const MAKER_FEE = 100
const TAKER_FEE = 350

/** Minimum with which the 400 orders read by a poke reach an impact value of 1,000. */
const PERP_VALUE_MIN = (5n * E18) / 2n
const IMPACT_VALUE = 1_000n * E18

const perp = (
  asset: string,
  {
    maxLeverage,
    ...terms
  }: Pick<Terms, 'priceStep' | 'amountStep' | 'quoting'> & { maxLeverage: number },
): PerpTerms => ({
  type: 'perp',
  name: `${asset}-PERP`,
  asset,
  quoteDecimals: 18,
  minOrderValue: PERP_VALUE_MIN,
  maxOrderValue: 1_000_000n * E18,
  impactValue: IMPACT_VALUE,
  parameters: {
    minOrderValue: PERP_VALUE_MIN,
    maxOrderValue: 1_000_000n * E18,
    maxNotionalValue: 5_000_000n * E18,
    maxOpenInterest: (50_000_000n * E18 * E18) / (findStartPrice(asset) * terms.amountStep),
    maxLeverage,
    makerFee: MAKER_FEE,
    takerFee: TAKER_FEE,
  },
  ...terms,
})

function findStartPrice(asset: string): bigint {
  const terms = ASSETS.find((listed) => listed.asset === asset)
  if (terms === undefined) throw new RangeError(`no start price of ${asset}`)
  return terms.startPrice
}

/** In the listing order of each engine. */
export const MARKETS: readonly MarketTerms[] = [
  spot('ETH', {
    priceStep: 10n ** 4n,
    amountStep: 10n ** 14n,
    quoting: { gridTicks: 128, lots: 5_000 },
  }),
  spot('BTC', {
    priceStep: 10n ** 5n,
    amountStep: 10n ** 3n,
    quoting: { gridTicks: 350, lots: 2_000 },
  }),
  spot('EURC', { priceStep: 10n, amountStep: 10n ** 5n, quoting: { gridTicks: 8, lots: 15_000 } }),
  perp('ETH', {
    priceStep: 10n ** 16n,
    amountStep: 10n ** 14n,
    maxLeverage: 20,
    quoting: { gridTicks: 128, lots: 6_000 },
  }),
  perp('BTC', {
    priceStep: 10n ** 17n,
    amountStep: 10n ** 14n,
    maxLeverage: 20,
    quoting: { gridTicks: 350, lots: 200 },
  }),
  perp('SOL', {
    priceStep: 10n ** 16n,
    amountStep: 10n ** 16n,
    maxLeverage: 10,
    quoting: { gridTicks: 8, lots: 1_000 },
  }),
]
