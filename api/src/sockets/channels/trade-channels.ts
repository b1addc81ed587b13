// trades:<name or asset>, a message for each trade; trades-block:<name or asset>, one for each block.
import type { Trade } from '@openvenue/core/records'
import { encodeTradeHistoryItem } from '@openvenue/wire/trades'
import type { LiveMarket } from '../../model/live-market.ts'
import type { Affected } from './affected.ts'
import type { Subject } from './open-streams.ts'
import type { ReplayBuffer } from './replay-buffer.ts'
import { type Opening, publicChannel, type Source, type StreamDeps } from './stream-deps.ts'

/** Trades in a snapshot of trades-block. */
export const SNAPSHOT_TRADES = 100

/** Which markets: one, or all of an asset. */
export type Markets = Readonly<{
  subject: Subject
  includes: (live: LiveMarket) => boolean
}>

/** Returns how to open a channel with one message for each trade. */
export const tradesChannel = (deps: StreamDeps, name: string, markets: Markets): Opening =>
  publicChannel(deps, name, (buffer) => ({
    ...sourceOf(deps, markets, buffer, (trades) => buffer.sendEach('update', trades)),
    snapshot: () => newest(deps, markets, 1)[0] ?? 'null',
  }))

/** Returns how to open a channel with one message for each block: its trades, newest first. */
export const tradesBlockChannel = (deps: StreamDeps, name: string, markets: Markets): Opening =>
  publicChannel(deps, name, (buffer) => ({
    ...sourceOf(deps, markets, buffer, (trades) =>
      buffer.send({ type: 'update', data: arrayOf(trades.toReversed()) }),
    ),
    snapshot: () => arrayOf(newest(deps, markets, SNAPSHOT_TRADES)),
  }))

const sourceOf = (
  deps: StreamDeps,
  markets: Markets,
  buffer: ReplayBuffer,
  tell: (trades: readonly string[]) => void,
): Omit<Source, 'snapshot'> => ({
  subject: markets.subject,
  take: (affected) => {
    const { trades, undone } = tradesOf(deps, markets, affected)
    if (undone.length > 0) {
      const ids = undone.map(({ id }) => id)
      buffer.send({ type: 'undo', data: JSON.stringify({ ids }) })
    }
    if (trades.length > 0) tell(trades.map((trade) => textOf(deps, trade)))
  },
})

/** Returns the trades of an entry in chain order, and those taken back, newest first. */
function tradesOf({ model }: StreamDeps, { includes }: Markets, affected: Affected) {
  const trades: Trade[] = []
  const undone: Trade[] = []
  for (const [id, change] of affected.markets) {
    const live = model.market(id)
    if (live === undefined || !includes(live)) continue
    trades.push(...change.trades)
    undone.push(...change.undone)
  }
  return { trades: trades.sort(byId), undone: undone.sort((a, b) => byId(b, a)) }
}

/** Returns the newest `count` trades, newest first. */
function newest(deps: StreamDeps, { includes }: Markets, count: number): string[] {
  const trades: Trade[] = []
  for (const live of deps.model.markets)
    if (includes(live)) trades.push(...live.trades.slice(-count))
  return trades
    .sort((a, b) => byId(b, a))
    .slice(0, count)
    .map((trade) => textOf(deps, trade))
}

const byId = (a: Trade, b: Trade) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const arrayOf = (texts: readonly string[]) => `[${texts.join(',')}]`

/** A trade never changes: its text is made once. */
const texts = new WeakMap<Trade, string>()

function textOf({ model }: StreamDeps, trade: Trade): string {
  const known = texts.get(trade)
  if (known !== undefined) return known
  const live = model.market(trade.market)
  const text =
    live === undefined ? 'null' : JSON.stringify(encodeTradeHistoryItem(live.market, trade))
  texts.set(trade, text)
  return text
}
