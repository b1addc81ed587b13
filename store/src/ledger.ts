// The log of intents as a ledger that everybody may read: what was promised, by which block, and
// what became of it. It gives no member of an order, and no account.
import type { LedgerEntry } from '@openvenue/core/ledger'

/** An entry with what its reader needs beside it. */
export type LedgerRow = LedgerEntry &
  Readonly<{
    atNs: bigint
    /** Of all entries up to this one; set on the last of each commit. */
    hash: string | undefined
    /** Unix seconds, the last in which the intent may be sent. */
    deadlineSeconds: bigint
  }>

/** Up to where the ledger is: the last entry of a commit. */
export type LedgerHead = Readonly<{ seq: number; hash: string }>

export type LedgerPage = Readonly<{
  /** The newest commit that is old enough; undefined while there is none. */
  head: LedgerHead | undefined
  /** From this number on nothing was deleted. */
  fromSeq: number
  /** None beyond `head`. */
  rows: readonly LedgerRow[]
}>

export type LedgerQuery = Readonly<{
  /** What is newer is not shown. */
  untilNs: bigint
  fromSeq: number
  limit: number
}>

export type Ledger = Readonly<{
  /** How long what has ended is kept. */
  keptMs: number
  /** Entries from `fromSeq` on, by their number. One view of the database. */
  page(query: LedgerQuery): Promise<LedgerPage>
  /** Entries of one intent, by their number: they are few. */
  ofIntent(id: string, query: Pick<LedgerQuery, 'untilNs'>): Promise<LedgerPage>
}>
