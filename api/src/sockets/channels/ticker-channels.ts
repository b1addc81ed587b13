// ticker, ticker-500ms and book-ticker: what markets stand at, told when it changes.
import { bestAsk, bestBid } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import { blockTime, encodeBookTicker, encodeTicker } from '@openvenue/wire/channels'
import { factsOf, hourOf } from '../../model/facts.ts'
import type { LiveMarket } from '../../model/live-market.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected, AffectedMarket } from './affected.ts'
import { Pace } from './pace.ts'
import { type Opening, publicChannel, type StreamDeps } from './stream-deps.ts'
import type { Markets } from './trade-channels.ts'

/** Interval of the throttled form. */
export const TICKER_INTERVAL_MS = 500

type Item = Readonly<{
  isAffected: (change: AffectedMarket) => boolean
  encode: (deps: StreamDeps, live: LiveMarket) => object
}>

const TICKER: Item = {
  isAffected: ({ isFacts, levels, trades, undone }) =>
    isFacts || levels.size > 0 || trades.length > 0 || undone.length > 0,
  encode: ({ model, nowMs }, live) =>
    encodeTicker({ ...factsOf(model, live, nowMs()), ...topOf(model, live.market) }),
}

const BOOK_TICKER: Item = {
  isAffected: ({ levels }) => levels.size > 0,
  encode: ({ model }, { market }) => {
    const { bid, ask } = topOf(model, market)
    return encodeBookTicker(market, bid, ask)
  },
}

/** Returns how to open ticker:<name> or ticker:<asset>:<TYPE>. */
export const tickerChannel = (
  deps: StreamDeps,
  name: string,
  markets: Markets,
  intervalMs: number,
): Opening => itemsChannel(deps, name, markets, { ...TICKER, intervalMs })

/** Returns how to open book-ticker:<name> or book-ticker:<asset>:<TYPE>. */
export const bookTickerChannel = (deps: StreamDeps, name: string, markets: Markets): Opening =>
  itemsChannel(deps, name, markets, { ...BOOK_TICKER, intervalMs: 0 })

/** A channel of one item for each market, which tells those that changed. */
const itemsChannel = (
  deps: StreamDeps,
  name: string,
  markets: Markets,
  item: Item & Readonly<{ intervalMs: number }>,
): Opening =>
  publicChannel(deps, name, (buffer) => {
    const items = new Items(deps, markets, item)
    const pace = new Pace(item.intervalMs, deps.monotonicMs, () => {
      const changed = items.changed()
      if (changed.length === 0) return false
      buffer.send({ type: 'update', data: dataOf(deps.model, changed) })
      return true
    })
    return {
      subject: markets.subject,
      snapshot: () => dataOf(deps.model, items.all()),
      take: (affected) => {
        if (items.take(affected)) pace.changed()
      },
      forget: () => items.forget(),
      tick: (nowMs) => {
        if (items.isOtherHour(nowMs)) pace.changed()
        else pace.tick()
      },
    }
  })

const dataOf = ({ head }: VenueModel, tickers: readonly string[]) =>
  `{"timestamp":"${blockTime(head)}","tickers":[${tickers.join(',')}]}`

class Items {
  readonly #deps: StreamDeps
  readonly #markets: Markets
  readonly #item: Item
  /** What was told last, by market. */
  readonly #told = new Map<string, string>()
  readonly #affected = new Set<string>()
  #hour = 0

  constructor(deps: StreamDeps, markets: Markets, item: Item) {
    this.#deps = deps
    this.#markets = markets
    this.#item = item
    this.forget()
  }

  /** Everything was told. */
  forget(): void {
    this.#hour = hourOf(this.#deps.nowMs())
    this.#affected.clear()
    this.#told.clear()
    for (const live of this.#deps.model.markets)
      if (this.#markets.includes(live)) this.#told.set(live.market.id, this.#text(live))
  }

  take(affected: Affected): boolean {
    for (const [id, change] of affected.markets)
      if (this.#item.isAffected(change)) this.#affected.add(id)
    return this.#affected.size > 0
  }

  /** Returns whether an hour has turned, at which the volume of 24 hours changes by itself. */
  isOtherHour(nowMs: number): boolean {
    if (hourOf(nowMs) === this.#hour) return false
    this.#hour = hourOf(nowMs)
    for (const { market } of this.#deps.model.markets) this.#affected.add(market.id)
    return true
  }

  /** Returns the items that differ from what was told, and takes them as told. */
  changed(): string[] {
    const changed: string[] = []
    for (const id of this.#affected) {
      const live = this.#deps.model.market(id)
      if (live === undefined || !this.#markets.includes(live)) continue
      const text = this.#text(live)
      if (this.#told.get(id) === text) continue
      this.#told.set(id, text)
      changed.push(text)
    }
    this.#affected.clear()
    return changed
  }

  /** Returns all items. What of them was not told to everybody will be, whatever it is by then. */
  all(): string[] {
    const all: string[] = []
    for (const live of this.#deps.model.markets) {
      if (!this.#markets.includes(live)) continue
      const { id } = live.market
      const text = this.#text(live)
      if (this.#told.get(id) !== text) this.#told.delete(id)
      all.push(text)
    }
    return all
  }

  #text(live: LiveMarket): string {
    return JSON.stringify(this.#item.encode(this.#deps, live))
  }
}

function topOf(model: VenueModel, { id }: Market) {
  const { bids, asks } = model.book(id)
  const [bid, ask] = [bestBid({ bids, asks }), bestAsk({ bids, asks })]
  return {
    bid: bid === undefined ? undefined : bids.levels.get(bid),
    ask: ask === undefined ? undefined : asks.levels.get(ask),
  }
}
