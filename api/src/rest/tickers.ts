// GET /tickers and /coingecko-statistics: every market at once.

import { bestAsk, bestBid } from '@openvenue/core/book'
import { blockTime } from '@openvenue/wire/channels'
import type { Static } from '@openvenue/wire/field'
import {
  CoingeckoStatistics,
  type DayFacts,
  encodeCoingecko,
  encodeDayTicker,
  Tickers,
  TickersQuery,
} from '@openvenue/wire/tickers'
import { answer, answers, LIVE } from '../http/answer.ts'
import { bounded, cachedText } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import { gatherFacts } from '../model/facts.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { DAY_SECONDS, dayTotals, priceAt } from '../model/statistics.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { type Parts, type Routes, TAGS } from './route.ts'
import { countChanges } from './statistics.ts'

/** Cached lists: one for each requested type and asset. */
const LISTS_MAX = 64
const MINUTE_MS = 60_000

type TickerParts = 'model' | 'clock'

export const tickerRoutes: Routes<TickerParts> = (host, deps) => {
  const { model } = deps
  const tickers = new MarketTexts(deps, (facts) => encodeDayTicker(facts))
  const lists = bounded(LISTS_MAX, (key) => listSource(deps, tickers, key))
  const tags = TAGS.statistics
  const summary = 'All markets at once: prices and 24-hour changes'
  host.get(
    '/tickers',
    {
      config: LIVE,
      schema: { tags, summary, querystring: TickersQuery, response: answers(Tickers) },
    },
    (request, reply) => answer(request, reply, lists(listKey(request.query))),
  )
  const statistics = new MarketTexts(deps, encodeCoingecko)
  const perpetuals: BodySource = {
    head: () => model.head,
    read: cachedText(
      () => versionNow(deps),
      () => `[${statistics.of(({ market }) => market.type === 'PERPETUAL')}]`,
    ),
  }
  host.get(
    '/coingecko-statistics',
    {
      config: LIVE,
      schema: {
        tags,
        summary: 'Every perpetual in the format of coingecko.com',
        response: answers(CoingeckoStatistics),
      },
    },
    (request, reply) => answer(request, reply, perpetuals),
  )
}

type TickerQuery = Static<typeof TickersQuery>

const listKey = ({ instrument_type, asset }: TickerQuery) =>
  JSON.stringify({ instrument_type, asset: asset?.toUpperCase() })

function listSource(deps: Parts<TickerParts>, tickers: MarketTexts, key: string): BodySource {
  const { model } = deps
  const { instrument_type: type, asset } = JSON.parse(key) as TickerQuery
  const isAsked = ({ market }: LiveMarket) =>
    (type === undefined || market.type === type) &&
    (asset === undefined || market.asset.toUpperCase() === asset)
  return {
    head: () => model.head,
    read: cachedText(
      () => versionNow(deps),
      () => `{"timestamp":"${blockTime(model.head)}","tickers":[${tickers.of(isAsked)}]}`,
    ),
  }
}

/** The 24-hour window moves with the clock, with or without trades. */
const minuteOf = ({ clock }: Parts<'clock'>) => Math.floor(clock.nowMs() / MINUTE_MS)
const versionNow = (deps: Parts<TickerParts>) => `${deps.model.versions.entries} ${minuteOf(deps)}`

/** The JSON of each market, rebuilt when the market has changed and once a minute. */
class MarketTexts {
  readonly #deps: Parts<TickerParts>
  readonly #encode: (facts: DayFacts, nowSeconds: number) => object
  readonly #kept = new WeakMap<LiveMarket, Readonly<{ changes: string; text: string }>>()

  constructor(deps: Parts<TickerParts>, encode: (facts: DayFacts, nowSeconds: number) => object) {
    this.#deps = deps
    this.#encode = encode
  }

  /** Returns the selected ones, separated by commas. */
  of(isAsked: (live: LiveMarket) => boolean): string {
    const texts: string[] = []
    for (const live of this.#deps.model.markets) if (isAsked(live)) texts.push(this.#text(live))
    return texts.join(',')
  }

  #text(live: LiveMarket): string {
    const { model, clock } = this.#deps
    const changes = `${countChanges(live)} ${minuteOf(this.#deps)}`
    const cached = this.#kept.get(live)
    if (cached?.changes === changes) return cached.text
    const facts = dayFacts(model, live, clock.nowMs())
    const text = JSON.stringify(this.#encode(facts, Math.floor(clock.nowMs() / 1000)))
    this.#kept.set(live, { changes, text })
    return text
  }
}

function dayFacts(model: VenueModel, live: LiveMarket, nowMs: number): DayFacts {
  const nowSeconds = Math.floor(nowMs / 1000)
  const { id } = live.market
  const { bids, asks } = model.book(id)
  const [bid, ask] = [bestBid({ bids, asks }), bestAsk({ bids, asks })]
  return {
    ...gatherFacts(model, live, nowMs),
    bid: bid === undefined ? undefined : bids.levels.get(bid),
    ask: ask === undefined ? undefined : asks.levels.get(ask),
    day: dayTotals(live.hours, nowSeconds),
    markDayAgo: priceAt(model.priceMinutes(`mark:${id}`), nowSeconds - DAY_SECONDS),
  }
}
