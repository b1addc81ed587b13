// Decides on swaps: pure. One account swaps at random, and arbitrage brings back pools further from
// the index than their fee.
import { E18 } from '@openvenue/core/integers'
import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { Random } from '../random.ts'
import type { Tx } from '../tx-sender.ts'
import { v2RouterAbi, v3RouterAbi } from './abi.ts'
import { type AmmPool, fairSqrtPrice, type Prices, rawWorth } from './pools.ts'
import { amountToPrice, distancePpm, encodeSqrtPriceX96 } from './price.ts'

/** State of a pool. Reserves are those of a v2 pool. */
export type PoolState = Readonly<
  { sqrtPriceX96: bigint } | { reserves: Readonly<{ reserve0: bigint; reserve1: bigint }> }
>

export type SwapContracts = Readonly<{ v2Router: string; v3Router: string; swapper: string }>

/** Measured: 131,000 within one tick; a swap across many takes several times that. */
const GAS = 1_500_000
/** Distance from the index beyond its fee at which a pool is worth a swap, in millionths. */
export const MARGIN_PPM = 300n
/** Maximum part of a pool's depth moved by a random swap, in ten-thousandths. */
const RANDOM_SWAP_PART_MAX = 10
/** The swap ends at its price long before this amount. */
const UNBOUNDED = 2n ** 100n

const sqrtPrice = (state: PoolState): bigint =>
  'reserves' in state
    ? encodeSqrtPriceX96(state.reserves.reserve0, state.reserves.reserve1)
    : state.sqrtPriceX96

/** Returns the swap that brings a pool back to the index; undefined while it is close enough. */
export function arbitrage(
  { pool, state }: Readonly<{ pool: AmmPool; state: PoolState }>,
  prices: Prices,
  contracts: SwapContracts,
): Tx | undefined {
  const { terms, sides } = pool
  const fair = fairSqrtPrice(terms, sides, prices)
  const price = sqrtPrice(state)
  if (distancePpm(price, fair) <= BigInt(terms.fee) + MARGIN_PPM) return undefined
  const isOf0 = price > fair
  return 'reserves' in state
    ? swapV2(pool, { isOf0, amountIn: amountToPrice(state.reserves, fair, terms.fee) }, contracts)
    : swapV3(pool, { isOf0, amountIn: UNBOUNDED, sqrtPriceLimitX96: fair }, contracts)
}

/** Returns a random swap of a pool. */
export function randomSwap(
  pool: AmmPool,
  prices: Prices,
  contracts: SwapContracts,
  random: Random,
): Tx {
  const { base, depth, version } = pool.terms
  const isOfBase = random.chance(2)
  const usd = (depth * E18 * BigInt(1 + random.whole(RANDOM_SWAP_PART_MAX))) / 10_000n
  const swap = {
    isOf0: isOfBase === pool.sides.isBase0,
    amountIn: rawWorth(isOfBase ? base : 'USDC', usd, prices),
  }
  return version === 2
    ? swapV2(pool, swap, contracts)
    : swapV3(pool, { ...swap, sqrtPriceLimitX96: 0n }, contracts)
}

/** `isOf0`: whether token0 is the input. */
type Swap = Readonly<{ isOf0: boolean; amountIn: bigint }>

const swapPath = ({ sides: { token0, token1 } }: AmmPool, isOf0: boolean) =>
  (isOf0 ? [token0, token1] : [token1, token0]) as [Hex, Hex]

function swapV2(
  pool: AmmPool,
  { isOf0, amountIn }: Swap,
  { v2Router, swapper }: SwapContracts,
): Tx {
  const args = [amountIn, 0n, swapPath(pool, isOf0), swapper as Hex, maxUint256] as const
  const data = encodeFunctionData({
    abi: v2RouterAbi,
    functionName: 'swapExactTokensForTokens',
    args,
  })
  return { from: swapper, to: v2Router, data, gas: GAS }
}

function swapV3(
  pool: AmmPool,
  { isOf0, amountIn, sqrtPriceLimitX96 }: Swap & Readonly<{ sqrtPriceLimitX96: bigint }>,
  { v3Router, swapper }: SwapContracts,
): Tx {
  const [tokenIn, tokenOut] = swapPath(pool, isOf0)
  const swap = {
    tokenIn,
    tokenOut,
    fee: pool.terms.fee,
    recipient: swapper as Hex,
    deadline: maxUint256,
    amountIn,
    minOut: 0n,
    sqrtPriceLimitX96,
  }
  const data = encodeFunctionData({
    abi: v3RouterAbi,
    functionName: 'exactInputSingle',
    args: [swap],
  })
  return { from: swapper, to: v3Router, data, gas: GAS }
}
