// GET /index-history and /mark-history: past prices, from memory or the database.
import type { PriceMinute } from '@openvenue/core/records'
import { fixedText } from '@openvenue/core/units'
import { quoteRawText } from '@openvenue/wire/decimal'
import type { Static } from '@openvenue/wire/field'
import {
  encodePrice,
  IndexHistoryQuery,
  MarkHistoryQuery,
  PERIOD_SECONDS_MIN,
  PRICE_HISTORY_LIMIT_DEFAULT,
  PriceHistory,
} from '@openvenue/wire/price-history'
import type { FastifyReply } from 'fastify'
import { timeRangeOr400 } from '../account/account-filter.ts'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { historyUnavailable } from '../http/refusals.ts'
import { lastPrices, type Periods, periodStart } from '../model/price-periods.ts'
import { knownSymbol } from './index-prices.ts'
import { marketOr404, NO_INSTRUMENT, type Parts, type Routes, TAGS } from './route.ts'

type PriceParts = 'model' | 'reader' | 'fresh'

const CONFIG = {
  weight: HEAVY_WEIGHT,
  refuses: ['INVALID_TIME_RANGE', 'HISTORY_UNAVAILABLE'],
} as const

export const priceHistoryRoutes: Routes<PriceParts> = (host, deps) => {
  const { model } = deps
  const tags = TAGS.index
  const response = answers(PriceHistory)
  const ofIndex = 'Index prices over time: the newest of the range, oldest first'
  host.get(
    '/index-history',
    {
      config: CONFIG,
      schema: { tags, summary: ofIndex, querystring: IndexHistoryQuery, response },
    },
    (request, reply) => {
      const { query } = request
      const symbol = knownSymbol(model, query.asset.toUpperCase())
      if (symbol === undefined) return answerOnce(reply, NO_PRICES, model.head)
      return answerPrices(deps, { query, reply }, { series: `index:${symbol}`, text: fixedText })
    },
  )
  const ofMark = 'Mark prices over time: the newest of the range, oldest first'
  const refuses = [...CONFIG.refuses, ...NO_INSTRUMENT]
  host.get(
    '/mark-history',
    {
      config: { ...CONFIG, refuses },
      schema: { tags, summary: ofMark, querystring: MarkHistoryQuery, response },
    },
    (request, reply) => {
      const { query } = request
      const { market } = marketOr404(model, 'instrument_name', query.instrument_name)
      const text = (price: bigint) => quoteRawText(market, price)
      return answerPrices(deps, { query, reply }, { series: `mark:${market.id}`, text })
    },
  )
}

const NO_PRICES = jsonBytes({ history: [] })

/** A series of prices, and the encoding of each. */
type Series = Readonly<{ series: string; text: (price: bigint) => string }>

async function answerPrices(
  { model, reader, fresh }: Parts<PriceParts>,
  { query, reply }: Readonly<{ query: PriceQuery; reply: FastifyReply }>,
  { series, text }: Series,
): Promise<FastifyReply> {
  const periods = parsePeriods(query)
  const encode = (rows: readonly PriceMinute[]) => ({
    history: rows.map((row) =>
      encodePrice({
        openSeconds: periodStart(row, periods.periodSeconds),
        price: text(row.price),
      }),
    ),
  })
  // Not cached by URL: what memory holds now may be too recent for it later.
  const minutes = model.priceMinutes(series)
  const newest = lastPrices(minutes, periods)
  if (newest.length === periods.limit || reachesBack(minutes, periods))
    return answerOnce(reply, jsonBytes(encode(newest)), model.head)
  const { rows, head } = await fresh
    .read((from) => reader.prices({ series, ...periods }, from))
    .catch((cause: unknown) => {
      throw historyUnavailable(cause)
    })
  return answerOnce(reply, jsonBytes(encode(rows)), head)
}

/** Memory holds whole minutes of one day. */
const reachesBack = (minutes: readonly PriceMinute[], periods: Periods): boolean =>
  periods.fromSeconds >= (minutes[0]?.openSeconds ?? Number.POSITIVE_INFINITY)

type PriceQuery = Pick<
  Static<typeof IndexHistoryQuery>,
  'resolution' | 'start_time' | 'end_time' | 'limit'
>

function parsePeriods(query: PriceQuery): Periods {
  const { resolution = PERIOD_SECONDS_MIN, limit = PRICE_HISTORY_LIMIT_DEFAULT } = query
  const periodSeconds = Math.ceil(resolution / PERIOD_SECONDS_MIN) * PERIOD_SECONDS_MIN
  return { ...timeRangeOr400(query), periodSeconds, limit }
}
