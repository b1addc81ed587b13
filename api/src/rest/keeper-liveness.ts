// Reports the keeper's liveness by its work: the age of the index prices that it pushes.
import type { Readiness } from '@openvenue/wire/service'
import type { VenueModel } from '../model/venue-model.ts'

/**
 * Returns the oldest index price among the assets of perpetual markets; undefined when there is no
 * such market. Read from memory, without a query to the database or the keeper.
 */
export function keeperSign(
  model: Pick<VenueModel, 'markets' | 'indexPrice'>,
  nowMs: number,
): NonNullable<Readiness['keeper']> | undefined {
  let oldest: Readonly<{ asset: string; seconds: number }> | undefined
  for (const { market } of model.markets) {
    if (market.type !== 'PERPETUAL') continue
    const { asset } = market
    const seconds = model.indexPrice(asset)?.seconds ?? 0
    if (oldest === undefined || seconds < oldest.seconds) oldest = { asset, seconds }
  }
  if (oldest === undefined) return undefined
  const { asset, seconds } = oldest
  if (seconds === 0) return { asset, index_price_time: null, index_price_age_ms: null }
  const ageMs = Math.max(nowMs - seconds * 1000, 0)
  return { asset, index_price_time: seconds, index_price_age_ms: ageMs }
}
