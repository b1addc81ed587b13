// The data feed of TradingView's stock UDF adapter, section 4.3. The adapter never checks the HTTP
// status, so errors are in the body.
import {
  CHARTING_CONFIG,
  ChartingConfig,
  ChartSymbolAnswer,
  ChartTime,
  EXCHANGE,
  encodeChartSymbol,
  encodeQuote,
  encodeSearchItem,
  History,
  HistoryQuery,
  QuotesAnswer,
  QuotesQuery,
  SEARCH_LIMIT_DEFAULT,
  SearchItems,
  SearchQuery,
  SymbolQuery,
} from '@openvenue/wire/charting'
import type { Static, TSchema } from '@openvenue/wire/field'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer, answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { Host } from '../http/host-type.ts'
import { Refusal, type RefusalCode } from '../http/refusals.ts'
import { fieldRefusal, missing } from '../http/validation.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketFacts } from '../model/statistics.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { barTexts, type CandleBodies, type Format } from './candle-bodies.ts'
import {
  candlesMaxAge,
  findInstrument,
  firstNamed,
  rangeOr400,
  rangeWeight,
  resolutionOr400,
} from './candle-range.ts'
import { instrumentNotFound, type Parts, type Routes, TAGS } from './route.ts'

const BASE = '/last-traded-tradingview'
const QUOTES_MAX = 100

export const chartingRoutes: Routes<'model' | 'clock'> = (host, deps) => {
  const { model, clock } = deps
  const config = jsonBytes(CHARTING_CONFIG)
  host.get(
    `${BASE}/config`,
    route('Configuration of the data feed', ChartingConfig, true),
    (request, reply) => answer(request, reply, { read: () => config }),
  )
  const time = route('Unix seconds', ChartTime, true)
  const timed = { ...time, config: { ...time.config, isTimed: true } }
  host.get(`${BASE}/time`, timed, (_, reply) =>
    answerOnce(reply, Buffer.from(String(Math.floor(clock.nowMs() / 1000)))),
  )
  symbolRoutes(host, model)
  quoteRoute(host, deps)
}

/** Registers the history: the bodies of /candles in another form. */
export function historyRoute(
  host: Host,
  deps: Parts<'model' | 'clock'>,
  bodies: CandleBodies,
): void {
  const { model, clock } = deps
  host.get(
    `${BASE}/history`,
    {
      schema: {
        ...route('Candles in the form of a chart', History).schema,
        querystring: HistoryQuery,
      },
      config: { isChart: true, weight: rangeWeight(clock), refuses: ['UNSUPPORTED_RESOLUTION'] },
      errorHandler: chartError,
    },
    async (request, reply) => {
      const query = request.query as Static<typeof HistoryQuery>
      const symbol = firstNamed(query.symbol, query.instrument_name)
      if (symbol === undefined) throw fieldRefusal([missing('symbol', 'query parameter symbol')])
      const resolution = resolutionOr400(query.resolution)
      const range = rangeOr400(resolution, query)
      const live = findSymbol(model, symbol)
      if (live === undefined) return answerOnce(reply, NO_DATA, model.head)
      const barsRequest = { market: live.market, resolution, range, format: COLUMNS }
      const source = bodies.source(barsRequest) ?? (await bodies.sourceRead(barsRequest))
      if (source !== undefined) return answer(request, reply, source)
      const { bytes, head } = await bodies.fromDatabase(barsRequest)
      return answerOnce(reply, bytes, head, { maxAgeSeconds: candlesMaxAge(barsRequest, head) })
    },
  )
}

const NO_DATA = jsonBytes({ s: 'no_data' })

const COLUMN_NAMES = ['open', 'high', 'low', 'close', 'volume'] as const
type CandleColumn = (typeof COLUMN_NAMES)[number]

const COLUMNS: Format = {
  name: 'columns',
  encode: (market, bars, openBefore) => {
    const opens: number[] = []
    const columns: Record<CandleColumn, string[]> = {
      open: [],
      high: [],
      low: [],
      close: [],
      volume: [],
    }
    for (const bar of bars) {
      opens.push(bar.candle.openSeconds)
      const texts = barTexts(market, bar)
      for (const name of COLUMN_NAMES) columns[name].push(texts[name])
    }
    if (opens.length === 0)
      return openBefore === undefined
        ? '{"s":"no_data"}'
        : `{"s":"no_data","nextTime":${openBefore}}`
    const column = (name: CandleColumn) => `["${columns[name].join('","')}"]`
    return (
      `{"s":"ok","t":[${opens.join(',')}]` +
      `,"o":${column('open')},"h":${column('high')},"l":${column('low')}` +
      `,"c":${column('close')},"v":${column('volume')}}`
    )
  },
}

/** Charts may prefix the exchange, in any case: `OPENVENUE:ETH-PERP`. */
const findSymbol = (model: VenueModel, symbol: string): LiveMarket | undefined =>
  findInstrument(
    model,
    symbol.toUpperCase().startsWith(`${EXCHANGE}:`) ? symbol.slice(EXCHANGE.length + 1) : symbol,
  )

function symbolRoutes(host: Host, model: VenueModel): void {
  host.get(
    `${BASE}/symbols`,
    withQuery(route('Chart settings of a market', ChartSymbolAnswer), SymbolQuery),
    (request, reply) => {
      const { symbol = '' } = request.query as Static<typeof SymbolQuery>
      const live = findSymbol(model, symbol)
      if (live === undefined) throw instrumentNotFound('symbol', symbol)
      return answerOnce(reply, jsonBytes(encodeChartSymbol(live.market)), model.head)
    },
  )
  host.get(
    `${BASE}/search`,
    withQuery(route('Markets by part of their name', SearchItems), SearchQuery),
    (request, reply) => {
      const {
        query = '',
        type = '',
        exchange = '',
        limit = SEARCH_LIMIT_DEFAULT,
      } = request.query as Static<typeof SearchQuery>
      const items = [...model.markets]
        .map(({ market }) => encodeSearchItem(market))
        .filter((item) =>
          `${item.full_name} ${item.description}`.toUpperCase().includes(query.toUpperCase()),
        )
        .filter((item) => type === '' || item.type === type.toLowerCase())
        .filter((item) => exchange === '' || item.exchange === exchange.toUpperCase())
      return answerOnce(reply, jsonBytes(items.slice(0, limit)), model.head)
    },
  )
}

function quoteRoute(host: Host, { model, clock }: Parts<'model' | 'clock'>): void {
  host.get(
    `${BASE}/quotes`,
    withQuery(route('Prices of several markets', QuotesAnswer), QuotesQuery),
    (request, reply) => {
      const { symbols = '' } = request.query as Static<typeof QuotesQuery>
      const nowSeconds = Math.floor(clock.nowMs() / 1000)
      const quotes = symbols
        .split(',', QUOTES_MAX)
        .filter((name) => name !== '')
        .map((name) => {
          const live = findSymbol(model, name)
          return encodeQuote(name, live && marketFacts(model, live, nowSeconds))
        })
      return answerOnce(reply, Buffer.from(`{"s":"ok","d":[${quotes.join(',')}]}`), model.head)
    },
  )
}

const route = (summary: string, response: TSchema, isOffChain = false) => ({
  schema: { summary, tags: TAGS.charting, response: answers(response) },
  config: { isChart: true, isOffChain },
  errorHandler: chartError,
})

const withQuery = <T extends ReturnType<typeof route>>(options: T, querystring: TSchema) => ({
  ...options,
  schema: { ...options.schema, querystring },
})

const KEEP_STATUS: ReadonlySet<RefusalCode> = new Set([
  'UNSUPPORTED_RESOLUTION',
  'RATE_LIMIT_EXCEEDED',
  'BLOCK_NOT_REACHED',
])

/**
 * Answers a chart's mistakes, and failed reads, with 200 and `{s: "error", errmsg}`. An unsupported
 * resolution, too many requests, an unknown block and internal errors keep their status, with both
 * forms in one body.
 */
function chartError(error: Error, _: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Refusal)) throw error
  const said = { s: 'error', errmsg: error.message } as const
  if (KEEP_STATUS.has(error.code))
    throw new Refusal(error.code, { ...error.options, message: error.message, extra: said })
  return answerOnce(reply, jsonBytes(said))
}
