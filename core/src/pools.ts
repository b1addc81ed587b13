// Applies pool events to the reserves, prices and hours of AMM pools.

import { invariant } from './assert.ts'
import type { Draft, Slot } from './draft.ts'
import type { EventOf } from './events.ts'
import { max } from './integers.ts'
import type { TokenFacts } from './pool-events.ts'
import { toPoolToken } from './pool-tokens.ts'
import type { Pool, PoolHour } from './records.ts'

const HOUR_SECONDS = 3600

/** The volume that a swap adds to the hour of its pool. */
type Volume = Readonly<{ volume0: bigint; volume1: bigint; swaps: number }>
const NO_VOLUME: Volume = { volume0: 0n, volume1: 0n, swaps: 0 }

/** Adds a pool, and its tokens that no earlier pool had. */
export function createPool(draft: Draft, event: EventOf<'PoolCreated'>): void {
  const { pool: address, factory, version, token0, token1, fee, tickSpacing } = event
  const slot = draft.slot('pool', address)
  invariant(slot.after === undefined, 'a pool is created once', { pool: address })
  for (const facts of event.tokens) addToken(draft, facts)
  for (const token of [token0, token1])
    invariant(draft.find('poolToken', token) !== undefined, 'a pool comes with its tokens', {
      pool: address,
      token,
    })
  const isRanged = version === 3
  slot.after = {
    address,
    factory,
    version,
    token0,
    token1,
    fee,
    tickSpacing,
    reserve0: 0n,
    reserve1: 0n,
    sqrtPriceX96: isRanged ? 0n : null,
    tick: isRanged ? 0 : null,
    liquidity: isRanged ? 0n : null,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    createdSeconds: draft.header.seconds,
    updatedSeconds: draft.header.seconds,
  }
}

/** Sets the current reserves of a pair. */
export function syncPool(draft: Draft, event: EventOf<'PoolSynced'>): void {
  const { reserve0, reserve1 } = event
  const pool = changePool(draft, event.pool, () => ({ reserve0, reserve1 }))
  writeHour(draft, pool, NO_VOLUME)
}

/** Applies a swap. A pair emits Sync before Swap, so its swap adds only volume. */
export function swapPool(draft: Draft, event: EventOf<'PoolSwapped'>): void {
  const { amount0, amount1, sqrtPriceX96, liquidity, tick } = event
  const pool = changePool(draft, event.pool, (before) =>
    before.version === 2
      ? {}
      : {
          reserve0: clampAtZero(before.reserve0 + amount0),
          reserve1: clampAtZero(before.reserve1 + amount1),
          sqrtPriceX96,
          liquidity,
          tick,
        },
  )
  writeHour(draft, pool, {
    volume0: clampAtZero(amount0),
    volume1: clampAtZero(amount1),
    swaps: 1,
  })
}

/** Sets the first price of a pool. */
export function initializePool(draft: Draft, event: EventOf<'PoolInitialized'>): void {
  const { sqrtPriceX96, tick } = event
  writeHour(
    draft,
    changePool(draft, event.pool, () => ({ sqrtPriceX96, tick })),
    NO_VOLUME,
  )
}

/**
 * Applies deposits and withdrawals of liquidity, collected fees and flash fees. The price is
 * unchanged; liquidity changes only if its range includes the current tick.
 */
export function fundPool(draft: Draft, event: EventOf<'PoolFunded'>): void {
  const { amount0, amount1, liquidityDelta, tickLower, tickUpper } = event
  changePool(draft, event.pool, ({ reserve0, reserve1, tick, liquidity }) => ({
    reserve0: clampAtZero(reserve0 + amount0),
    reserve1: clampAtZero(reserve1 + amount1),
    liquidity:
      liquidity !== null && tick !== null && tickLower <= tick && tick < tickUpper
        ? clampAtZero(liquidity + liquidityDelta)
        : liquidity,
  }))
}

/**
 * Returns the price of a pool, token1 raw per token0 raw * 2^128, rounded down; 0 while it has
 * none. Version 2: the ratio of the reserves; version 3: the square of the root price.
 */
function computePriceX128(
  pool: Readonly<Pick<Pool, 'reserve0' | 'reserve1' | 'sqrtPriceX96'>>,
): bigint {
  const { reserve0, reserve1, sqrtPriceX96 } = pool
  if (sqrtPriceX96 !== null) return (sqrtPriceX96 * sqrtPriceX96) >> 64n
  return reserve0 === 0n ? 0n : (reserve1 << 128n) / reserve0
}

function changePool(draft: Draft, address: string, change: (before: Pool) => Partial<Pool>): Pool {
  const slot: Slot<'pool'> = draft.slot('pool', address)
  const before = slot.after
  invariant(before !== undefined, 'only a pool that was created changes', { pool: address })
  const after = { ...before, ...change(before), updatedSeconds: draft.header.seconds }
  slot.after = after
  return after
}

function writeHour(draft: Draft, pool: Pool, { volume0, volume1, swaps }: Volume): void {
  const { seconds } = draft.header
  const openSeconds = seconds - (seconds % HOUR_SECONDS)
  const slot = draft.slot('poolHour', pool.address)
  const last = slot.after
  // A pair whose reserves are gone keeps its last price.
  const priceX128 = computePriceX128(pool) || (last?.priceX128 ?? 0n)
  const isSame = last?.openSeconds === openSeconds
  const opened = isSame ? last.openPriceX128 : (last?.priceX128 ?? 0n)
  const hour: PoolHour = {
    pool: pool.address,
    openSeconds,
    volume0: (isSame ? last.volume0 : 0n) + volume0,
    volume1: (isSame ? last.volume1 : 0n) + volume1,
    swaps: (isSame ? last.swaps : 0) + swaps,
    openPriceX128: opened || priceX128,
    priceX128,
  }
  slot.after = hour
}

/**
 * Clamps pool reserves at zero: a token that charges fees or rebases may let a pool pay out more
 * than its events show it received.
 */
const clampAtZero = (amount: bigint): bigint => max(amount, 0n)

function addToken(draft: Draft, facts: TokenFacts): void {
  const slot = draft.slot('poolToken', facts.address)
  if (slot.after === undefined) slot.after = toPoolToken(facts)
}
