// Records trades and updates the totals of their market.

import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import type { MarketId } from './record-schema.ts'
import type { Ticker } from './records.ts'

/** Records the match reported by `event` as the trade `id`. */
export function recordTrade(
  draft: Draft,
  id: string,
  event: EventOf<'Filled'>,
  isTakerBuy: boolean,
): void {
  draft.insert('trade', id, {
    id,
    market: event.market,
    tick: event.tick,
    lots: event.lots,
    isTakerBuy,
    maker: event.maker,
    makerOrder: event.makerOrder,
    makerFee: event.makerFee,
    taker: event.taker,
    takerOrder: event.takerOrder,
    takerFee: event.takerFee,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
  })
  const slot = draft.slot('ticker', event.market)
  slot.after = {
    market: event.market,
    lastTick: event.tick,
    lastTradeSeconds: draft.header.seconds,
    openInterest: slot.after?.openInterest ?? 0n,
  }
}

/** Returns the ticker of a market without trades or positions. */
export const emptyTicker = (market: MarketId): Ticker => ({
  market,
  lastTick: null,
  lastTradeSeconds: null,
  openInterest: 0n,
})
