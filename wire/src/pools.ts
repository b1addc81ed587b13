// The objects of the second host: tokens, listed pools, one pool, and what the host is (interface
// 2.13). Numbers are JSON numbers here: computed exactly, then the nearest double.
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static, type TSchema } from 'typebox'
import { feeText } from './decimal.ts'
import { choice, limit, named, nullable, strict } from './field.ts'
import { nearestNumber, nearestRatio } from './number.ts'
import { pathSchema } from './pagination.ts'
import { TradingField } from './trading.ts'

/** Prices and values in USD are computed with so many decimals. */
export const USD_DECIMALS = 18

const number = (description: string) => Type.Number({ description })
const amount = (description: string) => Type.Number({ minimum: 0, description })

export const PoolTokenObject = named(
  'Token',
  {
    address: Type.String({ pattern: '^0x[0-9a-f]{40}$', description: 'Lower case.' }),
    name: Type.String({ description: 'As the token list has it, else as the token says.' }),
    symbol: Type.String({ description: 'As the token list has it, else as the token says.' }),
    decimals: Type.Integer({
      minimum: 0,
      maximum: 255,
      description: '0 when the token does not say: its whole is then a raw unit.',
    }),
    totalSupply: Type.String({
      pattern: '^((0|[1-9][0-9]*)(\\.[0-9]*[1-9])?)?$',
      description:
        'Decimal text in whole tokens, as read once, when the first pool of the token appeared; empty when unknown.',
    }),
    logoUri: Type.String({ description: 'From the token list; empty without one.' }),
    priceUsd: amount(
      "Of a whole token: the venue's oracle where it knows the token, else through the deepest pool to a token that it knows; 0 when no pool leads to one.",
    ),
  },
  'A token.',
)
export type PoolTokenObject = Static<typeof PoolTokenObject>

export const EarnMarket = named(
  'EarnMarket',
  {
    address: Type.String({ pattern: '^0x[0-9a-f]{40}$', description: 'Of the pool. Lower case.' }),
    token0: PoolTokenObject,
    token1: PoolTokenObject,
    type: choice(['amm', 'clmm'], {
      description: 'amm: one price range for everybody (v2); clmm: concentrated liquidity (v3).',
    }),
    tvl: amount('USD value of what the pool holds, at the prices of now.'),
    volume24h: amount(
      'USD value of what came in with swaps from the start of the hour 23 hours ago through the current hour, at the prices of now.',
    ),
    fee: amount('Fraction of what comes in: 0.003 is 0.3 %.'),
  },
  'A pool to provide liquidity to.',
)
export type EarnMarket = Static<typeof EarnMarket>

export const EarnMarkets = named(
  'EarnMarkets',
  {
    markets: Type.Array(EarnMarket),
    next_cursor: nullable(
      Type.String({ description: 'Goes on after the last of these; null at the end of the list.' }),
    ),
  },
  'Pools, page by page.',
)
export type EarnMarkets = Static<typeof EarnMarkets>

export const EARN_MARKETS_DEFAULT = 100
export const EARN_MARKETS_MAX = 1000

/** A cursor holds a value in USD, which tokens without worth can drive to hundreds of digits. */
const CURSOR_LENGTH_MAX = 2048

export const POOL_SORTS = ['tvl', 'volume24h', 'created'] as const
export type PoolSort = (typeof POOL_SORTS)[number]
export const POOL_TYPES = ['amm', 'clmm'] as const
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
        description: 'Pools of one type, in any case.',
      }),
    ),
    token: Type.Optional(
      Type.String({
        description: 'Pools with this token: its address or symbol, in any case.',
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
      'Quote tokens per base token: the mid of the book, else the last trade, else 0. Of an AMM pool, its price of token0 in token1.',
    ),
    priceChange24h: number(
      'Percent since 24 hours ago (of an AMM pool, since the start of the hour 23 hours ago); of a younger one since its first price; 0 without a price.',
    ),
    volume24h: amount(
      'USD value of trades from the start of the hour 23 hours ago through the current hour, at the prices of now.',
    ),
    tvl: amount(
      'USD value of the orders that rest in the book, or of what the AMM pool holds, at the prices of now.',
    ),
  },
  'A pair of tokens and what it stands at.',
)
export type ClobPool = Static<typeof ClobPool>

export const PoolIdPath = pathSchema({
  poolId:
    "A spot market's instrument id (hex or decimal) or name, or an AMM pool's address, in any case.",
})

export const ClobInfo = named(
  'Info',
  {
    name: Type.String(),
    version: Type.String({ description: 'Of the build, as /version says.' }),
    description: Type.String(),
    chain: Type.String({ description: 'Name of the network.' }),
    chainId: Type.Integer(),
    trading: TradingField,
    features: strict(
      {
        spot: Type.Boolean({ description: 'Spot order books are listed.' }),
        perpetual: Type.Boolean({ description: 'Perpetual order books are listed.' }),
        amm: Type.Boolean({ description: 'AMM pools of type amm are followed.' }),
        clmm: Type.Boolean({ description: 'AMM pools of type clmm are followed.' }),
        onChainMatching: Type.Boolean({ description: 'Orders match in contracts.' }),
        nonCustodial: Type.Boolean({ description: 'Funds are held by contracts, not by us.' }),
      },
      'What there is.',
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
  'What the order books are and where to read them.',
)
export type ClobInfo = Static<typeof ClobInfo>

/** The parts of a token object. `priceUsd` has USD_DECIMALS. */
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

/** The parts of a listed pool. Values in USD have USD_DECIMALS. */
export type EarnMarketFacts = Readonly<{
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

/** A price of whole tokens. The denominator is above zero. */
export type PriceRatio = Readonly<{ numerator: bigint; denominator: bigint }>

/** The parts of a pool object. Values in USD have USD_DECIMALS. */
export type ClobPoolFacts = Readonly<{
  poolId: string
  baseToken: TokenFacts
  quoteToken: TokenFacts
  /** undefined: there is none. */
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

/** Returns how much `now` is above `before`, in percent; 0 without either. */
function changePercent(now: PriceRatio | undefined, before: PriceRatio | undefined): number {
  if (now === undefined || before === undefined || before.numerator === 0n) return 0
  const above = now.numerator * before.denominator - before.numerator * now.denominator
  return nearestRatio(above * 100n, before.numerator * now.denominator)
}

const usdNumber = (value: bigint) => nearestNumber(value, USD_DECIMALS)
