// Recent trades of a market, plain and wrapped. Interface 2.3 and 4.2.
import type { Market, Trade } from '@openvenue/core/records'
import type { BlockRead } from '@openvenue/store/db/block-read'
import { parseTimeNs } from '@openvenue/wire/funding'
import { InstrumentIdPath, InstrumentNamePath } from '@openvenue/wire/markets'
import {
  encodeTrade,
  encodeTradeHistoryItem,
  TRADES_LIMIT_DEFAULT,
  TradeHistory,
  TradeHistoryQuery,
  Trades,
  TradesQuery,
} from '@openvenue/wire/trades'
import { answer, answerOnce, answers, READS_HISTORY } from '../http/answer.ts'
import { boundedPer, cachedText, jsonBytes } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import { historyUnavailable } from '../http/refusals.ts'
import { fieldRefusal, invalid, missing } from '../http/validation.ts'
import { DeepTrades } from '../model/deep-trades.ts'
import type { LiveMarket } from '../model/live-market.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

type TradeParts = 'model' | 'reader' | 'fresh'
const NS_PER_S = 1_000_000_000n
const TRADE_ID = /^\d{12}-\d{6}$/
const CONFIG = { refuses: [...READS_HISTORY.refuses, 'MISSING_PARAMETER'] } as const

/** Cached limits for each market and form. */
const LIMITS_MAX = 8

export const tradeRoutes: Routes<TradeParts> = (host, deps) => {
  const { model, reader } = deps
  const tags = TAGS.trades
  const head = () => model.head
  const deep = new DeepTrades({ model, reader, onLeft: () => host.responseCache.clear() })
  const plainSource = createSources(deep, head, encodeTrade, ({ text }) => `[${text}]`)
  const wrappedSource = createSources(
    deep,
    head,
    encodeTradeHistoryItem,
    ({ text, count }) => `{"count":"${count}","trade_history":[${text}]}`,
  )
  host.get(
    '/markets/:instrument_id/trades',
    {
      config: CONFIG,
      schema: {
        tags,
        summary: 'Recent trades, newest first',
        params: InstrumentIdPath,
        querystring: TradesQuery,
        response: answers(Trades),
      },
    },
    async (request, reply) => {
      const live = model.market(request.params.instrument_id)
      const range = rangeOf(request.query)
      if (live !== undefined && range !== undefined) {
        const { rows, head } = await oldestTrades(deps, live, range)
        return answerOnce(reply, jsonBytes(rows.map((row) => encodeTrade(live.market, row))), head)
      }
      return answer(request, reply, await plainSource(live, request.query.limit))
    },
  )
  host.get(
    '/instrument/:instrument_name/trade-history',
    {
      config: CONFIG,
      schema: {
        tags,
        summary: 'Recent trades, newest first, wrapped',
        params: InstrumentNamePath,
        querystring: TradeHistoryQuery,
        response: answers(TradeHistory),
      },
    },
    async (request, reply) => {
      const live = model.market(request.params.instrument_name)
      const range = rangeOf(request.query)
      if (live !== undefined && range !== undefined) {
        const { rows, head } = await oldestTrades(deps, live, range)
        const trade_history = rows.map((row) => encodeTradeHistoryItem(live.market, row))
        return answerOnce(reply, jsonBytes({ count: `${rows.length}`, trade_history }), head)
      }
      return answer(request, reply, await wrappedSource(live, request.query.limit))
    },
  )
}

type OldestRange = Readonly<{ fromSeconds: number; afterId: string; limit: number }>
type RangeQuery = Readonly<{ start_time?: string; after?: string; limit?: number }>

/** Undefined when the newest trades are requested. */
function rangeOf({ start_time, after = '', limit }: RangeQuery): OldestRange | undefined {
  if (after !== '' && !TRADE_ID.test(after)) {
    const error = invalid('after', 'the trade_id of a trade', { given: after })
    throw fieldRefusal([{ ...error, value: after }])
  }
  if (start_time !== undefined) {
    const fromSeconds = Number((parseTimeNs(start_time) + NS_PER_S - 1n) / NS_PER_S)
    return { fromSeconds, afterId: after, limit: limit ?? TRADES_LIMIT_DEFAULT }
  }
  if (after === '') return undefined
  throw fieldRefusal([missing('start_time', 'query parameter start_time, with after')])
}

/**
 * Returns the oldest trades of a range, newest first, with those older than memory from the
 * database. Memory and its block are read before the await, so the answer is of that block.
 */
async function oldestTrades(
  { model, reader, fresh }: Parts<TradeParts>,
  { market, trades, hasAllTrades }: LiveMarket,
  { fromSeconds, afterId, limit }: OldestRange,
): Promise<Readonly<{ rows: readonly Trade[]; head: VenueModel['head'] }>> {
  const { head } = model
  const newer = trades.filter(({ id, seconds }) => seconds >= fromSeconds && id > afterId)
  const [oldest] = trades
  const isWhole =
    hasAllTrades || (oldest !== undefined && isBefore(oldest, { fromSeconds, afterId }))
  if (isWhole) return { rows: newer.slice(0, limit).reverse(), head }
  const toSeconds = oldest?.seconds ?? head?.seconds ?? 0
  const query = { market: market.id, fromSeconds, toSeconds, afterId, limit }
  const isEnough = ({ head: read }: BlockRead<unknown>) => (read?.seconds ?? 0) >= toSeconds
  const { rows } = await fresh
    .read((from) => reader.oldestTrades(query, from), isEnough)
    .catch((cause: unknown) => {
      throw historyUnavailable(cause)
    })
  const older = rows.filter(({ id }) => oldest === undefined || id < oldest.id)
  return { rows: [...older, ...newer].slice(0, limit).reverse(), head }
}

/** Returns whether a trade in memory is before the range, so that memory has all of the range. */
const isBefore = ({ id, seconds }: Trade, range: Omit<OldestRange, 'limit'>): boolean =>
  seconds < range.fromSeconds || id <= range.afterId

/**
 * Returns a function that gives the source of a market's trades, once they are in memory; an
 * unknown market has no trades.
 */
function createSources(
  deep: DeepTrades,
  head: NonNullable<BodySource['head']>,
  encode: (market: Market, trade: Trade) => object,
  wrap: (rows: Readonly<{ text: string; count: number }>) => string,
) {
  // Trades never change, so each is encoded once.
  const texts = new WeakMap<Trade, string>()
  const tradeText = (market: Market, trade: Trade) => {
    const cached = texts.get(trade)
    if (cached !== undefined) return cached
    const text = JSON.stringify(encode(market, trade))
    texts.set(trade, text)
    return text
  }
  const cachedSource = boundedPer(LIMITS_MAX, (live: LiveMarket, limit) => {
    const read = cachedText(
      () => live.versions.trades,
      () => {
        const rows = live.trades.slice(-Number(limit)).reverse()
        return wrap({
          text: rows.map((trade) => tradeText(live.market, trade)).join(','),
          count: rows.length,
        })
      },
    )
    return {
      head,
      read: () => {
        if (!deep.has(live, Number(limit))) throw historyUnavailable()
        return read()
      },
    }
  })
  const nothing = Buffer.from(wrap({ text: '', count: 0 }))
  const none: BodySource = { head, read: () => nothing }
  return async (
    live: LiveMarket | undefined,
    limit = TRADES_LIMIT_DEFAULT,
  ): Promise<BodySource> => {
    if (live === undefined) return none
    if (!deep.has(live, limit)) await deep.read(live, limit)
    return cachedSource(live, String(limit))
  }
}
