// AMM pools, declared: their tokens, what they hold and cost, and what was swapped by the hour.
import { LOG_FIELDS, type RecordSchema } from './record-schema.ts'

export const POOL_RECORDS = {
  /**
   * A token of a pool, as it called itself when the first pool with it appeared. Anybody can make
   * one and call it anything: only the address says what it is.
   */
  poolToken: {
    table: 'pool_tokens',
    key: ['address'],
    fields: {
      address: 'address',
      /** Never empty: a token that says none has a short form of its address. */
      symbol: 'text',
      name: 'text',
      /** At most 255; null when the token does not say. */
      decimals: 'int?',
      /** Raw; null when the token does not say. */
      totalSupply: 'raw?',
    },
  },
  /** An AMM pool. The log is that of its creation. */
  pool: {
    table: 'pools',
    key: ['address'],
    fields: {
      address: 'address',
      factory: 'address',
      /** 2: a pair of reserves; 3: liquidity in ranges of ticks. */
      version: 'int',
      token0: 'address',
      token1: 'address',
      /** Millionths of what comes in. */
      fee: 'ppm',
      /** Version 3 only. */
      tickSpacing: 'int?',
      /**
       * Raw. Version 2: what the pair last synced. Version 3: what its events add up to, fees that
       * nobody has collected included, gifts not.
       */
      reserve0: 'raw',
      reserve1: 'raw',
      /**
       * Version 3 only: root of the price (token1 raw per token0 raw) * 2^96, the tick of it, and
       * the liquidity in range. All 0 until the pool is initialized.
       */
      sqrtPriceX96: 'big?',
      tick: 'int?',
      liquidity: 'big?',
      ...LOG_FIELDS,
      createdSeconds: 'seconds',
      /** Of the last event. */
      updatedSeconds: 'seconds',
    },
  },
  /**
   * A clock hour of a pool in which its price was set or somebody swapped. Prices are token1 raw
   * per token0 raw * 2^128, which no pool's price is too small for; 0 while it has none.
   */
  poolHour: {
    table: 'pool_hours',
    key: ['pool', 'openSeconds'],
    slot: ['pool'],
    fields: {
      pool: 'address',
      openSeconds: 'seconds',
      /** Raw amounts that came in with swaps, fees included. */
      volume0: 'raw',
      volume1: 'raw',
      swaps: 'int',
      /** Before the first change of the hour; in the first hour of a pool, its first price. */
      openPriceX128: 'big',
      /** After the last one. */
      priceX128: 'big',
    },
  },
} as const satisfies Record<string, RecordSchema>
