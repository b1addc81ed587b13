// GET /markets, /markets/{instrument_id}, /instrument/{instrument_name}. Interface 4.2.
import type { Header } from '@openvenue/core/events'
import {
  encodeMarket,
  InstrumentIdPath,
  InstrumentNamePath,
  MarketObject,
  Markets,
  MarketsQuery,
} from '@openvenue/wire/markets'
import { answer, answers } from '../http/answer.ts'
import { bounded, boundedPer, cachedBody, jsonBytes } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import { clockHour, gatherFacts } from '../model/facts.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketOr404, NO_INSTRUMENT, type Parts, type Routes, TAGS } from './route.ts'

/** Cached lists: one for each requested type and asset. */
const LISTS_MAX = 64
/** Seconds for which caches may keep markets and tokens. */
export const MARKETS_MAX_AGE_S = 2
const MS = 1000
const TYPES: readonly (string | undefined)[] = [undefined, 'SPOT', 'PERPETUAL']

type MarketParts = 'model' | 'clock' | 'options' | 'freshness' | 'settings'

export const marketRoutes: Routes<MarketParts> = (host, deps) => {
  const { model } = deps
  const list = bounded(LISTS_MAX, (key) => listSource(deps, key))
  const source = boundedPer(1, (live: LiveMarket) => marketSource(deps, live))
  const none: BodySource = {
    read: () => NO_MARKETS,
    head: () => model.head,
    maxAgeSeconds: () => MARKETS_MAX_AGE_S,
  }
  const tags = TAGS.markets
  host.get(
    '/markets',
    { schema: { tags, summary: 'Markets', querystring: MarketsQuery, response: answers(Markets) } },
    (request, reply) => {
      const { instrument_type: type, asset } = request.query
      return answer(request, reply, TYPES.includes(type) ? list(listKey(type, asset)) : none)
    },
  )
  const response = answers(MarketObject)
  const config = { refuses: NO_INSTRUMENT }
  host.get(
    '/markets/:instrument_id',
    { config, schema: { tags, summary: 'A market', params: InstrumentIdPath, response } },
    (request, reply) =>
      answer(
        request,
        reply,
        source(marketOr404(model, 'instrument_id', request.params.instrument_id), ''),
      ),
  )
  host.get(
    '/instrument/:instrument_name',
    { config, schema: { tags, summary: 'A market', params: InstrumentNamePath, response } },
    (request, reply) =>
      answer(
        request,
        reply,
        source(marketOr404(model, 'instrument_name', request.params.instrument_name), ''),
      ),
  )
}

const NO_MARKETS = jsonBytes([])

function marketSource(parts: Parts<MarketParts>, live: LiveMarket): BodySource {
  const { model, clock, settings } = parts
  return {
    head: () => model.head,
    maxAgeSeconds: () => MARKETS_MAX_AGE_S,
    read: cachedBody(
      () => `${live.versions.facts} ${clockHour(clock.nowMs())}`,
      () => encodeMarket(gatherFacts(model, live, clock.nowMs()), settings.trading),
    ),
  }
}

type MarketListFilter = Readonly<{ type?: string | undefined; asset?: string | undefined }>

const listKey = (type: string | undefined, asset: string | undefined) =>
  JSON.stringify({ type, asset: asset?.toUpperCase() } satisfies MarketListFilter)

/** The list of a type and an asset, at most `marketsCacheMs` old; `head` is its block. */
function listSource(parts: Parts<MarketParts>, key: string): BodySource {
  const { model, clock, options, freshness, settings } = parts
  const { type, asset } = JSON.parse(key) as MarketListFilter
  const isAsked = ({ market }: LiveMarket) =>
    (type === undefined || market.type === type) &&
    (asset === undefined || market.asset.toUpperCase() === asset)
  let body: Buffer = NO_MARKETS
  let head: Header | undefined
  let builtMs = Number.NEGATIVE_INFINITY
  let currentMs = Number.NEGATIVE_INFINITY
  let builtHour = -1
  let builtVersion = -1
  return {
    head: () => head,
    currentMs: () => currentMs,
    // The bound holds for the whole way to the client.
    maxAgeSeconds: () => {
      const leftMs = builtMs + options.marketsCacheMs - clock.monotonicMs()
      return Math.min(MARKETS_MAX_AGE_S, Math.max(0, Math.floor(leftMs / MS)))
    },
    read: (minBlock = 0) => {
      const nowMs = clock.nowMs()
      const monotonicMs = clock.monotonicMs()
      const isNewEnough = head === undefined || head.number >= minBlock
      if (isNewEnough && monotonicMs - builtMs < options.marketsCacheMs) return body
      if (builtVersion !== model.versions.facts || clockHour(nowMs) !== builtHour)
        body = jsonBytes(
          [...model.markets]
            .filter(isAsked)
            .map((live) => encodeMarket(gatherFacts(model, live, nowMs), settings.trading)),
        )
      builtMs = monotonicMs
      builtHour = clockHour(nowMs)
      builtVersion = model.versions.facts
      head = model.head
      currentMs = freshness.currentMs
      return body
    },
  }
}
