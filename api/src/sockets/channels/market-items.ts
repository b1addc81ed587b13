// Channel of one item per market, which sends the items that changed.
import { bestAsk, bestBid } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import { blockTime } from '@openvenue/wire/channels'
import { clockHour } from '../../model/facts.ts'
import type { LiveMarket } from '../../model/live-market.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected, AffectedMarket } from '../streams/affected.ts'
import type { Frame, PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import type { MarketSet } from './market-set.ts'
import { Pace } from './pace.ts'

type MarketItem = Readonly<{
  intervalMs: number
  isAffected: (market: AffectedMarket) => boolean
  encode: (live: LiveMarket) => object
}>

export function marketItemsChannel(
  deps: StreamDeps,
  markets: MarketSet,
  item: MarketItem,
): PublicChannel {
  const items = new MarketItems(deps, markets, item)
  const pace = new Pace(item.intervalMs, deps.monotonicMs, () => items.changes())
  return {
    subject: markets.subject,
    snapshot: () => items.all(),
    onEntry: (affected) => (items.take(affected) ? pace.changed() : []),
    onTick: (nowMs) => (items.isOtherHour(nowMs) ? pace.changed() : pace.tick()),
    onReset: () => items.reset(),
  }
}

class MarketItems {
  readonly #deps: StreamDeps
  readonly #markets: MarketSet
  readonly #item: MarketItem
  /** The items last sent, by market. */
  readonly #sent = new Map<string, string>()
  /** Markets whose items may have changed since the last message. */
  readonly #affected = new Set<string>()
  #hour = 0

  constructor(deps: StreamDeps, markets: MarketSet, item: MarketItem) {
    this.#deps = deps
    this.#markets = markets
    this.#item = item
    this.reset()
  }

  /** Marks all items as sent, for a snapshot that goes to all subscribers. */
  reset(): void {
    this.#hour = clockHour(this.#deps.nowMs())
    this.#affected.clear()
    this.#sent.clear()
    for (const live of this.#deps.model.markets)
      if (this.#markets.has(live)) this.#sent.set(live.market.id, this.#encode(live))
  }

  /** Returns whether any item may have changed. */
  take({ markets }: Affected): boolean {
    for (const [id, market] of markets) if (this.#item.isAffected(market)) this.#affected.add(id)
    return this.#affected.size > 0
  }

  /** Returns whether the hour has changed, which changes 24-hour volumes without a trade. */
  isOtherHour(nowMs: number): boolean {
    if (clockHour(nowMs) === this.#hour) return false
    this.#hour = clockHour(nowMs)
    for (const { market } of this.#deps.model.markets) this.#affected.add(market.id)
    return true
  }

  /** Returns the items that differ from the ones last sent, and marks them as sent. */
  changes(): readonly Frame[] {
    const changed: string[] = []
    for (const id of this.#affected) {
      const live = this.#deps.model.market(id)
      if (live === undefined || !this.#markets.has(live)) continue
      const text = this.#encode(live)
      if (this.#sent.get(id) === text) continue
      this.#sent.set(id, text)
      changed.push(text)
    }
    this.#affected.clear()
    return changed.length === 0 ? [] : [{ type: 'update', data: this.#data(changed) }]
  }

  /** Returns all items for one subscriber; pending changes still go to all subscribers later. */
  all(): string {
    const all: string[] = []
    for (const live of this.#deps.model.markets) {
      if (!this.#markets.has(live)) continue
      const { id } = live.market
      const text = this.#encode(live)
      if (this.#sent.get(id) !== text) this.#sent.delete(id)
      all.push(text)
    }
    return this.#data(all)
  }

  #data(items: readonly string[]): string {
    return `{"timestamp":"${blockTime(this.#deps.model.head)}","tickers":[${items.join(',')}]}`
  }

  #encode(live: LiveMarket): string {
    return JSON.stringify(this.#item.encode(live))
  }
}

/** Returns the best levels of a market's book. */
export function topOfBook(model: VenueModel, { id }: Market) {
  const { bids, asks } = model.book(id)
  const [bid, ask] = [bestBid({ bids, asks }), bestAsk({ bids, asks })]
  return {
    bid: bid === undefined ? undefined : bids.levels.get(bid),
    ask: ask === undefined ? undefined : asks.levels.get(ask),
  }
}
