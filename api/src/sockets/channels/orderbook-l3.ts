// orderbook-l3:<name>: the best orders of a book one by one, then those that changed.
import { crc32 } from 'node:zlib'
import type { Market } from '@openvenue/core/records'
import {
  bestOrders,
  L3_ORDERS_MAX,
  type L3Row,
  l3ChecksumText,
  l3Members,
  l3RowJson,
} from '@openvenue/wire/order-book-l3'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Frame, FramePosition, PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'

export function orderBookL3Channel({ model }: StreamDeps, market: Market): PublicChannel {
  let best = readBest(model, market)
  return {
    subject: { kind: 'market', id: market.id },
    snapshot: (position) => encode('snapshot', best, position),
    onEntry: ({ markets }) => {
      if ((markets.get(market.id)?.levels.size ?? 0) === 0) return []
      const before = best
      best = readBest(model, market)
      const bids = changedRows(before.bids, best.bids)
      const asks = changedRows(before.asks, best.asks)
      if (bids.length + asks.length === 0) return []
      const data: Frame['data'] = (position) => encode('update', { bids, asks }, position)
      return [{ type: 'update', data }]
    },
    onReset: () => {
      best = readBest(model, market)
    },
  }

  function encode(
    type: 'snapshot' | 'update',
    { bids, asks }: Sides,
    { seq, prevSeq, blockNumber }: FramePosition,
  ): string {
    const checksum = crc32(l3ChecksumText(best.bids, best.asks))
    const rows = { bids: bids.map(l3RowJson), asks: asks.map(l3RowJson), checksum }
    const place = `"seq":${seq},"prev_seq":${prevSeq},"block_number":${blockNumber}`
    return `{"type":"${type}",${l3Members(market, rows)},${place}}`
  }
}

type Sides = Readonly<{ bids: readonly L3Row[]; asks: readonly L3Row[] }>

function readBest(model: VenueModel, market: Market): Sides {
  const side = (isBuy: boolean) => bestOrders(market, model.book(market.id), isBuy, L3_ORDERS_MAX)
  return { bids: side(true), asks: side(false) }
}

/** Returns the rows that are new or have another amount, and with amount 0 those that are gone. */
function changedRows(before: readonly L3Row[], after: readonly L3Row[]): L3Row[] {
  const gone = new Map(before.map((row) => [row.id, row]))
  const changed: L3Row[] = []
  for (const row of after) {
    const old = gone.get(row.id)
    gone.delete(row.id)
    if (old?.amount !== row.amount || old.number !== row.number) changed.push(row)
  }
  for (const row of gone.values()) changed.push({ ...row, amount: '0' })
  return changed
}
