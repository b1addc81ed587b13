// Reads the filters of an account's lists from a query. Interface 4.4.
import { nearestName } from '@openvenue/core/nearest-name'
import {
  type MarketFilter,
  parseTimeRange,
  type SecondsRange,
  type TimeRange,
} from '@openvenue/wire/account-query'
import { type FieldError, Refusal } from '../http/refusals.ts'
import { MARKET_RULE, mismatchText } from '../http/validation.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketNames } from '../model/market-list.ts'
import type { VenueModel } from '../model/venue-model.ts'

/**
 * Returns the markets that a filter selects, in order of listing. Refuses with 404 an unknown
 * market name, an unknown asset, or a combination that selects no market.
 */
export function filterMarkets(model: VenueModel, filter: MarketFilter): readonly LiveMarket[] {
  const { instrument_type: type, instrument_name: name, asset = '' } = filter
  const named = isGiven(name) ? [findNamed(model, name)] : [...model.markets]
  const assetName = asset.toUpperCase()
  const ofAsset = named.filter(
    ({ market }) => assetName === '' || market.asset.toUpperCase() === assetName,
  )
  if (ofAsset.length === 0 && assetName !== '') throw noMarket(model, filter)
  const left = ofAsset.filter(({ market }) => type === undefined || market.type === type)
  if (left.length > 0 || (!isGiven(name) && assetName === '')) return left
  const [field, text] = isGiven(name) ? ['instrument_name', name] : ['asset', asset]
  const types = [...new Set(ofAsset.map(({ market }) => market.type))].join(' and ')
  const message = `${field} has no ${type} market: got ${text}, expected ${types}`
  throw unknownMarket({ field, message })
}

function findNamed(model: VenueModel, name: string): LiveMarket {
  const live = model.market(name)
  if (live !== undefined) return live
  throw unknownMarket({
    field: 'instrument_name',
    message: `instrument_name is unknown: ${mismatchText(MARKET_RULE, name)}`,
    ...nearestOf(marketNames(model), name),
  })
}

function noMarket(model: VenueModel, { instrument_name: name, asset = '' }: MarketFilter): Refusal {
  const markets = isGiven(name) ? [findNamed(model, name)] : [...model.markets]
  const assets = new Set(markets.map(({ market }) => market.asset))
  const message = isGiven(name)
    ? `asset does not match ${name}: ${mismatchText([...assets].join(), asset)}`
    : `asset is unknown: ${mismatchText('the underlying of a market of GET /markets', asset)}`
  const nearest = isGiven(name) ? { nearest: [...assets].join() } : nearestOf(assets, asset)
  return unknownMarket({ field: 'asset', message, ...nearest })
}

const unknownMarket = (error: Omit<FieldError, 'code'>): Refusal => {
  const code = 'INSTRUMENT_NOT_FOUND'
  return new Refusal(code, { message: error.message, details: [{ ...error, code }] })
}

function nearestOf(names: Iterable<string>, text: string): Readonly<{ nearest?: string }> {
  const nearest = nearestName(names, text)
  return nearest === undefined ? {} : { nearest }
}

/** Returns the ids of the selected markets for a cursor, however the query spelled them. */
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
  const { start_time: start, end_time: end } = query
  const message = `start_time is after end_time: got ${start}, expected at most ${end}`
  const detail = {
    field: 'start_time',
    code: 'INVALID_TIME_RANGE',
    message,
    ...(end === undefined ? {} : { nearest: end }),
  } as const
  throw new Refusal('INVALID_TIME_RANGE', { message, details: [detail] })
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''
