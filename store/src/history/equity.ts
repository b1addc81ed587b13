// Equity of accounts over time, for /balance-history; not from the chain.

/** Interface 8: age in days from which points are hourly, and after which they are deleted. */
export const EQUITY_FINE_DAYS = 8
export const EQUITY_DAYS_MAX = 400
/** Maximum age of a point, including those about to be deleted. */
export const EQUITY_SECONDS_MAX = (EQUITY_DAYS_MAX + 1) * 86_400

/** Equity of an account at a time, 18 decimals. */
type EquityPoint = Readonly<{ seconds: number; equity: bigint }>
type EquitySnapshot = EquityPoint & Readonly<{ wallet: string }>

export type EquityRange = Readonly<{
  /** Lower case. */
  wallet: string
  /** Both bounds are inclusive. */
  fromSeconds: number
  toSeconds: number
  /** Length of a bucket. Buckets start at multiples since 1970. */
  resolutionSeconds: number
}>

export type Equity = Readonly<{
  /**
   * Claims the slot at `seconds` for those of `wallets` without one, and returns them, so that each
   * wallet goes to one of several nodes. The slot has no point until `add` sets its equity.
   */
  claim(wallets: readonly string[], seconds: number): Promise<readonly string[]>
  /** Adds points. Existing points are kept. */
  add(snapshots: readonly EquitySnapshot[]): Promise<void>
  /** Returns the last point of each bucket, oldest first. */
  range(range: EquityRange): Promise<readonly EquityPoint[]>
  /**
   * Thins points older than 8 days to the last of each hour, and deletes those older than 400 days.
   * A call changes a bounded number of rows; returns how many it deleted.
   */
  thin(nowSeconds: number): Promise<number>
  /** Returns the wallets that have a live API key. */
  liveAccounts(nowMs: number): Promise<readonly string[]>
}>
