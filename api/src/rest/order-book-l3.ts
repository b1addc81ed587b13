// GET /orderbook-l3/{instrument_name}: the resting orders one by one.
import { crc32 } from 'node:zlib'
import { InstrumentNamePath } from '@openvenue/wire/markets'
import {
  bestOrders,
  L3_ORDERS_MAX,
  l3ChecksumText,
  l3Members,
  l3RowJson,
  OrderBookL3,
  OrderBookL3Query,
} from '@openvenue/wire/order-book-l3'
import { answer, answers, LIVE } from '../http/answer.ts'
import { boundedPer, cachedText } from '../http/cached-body.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketOr404, NO_INSTRUMENT, type Routes, TAGS } from './route.ts'

/** Cached depths of a book. */
const DEPTHS_MAX = 4

export const orderBookL3Routes: Routes<'model'> = (host, { model }) => {
  const sources = boundedPer(DEPTHS_MAX, (live: LiveMarket, depth) => ({
    head: () => model.head,
    read: cachedText(
      () => live.versions.book,
      () => {
        const book = model.book(live.market.id)
        const side = (isBuy: boolean) => bestOrders(live.market, book, isBuy, Number(depth))
        const [bids, asks] = [side(true), side(false)]
        const checksum = crc32(l3ChecksumText(bids, asks))
        const rows = { bids: bids.map(l3RowJson), asks: asks.map(l3RowJson), checksum }
        return `{${l3Members(live.market, rows)}}`
      },
    ),
  }))
  host.get(
    '/orderbook-l3/:instrument_name',
    {
      config: { ...LIVE, weight: HEAVY_WEIGHT, refuses: NO_INSTRUMENT },
      schema: {
        tags: TAGS.book,
        summary: 'The order book order by order, without accounts',
        params: InstrumentNamePath,
        querystring: OrderBookL3Query,
        response: answers(OrderBookL3),
      },
    },
    (request, reply) => {
      const live = marketOr404(model, 'instrument_name', request.params.instrument_name)
      const { depth = L3_ORDERS_MAX } = request.query
      return answer(request, reply, sources(live, String(depth)))
    },
  )
}
