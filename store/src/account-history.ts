// Pages the history of accounts in keyset order.
import { placeId } from '@openvenue/core/ids'
import type { Written } from '@openvenue/core/record-schema'
import type { FundingPayment, Order, RecordOf, Transfer } from '@openvenue/core/records'
import type { MarketDay, MarketSums } from './account-days.ts'
import type { BlockRead, ReadFrom } from './block-read.ts'
import type { Line } from './record-lines.ts'

/**
 * Where a row stands: the time of its block, then the block and log of its origin. Text order of
 * `id` is chain order within a second.
 */
export type CursorPosition = Readonly<{ seconds: number; id: string }>

/** Which rows: of an account in some markets, in a range of time (both bounds inclusive). */
export type HistoryFilter = Readonly<{
  account: number
  /** Ids; a market that is not among them is left out. */
  markets: readonly string[]
  fromSeconds: number
  toSeconds: number
  /** Of fills: those of trades alone, or of positions closed by force alone; absent: both. */
  fills?: FillSet | undefined
  /** Of orders: those that have ended, by the time of that; absent: all, by their creation. */
  isByEnd?: boolean | undefined
}>

export type FillSet = 'trades' | 'forced'

/** The first `limit` rows of a filter beyond `after`, reading up or down in chain order. */
export type HistoryQuery = HistoryFilter &
  Readonly<{ after?: CursorPosition | undefined; isAscending: boolean; limit: number }>

/**
 * A page of lines. Where it was asked for, `hasBehind`: a row stands before the first of them, and
 * `total`: rows of the filter in the same view.
 */
export type LinesPage<K extends HistoryKind> = Readonly<{
  lines: readonly Line<K>[]
  hasBehind?: boolean
  total?: RowCount
}>

/**
 * A list that is paged by cursor. Orders: all that are not just open, by their creation.
 */
export type HistoryKind = 'fill' | 'order' | 'closedCycle'

/** `isExact` false: there are at least so many (`EDGE_ROWS_MAX`). */
export type RowCount = Readonly<{ rows: number; isExact: boolean }>

export type HistoryRow = { readonly [K in HistoryKind]: RecordOf<K> }
/** Rows as `decodeWrittenLine` gives them. */
export type WrittenRow = { readonly [K in HistoryKind]: Written<RecordOf<K>> }

export const TRANSFER_TYPES = ['deposit', 'withdraw', 'send', 'receive'] as const
export type TransferType = (typeof TRANSFER_TYPES)[number]

export type TransferQuery = Readonly<{
  account: number
  types: readonly TransferType[]
  fromSeconds: number
  toSeconds: number
  isAscending: boolean
  /** Only rows beyond it; goes with the ascending order alone. */
  after?: CursorPosition | undefined
  offset: number
  limit: number
}>

/** Who signs for an account, and until when; dead for ever once it is revoked. */
export type SigningKey = Pick<RecordOf<'key'>, 'account' | 'expirySeconds' | 'isRevoked'>

/**
 * How an order is named: by its digest, by its place on the chain, or by its client, whose newest
 * order of that name it is.
 */
export type OrderName =
  | Readonly<{ ref: string }>
  | Readonly<{ market: string; number: number }>
  | Readonly<{ account: number; clientOrderId: string }>

/**
 * Reads of account history. Every one of them is served by an index in its order, and says where
 * the chain stood in the one view that it is of. Where nothing is said of `from`, the replica is
 * asked.
 */
export type AccountHistory = Readonly<{
  rows<K extends HistoryKind>(
    kind: K,
    query: HistoryQuery,
    from?: ReadFrom,
  ): Promise<BlockRead<readonly HistoryRow[K][]>>
  /**
   * As `rows`, each as a line for `decodeWrittenLine`. Whoever answers many at once makes records
   * of them last: what passes through promises that waited for the database costs the collector
   * most.
   */
  lines<K extends HistoryKind>(
    kind: K,
    query: HistoryQuery & Readonly<{ isBehindAsked?: boolean; isCountAsked?: boolean }>,
    from?: ReadFrom,
  ): Promise<BlockRead<LinesPage<K>>>
  /** Returns how many rows a filter has. */
  count(kind: HistoryKind, filter: HistoryFilter, from?: ReadFrom): Promise<BlockRead<RowCount>>
  /** Returns the order of that name, resting or ended, whosever it is. */
  order(name: OrderName, from?: ReadFrom): Promise<BlockRead<Order | undefined>>
  /** The `limit` transfers after the first `offset`, oldest or newest first. */
  transfers(query: TransferQuery, from?: ReadFrom): Promise<BlockRead<readonly Transfer[]>>
  /** Returns what an account did, by market, since each of `days`, that day included. */
  daySums(
    account: number,
    days: readonly number[],
    from?: ReadFrom,
  ): Promise<BlockRead<readonly MarketSums[]>>
  /**
   * Returns the sums of `daySums` since each of `since`, and what the account did on each day since
   * `day`, market by market, oldest first: both of one view.
   */
  days(
    account: number,
    range: Readonly<{ since: readonly number[]; day: number }>,
    from?: ReadFrom,
  ): Promise<BlockRead<Readonly<{ sums: readonly MarketSums[]; days: readonly MarketDay[] }>>>
  /** The newest `limit` of an account, newest first. */
  fundingPayments(
    account: number,
    limit: number,
    from?: ReadFrom,
  ): Promise<BlockRead<readonly FundingPayment[]>>
  /**
   * Returns the number of a wallet (lower case), or undefined while it has none. `Accounts` gives a
   * wallet one number; were there several, the lowest counts.
   */
  accountNumber(wallet: string, from?: ReadFrom): Promise<BlockRead<number | undefined>>
  /** Returns the wallet that owns the sub-account of that address; undefined: it is none. */
  ownerOf(address: string, from?: ReadFrom): Promise<BlockRead<string | undefined>>
  /** Returns a signing key by its address (lower case); undefined: the chain has none. */
  signingKey(key: string, from?: ReadFrom): Promise<BlockRead<SigningKey | undefined>>
  /** Returns the wallets of account numbers; one that is unknown is absent. */
  readWallets(
    accounts: readonly number[],
    from?: ReadFrom,
  ): Promise<BlockRead<ReadonlyMap<number, string>>>
}>

const POSITIONS: { readonly [K in HistoryKind]: (row: WrittenRow[K]) => CursorPosition } = {
  fill: ({ seconds, id }) => ({ seconds, id }),
  closedCycle: ({ seconds, id }) => ({ seconds, id }),
  order: ({ createdSeconds, blockNumber, logIndex }) => ({
    seconds: createdSeconds,
    id: placeId(blockNumber, logIndex),
  }),
}

/** Returns where a row of `kind` stands in a list: the `after` of what comes next. */
export function cursorPosition<K extends HistoryKind>(
  kind: K,
  row: WrittenRow[K],
  { isByEnd = false }: Pick<HistoryFilter, 'isByEnd'> = {},
): CursorPosition {
  const position = POSITIONS[kind](row)
  return isByEnd ? { ...position, seconds: (row as WrittenRow['order']).updatedSeconds } : position
}
