// GET /statistics in its two forms, sections 2.4 and 4.2.

import type { Static } from '@openvenue/wire/field'
import {
  encodeStatistics,
  encodeUnknownStatistics,
  Statistics,
  StatisticsParams,
  StatisticsQuery,
} from '@openvenue/wire/statistics'
import { answer, answers, LIVE } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketFacts } from '../model/statistics.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

const MINUTE_MS = 60_000
/** Seconds for which caches may keep statistics. */
const STATISTICS_MAX_AGE_S = 1
const RESPONSE = {
  summary: '24-hour statistics',
  tags: TAGS.statistics,
  response: answers(Statistics),
}

export const statisticsRoutes: Routes<'model' | 'clock'> = (host, deps) => {
  host.get(
    '/statistics/:asset/:instrument_type',
    { config: LIVE, schema: { ...RESPONSE, params: StatisticsParams } },
    (request, reply) =>
      answer(request, reply, source(deps, request.params as Static<typeof StatisticsParams>)),
  )
  host.get(
    '/statistics',
    { config: LIVE, schema: { ...RESPONSE, querystring: StatisticsQuery } },
    (request, reply) =>
      answer(request, reply, source(deps, request.query as Static<typeof StatisticsQuery>)),
  )
}

type StatisticsRequest = Static<typeof StatisticsQuery>

/**
 * The body is rebuilt when its market has changed and, since the 24-hour window moves, once a
 * minute; changes of other markets cost it three comparisons.
 */
function source(
  { model, clock }: Parts<'model' | 'clock'>,
  request: StatisticsRequest,
): BodySource {
  let body: Buffer | undefined
  let entries = -1
  let live: LiveMarket | undefined
  let changes = -1
  let minute = -1
  const read = () => {
    const nowMs = clock.nowMs()
    const isSameMinute = Math.floor(nowMs / MINUTE_MS) === minute
    if (body !== undefined && isSameMinute && entries === model.versions.entries) return body
    entries = model.versions.entries
    const market = findMarket(model, request)
    const foundChanges = market === undefined ? 0 : countChanges(market)
    if (body !== undefined && isSameMinute && market === live && foundChanges === changes)
      return body
    ;[live, changes, minute] = [market, foundChanges, Math.floor(nowMs / MINUTE_MS)]
    body = jsonBytes(
      live === undefined
        ? encodeUnknownStatistics(request.asset ?? null)
        : encodeStatistics(marketFacts(model, live, Math.floor(nowMs / 1000))),
    )
    return body
  }
  return { read, head: () => model.head, maxAgeSeconds: () => STATISTICS_MAX_AGE_S }
}

/** Versions only rise, so their sum changes whenever one of them does. */
export const countChanges = ({ versions }: LiveMarket) =>
  versions.facts + versions.book + versions.trades + versions.candles + versions.settlements

/**
 * Returns the market of that name or id; else the one of an asset and type; without a type the
 * perpetual, else the spot market. An unknown one is not an error: its prices are null.
 */
function findMarket(model: VenueModel, request: StatisticsRequest): LiveMarket | undefined {
  const { instrument_name: name, asset, instrument_type: type } = request
  const named = (text: string) => model.market(text) ?? model.market(text.toUpperCase())
  if (name !== undefined) return named(name)
  if (asset === undefined) return undefined
  const perpetual = named(`${asset}-PERP`)
  const spot = named(`${asset}-USDC`)
  if (type === undefined) return perpetual ?? spot
  if (type === 'PERPETUAL') return perpetual
  return type === 'SPOT' ? spot : undefined
}
