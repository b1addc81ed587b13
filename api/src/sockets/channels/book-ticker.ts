// book-ticker, of a market or of an asset and type: best bid and ask, when they change.
import { encodeBookTicker } from '@openvenue/wire/channels'
import type { PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import { marketItemsChannel, topOfBook } from './market-items.ts'
import type { MarketSet } from './market-set.ts'

export const bookTickerChannel = (deps: StreamDeps, markets: MarketSet): PublicChannel =>
  marketItemsChannel(deps, markets, {
    intervalMs: 0,
    isAffected: ({ levels }) => levels.size > 0,
    encode: ({ market }) => {
      const { bid, ask } = topOfBook(deps.model, market)
      return encodeBookTicker(market, bid, ask)
    },
  })
