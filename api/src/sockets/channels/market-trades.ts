// Collects the trades of some markets for their channels: the newest ones, and those of an entry.
import type { Trade } from '@openvenue/core/records'
import { encodeTradeHistoryItem } from '@openvenue/wire/trades'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected } from '../streams/affected.ts'
import type { Frame } from '../streams/channel.ts'
import type { MarketSet } from './market-set.ts'

/** Returns the newest `count` trades, newest first, as JSON. */
export function newestTrades(model: VenueModel, markets: MarketSet, count: number): string[] {
  const trades: Trade[] = []
  for (const live of model.markets) if (markets.has(live)) trades.push(...live.trades.slice(-count))
  return trades
    .sort((a, b) => byId(b, a))
    .slice(0, count)
    .map((trade) => encode(model, trade))
}

/**
 * Returns the frames of an entry: ids of trades taken back, then the frames of new ones by
 * `frames`.
 */
export function tradeFrames(
  model: VenueModel,
  markets: MarketSet,
  affected: Affected,
  frames: (trades: readonly string[]) => readonly Frame[],
): readonly Frame[] {
  const trades: Trade[] = []
  const undone: Trade[] = []
  for (const [id, market] of affected.markets) {
    const live = model.market(id)
    if (live === undefined || !markets.has(live)) continue
    trades.push(...market.trades)
    undone.push(...market.undone)
  }
  const ids = undone.sort((a, b) => byId(b, a)).map(({ id }) => id)
  const texts = trades.sort(byId).map((trade) => encode(model, trade))
  return [
    ...(ids.length === 0 ? [] : [{ type: 'undo', data: JSON.stringify({ ids }) } as const]),
    ...(texts.length === 0 ? [] : frames(texts)),
  ]
}

const byId = (a: Trade, b: Trade) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Trades never change, so each is serialised once. */
const texts = new WeakMap<Trade, string>()

function encode(model: VenueModel, trade: Trade): string {
  const cached = texts.get(trade)
  if (cached !== undefined) return cached
  const live = model.market(trade.market)
  const text =
    live === undefined ? 'null' : JSON.stringify(encodeTradeHistoryItem(live.market, trade))
  texts.set(trade, text)
  return text
}
