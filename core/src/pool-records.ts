// Records of AMM pools: tokens, reserves, prices, and hourly swap volume.
import { LOG_FIELDS, type RecordSchema } from './record-schema.ts'

export const POOL_RECORDS = {
  /**
   * A token of a pool, as it described itself when the first pool with it appeared. Anyone can
   * create a token with any name: only the address identifies it.
   */
  poolToken: {
    table: 'pool_tokens',
    key: ['address'],
    fields: {
      address: 'address',
      /** Never empty: a shortened address if the token reports none. */
      symbol: 'text',
      name: 'text',
      /** At most 255; null if the token does not report it. */
      decimals: 'int?',
      /** Raw; null if the token does not report it. */
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
      /** Millionths of the input amount. */
      fee: 'ppm',
      /** Version 3 only. */
      tickSpacing: 'int?',
      /**
       * Raw. Version 2: the reserves of the last Sync. Version 3: the sum of its events, which
       * includes uncollected fees but not tokens sent without an event.
       */
      reserve0: 'raw',
      reserve1: 'raw',
      /**
       * Version 3 only: root price (token1 raw per token0 raw) * 2^96, its tick, and the liquidity
       * in range. All 0 until the pool is initialized.
       */
      sqrtPriceX96: 'big?',
      tick: 'int?',
      liquidity: 'big?',
      ...LOG_FIELDS,
      createdSeconds: 'seconds',
      /** Time of the last event. */
      updatedSeconds: 'seconds',
    },
  },
  /**
   * A clock hour of a pool in which its price was set or a swap occurred. Prices are token1 raw per
   * token0 raw * 2^128, fine enough for the price of any pool; 0 while it has none.
   */
  poolHour: {
    table: 'pool_hours',
    key: ['pool', 'openSeconds'],
    slot: ['pool'],
    fields: {
      pool: 'address',
      openSeconds: 'seconds',
      /** Raw amounts swapped in, fees included. */
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
