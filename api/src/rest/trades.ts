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
import type { LiveMarket } from '../model/live-market.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { boundedPer, preparedText } from '../prepared.ts'
import type { Source } from '../server.ts'
import { answer, answers, type Routes, TAGS } from './route.ts'

/** Limits kept for each market and form. */
const LIMITS_MAX = 8

export const tradeRoutes: Routes = (app, { model }) => {
  const tags = TAGS.trades
  const plainOf = sourcesOf(model, encodeTrade, ({ text }) => `[${text}]`)
  const wrappedOf = sourcesOf(
    model,
    encodeTradeHistoryItem,
    ({ text, count }) => `{"count":"${count}","trade_history":[${text}]}`,
  )
  app.get(
    '/markets/:instrument_id/trades',
    {
      schema: {
        tags,
        summary: 'Recent trades, newest first',
        params: InstrumentIdPath,
        querystring: TradesQuery,
        response: answers(Trades),
      },
    },
    (request, reply) =>
      answer(request, reply, plainOf(request.params.instrument_id, request.query.limit)),
  )
  app.get(
    '/instrument/:instrument_name/trade-history',
    {
      schema: {
        tags,
        summary: 'Recent trades, newest first, wrapped',
        params: InstrumentNamePath,
        querystring: TradeHistoryQuery,
        response: answers(TradeHistory),
      },
    },
    (request, reply) =>
      answer(request, reply, wrappedOf(request.params.instrument_name, request.query.limit)),
  )
}

type Rows = Readonly<{ text: string; count: number }>

/** Returns a function that gives the source of a market's trades; an unknown market has none. */
function sourcesOf(
  model: VenueModel,
  encode: (market: Market, trade: Trade) => object,
  wrap: (rows: Rows) => string,
) {
  // A trade never changes: its text is made once.
  const texts = new WeakMap<Trade, string>()
  const textOf = (market: Market, trade: Trade) => {
    const known = texts.get(trade)
    if (known !== undefined) return known
    const text = JSON.stringify(encode(market, trade))
    texts.set(trade, text)
    return text
  }
  const head = () => model.head
  const sourceOf = boundedPer(LIMITS_MAX, ({ market, trades, versions }: LiveMarket, limit) => ({
    head,
    read: preparedText(
      () => versions.trades,
      () => {
        const rows = trades.slice(-Number(limit)).reverse()
        return wrap({
          text: rows.map((trade) => textOf(market, trade)).join(','),
          count: rows.length,
        })
      },
    ),
  }))
  const nothing = Buffer.from(wrap({ text: '', count: 0 }))
  const none: Source = { head, read: () => nothing }
  return (nameOrId: string, limit = TRADES_LIMIT_DEFAULT): Source => {
    const live = model.market(nameOrId)
    return live === undefined ? none : sourceOf(live, String(limit))
  }
}
