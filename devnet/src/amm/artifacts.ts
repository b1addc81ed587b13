// Loads the contracts of two kinds of pools from their npm packages. They only run on local chains;
// nothing of them is compiled or published here.
import { createRequire } from 'node:module'
import { type Abi, encodeDeployData, type Hex } from 'viem'

const FILES = {
  v2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  v2Router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  v3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  v3Router: '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  positionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
} as const

type AmmContract = keyof typeof FILES

type Artifact = Readonly<{ abi: Abi; bytecode: string }>

const load = createRequire(import.meta.url)

/** Returns the creation data of `contract`. Reads its file: call it once. */
export function creationData(contract: AmmContract, args: readonly unknown[]): Hex {
  const { abi, bytecode } = load(FILES[contract]) as Artifact
  // One of the two packages leaves the prefix out.
  const code: Hex = `0x${bytecode.replace(/^0x/, '')}`
  return encodeDeployData({ abi, bytecode: code, args })
}
