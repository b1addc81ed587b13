// trades-block:<name or asset>: a message for each block with trades, newest first.
import type { PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import type { MarketSet } from './market-set.ts'
import { newestTrades, tradeFrames } from './market-trades.ts'

/** Trades in a snapshot. */
const SNAPSHOT_TRADES = 100

export const tradesBlockChannel = ({ model }: StreamDeps, markets: MarketSet): PublicChannel => ({
  carriesEvents: true,
  isRebuilt: true,
  subject: markets.subject,
  snapshot: () => array(newestTrades(model, markets, SNAPSHOT_TRADES)),
  onEntry: (affected) =>
    tradeFrames(model, markets, affected, (trades) => [
      { type: 'update', data: array(trades.toReversed()) },
    ]),
})

const array = (texts: readonly string[]) => `[${texts.join(',')}]`
