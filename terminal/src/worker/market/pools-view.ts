// Writes pools of the second host as their rows show them.
import { showDecimal } from '../text/decimal-text.ts'
import { foreignName } from '../text/foreign-text.ts'

type Token = Readonly<{ symbol: string; address: string }>
/** As the second host has it; numbers are the nearest doubles there. */
export type Pool = Readonly<{
  address: string
  token0: Token
  token1: Token
  type: 'amm' | 'clmm'
  tvl: number
  volume24h: number
  fee: number
}>

export type PoolRow = Readonly<{
  address: string
  pair: string
  kind: string
  tvl: string
  volume: string
  fee: string
}>
export type PoolsView = Readonly<{ isOffered: boolean; rows: readonly PoolRow[]; problem: string }>

export const NO_POOLS: PoolsView = { isOffered: false, rows: [], problem: '' }

/** Returns the row of a pool. Names of tokens are whatever their makers wrote: text, no more. */
export const viewPool = ({
  address,
  token0,
  token1,
  type,
  tvl,
  volume24h,
  fee,
}: Pool): PoolRow => ({
  address,
  pair: `${foreignName(token0.symbol)} / ${foreignName(token1.symbol)}`,
  kind: type === 'amm' ? 'one range (v2)' : 'concentrated (v3)',
  tvl: showDollars(tvl),
  volume: showDollars(volume24h),
  fee: `${Number((fee * 100).toFixed(4))}%`,
})

// Beyond 1e21 a number has no plain digits: nothing is worth so much.
const showDollars = (value: number): string =>
  value < 1e21 ? `$${showDecimal(value.toFixed(0))}` : 'beyond measure'
