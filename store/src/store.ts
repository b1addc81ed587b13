// Declares all that the rest of the venue may ask of the database. One implementation over two
// drivers (PGlite and PostgreSQL) passes one suite.
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Header, OrderOrigin } from '@openvenue/core/events'
import type { Notification } from '@openvenue/core/notifications'
import type { Candle, PoolHour, PriceMinute, Settlement, Trade } from '@openvenue/core/records'
import type { StateKind, VenueState } from '@openvenue/core/state'
import type { MarginTurn } from '@openvenue/core/warnings'
import type { AccountHistory } from './account-history.ts'
import type { BlockRead, ReadFrom } from './block-read.ts'
import type { Db } from './db.ts'
import type { Equity } from './equity.ts'
import type { Identity } from './identity.ts'
import type { Intents } from './intents.ts'
import type { KeyRelays } from './key-relays.ts'
import type { TakeLease } from './lease.ts'
import type { Ledger } from './ledger.ts'
import type { Notifications } from './notifications.ts'
import type { Safeguards } from './safeguards.ts'

/**
 * One entry of the feed. `apply`: the block `header` was added and `changes` are what it did.
 * `undo`: `header` is the block that is the head again and `changes` put everything back.
 * `seq` rises by one from entry to entry, across undos and restarts.
 */
export type FeedEntry = Readonly<{
  seq: number
  kind: 'apply' | 'undo'
  header: Header
  changes: readonly Change[]
}>

/**
 * The state at one feed entry, with the windows of history that an API node keeps in memory.
 * Whoever asked for it owns it.
 */
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
  /** Kinds that the state is to hold; absent: all of them. */
  kinds?: readonly StateKind[]
  trades: number
  /** By resolution, for each market; of a resolution that is not named, none. */
  candles: Readonly<Record<string, number>>
  settlements: number
  /** Earliest minute wanted, Unix seconds. */
  priceSeconds: number
  /** Earliest start of a pool's hour wanted, Unix seconds. */
  poolHoursFrom: number
}>

/**
 * For the indexer: one writer at a time, from its first call until it closes. While another process
 * has the turn, every call throws `WriterBusy`.
 */
export type Writer = Readonly<{
  /**
   * Says whose logs the chain is read for. If what is stored was read for others, as before a
   * factory of pools was configured, all of it goes, to be read anew, and is awaited
   * (`Intents.awaitedBlock`). Returns whether.
   */
  readFor(contracts: readonly string[]): Promise<boolean>
  /**
   * Returns the hash of block 0 of the chain that is stored. While nothing of a chain is, that is
   * `hash` from now on.
   */
  keepGenesis(hash: string): Promise<string>
  /** Returns the state at the last committed block; `state.head` is undefined on a new database. */
  loadState(): Promise<VenueState>
  /**
   * Writes rows, feed entries, undo records and headers of `blocks` in ONE transaction, then
   * signals readers. Undo records and headers of blocks below `finalizedNumber` are dropped. Throws
   * `InvariantError` unless the blocks follow the last one; numbers may be left out only where
   * every block left out is final. `notifying` goes in with them: each notification once, to
   * accounts that had registered by then, however often the chain is read anew.
   */
  commit(
    blocks: readonly BlockChanges[],
    finalizedNumber: number,
    notificationBatch?: NotificationBatch,
  ): Promise<void>
  /** Returns what the venue knows of those of `refs` (digests) that it accepted. */
  readOrigins(refs: readonly string[]): Promise<ReadonlyMap<string, OrderOrigin>>
  /** Returns what the one who makes `notifying` has to know when it begins, and now and then. */
  readAudience(): Promise<Audience>
  /**
   * Undoes every block above `number`, newest first, in one transaction; the feed gets one `undo`
   * entry each. Throws `UndoGone` when an undo record is missing (deeper than finality).
   */
  undoTo(number: number): Promise<void>
  /** Returns the stored header of a block that is not yet final, or undefined. */
  readHeader(number: number): Promise<Header | undefined>
  /**
   * Deletes everything that comes from the chain (blocks, rows, feed, undo), which is another one
   * from now on; keeps the rest.
   */
  wipeChain(): Promise<void>
}>

/** A notification with the block that caused it. */
export type BlockNotification = Notification & Readonly<{ header: Header }>
/** The notifications and margin turns of blocks, in their order. */
export type NotificationBatch = Readonly<{
  notifications: readonly BlockNotification[]
  turns: readonly MarginTurn[]
}>
export type Audience = Readonly<{
  /** Notifications of blocks up to this one are written already. */
  notifiedTo: number
  /** Time of the first registration, Unix seconds; undefined: nobody is to be notified. */
  sinceSeconds: number | undefined
  /** Accounts whose warning has begun and not ended, by engine. */
  warned: readonly Readonly<{ engine: string; account: number }>[]
}>

/** Rows of one view of the database, and the last entry of the feed in it. */
export type ReadAt<T> = Readonly<{ seq: number; rows: T }>

/** For api nodes: any number of readers. */
export type Reader = Readonly<{
  /**
   * Reads everything in one repeatable-read transaction: of the replica, or of the primary where
   * the feed no longer goes on from the replica.
   */
  snapshot(windows: SnapshotWindows): Promise<Snapshot>
  /**
   * Returns entries after `seq`, in order, at most `limit`; throws `FeedGone` if `seq` was pruned.
   */
  feedAfter(seq: number, limit: number): Promise<readonly FeedEntry[]>
  /** Calls `signal` when entries may have been added. Returns a function that stops it. */
  onSignal(signal: () => void): () => void
  /** Returns what accounts own, as changes that put it into a state, by the primary. */
  owned(accounts: readonly number[]): Promise<ReadAt<readonly Change[]>>
  /** Returns the newest `limit` candles of a series, oldest first, by the primary. */
  newestCandles(query: CandleSeries & { limit: number }): Promise<ReadAt<readonly Candle[]>>
  /** Returns the newest `limit` trades of a market, oldest first, by the primary. */
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
  /** The last price of each period in [from, to] that has one: the newest `limit`, oldest first. */
  prices(query: PriceQuery, from?: ReadFrom): Promise<BlockRead<readonly PriceMinute[]>>
  /** Answers when the database does; throws when it does not. */
  ping(): Promise<void>
}>

/**
 * A candle of history. What it counts, in steps of its market, is in digits as the row has them.
 */
export type CandleRow = Readonly<{ resolution: string; openSeconds: number }> &
  Readonly<Record<CandleCount, string>>
/**
 * Rows that are made from one text, one by one, when they are wanted: nothing that waits holds more
 * than the text (decision 0012).
 */
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

export type CandleSeries = Readonly<{ market: string; resolution: string }>
export type CandleQuery = CandleSeries &
  Readonly<{ fromSeconds: number; toSeconds: number; limit: number; newest: boolean }>
export type PriceQuery = Readonly<{
  /** `index:<asset>` or `mark:<market id>`. */
  series: string
  fromSeconds: number
  toSeconds: number
  /** Whole minutes. */
  periodSeconds: number
  limit: number
}>

export type SettlementQuery = Readonly<{
  market: string
  fromSeconds: number
  toSeconds: number
  limit: number
}>

export type OldestTradesQuery = SettlementQuery & Readonly<{ afterId: string }>

/** The feed no longer holds what was asked for: take a new snapshot. */
export class FeedGone extends Error {
  override name = 'FeedGone'
}

/** Another process is the writer: stand by and try again. */
export class WriterBusy extends Error {
  override name = 'WriterBusy'
}

/** A block to undo is final here: the chain must be read anew. */
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
  /** For tests and tools that look at tables. */
  db: Db
  close(): Promise<void>
}>
