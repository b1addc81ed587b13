// The venue as an API node holds it: a snapshot at N and the feed after N, folded with core's
// fold, with the windows of history that public answers need.
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
  Market,
  Pool,
  PoolHour,
  PoolToken,
  PriceMinute,
  RecordKind,
  Ticker,
  Token,
} from '@openvenue/core/records'
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import type { FeedEntry, Snapshot, SnapshotWindows } from '@openvenue/store/store'
import { AccountOrders } from './account-orders.ts'
import {
  type LiveMarket,
  liveMarket,
  loadedMarket,
  moveTrades,
  SETTLEMENTS_KEPT_MAX,
  TRADES_KEPT_MAX,
} from './live-market.ts'
import { OwnedRecords, PUBLIC_KINDS } from './owned-records.ts'
import { turnedMarks } from './turned-marks.ts'
import { moveLog, moveWindow, windowOf } from './windows.ts'

/** The day of statistics is 24 clock hours; as many again for blocks that are undone. */
const HOURS_KEPT_MAX = 48
/** All there are: a hundred years. */
const MONTHS_KEPT_MAX = 1200
/** Statistics look 24 hours back; one hour of slack. */
export const PRICE_WINDOW_S = 25 * 3600
const PRICE_MINUTES_MAX = PRICE_WINDOW_S / 60
/** 24 clock hours, the running one included; one hour of slack. */
const POOL_HOURS_MAX = PRICE_WINDOW_S / 3600

/** The windows that the model needs of a snapshot taken at `nowSeconds`. */
export const windowsAt = (nowSeconds: number): SnapshotWindows => ({
  kinds: PUBLIC_KINDS,
  trades: TRADES_KEPT_MAX,
  candles: { '60': HOURS_KEPT_MAX, '1M': MONTHS_KEPT_MAX },
  settlements: SETTLEMENTS_KEPT_MAX,
  priceSeconds: nowSeconds - PRICE_WINDOW_S,
  poolHoursFrom: nowSeconds - PRICE_WINDOW_S,
})

const NO_ORDERS = emptyBook()

type Listeners = { [K in RecordKind]?: ((change: ChangeOf<K>) => void)[] }

export class VenueModel {
  #state: VenueState = emptyState()
  #seq = -1
  #markets = new Map<string, LiveMarket>()
  readonly #byName = new Map<string, LiveMarket>()
  #priceMinutes = new Map<string, PriceMinute[]>()
  #poolHours = new Map<string, PoolHour[]>()
  /** The resting orders by account. Only the model changes it. */
  readonly accountOrders = new AccountOrders()
  /** What accounts own, of those that somebody asked for. */
  readonly owned: OwnedRecords = new OwnedRecords(this)
  /** Times that the feed did not go on from the head, and a snapshot was taken instead. */
  feedBreaks = 0
  /** Markets whose mark the time of the last entry has moved, without a change that says so. */
  turnedMarks: readonly string[] = []
  readonly #listeners: Listeners = {}
  readonly #loadListeners: ((snapshot: Snapshot) => void)[] = []
  readonly #entryListeners: ((entry: FeedEntry) => void)[] = []
  /**
   * `markets`: the set of markets or one's parameters; `listing`: the set; `facts`: anything but
   * books and trades; `left`: settlements or trades left the memory, which had all of them before;
   * `pools`: any pool, its tokens or its hours; `poolListing`: the set of pools.
   */
  readonly versions = {
    markets: 0,
    listing: 0,
    tokens: 0,
    indexPrices: 0,
    facts: 0,
    entries: 0,
    left: 0,
    pools: 0,
    poolListing: 0,
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
    return this.#markets.values()
  }

  /** Returns the market named so, or with that id (`0x` text or decimal), exactly. */
  market(nameOrId: string): LiveMarket | undefined {
    return this.#byName.get(nameOrId)
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
    return this.#priceMinutes.get(series) ?? []
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

  /** The hours of a pool's last 25 in which anything happened, and maybe older ones; oldest first. */
  poolHours(pool: string): readonly PoolHour[] {
    return this.#poolHours.get(pool) ?? []
  }

  /** The newest candle of a series. */
  newestCandle(market: string, resolution: string): Candle | undefined {
    return this.#state.records.candle.get(`${market}|${resolution}`)
  }

  /** Calls `listener` for each change of that kind, once the whole entry is folded in. */
  on<K extends RecordKind>(what: K, listener: (change: ChangeOf<K>) => void): void {
    const listeners = (this.#listeners as Record<K, ((change: ChangeOf<K>) => void)[] | undefined>)[
      what
    ]
    if (listeners === undefined) Object.assign(this.#listeners, { [what]: [listener] })
    else listeners.push(listener)
  }

  /** Calls `listener` when everything starts again from a snapshot. */
  onLoad(listener: (snapshot: Snapshot) => void): void {
    this.#loadListeners.push(listener)
  }

  /** Calls `listener` after each entry and after the listeners of its changes. */
  onEntry(listener: (entry: FeedEntry) => void): void {
    this.#entryListeners.push(listener)
  }

  /** Starts again from `snapshot`, which the model owns from then on. */
  load(snapshot: Snapshot): void {
    this.#state = snapshot.state
    this.#seq = snapshot.seq
    this.owned.reset()
    this.#markets = new Map()
    for (const market of [...snapshot.state.records.market.values()].sort(inOrderOfListing))
      this.#markets.set(market.id, loadedMarket(market, snapshot))
    this.#priceMinutes = new Map([...snapshot.priceMinutes].map(([key, rows]) => [key, [...rows]]))
    this.#poolHours = new Map([...snapshot.poolHours].map(([key, rows]) => [key, [...rows]]))
    this.#rename()
    this.accountOrders.load(snapshot.state.records.order)
    for (const key of Object.keys(this.versions) as (keyof VenueModel['versions'])[])
      this.versions[key]++
    for (const listener of this.#loadListeners) listener(snapshot)
  }

  /** Folds in one entry of the feed, which must be the one after the last. */
  apply(entry: FeedEntry): void {
    invariant(entry.seq === this.#seq + 1, 'the feed has no gap', { seq: entry.seq, at: this.#seq })
    fold(this.#state, this.owned.kept(entry.seq, entry.changes))
    this.turnedMarks = turnedMarks(this.#state, entry.header)
    this.#state.head = entry.header
    this.#seq = entry.seq
    this.owned.settle()
    this.versions.entries++
    for (const market of this.turnedMarks) this.#factsChanged(this.#markets.get(market))
    for (const change of entry.changes) this.#take(change)
    for (const change of entry.changes) this.#tell(change)
    for (const listener of this.#entryListeners) listener(entry)
  }

  #take(change: Change): void {
    switch (change.what) {
      case 'market':
        this.#takeMarket(change)
        break
      case 'order':
        this.#takeOrder(change)
        break
      case 'trade':
        this.#takeTrade(change)
        break
      case 'candle':
        this.#takeCandle(change)
        break
      case 'settlement':
        this.#takeSettlement(change)
        break
      case 'priceMinute':
        this.#takePriceMinute(change)
        break
      case 'token':
        this.versions.tokens++
        break
      case 'indexPrice':
        this.#takeIndexPrice(change)
        break
      case 'ticker':
      case 'mark':
      case 'funding':
        this.#factsChanged(this.#markets.get(change.key))
        break
      case 'position':
        this.#takePosition(change)
        break
      case 'pool':
        this.#takePool(change)
        break
      case 'poolToken':
        this.versions.pools++
        break
      case 'poolHour':
        this.#takePoolHour(change)
        break
      // Not public: the records in the state are all there is to keep.
      case 'account':
      case 'key':
      case 'balance':
      case 'collateral':
      case 'transfer':
      case 'fill':
      case 'cycle':
      case 'closedCycle':
      case 'fundingPayment':
      case 'holding':
    }
  }

  #takeMarket({ key, after }: ChangeOf<'market'>): void {
    const live = this.#markets.get(key)
    this.versions.markets++
    this.versions.facts++
    if (after !== undefined && live !== undefined) {
      live.market = after
      live.versions.facts++
      return
    }
    if (after === undefined) this.#markets.delete(key)
    else this.#markets.set(key, liveMarket(after))
    this.versions.listing++
    this.#rename()
  }

  #takeOrder({ key, before, after }: ChangeOf<'order'>): void {
    const either = after ?? before
    if (either === undefined) return
    const live = this.#markets.get(either.market)
    if (live !== undefined) live.versions.book++
    this.accountOrders.take(key, either.account, after)
  }

  /** An order is told with the margin that the account's leverage asks for. */
  #takePosition({ before, after }: ChangeOf<'position'>): void {
    const account = (after ?? before)?.account
    if (account !== undefined && (before?.leverage ?? 0) !== (after?.leverage ?? 0))
      this.accountOrders.invalidate(account)
  }

  #takeTrade(change: ChangeOf<'trade'>): void {
    const live = this.#marketOf(change)
    if (live === undefined) return
    if (moveTrades(live, change)) this.versions.left++
    live.versions.trades++
  }

  #takeCandle(change: ChangeOf<'candle'>): void {
    const live = this.#marketOf(change)
    const resolution = (change.after ?? change.before)?.resolution
    if (live === undefined || resolution === undefined) return
    if (resolution === '60') moveWindow(live.hours, change.after, HOURS_KEPT_MAX)
    else if (resolution === '1M') moveWindow(live.months, change.after, MONTHS_KEPT_MAX)
    live.versions.candles++
    if (resolution === '60') this.#factsChanged(live)
  }

  #takeSettlement(change: ChangeOf<'settlement'>): void {
    const live = this.#marketOf(change)
    if (live === undefined) return
    const isTrimmed = moveLog(live.settlements, change, {
      max: SETTLEMENTS_KEPT_MAX,
      isSame: (a, b) => a.seconds === b.seconds,
    })
    if (isTrimmed) {
      live.hasAllSettlements = false
      this.versions.left++
    }
    live.versions.settlements++
  }

  #takePriceMinute({ key, after }: ChangeOf<'priceMinute'>): void {
    moveWindow(windowOf(this.#priceMinutes, key), after, PRICE_MINUTES_MAX)
  }

  #takePool({ before, after }: ChangeOf<'pool'>): void {
    this.versions.pools++
    if (before === undefined || after === undefined) this.versions.poolListing++
  }

  #takePoolHour({ key, after }: ChangeOf<'poolHour'>): void {
    this.versions.pools++
    moveWindow(windowOf(this.#poolHours, key), after, POOL_HOURS_MAX)
    if (after === undefined) this.#poolHours.delete(key)
  }

  #takeIndexPrice({ key }: ChangeOf<'indexPrice'>): void {
    this.versions.indexPrices++
    this.versions.facts++
    for (const live of this.#markets.values()) if (live.market.asset === key) live.versions.facts++
  }

  #factsChanged(live: LiveMarket | undefined): void {
    this.versions.facts++
    if (live !== undefined) live.versions.facts++
  }

  #marketOf({
    before,
    after,
  }: ChangeOf<'trade' | 'candle' | 'settlement'>): LiveMarket | undefined {
    return this.#markets.get((after ?? before)?.market ?? '')
  }

  #rename(): void {
    this.#byName.clear()
    for (const live of this.#markets.values()) {
      this.#byName.set(live.market.id, live)
      this.#byName.set(live.decimalId, live)
      this.#byName.set(live.market.name, live)
    }
  }

  #tell<K extends RecordKind>(change: ChangeOf<K>): void {
    const listeners = this.#listeners[change.what] as ((change: ChangeOf<K>) => void)[] | undefined
    if (listeners !== undefined) for (const listener of listeners) listener(change)
  }
}

const inOrderOfListing = (a: Market, b: Market) =>
  a.listedSeconds - b.listedSeconds || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
