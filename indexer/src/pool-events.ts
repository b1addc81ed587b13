// Decodes logs of factories and their pools to the venue's events. ABIs give the argument types.
import { compileDecoder } from '@openvenue/contracts/events/decode'
import type { PoolEvent } from '@openvenue/core/pool-events'
import type { Abi, AbiEvent, ContractEventName, DecodeEventLogReturnType } from 'viem'
import { toEventSelector } from 'viem/utils'
import { v2FactoryAbi, v2PairAbi, v3FactoryAbi, v3PoolAbi } from './amm-abi.ts'
import type { ChainLog } from './chain.ts'

/** 2: pairs with reserves; 3: concentrated liquidity in tick ranges. */
export type PoolVersion = 2 | 3

/** A pool announced by its factory. */
export type Announcement = Readonly<{
  version: PoolVersion
  pool: string
  token0: string
  token1: string
  /** Millionths. */
  fee: number
  tickSpacing: number | null
}>

type Args<A extends Abi, N extends ContractEventName<A>> = DecodeEventLogReturnType<A, N>['args']
type Pair<N extends ContractEventName<typeof v2PairAbi>> = Args<typeof v2PairAbi, N>
type PoolArgs<N extends ContractEventName<typeof v3PoolAbi>> = Args<typeof v3PoolAbi, N>

/** Every pair takes 0.3 %, a constant of the contract that no log contains. */
const V2_FEE = 3000

const announcements = {
  PairCreated: ({ token0, token1, pair }: Args<typeof v2FactoryAbi, 'PairCreated'>) => ({
    version: 2,
    pool: pair,
    token0,
    token1,
    fee: V2_FEE,
    tickSpacing: null,
  }),
  PoolCreated: ({
    token0,
    token1,
    fee,
    tickSpacing,
    pool,
  }: Args<typeof v3FactoryAbi, 'PoolCreated'>) => ({
    version: 3,
    pool,
    token0,
    token1,
    fee,
    tickSpacing,
  }),
} as const satisfies Record<string, (args: never) => Announcement>

type PoolTable = Readonly<Record<string, (args: never, pool: string) => PoolEvent>>

const pair = {
  Sync: ({ reserve0, reserve1 }: Pair<'Sync'>, pool) => ({
    type: 'PoolSynced',
    pool,
    reserve0,
    reserve1,
  }),
  Swap: (args: Pair<'Swap'>, pool) => ({
    type: 'PoolSwapped',
    pool,
    amount0: args.amount0In - args.amount0Out,
    amount1: args.amount1In - args.amount1Out,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
  }),
} as const satisfies PoolTable

const UNCHANGED = { liquidityDelta: 0n, tickLower: 0, tickUpper: 0 }

const ranged = {
  Initialize: ({ sqrtPriceX96, tick }: PoolArgs<'Initialize'>, pool) => ({
    type: 'PoolInitialized',
    pool,
    sqrtPriceX96,
    tick,
  }),
  Mint: ({ amount0, amount1, liquidity, tickLower, tickUpper }: PoolArgs<'Mint'>, pool) => ({
    type: 'PoolFunded',
    pool,
    amount0,
    amount1,
    liquidityDelta: liquidity,
    tickLower,
    tickUpper,
  }),
  // Burnt liquidity stays in the pool until it is collected.
  Burn: ({ liquidity, tickLower, tickUpper }: PoolArgs<'Burn'>, pool) => ({
    type: 'PoolFunded',
    pool,
    amount0: 0n,
    amount1: 0n,
    liquidityDelta: -liquidity,
    tickLower,
    tickUpper,
  }),
  Collect: (args: PoolArgs<'Collect'>, pool) => paidOut(pool, args),
  CollectProtocol: (args: PoolArgs<'CollectProtocol'>, pool) => paidOut(pool, args),
  Swap: ({ amount0, amount1, sqrtPriceX96, liquidity, tick }: PoolArgs<'Swap'>, pool) => ({
    type: 'PoolSwapped',
    pool,
    amount0,
    amount1,
    sqrtPriceX96,
    liquidity,
    tick,
  }),
  Flash: ({ paid0, paid1 }: PoolArgs<'Flash'>, pool) => ({
    type: 'PoolFunded',
    pool,
    amount0: paid0,
    amount1: paid1,
    ...UNCHANGED,
  }),
} as const satisfies PoolTable

const paidOut = (pool: string, { amount0, amount1 }: { amount0: bigint; amount1: bigint }) =>
  ({ type: 'PoolFunded', pool, amount0: -amount0, amount1: -amount1, ...UNCHANGED }) as const

const FACTORY_ABIS = { 2: v2FactoryAbi, 3: v3FactoryAbi } as const
const POOL_ABIS = { 2: v2PairAbi, 3: v3PoolAbi } as const
const POOL_TABLES = { 2: pair, 3: ranged } as const satisfies Record<PoolVersion, PoolTable>

const hashEvents = (events: readonly AbiEvent[]) =>
  events.map((event) => toEventSelector(event) as string)

/** First topics of pool announcements by factories. */
export const ANNOUNCEMENT_TOPICS = hashEvents([...v2FactoryAbi, ...v3FactoryAbi])
/** First topics of logs of pools. */
export const POOL_TOPICS = hashEvents([...v2PairAbi, ...v3PoolAbi])

const decoders = {
  factory: {
    2: compileDecoder(FACTORY_ABIS[2], 'others'),
    3: compileDecoder(FACTORY_ABIS[3], 'others'),
  },
  pool: { 2: compileDecoder(POOL_ABIS[2], 'others'), 3: compileDecoder(POOL_ABIS[3], 'others') },
}

/** Decodes a pool announcement of a factory of `version`; undefined for other logs. */
export function decodeAnnouncement(log: ChainLog, version: PoolVersion): Announcement | undefined {
  const decoded = decoders.factory[version](log)
  const translate: Readonly<Record<string, (args: never) => Announcement>> = announcements
  return decoded && translate[decoded.name]?.(decoded.args as never)
}

/** Decodes a log of a pool of `version`; undefined if the venue does not keep it. */
export function decodePoolEvent(log: ChainLog, version: PoolVersion): PoolEvent | undefined {
  const decoded = decoders.pool[version](log)
  const translate: PoolTable = POOL_TABLES[version]
  return decoded && translate[decoded.name]?.(decoded.args as never, log.address)
}
