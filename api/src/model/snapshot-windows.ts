// The length of each history window in memory, as requested with a snapshot.
import type { SnapshotWindows } from '@openvenue/store/store'
import { SETTLEMENTS_KEPT_MAX, TRADES_KEPT_MAX } from './live-market.ts'
import { PUBLIC_KINDS } from './owned-records.ts'

/** The 24-hour window has 24 clock hours; as many again for undone blocks. */
export const HOURS_KEPT_MAX = 48
/** A hundred years, thus all months. */
export const MONTHS_KEPT_MAX = 1200
/** Statistics look 24 hours back; one hour of slack. */
export const PRICE_WINDOW_S = 25 * 3600
export const PRICE_MINUTES_MAX = PRICE_WINDOW_S / 60
/** 24 clock hours including the current one, and one of slack. */
export const POOL_HOURS_MAX = PRICE_WINDOW_S / 3600

/** Returns the windows that the model needs in a snapshot at `nowSeconds`. */
export const windowsAt = (nowSeconds: number): SnapshotWindows => ({
  kinds: PUBLIC_KINDS,
  trades: TRADES_KEPT_MAX,
  candles: { '60': HOURS_KEPT_MAX, '1M': MONTHS_KEPT_MAX },
  settlements: SETTLEMENTS_KEPT_MAX,
  priceSeconds: nowSeconds - PRICE_WINDOW_S,
  poolHoursFrom: nowSeconds - PRICE_WINDOW_S,
})
