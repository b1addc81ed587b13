// The venue as a node knows it: the state at the head, updated by the feed, with windows of history
// beside it. All reads use it.
import { invariant } from '@openvenue/core/assert'
import { type Book, emptyBook } from '@openvenue/core/book'
import type { Change, ChangeOf } from '@openvenue/core/changes'
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
import { applyChange, factsChanged, type ModelIndexes } from './apply-change.ts'
import type { LiveMarket } from './live-market.ts'
import { MarketList } from './market-list.ts'
import { OwnedRecords } from './owned-records.ts'
import { ModelVersions } from './versions.ts'

// Finds marks that take effect, or are reverted, only by the time of a block.

/** Returns the markets whose mark at `head` differs from that at the state's own head. */
function turnedMarks({ head: before, records }: VenueState, head: Header): string[] {
  const turned: string[] = []
  if (before === undefined || before.seconds === head.seconds) return turned
  for (const mark of records.mark.values())
    if (markAt(mark, before.seconds).price !== markAt(mark, head.seconds).price)
      turned.push(mark.market)
  return turned
}

/** Listeners of the model: for each kind of change, for entries, and for reloads. */
class ModelListeners {
  readonly #byKind = new Map<RecordKind, ((change: never) => void)[]>()
  readonly onLoad: ((snapshot: Snapshot) => void)[] = []
  readonly onEntry: ((entry: FeedEntry) => void)[] = []

  on<K extends RecordKind>(what: K, listener: (change: ChangeOf<K>) => void): void {
    const listeners = this.#byKind.get(what)
    if (listeners === undefined) this.#byKind.set(what, [listener])
    else listeners.push(listener)
  }

  loaded(snapshot: Snapshot): void {
    for (const listener of this.onLoad) listener(snapshot)
  }

  /** Passes an entry to the listeners of its changes, then to those of entries. */
  applied(entry: FeedEntry): void {
    for (const change of entry.changes) this.#changed(change)
    for (const listener of this.onEntry) listener(entry)
  }

  #changed(change: Change): void {
    const listeners = this.#byKind.get(change.what)
    if (listeners !== undefined) for (const listener of listeners) listener(change as never)
  }
}

const NO_ORDERS = emptyBook()

export class VenueModel {
  #state: VenueState = emptyState()
  #seq = -1
  readonly #kept: ModelIndexes = {
    markets: new MarketList(),
    accountOrders: new AccountOrders(),
    versions: new ModelVersions(),
    priceMinutes: new Map(),
    poolHours: new Map(),
  }
  readonly #listeners = new ModelListeners()
  /** The records of recently requested accounts. */
  readonly owned: OwnedRecords = new OwnedRecords(this)
  /** Times that the feed did not continue from the head, and a snapshot was loaded instead. */
  feedBreaks = 0
  /** Markets whose mark changed only by the time of the last entry. */
  turnedMarks: readonly string[] = []

  /** Resting orders by account. Only the model changes them. */
  get accountOrders(): AccountOrders {
    return this.#kept.accountOrders
  }

  /** Only the model raises them. */
  get versions(): ModelVersions {
    return this.#kept.versions
  }

  /** The last block applied; undefined before the first. */
  get head(): Header | undefined {
    return this.#state.head
  }

  /** The feed entry last applied; -1 before the snapshot. */
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

  /** Returns the market with exactly this name or id (`0x` text or decimal). */
  market(nameOrId: string): LiveMarket | undefined {
    return this.#kept.markets.find(nameOrId)
  }

  /** Returns the resting orders of a market. */
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

  /** Returns a day of prices by minute, oldest first: `index:<asset>` or `mark:<market id>`. */
  priceMinutes(series: string): readonly PriceMinute[] {
    return this.#kept.priceMinutes.get(series) ?? []
  }

  /** In no particular order. */
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
   * Returns a pool's hours with activity among its last 25, perhaps older ones too; oldest first.
   */
  poolHours(pool: string): readonly PoolHour[] {
    return this.#kept.poolHours.get(pool) ?? []
  }

  /** Returns the newest candle of a series. */
  newestCandle(market: string, resolution: string): Candle | undefined {
    return this.#state.records.candle.get(`${market}|${resolution}`)
  }

  /** Calls `listener` for each change of that kind, after the whole entry is applied. */
  on<K extends RecordKind>(what: K, listener: (change: ChangeOf<K>) => void): void {
    this.#listeners.on(what, listener)
  }

  /** Calls `listener` when the model is reloaded from a snapshot. */
  onLoad(listener: (snapshot: Snapshot) => void): void {
    this.#listeners.onLoad.push(listener)
  }

  /** Calls `listener` after each entry and after the listeners of its changes. */
  onEntry(listener: (entry: FeedEntry) => void): void {
    this.#listeners.onEntry.push(listener)
  }

  /** Reloads from `snapshot`, which the model owns from then on. */
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

  /** Applies one entry of the feed, which must follow the last one. */
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
