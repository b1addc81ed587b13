// Pools of the second host, for display.

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
