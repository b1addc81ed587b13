// The provider of the pools' liquidity, who adds and withdraws some at random.
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import { encodeFunctionData, type Hex, maxUint128, maxUint256 } from 'viem'
import { approve } from '../funds.ts'
import type { Random } from '../random.ts'
import type { ChainRpc } from '../rpc.ts'
import type { SendResult, Tx, TxSender } from '../tx-sender.ts'
import { positionManagerAbi, v2PairAbi, v2RouterAbi } from './abi.ts'
import {
  type AmmDeployment,
  type AmmPool,
  POSITIONS_PER_POOL,
  startAmounts,
  type TokenAddresses,
} from './pools.ts'

type ProviderDeps = Readonly<{
  rpc: ChainRpc
  deployment: AmmDeployment & Readonly<{ tokens: TokenAddresses }>
  /** Its address. */
  provider: string
  sender: TxSender
  random: Random
}>

/** Measured at most 250,000. */
const GAS = 800_000
/** Maximum part of a pool added or withdrawn at once, in hundredths. */
const PART_MAX = 5
/** Percentages of its initial USDC below which a pool is filled up, and above which emptied. */
const LOW_PERCENT = 70n
const HIGH_PERCENT = 140n
const USDC = 10n ** 6n

/** The provider's liquidity: in the pair, or in a numbered position. */
type Share = Readonly<{ pool: AmmPool; positionId: bigint | undefined }>

export class Provider {
  readonly #deps: ProviderDeps
  readonly #shares: readonly Share[]

  constructor(deps: ProviderDeps, pools: readonly AmmPool[]) {
    this.#deps = deps
    this.#shares = listShares(pools)
  }

  /** Adds to a random pool or withdraws from it, by a random amount. */
  async act(): Promise<readonly SendResult[]> {
    const { rpc, deployment, provider, sender, random } = this.#deps
    const share = random.pick(this.#shares)
    const [usdc, holding] = (await readViews(rpc, [
      { ...usdcBalance(deployment.tokens.USDC), args: [share.pool.address] },
      heldView(share, provider, deployment.positionManager),
    ])) as [bigint, bigint | readonly bigint[]]
    const liquidity = typeof holding === 'bigint' ? holding : (holding[LIQUIDITY_FIELD] ?? 0n)
    const percent = BigInt(1 + random.whole(PART_MAX))
    const contracts = { ...deployment, provider }
    return sender.send(
      adds(usdc, share.pool, random)
        ? addTxs(share, percent, contracts)
        : removeTxs(share, (liquidity * percent) / 100n, contracts),
    )
  }
}

/** Positions are numbered in the order in which `deployAmm` opened them, from 1. */
function listShares(pools: readonly AmmPool[]): Share[] {
  let next = 1n
  return pools.flatMap((pool): Share[] => {
    if (pool.terms.version === 2) return [{ pool, positionId: undefined }]
    return Array.from({ length: POSITIONS_PER_POOL }, () => ({ pool, positionId: next++ }))
  })
}

/** Index in the result of `positions`. */
const LIQUIDITY_FIELD = 7

const usdcBalance = (to: string) => ({ to, abi: devTokenAbi, functionName: 'balanceOf' })

const heldView = ({ pool, positionId }: Share, owner: string, positionManager: string): ViewCall =>
  positionId === undefined
    ? { to: pool.address, abi: v2PairAbi, functionName: 'balanceOf', args: [owner] }
    : {
        to: positionManager,
        abi: positionManagerAbi,
        functionName: 'positions',
        args: [positionId],
      }

function adds(usdc: bigint, { terms: { depth } }: AmmPool, random: Random): boolean {
  if (usdc * 100n < depth * USDC * LOW_PERCENT) return true
  if (usdc * 100n > depth * USDC * HIGH_PERCENT) return false
  return random.chance(2)
}

type PoolContracts = Readonly<{ v2Router: string; positionManager: string; provider: string }>

function addTxs({ pool, positionId }: Share, percent: bigint, contracts: PoolContracts): Tx[] {
  const { provider, v2Router, positionManager } = contracts
  const { token0, token1 } = pool.sides as { token0: Hex; token1: Hex }
  const [amount0, amount1] = startAmounts(pool.terms, pool.sides.isBase0)
  const [wanted0, wanted1] = [(amount0 * percent) / 100n, (amount1 * percent) / 100n]
  if (positionId === undefined) {
    const args = [token0, token1, wanted0, wanted1, 0n, 0n, provider as Hex, maxUint256] as const
    const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'addLiquidity', args })
    return [{ from: provider, to: v2Router, data, gas: GAS }]
  }
  const increase = { wanted0, wanted1, min0: 0n, min1: 0n, deadline: maxUint256 }
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'increaseLiquidity',
    args: [{ tokenId: positionId, ...increase }],
  })
  return [{ from: provider, to: positionManager, data, gas: GAS }]
}

function removeTxs({ pool, positionId }: Share, liquidity: bigint, contracts: PoolContracts): Tx[] {
  const { provider, v2Router, positionManager } = contracts
  const { token0, token1 } = pool.sides as { token0: Hex; token1: Hex }
  if (positionId === undefined) {
    const args = [token0, token1, liquidity, 0n, 0n, provider as Hex, maxUint256] as const
    const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'removeLiquidity', args })
    return [
      approve(provider, pool.address, v2Router),
      { from: provider, to: v2Router, data, gas: GAS },
    ]
  }
  const decrease = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'decreaseLiquidity',
    args: [{ tokenId: positionId, liquidity, min0: 0n, min1: 0n, deadline: maxUint256 }],
  })
  // Withdrawn tokens wait in the pool, with the fees, until they are collected.
  const collect = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'collect',
    args: [{ tokenId: positionId, recipient: provider as Hex, max0: maxUint128, max1: maxUint128 }],
  })
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'multicall',
    args: [[decrease, collect]],
  })
  return [{ from: provider, to: positionManager, data, gas: GAS }]
}
