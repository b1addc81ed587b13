// All AMM pools with their values, computed at most once per change, by the first read after it.
import { priceUsd, tvlUsd, type UsdRates, usdRates, volumeUsd } from '@openvenue/core/pool-prices'
import type { Pool } from '@openvenue/core/records'
import type { PoolSort, PoolType, TokenFacts } from '@openvenue/wire/pools'
import { clockHour } from '../model/facts.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { TokenNames } from './token-names.ts'

/** A pool and its value. USD, 18 decimals. */
export type PricedPool = Readonly<{
  pool: Pool
  type: PoolType
  tvl: bigint
  volume24h: bigint
}>

type Board = Readonly<{
  rates: UsdRates
  pools: readonly PricedPool[]
  /** Creation times in seconds, ascending. */
  created: readonly number[]
  sorted: Map<PoolSort, readonly PricedPool[]>
  tokens: Map<string, TokenFacts>
}>

const createBoard = (rates: UsdRates, pools: readonly PricedPool[]): Board => ({
  rates,
  pools,
  created: pools.map(({ pool }) => pool.createdSeconds).sort((a, b) => a - b),
  sorted: new Map(),
  tokens: new Map(),
})

type PoolBoardDeps = Readonly<{
  model: VenueModel
  clock: Readonly<{ nowMs: () => number }>
  names: TokenNames
}>

export class PoolBoard {
  readonly #deps: PoolBoardDeps
  #board = createBoard(new Map(), [])
  #builtAt = ''

  constructor(deps: PoolBoardDeps) {
    this.#deps = deps
  }

  /** Changes whenever the board may have changed. */
  get version(): string {
    const { model, clock, names } = this.#deps
    const { pools, tokens, indexPrices } = model.versions
    return `${pools} ${tokens} ${indexPrices} ${names.version} ${clockHour(clock.nowMs())}`
  }

  get rates(): UsdRates {
    return this.#current().rates
  }

  /** Greatest first. */
  sortedBy(sort: PoolSort): readonly PricedPool[] {
    const { sorted, pools } = this.#current()
    const cached = sorted.get(sort)
    if (cached !== undefined) return cached
    const made = pools.toSorted((a, b) =>
      comparePositions(poolPosition(a, sort), poolPosition(b, sort)),
    )
    sorted.set(sort, made)
    return made
  }

  /** Returns how many pools were created before `seconds`. */
  createdBefore(seconds: number): number {
    const { created } = this.#current()
    let [low, high] = [0, created.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((created[middle] ?? 0) < seconds) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Values a pool at current prices. */
  valueOf(pool: Pool): PricedPool {
    return this.#pricePool(pool, this.rates)
  }

  /** Returns the facts of the token at an address, lower case. */
  token(address: string): TokenFacts {
    const { tokens, rates } = this.#current()
    const cached = tokens.get(address)
    if (cached !== undefined) return cached
    const made = this.#describeToken(address, rates)
    tokens.set(address, made)
    return made
  }

  #current(): Board {
    const { version } = this
    if (version === this.#builtAt) return this.#board
    const { model } = this.#deps
    const rates = usdRates(model.state.records)
    const pools = [...model.pools].map((pool) => this.#pricePool(pool, rates))
    this.#board = createBoard(rates, pools)
    this.#builtAt = version
    return this.#board
  }

  #pricePool(pool: Pool, rates: UsdRates): PricedPool {
    const { model, clock } = this.#deps
    const day = {
      hours: model.poolHours(pool.address),
      nowSeconds: Math.floor(clock.nowMs() / 1000),
    }
    return {
      pool,
      type: pool.version === 2 ? 'amm' : 'clmm',
      tvl: tvlUsd(rates, pool),
      volume24h: volumeUsd(rates, pool, day),
    }
  }

  /** The operator's list has priority for names; decimals come from the token's contract. */
  #describeToken(address: string, rates: UsdRates): TokenFacts {
    const { model, names } = this.#deps
    const ofPool = model.poolToken(address)
    const tokenRecord = ofPool ?? model.state.records.token.get(address)
    const listed = names.find(address)
    const decimals = tokenRecord?.decimals ?? null
    return {
      address,
      name: listed?.name ?? tokenRecord?.name ?? address,
      symbol: listed?.symbol ?? tokenRecord?.symbol ?? address,
      decimals,
      totalSupply: ofPool?.totalSupply ?? undefined,
      logoUri: listed?.logoUri ?? '',
      priceUsd: priceUsd(rates, address, decimals),
    }
  }
}

/** Position of a pool in a list: its sort key, greatest first, then its address. */
export type PoolPosition = Readonly<{ key: bigint; address: string }>

/** More logs than a block can have. */
const LOGS_MAX = 1n << 32n

export function poolPosition({ pool, tvl, volume24h }: PricedPool, sort: PoolSort): PoolPosition {
  const { address, blockNumber, logIndex } = pool
  if (sort === 'tvl') return { key: tvl, address }
  if (sort === 'volume24h') return { key: volume24h, address }
  return { key: BigInt(blockNumber) * LOGS_MAX + BigInt(logIndex), address }
}

/** Returns a negative number when `one` is before `other`, a positive one when after it. */
export function comparePositions(one: PoolPosition, other: PoolPosition): number {
  if (one.key !== other.key) return one.key > other.key ? -1 : 1
  return one.address < other.address ? -1 : one.address > other.address ? 1 : 0
}
