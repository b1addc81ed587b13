// Chooses the period length of /balance-history so that an answer keeps its maximum of points.
import { EQUITY_SECONDS_MAX } from '@openvenue/store/history/equity'
import type { SecondsRange } from '@openvenue/wire/account-query'

/**
 * Returns the smallest multiple of `resolution` whose periods, counted from 1970, are at most
 * `pointsMax` in the part of the range where there can be points.
 */
export function coarsened(
  resolution: number,
  { fromSeconds, toSeconds }: SecondsRange,
  { pointsMax, nowSeconds }: Readonly<{ pointsMax: number; nowSeconds: number }>,
): number {
  const from = Math.max(fromSeconds, nowSeconds - EQUITY_SECONDS_MAX)
  const to = Math.min(toSeconds, nowSeconds)
  const periods = (length: number) => Math.floor(to / length) - Math.floor(from / length) + 1
  if (periods(resolution) <= pointsMax) return resolution
  // No shorter multiple is sure to put both ends into one period counted from 1970.
  if (pointsMax === 1) return resolution * (Math.floor(to / resolution) + 1)
  // Fewer periods than this cannot cover the range; a few more always do.
  let factor = Math.max(1, Math.floor((to - from) / (resolution * pointsMax)))
  while (periods(resolution * factor) > pointsMax) factor += 1
  return resolution * factor
}
