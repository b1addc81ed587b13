// ticker and ticker-500ms, of a market or an asset and type: prices and volume, when they change.
import { encodeTicker } from '@openvenue/wire/channels'
import { gatherFacts } from '../../model/facts.ts'
import type { PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import { marketItemsChannel, topOfBook } from './market-items.ts'
import type { MarketSet } from './market-set.ts'

/** Intervals in milliseconds by the first word of the channel's name; 0: at every change. */
export const TICKER_INTERVALS_MS = { ticker: 0, 'ticker-500ms': 500 } as const

export const tickerChannel = (
  deps: StreamDeps,
  markets: MarketSet,
  intervalMs: number,
): PublicChannel =>
  marketItemsChannel(deps, markets, {
    intervalMs,
    isAffected: ({ isFacts, levels, trades, undone }) =>
      isFacts || levels.size > 0 || trades.length > 0 || undone.length > 0,
    encode: (live) => {
      const facts = gatherFacts(deps.model, live, deps.nowMs())
      return encodeTicker({ ...facts, ...topOfBook(deps.model, live.market) })
    },
  })
