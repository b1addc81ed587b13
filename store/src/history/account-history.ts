// Pages the history of accounts in keyset order.
import { placeId } from '@openvenue/core/ids'
import type { WrittenRecord } from '@openvenue/core/record-schema'
import type { FundingPayment, Order, RecordOf, Transfer } from '@openvenue/core/records'
import type { BlockRead, ReadFrom } from '../db/block-read.ts'
import { decodeWrittenLine, type RecordLine } from '../db/record-lines.ts'
import type { MarketDay, MarketSums } from './account-days.ts'

/**
 * Position of a row: the time of its block, then the block and log of its origin. Text order of
 * `id` is chain order within a second.
 */
export type CursorPosition = Readonly<{ seconds: number; id: string }>

/** Selects rows of an account in some markets, in a time range (both bounds inclusive). */
export type HistoryFilter = Readonly<{
  account: number
  /** Market ids; others are excluded. */
  markets: readonly string[]
  fromSeconds: number
  toSeconds: number
  /** For fills: only those of trades, only forced closes, or none. */
  fills?: FillSet | 'none' | undefined
  /** For fills: includes the account's funding payments among the lines. */
  hasFunding?: boolean | undefined
  /** For orders: only ended ones, by their end; absent: all, by their creation. */
  isByEnd?: boolean | undefined
}>

export type FillSet = 'trades' | 'forced'

/** The first `limit` rows of a filter beyond `after`, ascending or descending in chain order. */
export type HistoryQuery = HistoryFilter &
  Readonly<{
    after?: CursorPosition | undefined
    isAscending: boolean
    limit: number
    /** Bounds of the ends of the page's orders; undefined: unknown. */
    ends?: PageEnds | undefined
  }>

/** The last partition in which an order of a page ended, -1 for none, and whether any rests. */
export type PageEnds = Readonly<{ last: number; isAnyResting: boolean }>

/**
 * A page of lines. On request: `hasBehind`, whether there is a row before the first line, and
 * `total`, the rows of the filter in the same view. For orders of which one rests: `leverages` of
 * the account's positions in the same view, by market.
 */
export type LinesPage<K extends HistoryKind> = Readonly<{
  lines: readonly RecordLine<K>[]
  hasBehind?: boolean
  total?: RowCount
  leverages?: ReadonlyMap<string, number>
}>

/** A list paged by cursor. Orders: all but plain open ones, by their creation. */
export type HistoryKind = 'fill' | 'order' | 'closedCycle'

/** `isExact` false: there are at least that many (`EDGE_ROWS_MAX`). */
export type RowCount = Readonly<{ rows: number; isExact: boolean }>

export type HistoryRow = { readonly [K in HistoryKind]: RecordOf<K> }
/** Rows as returned by `decodeWrittenLine`. */
export type WrittenRow = { readonly [K in HistoryKind]: WrittenRecord<RecordOf<K>> }

export const TRANSFER_TYPES = ['deposit', 'withdraw', 'send', 'receive'] as const
type TransferType = (typeof TRANSFER_TYPES)[number]

export type TransferQuery = Readonly<{
  account: number
  types: readonly TransferType[]
  fromSeconds: number
  toSeconds: number
  isAscending: boolean
  /** Only rows beyond it; requires ascending order. */
  after?: CursorPosition | undefined
  offset: number
  limit: number
}>

/** Signing key of an account and its expiry; permanently invalid once revoked. */
export type SigningKey = Pick<RecordOf<'key'>, 'account' | 'expirySeconds' | 'isRevoked'>

/**
 * Names an order by its digest, by its place on chain, or by its client's name, which selects the
 * newest order of that name.
 */
export type OrderName =
  | Readonly<{ ref: string }>
  | Readonly<{ market: string; number: number }>
  | Readonly<{ account: number; clientOrderId: string }>

/**
 * Reads account history. Each read is served by an index in its order, and returns the chain's
 * position in its view. The default of `from` is the replica.
 */
export type AccountHistory = Readonly<{
  rows<K extends HistoryKind>(
    kind: K,
    query: HistoryQuery,
    from?: ReadFrom,
  ): Promise<BlockRead<readonly HistoryRow[K][]>>
  /**
   * Like `rows`, with each as a line for `decodeWrittenLine`. Callers with many concurrent answers
   * should decode them late: objects that live across a wait for the database are expensive to
   * collect.
   */
  lines<K extends HistoryKind>(
    kind: K,
    query: HistoryQuery & Readonly<{ isBehindAsked?: boolean; isCountAsked?: boolean }>,
    from?: ReadFrom,
  ): Promise<BlockRead<LinesPage<K>>>
  /** Returns the number of rows of a filter. */
  count(kind: HistoryKind, filter: HistoryFilter, from?: ReadFrom): Promise<BlockRead<RowCount>>
  /** Returns the order of that name, resting or ended, of any account. */
  order(name: OrderName, from?: ReadFrom): Promise<BlockRead<Order | undefined>>
  /** The `limit` transfers after the first `offset`, oldest or newest first. */
  transfers(query: TransferQuery, from?: ReadFrom): Promise<BlockRead<readonly Transfer[]>>
  /** Returns an account's sums by market since each of `days`, inclusive. */
  daySums(
    account: number,
    days: readonly number[],
    from?: ReadFrom,
  ): Promise<BlockRead<readonly MarketSums[]>>
  /**
   * Returns the sums of `daySums` since each of `since`, and the account's activity on each day
   * since `day`, by market, oldest first, from one view.
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
   * wallet one number; the lowest would count.
   */
  accountNumber(wallet: string, from?: ReadFrom): Promise<BlockRead<number | undefined>>
  /** Returns the wallet that owns the sub-account of that address; undefined: not a sub-account. */
  ownerOf(address: string, from?: ReadFrom): Promise<BlockRead<string | undefined>>
  /** Returns a signing key by its address (lower case); undefined: the chain has none. */
  signingKey(key: string, from?: ReadFrom): Promise<BlockRead<SigningKey | undefined>>
  /** Returns the wallets of account numbers, without unknown ones. */
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

/** Returns the position of a row of `kind` in its list: the `after` of the next page. */
export function cursorPosition<K extends HistoryKind>(
  kind: K,
  row: WrittenRow[K],
  { isByEnd = false }: Pick<HistoryFilter, 'isByEnd'> = {},
): CursorPosition {
  const position = POSITIONS[kind](row)
  return isByEnd ? { ...position, seconds: (row as WrittenRow['order']).updatedSeconds } : position
}

/** The id of a payment ends with its account number, that of a fill with a letter. */
const PAYMENT_ID = /^\d+-\d+-\d+\t/

/** Returns whether a line among fills is a funding payment: both begin with the id. */
export const isPaymentLine = (line: string): boolean => PAYMENT_ID.test(line)

/** Returns the position of a line's row, like `cursorPosition`. */
export function linePosition<K extends HistoryKind>(
  kind: K,
  line: RecordLine<K>,
  filter: Pick<HistoryFilter, 'isByEnd'> = {},
): CursorPosition {
  if (kind === 'fill' && isPaymentLine(line)) {
    const { seconds, id } = decodeWrittenLine('fundingPayment', line as RecordLine<never>)
    return { seconds, id }
  }
  return cursorPosition(kind, decodeWrittenLine<HistoryKind>(kind, line) as WrittenRow[K], filter)
}
