// Formats pools of the second host as rows.
import { showDecimal } from '../../../text/decimal-text.ts'
import { foreignName } from '../../../text/foreign-text.ts'
import { NO_POOLS, type PoolRow, type PoolsView } from '../pools-protocol.ts'
import * as text from '../text.ts'

const MS_MAX = 8_000
const POOLS_SHOWN = 100

type Token = Readonly<{ symbol: string; address: string }>
/** A pool as returned by the second host, whose numbers are rounded to doubles. */
export type PoolListing = Readonly<{
  address: string
  token0: Token
  token1: Token
  type: 'amm' | 'clmm'
  tvl: number
  volume24h: number
  fee: number
}>

/** Returns the row of a pool. Token names are untrusted and shown as plain text. */
export const viewPool = ({
  address,
  token0,
  token1,
  type,
  tvl,
  volume24h,
  fee,
}: PoolListing): PoolRow => ({
  address,
  pair: `${foreignName(token0.symbol)} / ${foreignName(token1.symbol)}`,
  kind: type === 'amm' ? text.fullRange : text.concentrated,
  tvl: showDollars(tvl),
  volume: showDollars(volume24h),
  fee: `${Number((fee * 100).toFixed(4))}%`,
})

// Numbers from 1e21 on have no plain digits; no pool is worth that much.
const showDollars = (value: number): string =>
  value < 1e21 ? `$${showDecimal(value.toFixed(0))}` : text.tooLarge

/** Returns the most valuable pools, or why there are none to show. */
export async function readPools(integratedUrl: string): Promise<PoolsView> {
  if (integratedUrl === '') return NO_POOLS
  const url = `${integratedUrl.replace(/\/+$/, '')}/api/markets/earn-markets?limit=${POOLS_SHOWN}`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(MS_MAX) })
    if (!answer.ok) return { isOffered: true, rows: [], problem: text.hostStatus(answer.status) }
    const { markets } = (await answer.json()) as Readonly<{ markets: readonly PoolListing[] }>
    return { isOffered: true, rows: markets.map(viewPool), problem: '' }
  } catch {
    return { isOffered: true, rows: [], problem: text.hostDown }
  }
}
