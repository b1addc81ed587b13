// Declares the decoded events of pools. Addresses are lower-case hex; amounts raw; pools of
// version 2 are pairs of reserves, those of version 3 hold liquidity in ranges of ticks.

/** The facts that a token gives about itself at the block that creates the first pool with it. */
export type TokenFacts = Readonly<{
  address: string
  /** As the token has it, unclean: '' when it does not answer. */
  symbol: string
  name: string
  /** null when the token does not answer, or with a number that no token can have. */
  decimals: number | null
  /** null when the token does not answer. */
  totalSupply: bigint | null
}>

export type PoolEvent =
  /** v2 PairCreated, v3 PoolCreated. `tokens` holds at least those that no pool before had. */
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
  /** v2 and v3 Swap. Amounts are signed: what came into the pool is above zero. */
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
   * CollectProtocol (amounts out), Flash (amounts paid in). Where liquidity does not change, the
   * ticks are 0 too.
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
