// Finds the last price of each period among prices by minute.
import type { PriceMinute } from '@openvenue/core/records'

/** The periods with prices in [from, to], the newest `limit` of them. */
export type Periods = Readonly<{
  fromSeconds: number
  toSeconds: number
  periodSeconds: number
  limit: number
}>

/** Returns the start of a price's period. */
export const periodStart = ({ openSeconds }: PriceMinute, periodSeconds: number): number =>
  openSeconds - (openSeconds % periodSeconds)

/** Returns the last price of each period, oldest first. `minutes` are oldest first. */
export function lastPrices(minutes: readonly PriceMinute[], periods: Periods): PriceMinute[] {
  const { fromSeconds, toSeconds, periodSeconds, limit } = periods
  const selected: PriceMinute[] = []
  for (const minute of minutes.toReversed()) {
    if (minute.openSeconds > toSeconds) continue
    if (minute.openSeconds < fromSeconds || selected.length >= limit) break
    const newer = selected.at(-1)
    const isOther =
      newer === undefined || periodStart(newer, periodSeconds) > periodStart(minute, periodSeconds)
    if (isOther) selected.push(minute)
  }
  return selected.reverse()
}
