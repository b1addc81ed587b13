// The order book in its three forms. Interface 2.2 and 4.2.
import { topOrderLevels } from '@openvenue/core/book'
import { InstrumentIdPath, InstrumentNamePath } from '@openvenue/wire/markets'
import {
  BOOK_ORDERS_PER_SIDE_MAX,
  type BookView,
  encodeLevels,
  OrderBook,
  OrderBookQuery,
  OrderBookView,
} from '@openvenue/wire/order-book'
import { answer, answers, LIVE } from '../http/answer.ts'
import { boundedPer, cachedBody } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketOr404, NO_INSTRUMENT, type Parts, type Routes, TAGS } from './route.ts'

/** Cached views of a book: one for each depth and group. */
const VIEWS_MAX = 16

export const orderBookRoutes: Routes<'model' | 'clock'> = (host, deps) => {
  const { model } = deps
  const sources = boundedPer(VIEWS_MAX, (live: LiveMarket, key) => {
    const [depth, group] = key.split(' ').map(Number) as [number, number]
    return bookSource(deps, live, { depth, group })
  })
  const cachedSource = (live: LiveMarket, view: BookView) =>
    sources(live, `${view.depth ?? BOOK_ORDERS_PER_SIDE_MAX} ${view.group ?? 1}`)
  const tags = TAGS.book
  const summary = 'The order book, in raw integers'
  const response = answers(OrderBook)
  const config = { ...LIVE, isTimed: true, refuses: NO_INSTRUMENT }
  host.get(
    '/orderbook/:instrument_name',
    {
      config,
      schema: { tags, summary, params: InstrumentNamePath, querystring: OrderBookView, response },
    },
    (request, reply) =>
      answer(
        request,
        reply,
        cachedSource(
          marketOr404(model, 'instrument_name', request.params.instrument_name),
          request.query,
        ),
      ),
  )
  host.get(
    '/markets/:instrument_id/orderbook',
    {
      config,
      schema: { tags, summary, params: InstrumentIdPath, querystring: OrderBookView, response },
    },
    (request, reply) =>
      answer(
        request,
        reply,
        cachedSource(
          marketOr404(model, 'instrument_id', request.params.instrument_id),
          request.query,
        ),
      ),
  )
  host.get(
    '/orderbook',
    { config, schema: { tags, summary, querystring: OrderBookQuery, response } },
    (request, reply) =>
      answer(
        request,
        reply,
        cachedSource(
          marketOr404(model, 'instrument_name', request.query.instrument_name),
          request.query,
        ),
      ),
  )
}

function bookSource(
  { model, clock }: Parts<'model' | 'clock'>,
  live: LiveMarket,
  view: BookView,
): BodySource {
  const sides = cachedBody(
    () => live.versions.book,
    () => {
      const { market } = live
      const book = model.book(market.id)
      const side = (isBuy: boolean) =>
        encodeLevels(market, topOrderLevels(book, isBuy, BOOK_ORDERS_PER_SIDE_MAX), view, isBuy)
      return { bids: side(true), asks: side(false) }
    },
  )
  return { head: () => model.head, ...timed(sides, clock.nowMs) }
}

/** Splices the time fields into a cached body, once per millisecond. */
function timed(body: () => Buffer, nowMs: () => number) {
  let madeMs = -1
  let madeOf: Buffer | undefined
  let stable: Buffer = Buffer.alloc(0)
  let bytes: Buffer = Buffer.alloc(0)
  const read = () => {
    const sides = body()
    const now = nowMs()
    if (now === madeMs && sides === madeOf) return bytes
    // Without the closing brace.
    if (sides !== madeOf) stable = sides.subarray(0, -1)
    madeMs = now
    madeOf = sides
    const end = `,"last_updated_timestamp":${now},"checksum":"${now.toString(16)}"}`
    const { length } = stable
    bytes = Buffer.allocUnsafe(length + end.length)
    stable.copy(bytes)
    bytes.write(end, length, 'latin1')
    return bytes
  }
  return { read, stable: () => stable, isTimed: true }
}
