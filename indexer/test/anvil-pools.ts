// Real factories and pools on a real anvil, used at random from a seed: pairs by their own
// functions, pools with ranges through the position manager and the router.
import { createRequire } from 'node:module'
import { devTokenAbi, devTokenBytecode } from '@openvenue/contracts/abi/dev-token'
import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
} from 'viem'
import type { IndexerDeployment } from '../src/deployment.ts'
import type { AnvilVenue, Tx } from './anvil-venue.ts'
import { flashBorrowerCode } from './codes.ts'
import type { SeededRandom } from './seeded-random.ts'

const load = createRequire(import.meta.url)
const PERIPHERY = '@uniswap/v3-periphery/artifacts/contracts'
const CORE = '@uniswap/v3-core/artifacts/contracts'
const ARTIFACTS = {
  v2Factory: readArtifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
  v2Pair: readArtifact('@uniswap/v2-core/build/UniswapV2Pair.json'),
  v3Factory: readArtifact(`${CORE}/UniswapV3Factory.sol/UniswapV3Factory.json`),
  v3Pool: readArtifact(`${CORE}/UniswapV3Pool.sol/UniswapV3Pool.json`),
  router: readArtifact(`${PERIPHERY}/SwapRouter.sol/SwapRouter.json`),
  positions: readArtifact(
    `${PERIPHERY}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
  ),
}
type ContractName = keyof typeof ARTIFACTS

function readArtifact(file: string): Readonly<{ abi: Abi; bytecode: Hex }> {
  const { abi, bytecode } = load(file) as { abi: Abi; bytecode: string }
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` }
}

/** Actions per block. */
const ACTIONS = 6
const ZERO = `0x${'00'.repeat(20)}`
const MAX_128 = 2n ** 128n - 1n
const SUPPLY = 10n ** 32n
const DEADLINE = 2n ** 40n
/** Fees and tick spacings of the factory. */
const TIERS = [
  [500, 10],
  [3000, 60],
  [10_000, 200],
] as const

type Contracts = Readonly<
  Record<'v2Factory' | 'v3Factory' | 'router' | 'positions' | 'borrower', string>
>
type Pair = Readonly<{ pool: string; token0: string; token1: string }>
type RangedPool = Pair & Readonly<{ fee: number; spacing: number }>

/** A pool as returned by the contracts; null: absent in its version. */
type PoolTruth = Readonly<{
  address: string
  version: number
  token0: string
  token1: string
  fee: number
  reserve0: bigint
  reserve1: bigint
  sqrtPriceX96: bigint | null
  tick: number | null
  liquidity: bigint | null
}>

/** A single wallet acts, so that transactions keep their order within a block. */
export class AnvilPools {
  readonly #venue: AnvilVenue
  readonly #contracts: Contracts
  readonly #tokens: readonly string[]
  readonly #wallet: string

  private constructor(venue: AnvilVenue, contracts: Contracts, tokens: readonly string[]) {
    this.#venue = venue
    this.#contracts = contracts
    this.#tokens = tokens
    this.#wallet = venue.wallets[0] ?? ''
  }

  /** Deploys factories and tokens in addition to the venue. */
  static async on(venue: AnvilVenue): Promise<AnvilPools> {
    const [wallet = ''] = venue.wallets
    const deploy = ({ abi, bytecode }: { abi: Abi; bytecode: Hex }, args: unknown[]) =>
      venue.createFrom(encodeDeployData({ abi, bytecode, args }))
    const v2Factory = await deploy(ARTIFACTS.v2Factory, [wallet])
    const v3Factory = await deploy(ARTIFACTS.v3Factory, [])
    const router = await deploy(ARTIFACTS.router, [v3Factory, wallet])
    const positions = await deploy(ARTIFACTS.positions, [v3Factory, wallet, wallet])
    const borrower = await venue.createFrom(flashBorrowerCode())
    const tokens: string[] = []
    for (const decimals of [6, 8, 18, 18]) {
      const names = [`Token ${tokens.length}`, `T${tokens.length}`, decimals]
      tokens.push(await venue.create(devTokenAbi, devTokenBytecode, names))
    }
    tokens.sort()
    const contracts = { v2Factory, v3Factory, router, positions, borrower }
    const pools = new AnvilPools(venue, contracts, tokens)
    await venue.mine(tokens.flatMap((token) => pools.#funding(token)))
    return pools
  }

  /** The venue's deployment with the factories. */
  get deployment(): IndexerDeployment {
    const { v2Factory, v3Factory } = this.#contracts
    return { ...this.#venue.deployment, v2Factories: [v2Factory], v3Factories: [v3Factory] }
  }

  get tokens(): readonly string[] {
    return this.#tokens
  }

  /** Mines a block of `txs`, followed by random actions on pools. */
  async act(random: SeededRandom, ...txs: Tx[]): Promise<void> {
    await this.#venue.mine([...txs, ...(await this.#actions(random))])
  }

  /** Replaces the newest `depth` blocks; the first new one starts with `txs`. */
  async reorg(depth: number, random: SeededRandom, ...txs: Tx[]): Promise<void> {
    const blocks: Tx[][] = []
    while (blocks.length < depth) blocks.push(await this.#actions(random))
    blocks[0]?.unshift(...txs)
    await this.#venue.replace(blocks)
  }

  async #actions(random: SeededRandom): Promise<Tx[]> {
    const pairs = await this.#pairs()
    const ranged = await this.#ranged()
    const txs: Tx[] = []
    for (let done = 0; done < ACTIONS; done++) {
      const pair = pairs[random.below(Math.max(1, pairs.length))]
      const pool = ranged[random.below(Math.max(1, ranged.length))]
      if (random.below(2) === 0) txs.push(...(await this.#pairAction(random, pair)))
      else txs.push(...(await this.#rangedAction(random, pool)))
    }
    return txs
  }

  /** Returns the transaction that creates a pair of any two addresses. */
  createPairTx(token0: string, token1: string): Tx {
    return this.#tx('v2Factory', 'createPair', [token0, token1])
  }

  /** Returns the transaction that mints units of a devnet token. */
  mintTx(token: string, owner = this.#wallet): Tx {
    const data = encodeFunctionData({
      abi: devTokenAbi,
      functionName: 'mint',
      args: [owner as Hex, SUPPLY],
    })
    return { from: this.#wallet, to: token, data }
  }

  /** Returns the contracts' data of every pool at the head. */
  async truths(): Promise<PoolTruth[]> {
    const pairs = (await this.#pairs()).map((pair) => this.#pairTruth(pair))
    const ranged = (await this.#ranged()).map((pool) => this.#rangedTruth(pool))
    return Promise.all([...pairs, ...ranged])
  }

  async #pairTruth({ pool, token0, token1 }: Pair): Promise<PoolTruth> {
    const [reserve0, reserve1] = await this.#view<bigint[]>('v2Pair', pool, 'getReserves')
    return {
      address: pool,
      version: 2,
      token0,
      token1,
      fee: 3000,
      reserve0: reserve0 ?? 0n,
      reserve1: reserve1 ?? 0n,
      sqrtPriceX96: null,
      tick: null,
      liquidity: null,
    }
  }

  async #rangedTruth({ pool, token0, token1, fee }: RangedPool): Promise<PoolTruth> {
    const balanceOf = (token: string) => this.#view<bigint>('v2Pair', token, 'balanceOf', [pool])
    const [slot, liquidity, reserve0, reserve1] = await Promise.all([
      this.#view<[bigint, number]>('v3Pool', pool, 'slot0'),
      this.#view<bigint>('v3Pool', pool, 'liquidity'),
      balanceOf(token0),
      balanceOf(token1),
    ])
    const [sqrtPriceX96, tick] = slot
    const tokens = { address: pool, version: 3, token0, token1, fee }
    return { ...tokens, reserve0, reserve1, sqrtPriceX96, tick, liquidity }
  }

  async #pairs(): Promise<Pair[]> {
    const { v2Factory } = this.#contracts
    const count = await this.#view<bigint>('v2Factory', v2Factory, 'allPairsLength')
    return Promise.all(
      Array.from({ length: Number(count) }, async (_, index) => {
        const pool = await this.#view<string>('v2Factory', v2Factory, 'allPairs', [index])
        const token0 = await this.#view<string>('v2Pair', pool, 'token0')
        const token1 = await this.#view<string>('v2Pair', pool, 'token1')
        return {
          pool: pool.toLowerCase(),
          token0: token0.toLowerCase(),
          token1: token1.toLowerCase(),
        }
      }),
    )
  }

  async #ranged(): Promise<RangedPool[]> {
    const { v3Factory } = this.#contracts
    const pools = await Promise.all(
      this.#couples().flatMap(([token0, token1]) =>
        TIERS.map(async ([fee, spacing]) => {
          const args = [token0, token1, fee]
          const pool = await this.#view<string>('v3Factory', v3Factory, 'getPool', args)
          return { pool: pool.toLowerCase(), token0, token1, fee, spacing }
        }),
      ),
    )
    return pools.filter(({ pool }) => pool !== ZERO)
  }

  #couples(): [string, string][] {
    return this.#tokens.flatMap((token0, index) =>
      this.#tokens.slice(index + 1).map((token1): [string, string] => [token0, token1]),
    )
  }

  async #pairAction(random: SeededRandom, pair: Pair | undefined): Promise<Tx[]> {
    const roll = random.below(12)
    if (pair === undefined || roll === 0) {
      const [token0, token1] = this.#couples()[random.below(6)] ?? []
      return [this.#tx('v2Factory', 'createPair', [token0, token1])]
    }
    const { pool, token0, token1 } = pair
    const call = (name: string, args: unknown[] = []) => this.#tx('v2Pair', name, args, pool)
    const gives = (token: string) => this.#transfer(token, pool, drawAmount(random))
    if (roll === 1) return [call('sync')]
    if (roll === 2) return [gives(token0), call('skim', [this.#wallet])]
    if (roll === 3) return [gives(token1), call('sync')]
    if (roll < 7) return [gives(token0), gives(token1), call('mint', [this.#wallet])]
    if (roll === 7) {
      const shares = await this.#view<bigint>('v2Pair', pool, 'balanceOf', [this.#wallet])
      const given = (shares * BigInt(1 + random.below(100))) / 100n
      return [this.#transfer(pool, pool, given), call('burn', [this.#wallet])]
    }
    // Sometimes asks for too much: the paid amount stays as a gift.
    const isFirst = random.below(2) === 0
    const out = drawAmount(random)
    const outs = isFirst ? [0n, out] : [out, 0n]
    return [
      gives(isFirst ? token0 : token1),
      ...(random.below(3) === 0 ? [gives(isFirst ? token1 : token0)] : []),
      call('swap', [...outs, this.#wallet, '0x']),
    ]
  }

  async #rangedAction(random: SeededRandom, pool: RangedPool | undefined): Promise<Tx[]> {
    const roll = random.below(16)
    if (pool === undefined || roll === 0) return this.#creation(random)
    if (roll < 5) return [this.#mint(random, pool)]
    if (roll < 11) return [this.#swap(random, pool)]
    if (roll < 13) return this.#withdrawal(random)
    const call = (name: string, args: unknown[]) => this.#tx('v3Pool', name, args, pool.pool)
    if (roll === 13) return [call('setFeeProtocol', [4, 7])]
    if (roll === 14) return [call('collectProtocol', [this.#wallet, MAX_128, MAX_128])]
    return [this.#flash(random, pool)]
  }

  /** In one transaction or two, with or without liquidity and a swap in the same block. */
  #creation(random: SeededRandom): Tx[] {
    const [token0 = '', token1 = ''] = this.#couples()[random.below(6)] ?? []
    const [fee, spacing] = TIERS[random.below(3)] ?? TIERS[0]
    const pool = { pool: '', token0, token1, fee, spacing }
    const root = (2n ** 96n * BigInt(500 + random.below(1500))) / 1000n
    const name = 'createAndInitializePoolIfNecessary'
    const create = this.#tx('positions', name, [token0, token1, fee, root])
    if (random.below(3) === 0) return [this.#tx('v3Factory', 'createPool', [token0, token1, fee])]
    if (random.below(3) === 0) return [create]
    const mint = this.#mint(random, pool)
    const both = this.#tx('positions', 'multicall', [[create.data, mint.data]])
    return [...(random.below(2) === 0 ? [both] : [create, mint]), this.#swap(random, pool)]
  }

  #mint(random: SeededRandom, { token0, token1, fee, spacing }: RangedPool): Tx {
    const lower = spacing * (Math.floor(-14_000 / spacing) + random.below(24_000 / spacing))
    const upper = lower + spacing * (1 + random.below(200))
    const amounts = [drawAmount(random), drawAmount(random)]
    const args = [token0, token1, fee, lower, upper, ...amounts, 0n, 0n, this.#wallet, DEADLINE]
    return this.#tx('positions', 'mint', [buildStruct('positions', 'mint', args)])
  }

  #swap(random: SeededRandom, { token0, token1, fee }: RangedPool): Tx {
    const tokens = random.below(2) === 0 ? [token0, token1] : [token1, token0]
    const args = [...tokens, fee, this.#wallet, DEADLINE, drawAmount(random), 0n, 0n]
    return this.#tx('router', 'exactInputSingle', [buildStruct('router', 'exactInputSingle', args)])
  }

  /** Withdraws liquidity from one of the first positions, and its fees. */
  async #withdrawal(random: SeededRandom): Promise<Tx[]> {
    const id = BigInt(1 + random.below(15))
    const positions = await this.#view<unknown[]>(
      'positions',
      this.#contracts.positions,
      'positions',
      [id],
    ).catch(() => undefined)
    const liquidity = ((positions?.[7] as bigint) ?? 0n) * BigInt(1 + random.below(100))
    const collect = this.#tx('positions', 'collect', [
      buildStruct('positions', 'collect', [id, this.#wallet, MAX_128, MAX_128]),
    ])
    if (liquidity === 0n) return [collect]
    const args = [id, liquidity / 100n, 0n, 0n, DEADLINE]
    const decrease = this.#tx('positions', 'decreaseLiquidity', [
      buildStruct('positions', 'decreaseLiquidity', args),
    ])
    return random.below(2) === 0 ? [decrease] : [decrease, collect]
  }

  #flash(random: SeededRandom, { pool, token0, token1 }: RangedPool): Tx {
    const { borrower } = this.#contracts
    const words = [token0, token1].map((token) => token.slice(2).padStart(64, '0'))
    // The loan goes to the pool itself, so that only the fee must be paid.
    const args = [pool, drawAmount(random) / 100n, drawAmount(random) / 100n, `0x${words.join('')}`]
    const flash = this.#tx('v3Pool', 'flash', args, pool)
    const data: Hex = `0x${pool.slice(2).padStart(64, '0')}${flash.data.slice(2)}`
    return { from: this.#wallet, to: borrower, data }
  }

  #funding(token: string): Tx[] {
    const { router, positions, borrower } = this.#contracts
    return [
      ...[this.#wallet, borrower].map((owner) => this.mintTx(token, owner)),
      ...[router, positions].map((spender) =>
        this.#tx('v2Pair', 'approve', [spender, SUPPLY], token),
      ),
    ]
  }

  #transfer(token: string, to: string, amount: bigint): Tx {
    return this.#tx('v2Pair', 'transfer', [to, amount], token)
  }

  #tx(name: ContractName, functionName: string, args: unknown[], at?: string): Tx {
    const to = at ?? this.#contracts[name as keyof Contracts]
    const data = encodeFunctionData({ abi: ARTIFACTS[name].abi, functionName, args })
    return { from: this.#wallet, to, data }
  }

  async #view<T>(name: ContractName, to: string, functionName: string, args: unknown[] = []) {
    const { abi } = ARTIFACTS[name]
    const data = encodeFunctionData({ abi, functionName, args })
    const answer = await this.#venue.call('eth_call', { to, data }, 'latest')
    return decodeFunctionResult({ abi, functionName, data: answer as Hex }) as T
  }
}

/** From a millionth of a token with 18 decimals to a thousand tokens. */
const drawAmount = (random: SeededRandom) =>
  10n ** BigInt(12 + random.below(9)) * BigInt(1 + random.below(1000))

/** Returns the struct argument of a function, from its fields in order. */
function buildStruct(name: ContractName, functionName: string, values: readonly unknown[]) {
  const entry = ARTIFACTS[name].abi.find((item) => 'name' in item && item.name === functionName)
  const [input] = (entry?.type === 'function' && entry.inputs) || []
  const fields = (input as { components?: readonly { name: string }[] }).components ?? []
  return Object.fromEntries(fields.map((field, index) => [field.name, values[index]]))
}
