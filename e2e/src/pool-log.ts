// Reads the pools only from the logs of the factories, the pools and their tokens.
import type { WholeDeployment } from '@openvenue/devnet/deployment'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { type Log, parseAbi, parseEventLogs } from 'viem'

const FACTORIES_ABI = parseAbi([
  'event PairCreated(address indexed token0, address indexed token1, address pool, uint256 count)',
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
])
const PAIR_ABI = parseAbi([
  'event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
])
const POOL_ABI = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
])
const TOKEN_ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
])
const NOBODY = `0x${'0'.repeat(40)}`

/** Every pair takes 0.3 %, a constant of the contract that no log contains. */
const PAIR_FEE = 3_000

/** token1 raw per token0 raw. */
export type Ratio = Readonly<{ numerator: bigint; denominator: bigint }>

export type FoundPool = Readonly<{
  address: string
  type: 'amm' | 'clmm'
  token0: string
  token1: string
  /** Millionths. */
  fee: number
  block: number
}>

type SwapAmounts = Readonly<{ block: number; in0: bigint; in1: bigint }>

export class PoolLog {
  /** In the order of their creation. */
  readonly pools: FoundPool[] = []
  readonly #rpc: ChainRpc
  readonly #deployment: WholeDeployment
  readonly #swaps = new Map<string, SwapAmounts[]>()
  readonly #prices = new Map<string, Readonly<{ block: number; price: Ratio }>[]>()
  readonly #supplies = new Map<string, bigint[]>()
  readonly #seconds = new Map<number, number>()
  #nextBlock: number

  constructor(rpc: ChainRpc, deployment: WholeDeployment) {
    this.#rpc = rpc
    this.#deployment = deployment
    this.#nextBlock = deployment.startBlock
  }

  /** Reads on to `block`. */
  async readTo(block: number): Promise<void> {
    if (block < this.#nextBlock) return
    const range = { fromBlock: quantity(this.#nextBlock), toBlock: quantity(block) }
    this.#nextBlock = block + 1
    const { v2Factories, v3Factories, tokens } = this.#deployment
    this.#found(await this.#logs([...v2Factories, ...v3Factories], range))
    if (this.pools.length > 0) {
      const logs = await this.#logs(
        this.pools.map(({ address }) => address),
        range,
      )
      await this.#learnSeconds(logs)
      for (const log of logs) this.#take(log)
    }
    const transfers = await this.#logs(Object.values(tokens), range)
    for (const { address, args } of parseEventLogs({ abi: TOKEN_ABI, logs: transfers })) {
      if (args.from === NOBODY) this.#minted(address.toLowerCase(), args.amount)
    }
  }

  /** Returns the input of swaps in `pool` from `fromSeconds` up to `block`, raw. */
  async readVolume(pool: string, fromSeconds: number, block: number): Promise<[bigint, bigint]> {
    let [volume0, volume1] = [0n, 0n]
    for (const swap of this.#swaps.get(pool) ?? []) {
      if (swap.block > block || (await this.readSeconds(swap.block)) < fromSeconds) continue
      volume0 += swap.in0
      volume1 += swap.in1
    }
    return [volume0, volume1]
  }

  /** Returns the price of `pool` at `seconds`, or its first one if it is younger. */
  async priceAt(pool: string, seconds: number): Promise<Ratio> {
    const prices = this.#prices.get(pool) ?? []
    let latest = prices[0]
    for (const price of prices) {
      if ((await this.readSeconds(price.block)) >= seconds) break
      latest = price
    }
    if (latest === undefined) throw new Error(`pool ${pool} has no price yet`)
    return latest.price
  }

  /** Returns the time of the first swap in any pool, Unix seconds. */
  async firstSwapSeconds(): Promise<number> {
    const blocks = [...this.#swaps.values()].map((swaps) => swaps[0]?.block ?? 0)
    return this.readSeconds(Math.min(...blocks))
  }

  /** Returns whether `token` ever had this total supply, raw. */
  hadSupply(token: string, amount: bigint): boolean {
    return (this.#supplies.get(token) ?? []).includes(amount)
  }

  /** Returns the time of a block, Unix seconds. */
  async readSeconds(block: number): Promise<number> {
    const cached = this.#seconds.get(block)
    if (cached !== undefined) return cached
    const header = await this.#rpc.call('eth_getBlockByNumber', quantity(block), false)
    const seconds = Number((header as { timestamp: string }).timestamp)
    this.#seconds.set(block, seconds)
    return seconds
  }

  /** Reads the times of many blocks at once. */
  async #learnSeconds(logs: readonly Log[]): Promise<void> {
    const blocks = [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))]
    const answers = await this.#rpc.batch(
      blocks.map((block) => ({ method: 'eth_getBlockByNumber', params: [quantity(block), false] })),
    )
    for (const [index, answer] of answers.entries()) {
      if (!('result' in answer)) continue
      const { timestamp } = answer.result as { timestamp: string }
      this.#seconds.set(blocks[index] ?? 0, Number(timestamp))
    }
  }

  async #logs(address: readonly string[], range: object): Promise<Log[]> {
    return (await this.#rpc.call('eth_getLogs', { address, ...range })) as Log[]
  }

  #found(logs: Log[]): void {
    for (const { eventName, args, blockNumber } of parseEventLogs({ abi: FACTORIES_ABI, logs })) {
      this.pools.push({
        address: args.pool.toLowerCase(),
        type: eventName === 'PairCreated' ? 'amm' : 'clmm',
        token0: args.token0.toLowerCase(),
        token1: args.token1.toLowerCase(),
        fee: eventName === 'PairCreated' ? PAIR_FEE : args.fee,
        block: Number(blockNumber),
      })
    }
  }

  #take(log: Log): void {
    const pool = log.address.toLowerCase()
    const block = Number(log.blockNumber)
    const [ofPair] = parseEventLogs({ abi: PAIR_ABI, logs: [log] })
    if (ofPair?.eventName === 'Swap') this.#swapped(pool, { block, ...ofPair.args })
    if (ofPair?.eventName === 'Sync') {
      const { reserve0, reserve1 } = ofPair.args
      if (reserve0 > 0n && reserve1 > 0n)
        this.#priced(pool, block, { numerator: reserve1, denominator: reserve0 })
    }
    const [ofPool] = parseEventLogs({ abi: POOL_ABI, logs: [log] })
    if (ofPool === undefined) return
    if (ofPool.eventName === 'Swap') {
      const { amount0, amount1 } = ofPool.args
      this.#swapped(pool, { block, in0: incoming(amount0), in1: incoming(amount1) })
    }
    this.#priced(pool, block, ratioOfRoot(ofPool.args.sqrtPriceX96))
  }

  #swapped(pool: string, { block, in0, in1 }: SwapAmounts): void {
    const swaps = this.#swaps.get(pool) ?? []
    this.#swaps.set(pool, swaps)
    swaps.push({ block, in0, in1 })
  }

  #priced(pool: string, block: number, price: Ratio): void {
    const prices = this.#prices.get(pool) ?? []
    this.#prices.set(pool, prices)
    prices.push({ block, price })
  }

  #minted(token: string, amount: bigint): void {
    const supplies = this.#supplies.get(token) ?? []
    this.#supplies.set(token, supplies)
    supplies.push((supplies.at(-1) ?? 0n) + amount)
  }
}

const incoming = (amount: bigint) => (amount > 0n ? amount : 0n)

/** Returns the price from the root stored by v3 pools. */
export const ratioOfRoot = (sqrtPriceX96: bigint): Ratio => ({
  numerator: sqrtPriceX96 ** 2n,
  denominator: 2n ** 192n,
})
