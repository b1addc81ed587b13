// The objects of the second host: tokens, listed pools, one pool, and the host (interface 2.13).
// Numbers are JSON numbers here: computed exactly, then rounded to the nearest double.
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static, type TSchema } from 'typebox'
import { feeText } from './decimal.ts'
import { choice, limit, named, nullable, strict } from './field.ts'
import { nearestNumber, nearestRatio } from './number.ts'
import { pathSchema } from './pagination.ts'
import { TradingField } from './trading.ts'

/** Decimals of computed USD prices and values. */
const USD_DECIMALS = 18

const number = (description: string) => Type.Number({ description })
const amount = (description: string) => Type.Number({ minimum: 0, description })

export const PoolTokenObject = named(
  'Token',
  {
    address: Type.String({ pattern: '^0x[0-9a-f]{40}$', description: 'Lower case.' }),
    name: Type.String({ description: 'Name from the token list, else from the token.' }),
    symbol: Type.String({ description: 'Symbol from the token list, else from the token.' }),
    decimals: Type.Integer({
      minimum: 0,
      maximum: 255,
      description: '0 if the token does not report it: a whole token is then one raw unit.',
    }),
    totalSupply: Type.String({
      pattern: '^((0|[1-9][0-9]*)(\\.[0-9]*[1-9])?)?$',
      description:
        'Decimal text in whole tokens, read once when the first pool of the token appeared; empty when unknown.',
    }),
    logoUri: Type.String({ description: 'From the token list; empty without one.' }),
    priceUsd: amount(
      "Price of a whole token: from the venue's oracle if it lists the token, else through the deepest pool to a token with a price; 0 if no pool leads to one.",
    ),
  },
  'A token.',
)
export type PoolTokenObject = Static<typeof PoolTokenObject>

export const EarnMarket = named(
  'EarnMarket',
  {
    address: Type.String({ pattern: '^0x[0-9a-f]{40}$', description: 'The pool. Lower case.' }),
    token0: PoolTokenObject,
    token1: PoolTokenObject,
    type: choice(['amm', 'clmm'], {
      description: 'amm: one price range for all (v2); clmm: concentrated liquidity (v3).',
    }),
    tvl: amount("USD value of the pool's reserves at current prices."),
    volume24h: amount(
      'USD value of swap inputs from the start of the hour 23 hours ago through the current hour, at current prices.',
    ),
    fee: amount('Fraction of the input: 0.003 is 0.3 %.'),
  },
  'A pool that accepts liquidity.',
)
export type EarnMarket = Static<typeof EarnMarket>

export const EarnMarkets = named(
  'EarnMarkets',
  {
    markets: Type.Array(EarnMarket),
    next_cursor: nullable(
      Type.String({ description: 'Cursor after the last of these; null at the end of the list.' }),
    ),
  },
  'Pools, page by page.',
)
export type EarnMarkets = Static<typeof EarnMarkets>

export const EARN_MARKETS_DEFAULT = 100
const EARN_MARKETS_MAX = 1000

/** A cursor holds a USD value, which worthless tokens can drive to hundreds of digits. */
const CURSOR_LENGTH_MAX = 2048

const POOL_SORTS = ['tvl', 'volume24h', 'created'] as const
export type PoolSort = (typeof POOL_SORTS)[number]
const POOL_TYPES = ['amm', 'clmm'] as const
export type PoolType = (typeof POOL_TYPES)[number]

const sortBy = (fallback: PoolSort) =>
  Type.Optional(
    choice(['tvl', 'volume24h', 'created'], {
      default: fallback,
      description: 'Greatest first; created: newest first.',
    }),
  )

const poolsQuery = <T extends TSchema>(sort: T) =>
  Type.Object({
    limit: limit(EARN_MARKETS_MAX, EARN_MARKETS_DEFAULT),
    cursor: Type.Optional(
      Type.String({
        maxLength: CURSOR_LENGTH_MAX,
        description: 'next_cursor of an answer to the same query.',
      }),
    ),
    sort,
    type: Type.Optional(
      choice(['amm', 'clmm'], {
        'x-any-case': 'lower',
        description: 'Pools of one type, case-insensitive.',
      }),
    ),
    token: Type.Optional(
      Type.String({
        description: 'Pools with this token: its address or symbol, case-insensitive.',
      }),
    ),
  })

export const EarnMarketsQuery = poolsQuery(sortBy('tvl'))
export const NewMarketsQuery = poolsQuery(sortBy('created'))
export type PoolsQuery = Static<typeof EarnMarketsQuery>

export const ClobPool = named(
  'Pool',
  {
    poolId: Type.String({
      description: 'Instrument id of the spot market, or address of the AMM pool. Lower case.',
    }),
    baseToken: PoolTokenObject,
    quoteToken: PoolTokenObject,
    price: amount(
      'Quote tokens per base token: the mid of the book, else the last trade, else 0. For an AMM pool, its price of token0 in token1.',
    ),
    priceChange24h: number(
      'Percent change over 24 hours (for an AMM pool, since the start of the hour 23 hours ago); for a younger one since its first price; 0 without a price.',
    ),
    volume24h: amount(
      'USD value of trades from the start of the hour 23 hours ago through the current hour, at current prices.',
    ),
    tvl: amount(
      "USD value of the resting orders of the book, or of the AMM pool's reserves, at current prices.",
    ),
  },
  'A pair of tokens with its current price and volume.',
)
export type ClobPool = Static<typeof ClobPool>

export const PoolIdPath = pathSchema({
  poolId:
    "A spot market's instrument id (hex or decimal) or name, or an AMM pool's address, case-insensitive.",
})

export const ClobInfo = named(
  'Info',
  {
    name: Type.String(),
    version: Type.String({ description: 'Version of the build, as in /version.' }),
    description: Type.String(),
    chain: Type.String({ description: 'Name of the network.' }),
    chainId: Type.Integer(),
    trading: TradingField,
    features: strict(
      {
        spot: Type.Boolean({ description: 'Spot order books are listed.' }),
        perpetual: Type.Boolean({ description: 'Perpetual order books are listed.' }),
        amm: Type.Boolean({ description: 'AMM pools of type amm are tracked.' }),
        clmm: Type.Boolean({ description: 'AMM pools of type clmm are tracked.' }),
        onChainMatching: Type.Boolean({ description: 'Orders match in contracts.' }),
        nonCustodial: Type.Boolean({ description: 'Funds are held by contracts, not by us.' }),
      },
      'Supported features.',
    ),
    endpoints: strict(
      {
        earnMarkets: Type.String(),
        newMarkets: Type.String(),
        pool: Type.String(),
        info: Type.String(),
        openapi: Type.String(),
        docs: Type.String(),
      },
      'Paths on this host.',
    ),
  },
  'Description of the order books and the paths to read them.',
)
export type ClobInfo = Static<typeof ClobInfo>

/** Inputs of a token object. `priceUsd` has USD_DECIMALS. */
export type TokenFacts = Readonly<{
  address: string
  name: string
  symbol: string
  decimals: number | null
  /** Raw; undefined when unknown. */
  totalSupply: bigint | undefined
  logoUri: string
  priceUsd: bigint
}>

/** Inputs of a listed pool. Values in USD have USD_DECIMALS. */
type EarnMarketFacts = Readonly<{
  address: string
  token0: TokenFacts
  token1: TokenFacts
  type: PoolType
  tvl: bigint
  volume24h: bigint
  /** Millionths. */
  fee: number
}>

/** Returns the token object. */
export function encodePoolToken(facts: TokenFacts): PoolTokenObject {
  const { address, name, symbol, logoUri, totalSupply, priceUsd } = facts
  const decimals = facts.decimals ?? 0
  return {
    address,
    name,
    symbol,
    decimals,
    totalSupply: totalSupply === undefined ? '' : formatRaw(totalSupply, decimals),
    logoUri,
    priceUsd: usdNumber(priceUsd),
  }
}

/** Returns the item of a listed pool. */
export const encodeEarnMarket = (facts: EarnMarketFacts): EarnMarket => ({
  address: facts.address,
  token0: encodePoolToken(facts.token0),
  token1: encodePoolToken(facts.token1),
  type: facts.type,
  tvl: usdNumber(facts.tvl),
  volume24h: usdNumber(facts.volume24h),
  fee: Number(feeText(facts.fee)),
})

/** A price of whole tokens. The denominator is positive. */
type PriceRatio = Readonly<{ numerator: bigint; denominator: bigint }>

/** Inputs of a pool object. Values in USD have USD_DECIMALS. */
export type ClobPoolFacts = Readonly<{
  poolId: string
  baseToken: TokenFacts
  quoteToken: TokenFacts
  /** Undefined if there is none. */
  price: PriceRatio | undefined
  priceBefore: PriceRatio | undefined
  volume24h: bigint
  tvl: bigint
}>

/** Returns the pool object. */
export const encodeClobPool = (facts: ClobPoolFacts): ClobPool => ({
  poolId: facts.poolId,
  baseToken: encodePoolToken(facts.baseToken),
  quoteToken: encodePoolToken(facts.quoteToken),
  price:
    facts.price === undefined ? 0 : nearestRatio(facts.price.numerator, facts.price.denominator),
  priceChange24h: changePercent(facts.price, facts.priceBefore),
  volume24h: usdNumber(facts.volume24h),
  tvl: usdNumber(facts.tvl),
})

/** Returns the change from `before` to `now` in percent; 0 without either. */
function changePercent(now: PriceRatio | undefined, before: PriceRatio | undefined): number {
  if (now === undefined || before === undefined || before.numerator === 0n) return 0
  const above = now.numerator * before.denominator - before.numerator * now.denominator
  return nearestRatio(above * 100n, before.numerator * now.denominator)
}

const usdNumber = (value: bigint) => nearestNumber(value, USD_DECIMALS)
