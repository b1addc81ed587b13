// AMM pools of scenarios: naive ones that keep every scenario valid. Their numbers are plausible,
// but not those of a contract: a real pool rounds in its own favour and crosses ticks one by one.

import { invariant } from '../../src/assert.ts'
import type { VenueEvent } from '../../src/events.ts'
import { min } from '../../src/integers.ts'
import type { TokenFacts } from '../../src/pool-events.ts'
import { TOKENS } from './listing.ts'

const Q96 = 1n << 96n
const MILLION = 1_000_000n
/** Half the width of the ranges that liquidity is added to, in tick spacings. */
const RANGE_SPACINGS = 40

const padAddress = (digits: string) => `0x${digits.padStart(40, '0')}`

/** A token with false metadata: no decimals, and a name that databases reject. */
const LIAR: TokenFacts = {
  address: padAddress('a5'),
  symbol: '',
  name: 'E\u0000T\u202eH\ud800',
  decimals: null,
  totalSupply: null,
}

type ScenarioPoolListing = Readonly<{
  address: string
  version: 2 | 3
  /** In the order of their addresses. */
  tokens: readonly [TokenFacts, TokenFacts]
  /** Millionths. */
  fee: number
  tickSpacing: number | null
}>

const POOL_FACTORIES = { 2: padAddress('f2'), 3: padAddress('f3') } as const

const facts = (symbol: keyof typeof TOKENS): TokenFacts => ({
  ...TOKENS[symbol],
  totalSupply: 10n ** BigInt(TOKENS[symbol].decimals + 9),
})

const pair = (address: string, tokens: readonly [TokenFacts, TokenFacts]): ScenarioPoolListing => ({
  address: padAddress(address),
  version: 2,
  tokens,
  fee: 3000,
  tickSpacing: null,
})

const ranged = (
  address: string,
  tokens: readonly [TokenFacts, TokenFacts],
  terms: Readonly<{ fee: number; tickSpacing: number }>,
): ScenarioPoolListing => ({ address: padAddress(address), version: 3, tokens, ...terms })

export const SCENARIO_POOLS = {
  'USDC/ETH v2': pair('b1', [facts('USDC'), facts('ETH')]),
  'USDC/ETH v3': ranged('b2', [facts('USDC'), facts('ETH')], { fee: 500, tickSpacing: 10 }),
  'ETH/BTC v3': ranged('b3', [facts('ETH'), facts('BTC')], { fee: 3000, tickSpacing: 60 }),
  'ETH/LIAR v2': pair('b4', [facts('ETH'), LIAR]),
} as const

export type ScenarioPoolName = keyof typeof SCENARIO_POOLS

export const SCENARIO_POOL_NAMES = Object.keys(SCENARIO_POOLS) as readonly ScenarioPoolName[]

type ScenarioRange = Readonly<{ tickLower: number; tickUpper: number; liquidity: bigint }>

export class ScenarioPool {
  readonly listing: ScenarioPoolListing
  readonly ranges: ScenarioRange[] = []
  reserve0 = 0n
  reserve1 = 0n
  sqrtPriceX96 = 0n
  readonly #say: (event: VenueEvent) => void

  /** Creates the pool. */
  constructor(listing: ScenarioPoolListing, say: (event: VenueEvent) => void) {
    this.listing = listing
    this.#say = say
    const { address: pool, version, fee, tickSpacing, tokens } = listing
    const [token0, token1] = [tokens[0].address, tokens[1].address]
    const factory = POOL_FACTORIES[version]
    say({
      type: 'PoolCreated',
      factory,
      version,
      pool,
      token0,
      token1,
      fee,
      tickSpacing,
      tokens,
    })
  }

  get tick(): number {
    if (this.sqrtPriceX96 === 0n) return 0
    return Math.floor((2 * Math.log(Number(this.sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001))
  }

  /** Liquidity of the ranges that contain the price. */
  get liquidity(): bigint {
    const { tick } = this
    return this.ranges
      .filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
      .reduce((sum, { liquidity }) => sum + liquidity, 0n)
  }

  /** Adds both tokens, raw; the first deposit sets the price. */
  add(amount0: bigint, amount1: bigint): void {
    invariant(amount0 > 0n && amount1 > 0n, 'both tokens are added', { amount0, amount1 })
    if (this.listing.version === 2) {
      this.#sync(this.reserve0 + amount0, this.reserve1 + amount1)
      return
    }
    if (this.sqrtPriceX96 === 0n) this.#initialize(squareRoot((amount1 << 192n) / amount0))
    const spacing = this.listing.tickSpacing ?? 1
    const middle = Math.floor(this.tick / spacing) * spacing
    const range = {
      tickLower: middle - RANGE_SPACINGS * spacing,
      tickUpper: middle + RANGE_SPACINGS * spacing,
      liquidity: squareRoot(amount0 * amount1),
    }
    this.ranges.push(range)
    this.#move(amount0, amount1, range)
  }

  /** Removes the oldest remaining range (version 3), or half of the reserves (version 2). */
  remove(): void {
    if (this.listing.version === 2) {
      if (this.reserve0 > 1n && this.reserve1 > 1n)
        this.#sync(this.reserve0 / 2n, this.reserve1 / 2n)
      return
    }
    const range = this.ranges.shift()
    if (range === undefined) return
    const share = BigInt(this.ranges.length + 1)
    this.#move(0n, 0n, { ...range, liquidity: -range.liquidity })
    this.#move(-(this.reserve0 / share), -(this.reserve1 / share))
  }

  /** Swaps in raw `amount` of token0, or of token1. Does nothing without liquidity. */
  swap(isOfFirst: boolean, amount: bigint): void {
    const net = (amount * (MILLION - BigInt(this.listing.fee))) / MILLION
    if (net <= 0n) return
    if (this.listing.version === 2) this.#swapPair(isOfFirst, amount, net)
    else this.#swapRanged(isOfFirst, amount, net)
  }

  #swapPair(isOfFirst: boolean, amount: bigint, net: bigint): void {
    const [inside, outside] = isOfFirst
      ? [this.reserve0, this.reserve1]
      : [this.reserve1, this.reserve0]
    const paid = inside === 0n ? 0n : (outside * net) / (inside + net)
    if (paid === 0n) return
    const [amount0, amount1] = isOfFirst ? [amount, -paid] : [-paid, amount]
    this.#sync(this.reserve0 + amount0, this.reserve1 + amount1)
    const none = { sqrtPriceX96: null, liquidity: null, tick: null }
    this.#say({ type: 'PoolSwapped', pool: this.listing.address, amount0, amount1, ...none })
  }

  #swapRanged(isOfFirst: boolean, amount: bigint, net: bigint): void {
    const { liquidity, sqrtPriceX96: before } = this
    if (liquidity === 0n) return
    const after = isOfFirst
      ? (liquidity * before * Q96) / (liquidity * Q96 + net * before)
      : before + (net * Q96) / liquidity
    if (after === 0n) return
    const owed = isOfFirst
      ? (liquidity * (before - after)) / Q96
      : (liquidity * Q96 * (after - before)) / (before * after)
    const reserve = isOfFirst ? this.reserve1 : this.reserve0
    const paid = min(owed, reserve)
    const [amount0, amount1] = isOfFirst ? [amount, -paid] : [-paid, amount]
    this.sqrtPriceX96 = after
    this.reserve0 += amount0
    this.reserve1 += amount1
    this.#say({
      type: 'PoolSwapped',
      pool: this.listing.address,
      amount0,
      amount1,
      sqrtPriceX96: after,
      liquidity: this.liquidity,
      tick: this.tick,
    })
  }

  #sync(reserve0: bigint, reserve1: bigint): void {
    this.reserve0 = reserve0
    this.reserve1 = reserve1
    this.#say({ type: 'PoolSynced', pool: this.listing.address, reserve0, reserve1 })
  }

  #initialize(sqrtPriceX96: bigint): void {
    this.sqrtPriceX96 = sqrtPriceX96
    const { tick } = this
    this.#say({ type: 'PoolInitialized', pool: this.listing.address, sqrtPriceX96, tick })
  }

  #move(amount0: bigint, amount1: bigint, range?: ScenarioRange): void {
    this.reserve0 += amount0
    this.reserve1 += amount1
    const { tickLower = 0, tickUpper = 0, liquidity: liquidityDelta = 0n } = range ?? {}
    const pool = this.listing.address
    this.#say({
      type: 'PoolFunded',
      pool,
      amount0,
      amount1,
      liquidityDelta,
      tickLower,
      tickUpper,
    })
  }
}

/** Returns the largest integer whose square is at most `value`. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
