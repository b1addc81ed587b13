// Holds the venue as a node knows it: the state at the head, kept there by the feed, with windows
// of history beside it. Everything that reads asks here.
import { invariant } from '@openvenue/core/assert'
import { type Book, emptyBook } from '@openvenue/core/book'
import type { ChangeOf } from '@openvenue/core/changes'
import type { Header } from '@openvenue/core/events'
import { markAt } from '@openvenue/core/marks'
import type {
  Candle,
  Funding,
  IndexPrice,
  Mark,
  Pool,
  PoolHour,
  PoolToken,
  PriceMinute,
  RecordKind,
  Ticker,
  Token,
} from '@openvenue/core/records'
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import type { FeedEntry, Snapshot } from '@openvenue/store/store'
import { AccountOrders } from './account-orders.ts'
import { applyChange, factsChanged, type KeptBeside } from './apply-change.ts'
import type { LiveMarket } from './live-market.ts'
import { MarketList } from './market-list.ts'
import { ModelListeners } from './model-listeners.ts'
import { OwnedRecords } from './owned-records.ts'
import { turnedMarks } from './turned-marks.ts'
import { ModelVersions } from './versions.ts'

const NO_ORDERS = emptyBook()

export class VenueModel {
  #state: VenueState = emptyState()
  #seq = -1
  readonly #kept: KeptBeside = {
    markets: new MarketList(),
    accountOrders: new AccountOrders(),
    versions: new ModelVersions(),
    priceMinutes: new Map(),
    poolHours: new Map(),
  }
  readonly #listeners = new ModelListeners()
  /** The records of those accounts that somebody asked for. */
  readonly owned: OwnedRecords = new OwnedRecords(this)
  /** Times that the feed did not go on from the head, and a snapshot was taken instead. */
  feedBreaks = 0
  /** Markets whose mark the time of the last entry has moved, without a change that says so. */
  turnedMarks: readonly string[] = []

  /** The resting orders by account. Only the model changes it. */
  get accountOrders(): AccountOrders {
    return this.#kept.accountOrders
  }

  /** Only the model raises them. */
  get versions(): ModelVersions {
    return this.#kept.versions
  }

  /** The last block folded in; undefined before the first. */
  get head(): Header | undefined {
    return this.#state.head
  }

  /** The feed entry last folded in; -1 before the snapshot. */
  get seq(): number {
    return this.#seq
  }

  /** The state at `head`. Only the model changes it. */
  get state(): VenueState {
    return this.#state
  }

  /** In order of listing. */
  get markets(): IterableIterator<LiveMarket> {
    return this.#kept.markets.all
  }

  /** Returns the market named so, or with that id (`0x` text or decimal), exactly. */
  market(nameOrId: string): LiveMarket | undefined {
    return this.#kept.markets.find(nameOrId)
  }

  /** The resting orders of a market. */
  book(market: string): Book {
    return this.#state.books.get(market) ?? NO_ORDERS
  }

  ticker(market: string): Ticker | undefined {
    return this.#state.records.ticker.get(market)
  }

  mark(market: string): Mark | undefined {
    const mark = this.#state.records.mark.get(market)
    return mark && markAt(mark, this.#state.head?.seconds ?? 0)
  }

  funding(market: string): Funding | undefined {
    return this.#state.records.funding.get(market)
  }

  indexPrice(asset: string): IndexPrice | undefined {
    return this.#state.records.indexPrice.get(asset)
  }

  get tokens(): IterableIterator<Token> {
    return this.#state.records.token.values()
  }

  /** Prices of the last 25 hours by minute, oldest first: `index:<asset>` or `mark:<market id>`. */
  priceMinutes(series: string): readonly PriceMinute[] {
    return this.#kept.priceMinutes.get(series) ?? []
  }

  /** In no order that means anything. */
  get pools(): IterableIterator<Pool> {
    return this.#state.records.pool.values()
  }

  /** Returns the pool at an address, lower case. */
  pool(address: string): Pool | undefined {
    return this.#state.records.pool.get(address)
  }

  get poolTokens(): IterableIterator<PoolToken> {
    return this.#state.records.poolToken.values()
  }

  /** Returns a token of a pool by its address, lower case. */
  poolToken(address: string): PoolToken | undefined {
    return this.#state.records.poolToken.get(address)
  }

  /**
   * The hours of a pool's last 25 in which anything happened, and maybe older ones; oldest first.
   */
  poolHours(pool: string): readonly PoolHour[] {
    return this.#kept.poolHours.get(pool) ?? []
  }

  /** The newest candle of a series. */
  newestCandle(market: string, resolution: string): Candle | undefined {
    return this.#state.records.candle.get(`${market}|${resolution}`)
  }

  /** Calls `listener` for each change of that kind, once the whole entry is folded in. */
  on<K extends RecordKind>(what: K, listener: (change: ChangeOf<K>) => void): void {
    this.#listeners.on(what, listener)
  }

  /** Calls `listener` when everything starts again from a snapshot. */
  onLoad(listener: (snapshot: Snapshot) => void): void {
    this.#listeners.onLoad.push(listener)
  }

  /** Calls `listener` after each entry and after the listeners of its changes. */
  onEntry(listener: (entry: FeedEntry) => void): void {
    this.#listeners.onEntry.push(listener)
  }

  /** Starts again from `snapshot`, which the model owns from then on. */
  load(snapshot: Snapshot): void {
    this.#state = snapshot.state
    this.#seq = snapshot.seq
    this.owned.reset()
    const kept = this.#kept
    kept.markets.load(snapshot)
    kept.priceMinutes = new Map([...snapshot.priceMinutes].map(([key, rows]) => [key, [...rows]]))
    kept.poolHours = new Map([...snapshot.poolHours].map(([key, rows]) => [key, [...rows]]))
    kept.accountOrders.load(snapshot.state.records.order)
    kept.versions.raiseAll()
    this.#listeners.loaded(snapshot)
  }

  /** Folds in one entry of the feed, which must be the one after the last. */
  apply(entry: FeedEntry): void {
    invariant(entry.seq === this.#seq + 1, 'the feed has no gap', { seq: entry.seq, at: this.#seq })
    fold(this.#state, this.owned.kept(entry.seq, entry.changes))
    this.turnedMarks = turnedMarks(this.#state, entry.header)
    this.#state.head = entry.header
    this.#seq = entry.seq
    this.owned.settle()
    const kept = this.#kept
    kept.versions.entries++
    for (const market of this.turnedMarks) factsChanged(kept, kept.markets.get(market))
    for (const change of entry.changes) applyChange(kept, change)
    this.#listeners.applied(entry)
  }
}
