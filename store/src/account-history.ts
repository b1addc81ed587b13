// What accounts did: pages of history by account, in keyset order.
import { placeId } from '@openvenue/core/ids'
import type { Written } from '@openvenue/core/record-schema'
import type { FundingPayment, RecordOf, Transfer } from '@openvenue/core/records'
import type { Line } from './record-lines.ts'

/**
 * Where a row stands: the time of its block, then the block and log of its origin. Text order of
 * `id` is chain order within a second.
 */
export type Place = Readonly<{ seconds: number; id: string }>

/** Which rows: of an account in some markets, in a range of time (both bounds inclusive). */
export type HistoryFilter = Readonly<{
  account: number
  /** Ids; a market that is not among them is left out. */
  markets: readonly string[]
  fromSeconds: number
  toSeconds: number
  /** Of fills: those of trades alone, or of positions closed by force alone; absent: both. */
  fills?: FillSet | undefined
}>

export type FillSet = 'trades' | 'forced'

/** The first `limit` rows of a filter beyond `after`, walking up or down in chain order. */
export type HistoryQuery = HistoryFilter &
  Readonly<{ after?: Place | undefined; isAscending: boolean; limit: number }>

/** A list that is paged by cursor. Orders: all that are not just open; they stand where they were placed. */
export type HistoryKind = 'fill' | 'order' | 'closedCycle'

/** `isExact` false: there are at least so many (`EDGE_ROWS_MAX`). */
export type RowCount = Readonly<{ rows: number; isExact: boolean }>

export type HistoryRow = { readonly [K in HistoryKind]: RecordOf<K> }
/** Rows as `writtenOfLine` gives them. */
export type WrittenRow = { readonly [K in HistoryKind]: Written<RecordOf<K>> }

export const TRANSFER_TYPES = ['deposit', 'withdraw', 'send', 'receive'] as const
export type TransferType = (typeof TRANSFER_TYPES)[number]

export type TransferQuery = Readonly<{
  account: number
  types: readonly TransferType[]
  fromSeconds: number
  toSeconds: number
  isAscending: boolean
  offset: number
  limit: number
}>

/** Reads of account history. Every one of them is served by an index in its order. */
export type AccountHistory = Readonly<{
  rows<K extends HistoryKind>(kind: K, query: HistoryQuery): Promise<readonly HistoryRow[K][]>
  /**
   * As `rows`, each as a line for `writtenOfLine`. Whoever answers many at once makes records of them
   * last: what passes through promises that waited for the database costs the collector most.
   */
  lines<K extends HistoryKind>(kind: K, query: HistoryQuery): Promise<readonly Line<K>[]>
  /** Returns how many rows a filter has. */
  count(kind: HistoryKind, filter: HistoryFilter): Promise<RowCount>
  /** The `limit` transfers after the first `offset`, oldest or newest first. */
  transfers(query: TransferQuery): Promise<readonly Transfer[]>
  /** The newest `limit` of an account, newest first. */
  fundingPayments(account: number, limit: number): Promise<readonly FundingPayment[]>
  /**
   * Returns the number of a wallet (lower case), or undefined while it has none. `Accounts` gives a
   * wallet one number; were there several, the lowest counts.
   */
  numberOf(wallet: string): Promise<number | undefined>
  /** Returns the wallet that owns the sub-account of that address; undefined: it is none. */
  ownerOf(address: string): Promise<string | undefined>
  /** Returns the wallets of account numbers; one that is unknown is absent. */
  walletsOf(accounts: readonly number[]): Promise<ReadonlyMap<number, string>>
}>

const PLACES: { readonly [K in HistoryKind]: (row: WrittenRow[K]) => Place } = {
  fill: ({ seconds, id }) => ({ seconds, id }),
  closedCycle: ({ seconds, id }) => ({ seconds, id }),
  order: ({ createdSeconds, blockNumber, logIndex }) => ({
    seconds: createdSeconds,
    id: placeId(blockNumber, logIndex),
  }),
}

/** Returns where a row of `kind` stands: the `after` of what comes next. */
export const placeOf = <K extends HistoryKind>(kind: K, row: WrittenRow[K]): Place =>
  PLACES[kind](row)
