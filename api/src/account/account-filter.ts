// Reads from a query which rows of an account's list are meant. Interface 4.4.
import {
  type MarketFilter,
  parseTimeRange,
  type SecondsRange,
  type TimeRange,
} from '@openvenue/wire/account-query'
import { Refusal } from '../http/refusals.ts'
import type { LiveMarket } from '../model/live-market.ts'
import type { VenueModel } from '../model/venue-model.ts'

/**
 * Returns the markets that a filter leaves, in order of listing; none for a name that is unknown.
 */
export function filterMarkets(model: VenueModel, filter: MarketFilter): readonly LiveMarket[] {
  const { instrument_type, instrument_name, asset = '' } = filter
  const named = isGiven(instrument_name) ? [model.market(instrument_name)] : [...model.markets]
  const wanted = asset.toUpperCase()
  return named.filter(
    (live): live is LiveMarket =>
      live !== undefined &&
      (instrument_type === undefined || live.market.type === instrument_type) &&
      (wanted === '' || live.market.asset.toUpperCase() === wanted),
  )
}

/** Names the markets that a filter leaves, for a cursor: the same however they are spelled. */
export function marketsPrint(model: VenueModel, filter: MarketFilter): readonly unknown[] {
  const { instrument_type = null, instrument_name, asset = '' } = filter
  const name = isGiven(instrument_name) ? instrument_name : null
  const id = name === null ? null : (model.market(name)?.market.id ?? name)
  return [instrument_type, id, asset.toUpperCase()]
}

/** Returns the range of a query, or refuses with 400 when it starts after its end. */
export function timeRangeOr400(query: TimeRange): SecondsRange {
  const range = parseTimeRange(query)
  if (range !== undefined) return range
  const message = 'start_time is not after end_time'
  const detail = {
    field: 'start_time',
    code: 'INVALID_TIME_RANGE',
    message,
    ...(query.end_time === undefined ? {} : { nearest: query.end_time }),
  } as const
  throw new Refusal('INVALID_TIME_RANGE', { message, details: [detail] })
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''
