// Deploys two kinds of pools on a new chain, with liquidity at the oracle's first prices.
import { createRequire } from 'node:module'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  maxUint256,
  zeroAddress,
} from 'viem'
import type { Chain } from '../chain.ts'
import { Deployer } from '../deployer.ts'
import { approve, mint } from '../funds.ts'
import { TOKENS, type TokenSymbol } from '../markets.ts'
import { ROLES } from '../roles.ts'
import type { Tx } from '../tx-sender.ts'
import { positionManagerAbi, v2RouterAbi, v3FactoryAbi } from './abi.ts'
import {
  type AmmDeployment,
  fairSqrtPrice,
  HALF_WIDTHS,
  POOLS,
  POSITIONS_PER_POOL,
  type PoolTerms,
  START_PRICES,
  sortTokens,
  startAmounts,
  type TokenAddresses,
} from './pools.ts'
import { tickNear } from './price.ts'

/**
 * Measured: the largest contract takes 5.5 million, a v3 pool 4.7, a v2 pool 2.8, the rest less.
 */
const CREATE_GAS = 8_000_000
const GAS = 1_000_000

/** Initial tokens of the provider and of the swapper, each. Whole tokens. */
const START_TOKENS: Readonly<Record<TokenSymbol, bigint>> = {
  USDC: 100_000_000n,
  EURC: 50_000_000n,
  ETH: 20_000n,
  BTC: 1_000n,
}

/** A fee tier that the factory does not have initially. Its pools allow positions at every tick. */
const FINE_FEE = { fee: 100, tickSpacing: 1 }

/** Native coins cannot be swapped, and positions have no picture. */
const NONE = zeroAddress

type AmmOptions = Readonly<{
  chain: Chain
  /** Addresses of the mnemonic, by index. */
  wallets: readonly string[]
  tokens: TokenAddresses
  /** Time of the blocks, Unix seconds. */
  seconds: number
}>

/** Deploys factories and routers, and creates and fills `POOLS`; the provider owns all of it. */
export async function deployAmm({
  chain,
  wallets,
  tokens,
  seconds,
}: AmmOptions): Promise<AmmDeployment> {
  const deployer = new Deployer(chain, seconds)
  const provider = wallets[ROLES.provider] ?? ''
  const swapper = wallets[ROLES.swapper] ?? ''
  const create = (codes: readonly Hex[]) =>
    deployer.create({ from: provider, codes, gas: CREATE_GAS })
  const [v2Factory, v3Factory] = (await create([
    creationData('v2Factory', [provider]),
    creationData('v3Factory', []),
  ])) as [Hex, Hex]
  const [v2Router, v3Router, positionManager] = (await create([
    creationData('v2Router', [v2Factory, NONE]),
    creationData('v3Router', [v3Factory, NONE]),
    creationData('positionManager', [v3Factory, NONE, NONE]),
  ])) as [Hex, Hex, Hex]
  const contracts = { v2Router, v3Router, positionManager }
  await deployer.send([
    ...startTokenTxs(provider, tokens, [v2Router, positionManager]),
    ...startTokenTxs(swapper, tokens, [v2Router, v3Router]),
    enableFineFee(provider, v3Factory),
    ...POOLS.flatMap((terms) => poolTxs(terms, { ...contracts, provider, tokens })),
  ])
  return { v2Factories: [v2Factory], v3Factories: [v3Factory], ...contracts }
}

const startTokenTxs = (owner: string, tokens: TokenAddresses, spenders: readonly string[]): Tx[] =>
  TOKENS.flatMap(({ symbol, decimals }) => [
    mint(owner, tokens[symbol], owner, START_TOKENS[symbol] * 10n ** BigInt(decimals)),
    ...spenders.map((spender) => approve(owner, tokens[symbol], spender)),
  ])

const enableFineFee = (from: string, to: string): Tx => ({
  from,
  to,
  data: encodeFunctionData({
    abi: v3FactoryAbi,
    functionName: 'enableFeeAmount',
    args: [FINE_FEE.fee, FINE_FEE.tickSpacing],
  }),
  gas: GAS,
})

type PoolContracts = Readonly<{
  v2Router: string
  positionManager: string
  provider: string
  tokens: TokenAddresses
}>

/** Returns the transactions that create a pool and fill it, in order. */
function poolTxs(terms: PoolTerms, contracts: PoolContracts): Tx[] {
  const { provider, v2Router, positionManager, tokens } = contracts
  const sides = sortTokens(terms, tokens)
  const { token0, token1 } = sides as { token0: Hex; token1: Hex }
  const [amount0, amount1] = startAmounts(terms, sides.isBase0)
  const send = (to: string, call: ContractCall, gas: number): Tx => ({
    from: provider,
    to,
    data: encodeFunctionData(call),
    gas,
  })
  if (terms.version === 2) {
    const args = [token0, token1, amount0, amount1, 0n, 0n, provider as Hex, maxUint256] as const
    return [send(v2Router, { abi: v2RouterAbi, functionName: 'addLiquidity', args }, CREATE_GAS)]
  }
  const sqrtPriceX96 = fairSqrtPrice(terms, sides, START_PRICES)
  const creation: ContractCall = {
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, terms.fee, sqrtPriceX96],
  }
  const positions = HALF_WIDTHS.map((halfWidth): ContractCall => {
    const parts = BigInt(POSITIONS_PER_POOL)
    const position = {
      token0,
      token1,
      fee: terms.fee,
      ...tickRange(sqrtPriceX96, halfWidth, terms.fee),
      wanted0: amount0 / parts,
      wanted1: amount1 / parts,
      min0: 0n,
      min1: 0n,
      recipient: provider,
      deadline: maxUint256,
    }
    return { abi: positionManagerAbi, functionName: 'mint', args: [position] }
  })
  return [
    send(positionManager, creation, CREATE_GAS),
    ...positions.map((call) => send(positionManager, call, GAS)),
  ]
}

type ContractCall = Readonly<{ abi: Abi; functionName: string; args: readonly unknown[] }>

/** The ends of a position must be multiples of the pool's tick spacing. */
function tickRange(sqrtPriceX96: bigint, halfWidth: number, fee: number) {
  const spacing = fee === FINE_FEE.fee ? FINE_FEE.tickSpacing : fee / 50
  const middle = tickNear(sqrtPriceX96)
  const onSpacing = (tick: number) => Math.floor(tick / spacing) * spacing
  return {
    tickLower: onSpacing(middle - halfWidth),
    tickUpper: onSpacing(middle + halfWidth) + spacing,
  }
}

/** Contracts of two kinds of pools, from their npm packages; they only run on local chains. */
const ARTIFACTS = {
  v2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  v2Router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  v3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  v3Router: '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  positionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
} as const

const load = createRequire(import.meta.url)

/** Returns the creation data of `contract`. Reads its file: call it once. */
function creationData(contract: keyof typeof ARTIFACTS, args: readonly unknown[]): Hex {
  const { abi, bytecode } = load(ARTIFACTS[contract]) as Readonly<{ abi: Abi; bytecode: string }>
  // One of the two packages leaves the prefix out.
  const code: Hex = `0x${bytecode.replace(/^0x/, '')}`
  return encodeDeployData({ abi, bytecode: code, args })
}
