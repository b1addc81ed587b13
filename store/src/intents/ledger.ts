// The log of intents as a public ledger: promises, their blocks and their outcomes. It contains no
// member of an order and no account.
import type { LedgerEntry } from '@openvenue/core/ledger'

/** An entry with the fields that readers need in addition. */
export type LedgerRow = LedgerEntry &
  Readonly<{
    atNs: bigint
    /** Hash of all entries up to this one; set on the last of each commit. */
    hash: string | undefined
    /** Unix seconds, the last in which the intent may be sent. */
    deadlineSeconds: bigint
  }>

/** The last entry of the ledger, which ends a commit. */
type LedgerHead = Readonly<{ seq: number; hash: string }>

export type LedgerPage = Readonly<{
  /** The newest commit that is old enough; undefined while there is none. */
  head: LedgerHead | undefined
  /** First number from which no entry was deleted. */
  fromSeq: number
  /** None beyond `head`. */
  rows: readonly LedgerRow[]
}>

type LedgerQuery = Readonly<{
  /** Maximum time of shown entries. */
  untilNs: bigint
  fromSeq: number
  limit: number
}>

export type Ledger = Readonly<{
  /** Retention of ended intents. */
  keptMs: number
  /** Entries from `fromSeq` on, by number, from one view of the database. */
  page(query: LedgerQuery): Promise<LedgerPage>
  /** Entries of one intent, by number: they are few. */
  ofIntent(id: string, query: Pick<LedgerQuery, 'untilNs'>): Promise<LedgerPage>
}>
