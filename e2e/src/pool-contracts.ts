// Reads the contents, prices and values of pools from the contracts at one block.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { bytes32 } from '@openvenue/devnet/deploy'
import type { WholeDeployment } from '@openvenue/devnet/deployment'
import { TOKENS } from '@openvenue/devnet/markets'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { readViews } from '@openvenue/runtime/views'
import { parseAbi } from 'viem'
import { type FoundPool, type PoolLog, type Ratio, ratioOfRoot } from './pool-log.ts'

const TOKEN_ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function decimals() view returns (uint8)',
])
const PAIR_ABI = parseAbi(['function getReserves() view returns (uint112, uint112, uint32)'])
const POOL_ABI = parseAbi([
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
])

const HOUR_SECONDS = 3_600

export type TokenSide = Readonly<{
  address: string
  symbol: string
  name: string
  decimals: number
  /** USD, 18 decimals. */
  price: bigint
}>

/** The expected figures of a pool; USD as floats of exact values. */
export type PoolSide = Readonly<{
  pool: FoundPool
  token0: TokenSide
  token1: TokenSide
  tvl: number
  volume24h: number
  /** Whole token1 per whole token0. */
  price: number
  /** Percent. */
  priceChange24h: number
}>

type BlockContext = Readonly<{
  rpc: ChainRpc
  deployment: WholeDeployment
  log: PoolLog
  block: number
}>

/** Reads all pools announced by the factories, in that order. */
export async function readPoolSides(at: BlockContext): Promise<PoolSide[]> {
  const { log, block } = at
  await log.readTo(block)
  const tokens = await readTokens(at)
  const nowSeconds = await log.readSeconds(block)
  const dayStart = nowSeconds - (nowSeconds % HOUR_SECONDS) - 23 * HOUR_SECONDS
  const sides: PoolSide[] = []
  for (const pool of log.pools) {
    const [token0, token1] = [tokens.get(pool.token0), tokens.get(pool.token1)]
    if (token0 === undefined || token1 === undefined) throw new Error('pools are of known tokens')
    const { balances, price } = await readPool(at, pool)
    const before = await log.priceAt(pool.address, dayStart)
    sides.push({
      pool,
      token0,
      token1,
      tvl: worth(balances, [token0, token1]),
      volume24h: worth(await log.readVolume(pool.address, dayStart, block), [token0, token1]),
      price: toFloat(price) * 10 ** (token0.decimals - token1.decimals),
      priceChange24h: (toFloat(price) / toFloat(before) - 1) * 100,
    })
  }
  return sides
}

async function readTokens({
  rpc,
  deployment,
  block,
}: BlockContext): Promise<Map<string, TokenSide>> {
  const sides = await Promise.all(
    TOKENS.map(async ({ symbol: asset }) => {
      const address = deployment.tokens[asset]
      const ask = (functionName: string) => ({
        to: address,
        abi: TOKEN_ABI,
        functionName,
        args: [],
      })
      const oracle = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
      const [symbol, name, decimals, read] = (await readViews(
        rpc,
        [ask('symbol'), ask('name'), ask('decimals'), { ...oracle, args: [bytes32(asset)] }],
        quantity(block),
      )) as [string, string, number, [bigint, bigint]]
      return { address, symbol, name, decimals, price: read[0] }
    }),
  )
  return new Map(sides.map((side) => [side.address, side]))
}

type Pair<T> = readonly [T, T]

async function readPool({ rpc, block }: BlockContext, pool: FoundPool) {
  const balance = (to: string) => ({
    to,
    abi: TOKEN_ABI,
    functionName: 'balanceOf',
    args: [pool.address],
  })
  const state =
    pool.type === 'amm'
      ? { to: pool.address, abi: PAIR_ABI, functionName: 'getReserves', args: [] }
      : { to: pool.address, abi: POOL_ABI, functionName: 'slot0', args: [] }
  const [balance0, balance1, [first, second]] = (await readViews(
    rpc,
    [balance(pool.token0), balance(pool.token1), state],
    quantity(block),
  )) as [bigint, bigint, [bigint, bigint]]
  const price: Ratio =
    pool.type === 'amm' ? { numerator: second, denominator: first } : ratioOfRoot(first)
  return { balances: [balance0, balance1] as Pair<bigint>, price }
}

/** Returns raw amounts of two tokens in USD, exactly, as whole amounts with 18 decimals. */
function worth(amounts: Pair<bigint>, tokens: Pair<TokenSide>): number {
  const [usd0, usd1] = [0, 1].map((side) => {
    const { price, decimals } = tokens[side as 0 | 1]
    return amounts[side as 0 | 1] * price * 10n ** BigInt(18 - decimals)
  }) as [bigint, bigint]
  return toFloat({ numerator: usd0 + usd1, denominator: 10n ** 36n })
}

/** Keeps 30 fractional digits, more than a float has for any amount here. */
const toFloat = ({ numerator, denominator }: Ratio): number =>
  Number((numerator * 10n ** 30n) / denominator) / 1e30
