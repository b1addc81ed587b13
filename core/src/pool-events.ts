// Declares the decoded events of pools. Addresses are lower-case hex; amounts raw; pools of
// version 2 are pairs of reserves, those of version 3 hold liquidity in ranges of ticks.

/** Metadata that a token reports at the block of the first pool with it. */
export type TokenFacts = Readonly<{
  address: string
  /** Reported value, unsanitised; '' if the token does not answer. */
  symbol: string
  name: string
  /** null if the token does not answer, or answers with an impossible value. */
  decimals: number | null
  /** null if the token does not answer. */
  totalSupply: bigint | null
}>

export type PoolEvent =
  /** v2 PairCreated, v3 PoolCreated. `tokens` holds at least those without an earlier pool. */
  | Readonly<{
      type: 'PoolCreated'
      factory: string
      version: 2 | 3
      pool: string
      token0: string
      token1: string
      /** Millionths. */
      fee: number
      /** Version 3 only, else null. */
      tickSpacing: number | null
      tokens: readonly TokenFacts[]
    }>
  /** v2 Sync. */
  | Readonly<{ type: 'PoolSynced'; pool: string; reserve0: bigint; reserve1: bigint }>
  /** v2 and v3 Swap. Amounts are signed: positive into the pool. */
  | Readonly<{
      type: 'PoolSwapped'
      pool: string
      amount0: bigint
      amount1: bigint
      /** Version 3 only, else null. */
      sqrtPriceX96: bigint | null
      liquidity: bigint | null
      tick: number | null
    }>
  /** v3 Initialize. */
  | Readonly<{ type: 'PoolInitialized'; pool: string; sqrtPriceX96: bigint; tick: number }>
  /**
   * v3 Mint (amounts in, liquidity up), Burn (no amounts, liquidity down), Collect and
   * CollectProtocol (amounts out), Flash (fees paid in). If liquidity does not change, the ticks
   * are also 0.
   */
  | Readonly<{
      type: 'PoolFunded'
      pool: string
      amount0: bigint
      amount1: bigint
      liquidityDelta: bigint
      tickLower: number
      tickUpper: number
    }>
