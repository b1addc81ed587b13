// trades:<name or asset>: a message for each trade.
import { type PublicChannel, separateFrames } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import type { MarketSet } from './market-set.ts'
import { newestTrades, tradeFrames } from './market-trades.ts'

export const tradesChannel = ({ model }: StreamDeps, markets: MarketSet): PublicChannel => ({
  carriesEvents: true,
  isRebuilt: true,
  subject: markets.subject,
  snapshot: () => newestTrades(model, markets, 1)[0] ?? 'null',
  onEntry: (affected) =>
    tradeFrames(model, markets, affected, (trades) => separateFrames('update', trades)),
})
