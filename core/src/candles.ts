// Candles of every resolution. All trades of a block share its time, so they are first merged into
// one bar per market, which then updates the open candle of each resolution or starts the next.

import type { Bar, Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import type { MarketId, Seconds } from './record-schema.ts'
import type { Candle } from './records.ts'
import { periodOpen, RESOLUTION_NAMES, type Resolution } from './resolutions.ts'

/** Adds a trade to the bar of its market in this block. */
export function addToBar(
  bars: Map<string, Bar>,
  { market, tick, lots }: EventOf<'Filled'>,
  isTakerBuy: boolean,
): void {
  const units = BigInt(tick) * lots
  const bar = bars.get(market)
  if (bar === undefined) {
    bars.set(market, {
      open: tick,
      high: tick,
      low: tick,
      close: tick,
      volume: lots,
      quoteUnits: units,
      takerBuyVolume: isTakerBuy ? lots : 0n,
      takerBuyUnits: isTakerBuy ? units : 0n,
      trades: 1,
    })
    return
  }
  if (tick > bar.high) bar.high = tick
  if (tick < bar.low) bar.low = tick
  bar.close = tick
  bar.volume += lots
  bar.quoteUnits += units
  if (isTakerBuy) {
    bar.takerBuyVolume += lots
    bar.takerBuyUnits += units
  }
  bar.trades += 1
}

/** Merges the block's bars into the candles of their markets. */
export function writeCandles(draft: Draft): void {
  for (const [market, bar] of draft.bars)
    for (const resolution of RESOLUTION_NAMES) {
      const slot = draft.slot('candle', `${market}|${resolution}`)
      slot.after = joined(slot.after, bar, {
        market,
        resolution,
        openSeconds: periodOpen(resolution, draft.header.seconds),
      })
    }
}

/** Returns `before` merged with `bar`, or the first candle of a later period. */
function joined(
  before: Candle | undefined,
  bar: Readonly<Bar>,
  at: Readonly<{ market: MarketId; resolution: Resolution; openSeconds: Seconds }>,
): Candle {
  const { market, resolution, openSeconds } = at
  if (before === undefined || before.openSeconds !== openSeconds)
    return {
      market,
      resolution,
      openSeconds,
      open: bar.open,
      high: bar.high,
      low: bar.low,
      close: bar.close,
      volume: bar.volume,
      quoteUnits: bar.quoteUnits,
      takerBuyVolume: bar.takerBuyVolume,
      takerBuyUnits: bar.takerBuyUnits,
      trades: bar.trades,
    }
  return {
    market,
    resolution,
    openSeconds,
    open: before.open,
    high: Math.max(bar.high, before.high),
    low: Math.min(bar.low, before.low),
    close: bar.close,
    volume: before.volume + bar.volume,
    quoteUnits: before.quoteUnits + bar.quoteUnits,
    takerBuyVolume: before.takerBuyVolume + bar.takerBuyVolume,
    takerBuyUnits: before.takerBuyUnits + bar.takerBuyUnits,
    trades: before.trades + bar.trades,
  }
}
