// Recent trades of a market, plain and wrapped. Interface 2.3 and 4.2.
import type { Market, Trade } from '@openvenue/core/records'
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
import { answer, answers, READS_HISTORY } from '../http/answer.ts'
import { boundedPer, cachedText } from '../http/cached-body.ts'
import type { Source } from '../http/host-type.ts'
import { historyUnavailable } from '../http/refusals.ts'
import { DeepTrades } from '../model/deep-trades.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { type Routes, TAGS } from './route.ts'

/** Limits kept for each market and form. */
const LIMITS_MAX = 8

export const tradeRoutes: Routes<'model' | 'reader'> = (host, { model, reader }) => {
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
      config: READS_HISTORY,
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
      return answer(request, reply, await plainSource(live, request.query.limit))
    },
  )
  host.get(
    '/instrument/:instrument_name/trade-history',
    {
      config: READS_HISTORY,
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
      return answer(request, reply, await wrappedSource(live, request.query.limit))
    },
  )
}

type Rows = Readonly<{ text: string; count: number }>

/**
 * Returns a function that gives the source of a market's trades, once they are in memory; an
 * unknown market has none.
 */
function createSources(
  deep: DeepTrades,
  head: NonNullable<Source['head']>,
  encode: (market: Market, trade: Trade) => object,
  wrap: (rows: Rows) => string,
) {
  // A trade never changes: its text is made once.
  const texts = new WeakMap<Trade, string>()
  const tradeText = (market: Market, trade: Trade) => {
    const known = texts.get(trade)
    if (known !== undefined) return known
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
  const none: Source = { head, read: () => nothing }
  return async (live: LiveMarket | undefined, limit = TRADES_LIMIT_DEFAULT): Promise<Source> => {
    if (live === undefined) return none
    if (!deep.has(live, limit)) await deep.read(live, limit)
    return cachedSource(live, String(limit))
  }
}
