// Reads pools from the second host, where the page is configured with one.
import { NO_POOLS, type Pool, type PoolsView, viewPool } from './pools-view.ts'

const MS_MAX = 8_000
const POOLS_SHOWN = 100

/** Returns the most valuable pools, or why there are none to show. */
export async function readPools(integratedUrl: string): Promise<PoolsView> {
  if (integratedUrl === '') return NO_POOLS
  const url = `${integratedUrl.replace(/\/+$/, '')}/api/markets/earn-markets?limit=${POOLS_SHOWN}`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(MS_MAX) })
    if (!answer.ok) return { isOffered: true, rows: [], problem: `It answers ${answer.status}.` }
    const { markets } = (await answer.json()) as Readonly<{ markets: readonly Pool[] }>
    return { isOffered: true, rows: markets.map(viewPool), problem: '' }
  } catch {
    return { isOffered: true, rows: [], problem: 'The host of the pools does not answer.' }
  }
}
