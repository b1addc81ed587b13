// The pools of the devnet, their depths and their addresses.
import { E18 } from '@openvenue/core/integers'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import type { Hex } from 'viem'
import { ASSETS, TOKENS, type TokenSymbol } from '../markets.ts'
import type { ChainRpc } from '../rpc.ts'
import { v2FactoryAbi, v3FactoryAbi } from './abi.ts'
import { encodeSqrtPriceX96 } from './price.ts'

export type PoolTerms = Readonly<{
  base: Exclude<TokenSymbol, 'USDC'>
  version: 2 | 3
  /** Millionths. */
  fee: number
  /** Initial USDC of the pool, and as much worth of its base. Whole tokens. */
  depth: bigint
}>

/** Deepest where most is traded, as elsewhere: in the middle fees of ETH. */
export const POOLS: readonly PoolTerms[] = [
  { base: 'ETH', version: 2, fee: 3_000, depth: 900_000n },
  { base: 'ETH', version: 3, fee: 500, depth: 2_500_000n },
  { base: 'ETH', version: 3, fee: 3_000, depth: 1_500_000n },
  { base: 'ETH', version: 3, fee: 10_000, depth: 200_000n },
  { base: 'BTC', version: 2, fee: 3_000, depth: 700_000n },
  { base: 'BTC', version: 3, fee: 500, depth: 1_200_000n },
  { base: 'BTC', version: 3, fee: 3_000, depth: 2_000_000n },
  { base: 'EURC', version: 2, fee: 3_000, depth: 150_000n },
  { base: 'EURC', version: 3, fee: 100, depth: 800_000n },
  { base: 'EURC', version: 3, fee: 500, depth: 400_000n },
]

/**
 * Half widths in ticks of a v3 pool's positions around its first price. The wide one covers every
 * price of the oracle's random walk; the narrow one is left and entered again.
 */
export const HALF_WIDTHS = [20_000, 600]
export const POSITIONS_PER_POOL = HALF_WIDTHS.length

/** Addresses of pool contracts; lower-case hex. The indexer reads the factories. */
export type AmmDeployment = Readonly<{
  v2Factories: readonly [string]
  v3Factories: readonly [string]
  v2Router: string
  v3Router: string
  positionManager: string
}>

export type TokenAddresses = Readonly<Record<TokenSymbol, string>>

/** Pools sort their tokens by address. */
type TokenSides = Readonly<{ token0: string; token1: string; isBase0: boolean }>

export function sortTokens({ base }: Pick<PoolTerms, 'base'>, tokens: TokenAddresses): TokenSides {
  const [token, usdc] = [tokens[base].toLowerCase(), tokens.USDC.toLowerCase()]
  const isBase0 = token < usdc
  return isBase0
    ? { token0: token, token1: usdc, isBase0 }
    : { token0: usdc, token1: token, isBase0 }
}

/** Prices in USD by asset, 18 decimals. */
export type Prices = Readonly<Record<TokenSymbol, bigint>>

/** First prices of the oracle's random walk. */
export const START_PRICES = Object.fromEntries(
  ASSETS.map(({ asset, startPrice }) => [asset, startPrice]),
) as Prices

/** Returns the raw units of `symbol` worth `usd` (18 decimals), rounded down. */
export function rawWorth(symbol: TokenSymbol, usd: bigint, prices: Prices): bigint {
  const decimals = TOKENS.find((token) => token.symbol === symbol)?.decimals ?? 0
  return (usd * 10n ** BigInt(decimals)) / prices[symbol]
}

/** Returns the initial amounts of a pool, in raw units of token0 and token1. */
export function startAmounts({ base, depth }: PoolTerms, isBase0: boolean): [bigint, bigint] {
  const usd = depth * E18
  const [ofBase, ofUsdc] = [rawWorth(base, usd, START_PRICES), rawWorth('USDC', usd, START_PRICES)]
  return isBase0 ? [ofBase, ofUsdc] : [ofUsdc, ofBase]
}

/** Exceeds one token unit at any price: amounts of this worth have enough digits. */
const WORTH = 10n ** 30n

/** Returns the sqrt price without arbitrage at the index prices. */
export function fairSqrtPrice(
  { base }: Pick<PoolTerms, 'base'>,
  { isBase0 }: TokenSides,
  prices: Prices,
): bigint {
  const [ofBase, ofUsdc] = [rawWorth(base, WORTH, prices), rawWorth('USDC', WORTH, prices)]
  return isBase0 ? encodeSqrtPriceX96(ofBase, ofUsdc) : encodeSqrtPriceX96(ofUsdc, ofBase)
}

/** A pool of the devnet on the chain. */
export type AmmPool = Readonly<{ terms: PoolTerms; address: string; sides: TokenSides }>

/** Returns `POOLS` with their addresses, read from their factories. */
export async function readPools(
  rpc: ChainRpc,
  { v2Factories, v3Factories }: AmmDeployment,
  tokens: TokenAddresses,
): Promise<readonly AmmPool[]> {
  const views = POOLS.map((terms): ViewCall => {
    const { token0, token1 } = sortTokens(terms, tokens)
    return terms.version === 2
      ? { to: v2Factories[0], abi: v2FactoryAbi, functionName: 'getPair', args: [token0, token1] }
      : {
          to: v3Factories[0],
          abi: v3FactoryAbi,
          functionName: 'getPool',
          args: [token0, token1, terms.fee],
        }
  })
  const addresses = (await readViews(rpc, views)) as Hex[]
  return POOLS.map((terms, index) => ({
    terms,
    address: (addresses[index] ?? '').toLowerCase(),
    sides: sortTokens(terms, tokens),
  }))
}
