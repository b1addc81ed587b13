// Keeps how much accounts were worth over time, for /balance-history; not from the chain.

/** Interface 8: points older than so many days are thinned to hourly, and deleted. */
export const EQUITY_FINE_DAYS = 8
export const EQUITY_DAYS_MAX = 400
/** No point is older, but for one that is about to go. */
export const EQUITY_SECONDS_MAX = (EQUITY_DAYS_MAX + 1) * 86_400

/** The worth of an account at a time. `equity` has 18 decimals. */
export type EquityPoint = Readonly<{ seconds: number; equity: bigint }>
export type EquitySnapshot = EquityPoint & Readonly<{ wallet: string }>

export type EquityRange = Readonly<{
  /** Lower case. */
  wallet: string
  /** Both bounds are inclusive. */
  fromSeconds: number
  toSeconds: number
  /** Length of a bucket. Buckets begin at its multiples since 1970. */
  resolutionSeconds: number
}>

export type Equity = Readonly<{
  /**
   * Takes the slot at `seconds` for those of `wallets` that have none yet, and returns them: of
   * several nodes one gets each wallet. Until `add` says its equity the slot is no point.
   */
  claim(wallets: readonly string[], seconds: number): Promise<readonly string[]>
  /** Adds points. A point that is there stays as it is. */
  add(snapshots: readonly EquitySnapshot[]): Promise<void>
  /** Returns the last point of each bucket, oldest first. */
  range(range: EquityRange): Promise<readonly EquityPoint[]>
  /**
   * Keeps, of points older than 8 days, the last of each hour, and deletes those older than 400
   * days. A call changes at most a bounded number of rows; returns how many it deleted.
   */
  thin(nowSeconds: number): Promise<number>
  /** Returns the wallets that have a live API key. */
  liveAccounts(nowMs: number): Promise<readonly string[]>
}>
