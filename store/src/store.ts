// Interface to the database for the rest of the venue. One implementation over two drivers (PGlite
// and PostgreSQL) passes one test suite.
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Header, OrderOrigin } from '@openvenue/core/events'
import type { Notification } from '@openvenue/core/notifications'
import type {
  Candle,
  ForcedClose,
  PoolHour,
  PriceMinute,
  Settlement,
  Trade,
} from '@openvenue/core/records'
import type { StateKind, VenueState } from '@openvenue/core/state'
import type { WarningChange } from '@openvenue/core/warnings'
import type { TakeLease } from '@openvenue/runtime/lease'
import type { Broadcast } from './broadcast/broadcast.ts'
import type { Announcements } from './db/announcements.ts'
import type { BlockRead, ReadFrom } from './db/block-read.ts'
import type { Db } from './db/db.ts'
import type { AccountHistory } from './history/account-history.ts'
import type { Equity } from './history/equity.ts'
import type { Notifications } from './history/notifications.ts'
import type { Identity } from './identity/identity.ts'
import type { KeyRelays } from './identity/key-relays.ts'
import type { Intents } from './intents/intents.ts'
import type { Ledger } from './intents/ledger.ts'
import type { Safeguards } from './intents/safeguards.ts'

/**
 * One entry of the feed. `apply`: the block `header` was added with `changes`. `undo`: `header` is
 * the head again and `changes` restore its state. `seq` increases by one per entry, across undos
 * and restarts.
 */
export type FeedEntry = Readonly<{
  seq: number
  kind: 'apply' | 'undo'
  header: Header
  changes: readonly Change[]
}>

/** The state at a feed entry, with the history windows of an API node. The caller owns it. */
export type Snapshot = Readonly<{
  seq: number
  state: VenueState
  /** Per market, newest first, at most `trades` of them. */
  trades: Map<string, Trade[]>
  /** Per `market|resolution`, oldest first, the newest `candles` of them. */
  candles: Map<string, Candle[]>
  /** Per series, oldest first, from `priceSeconds` on. */
  priceMinutes: Map<string, PriceMinute[]>
  /** Per market, oldest first, the newest `settlements` of them. */
  settlements: Map<string, Settlement[]>
  /** Per pool, oldest first, from `poolHoursFrom` on. */
  poolHours: Map<string, PoolHour[]>
}>

export type SnapshotWindows = Readonly<{
  /** Kinds of the state; absent: all of them. */
  kinds?: readonly StateKind[]
  trades: number
  /** Number by resolution, for each market; 0 for other resolutions. */
  candles: Readonly<Record<string, number>>
  settlements: number
  /** Earliest minute, Unix seconds. */
  priceSeconds: number
  /** Earliest start of a pool's hour, Unix seconds. */
  poolHoursFrom: number
}>

/**
 * For the indexer: one writer at a time, from its first call until it closes. While another process
 * writes, every call throws `WriterBusy`.
 */
export type Writer = Readonly<{
  /**
   * Sets the contracts whose logs are stored. If the stored chain is of others, as before a pool
   * factory was configured, all of it is wiped and reindexed, and awaited (`Intents.awaitedBlock`).
   * Returns whether it was wiped.
   */
  readFor(contracts: readonly string[]): Promise<boolean>
  /** Returns the stored chain's hash of block 0; stores `hash` while there is none. */
  keepGenesis(hash: string): Promise<string>
  /** Returns the state at the last committed block; `state.head` is undefined on a new database. */
  loadState(): Promise<VenueState>
  /**
   * Writes rows, feed entries, undo records and headers of `blocks` in ONE transaction, then
   * signals readers. Undo records and headers of blocks below `finalizedNumber` are dropped. Throws
   * `InvariantError` unless the blocks follow the last one; numbers may be left out only where
   * every block left out is final. `notifying` goes in with them: each notification once, to
   * accounts that had registered by then, however often the chain is reindexed.
   */
  commit(
    blocks: readonly BlockChanges[],
    finalizedNumber: number,
    notificationBatch?: NotificationBatch,
  ): Promise<void>
  /** Returns the venue's data about those of `refs` (digests) that it accepted. */
  readOrigins(refs: readonly string[]): Promise<ReadonlyMap<string, OrderOrigin>>
  /** Returns the audience for `notifying`, to be read at the start and in intervals. */
  readAudience(): Promise<Audience>
  /**
   * Undoes every block above `number`, newest first, in one transaction; the feed gets one `undo`
   * entry each. Throws `UndoGone` when an undo record is missing (deeper than finality).
   */
  undoTo(number: number): Promise<void>
  /** Returns the stored header of a block that is not yet final, or undefined. */
  readHeader(number: number): Promise<Header | undefined>
  /**
   * Deletes everything from the chain (blocks, rows, feed, undo), which is another one from now on;
   * keeps the rest.
   */
  wipeChain(): Promise<void>
}>

/** A notification with the block that caused it. */
export type BlockNotification = Notification & Readonly<{ header: Header }>
/** The notifications and margin turns of blocks, in their order. */
export type NotificationBatch = Readonly<{
  notifications: readonly BlockNotification[]
  turns: readonly WarningChange[]
}>
export type Audience = Readonly<{
  /** The last block whose notifications are written. */
  notifiedTo: number
  /** Time of the first registration, Unix seconds; undefined: no account is notified. */
  sinceSeconds: number | undefined
  /** Accounts whose warning has begun and not ended, by engine. */
  warned: readonly Readonly<{ engine: string; account: number }>[]
}>

/** Rows of one view of the database, and its last feed entry. */
export type ReadAt<T> = Readonly<{ seq: number; rows: T }>

/** For API nodes: any number of readers. */
export type Reader = Readonly<{
  /**
   * Reads everything in one repeatable-read transaction: from the replica, or from the primary when
   * the feed no longer continues from the replica.
   */
  snapshot(windows: SnapshotWindows): Promise<Snapshot>
  /** Returns at most `limit` entries after `seq`, in order; throws `FeedGone` if it was pruned. */
  feedAfter(seq: number, limit: number): Promise<readonly FeedEntry[]>
  /** Calls `signal` when entries may have been added. Returns a function that stops it. */
  onSignal(signal: () => void): () => void
  /** Returns the records of accounts from the primary, as changes that add them to a state. */
  owned(accounts: readonly number[]): Promise<ReadAt<readonly Change[]>>
  /** Returns the newest `limit` candles of a series from the primary, oldest first. */
  newestCandles(query: CandleSeries & { limit: number }): Promise<ReadAt<readonly Candle[]>>
  /** Returns the newest `limit` trades of a market from the primary, oldest first. */
  newestTrades(query: { market: string; limit: number }): Promise<ReadAt<readonly Trade[]>>
  /** Candles with openSeconds in [from, to], oldest first: the oldest `limit` or the newest. */
  candles(query: CandleQuery, from?: ReadFrom): Promise<BlockRead<CandleRows>>
  /** Returns the open time of the newest candle before `beforeSeconds`, or undefined. */
  candleBefore(
    query: CandleSeries & { beforeSeconds: number },
    from?: ReadFrom,
  ): Promise<BlockRead<number | undefined>>
  /** Settlements with seconds in [from, to]: the newest `limit`, oldest first. */
  settlements(query: SettlementQuery, from?: ReadFrom): Promise<BlockRead<readonly Settlement[]>>
  /** The oldest `limit` trades in [from, to] with ids beyond `afterId`, oldest first. */
  oldestTrades(query: OldestTradesQuery, from?: ReadFrom): Promise<BlockRead<readonly Trade[]>>
  /** Forced closes with seconds in [from, to] before `before`: the newest `limit`, newest first. */
  forcedCloses(
    query: ForcedClosesQuery,
    from?: ReadFrom,
  ): Promise<BlockRead<readonly ForcedClose[]>>
  /** The last price of each period in [from, to] that has one: the newest `limit`, oldest first. */
  prices(query: PriceQuery, from?: ReadFrom): Promise<BlockRead<readonly PriceMinute[]>>
  /** Resolves when the database answers; throws otherwise. */
  ping(): Promise<void>
}>

/** A candle of history. Its counts, in steps of its market, are digits as in the row. */
export type CandleRow = Readonly<{ resolution: string; openSeconds: number }> &
  Readonly<Record<CandleCount, string>>
/** Rows decoded one by one on demand, so that only their text is kept (decision 0012). */
export type CandleRows = () => Iterable<CandleRow>
type CandleCount =
  | 'open'
  | 'high'
  | 'low'
  | 'close'
  | 'volume'
  | 'quoteUnits'
  | 'takerBuyVolume'
  | 'trades'

type CandleSeries = Readonly<{ market: string; resolution: string }>
export type CandleQuery = CandleSeries &
  Readonly<{ fromSeconds: number; toSeconds: number; limit: number; newest: boolean }>
type PriceQuery = Readonly<{
  /** `index:<asset>` or `mark:<market id>`. */
  series: string
  fromSeconds: number
  toSeconds: number
  /** Whole minutes. */
  periodSeconds: number
  limit: number
}>

type SettlementQuery = Readonly<{
  market: string
  fromSeconds: number
  toSeconds: number
  limit: number
}>

type OldestTradesQuery = SettlementQuery & Readonly<{ afterId: string }>
/** `market` undefined: all of them. `before`: undefined for the newest. */
export type ForcedClosesQuery = Omit<SettlementQuery, 'market'> &
  Readonly<{
    market: string | undefined
    before: Readonly<{ seconds: number; id: string }> | undefined
  }>

/** Thrown when the feed or a log does not continue from the reader's entry: load it again. */
export class FeedGone extends Error {
  override name = 'FeedGone'
}

/** Thrown when another process is the writer: wait and retry. */
export class WriterBusy extends Error {
  override name = 'WriterBusy'
}

/** Thrown when a block to undo is final here: the chain must be reindexed. */
export class UndoGone extends Error {
  override name = 'UndoGone'
}

export type Store = Readonly<{
  writer: Writer
  reader: Reader
  history: AccountHistory
  identity: Identity
  keyRelays: KeyRelays
  intents: Intents
  ledger: Ledger
  safeguards: Safeguards
  notifications: Notifications
  equity: Equity
  lease: TakeLease
  /** Undefined without a message server (FEED_URL). */
  broadcast?: Broadcast | undefined
  /** Among keepers. */
  announcements: Announcements
  /** For tests and tools that read tables. */
  db: Db
  close(): Promise<void>
}>
