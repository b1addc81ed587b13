// The database as the rest of this package sees it: text in, text out, so that no driver's idea of
// a number comes between a row and its codec. Two implementations: pglite.ts and postgres.ts.

import type { TakeLease } from './lease.ts'

export type Param = string | number | null
/** A value as PostgreSQL prints it. */
export type Cell = string | null
export type SqlRow = readonly Cell[]

export type Sql = Readonly<{
  /** Runs one statement with `$1`-style parameters and returns its rows. */
  query(text: string, params?: readonly Param[]): Promise<SqlRow[]>
}>

/** A statement with its parameters. */
export type SqlCall = Readonly<{ text: string; params?: readonly Param[] }>

/** One unchanging view of the database. */
export type View = Sql &
  Readonly<{
    /**
     * Runs one statement and hands its rows over one by one, as they come, so that they need not
     * all be kept. Rejects with the first thing that goes wrong, also in `take`.
     */
    each(text: string, params: readonly Param[], take: (row: SqlRow) => void): Promise<void>
  }>

/** Runs a text without parameters; returns the rows of its last statement. */
export type Run = (text: string) => Promise<readonly SqlRow[]>

/** One statement of a script: a name that `prepare` declared, and its arguments. */
export type StatementCall = Readonly<{ name: string; args: readonly Param[] }>

/** Rows to append to a table: one line each, in COPY text format. */
export type Copy = Readonly<{ table: string; columns: readonly string[]; rows: string }>

export type Step = StatementCall | Copy

export const isCopy = (step: Step): step is Copy => 'rows' in step

export type Transaction = View &
  Readonly<{
    /** Runs `calls` in order. */
    run(calls: readonly StatementCall[]): Promise<void>
  }>

/** The only connection that writes. Held until `close`. */
export type Session = Readonly<{
  /** Declares a statement under a name, for the life of the session. */
  prepare(statements: readonly Statement[]): Promise<void>
  /** Runs `steps` in order in one transaction and, where the driver can, in one round trip. */
  run(steps: readonly Step[]): Promise<void>
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** False once the connection is lost: open another one. */
  isOpen(): boolean
  close(): Promise<void>
}>

export type Statement = Readonly<{ name: string; types: readonly string[]; text: string }>

export type Hear = (payload: string | undefined) => void

/** Too many wait for the connections of that purpose already: come back later. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'

  constructor(purpose: string) {
    super(`too many wait for the database (${purpose})`)
  }
}

/**
 * Each purpose has connections, a bounded queue and a time limit of its own where the driver can:
 * whoever fills one leaves the others alone. Beyond its queue, a call throws `DatabaseBusy`.
 */
export type Db = Readonly<{
  engine: 'pglite' | 'postgres'
  /** Reads what is new on the feed, from the database that takes the writes. */
  feed: Sql
  /** Reads and writes keys and registrations there. */
  keys: Sql
  /** Runs other short statements there. */
  primary: Sql
  /** Reads history; may be a replica that lags behind `primary`. */
  replica: Sql
  /** Runs `work`, a few short reads, on one unchanging view of the replica, or of the primary. */
  readTransaction<T>(work: (sql: View) => Promise<T>, from?: 'replica' | 'primary'): Promise<T>
  /** As `readTransaction` for whole tables, which may take long. */
  load<T>(work: (sql: View) => Promise<T>, from?: 'replica' | 'primary'): Promise<T>
  /** Runs `work` in one transaction of its own on the primary; READ COMMITTED. For keys. */
  writeTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Runs `calls` in order in such a transaction, each sent before the one before it is answered:
   * one round trip, so that no lock waits for this process. Returns the rows of each.
   */
  writeTogether(calls: readonly SqlCall[]): Promise<readonly SqlRow[][]>
  /** Runs a script of several statements in one transaction. */
  script(text: string): Promise<void>
  /** Runs `work` on a connection of its own, whose statements may take as long as they need. */
  maintain<T>(work: (run: Run) => Promise<T>): Promise<T>
  /**
   * Returns the writer's session, or undefined while another process has it. Calls `lost` when its
   * connection ends: from then on another process may write. Throws when the database cannot be
   * reached.
   */
  session(lost: () => void): Promise<Session | undefined>
  /**
   * Calls `hear` with what other processes notify on `channel` (a name of ours), and with undefined
   * after every connection: what was notified before it does not come again. What this process
   * notifies may be heard as well. Calls `deaf` when the connection is lost or says nothing any
   * more, and again every few seconds until there is another: what is notified meanwhile is not
   * heard. Returns a function that stops it.
   */
  listen(channel: string, hear: Hear, deaf?: () => void): () => void
  /** Takes a lease on a session of its own. */
  lease: TakeLease
  /** Answers when the databases do; throws within seconds when one does not. */
  ping(): Promise<void>
  close(): Promise<void>
}>

/** The channel that commits notify. */
export const SIGNAL_CHANNEL = 'openvenue_feed'

/** Returns a value as a literal, for a session with standard_conforming_strings on. */
export const standardLiteral = (value: string) => `'${value.replaceAll("'", "''")}'`

/** Returns the text that runs `steps`, for a session with standard_conforming_strings on. */
export const scriptText = (steps: readonly Step[]) =>
  steps.map((step) => (isCopy(step) ? `${copyStatement(step, 'STDIN')};` : callText(step))).join('')

/** Returns the statement that reads the rows of `copy` from `source`. */
export const copyStatement = ({ table, columns }: Copy, source: string) =>
  `COPY ${table} (${columns.join(', ')}) FROM ${source}`

const callText = ({ name, args }: StatementCall) =>
  args.length === 0
    ? `EXECUTE ${name};`
    : `EXECUTE ${name}(${args.map((arg) => (arg === null ? 'NULL' : standardLiteral(String(arg)))).join(',')});`

/** Returns the text that declares `statement`. */
export const prepareText = ({ name, types, text }: Statement) =>
  `PREPARE ${name}${types.length === 0 ? '' : ` (${types.join(', ')})`} AS ${text};`

/** Settings of every writer session. A generic plan serves any batch: rows come by key. */
export const SESSION_SETTINGS =
  'SET standard_conforming_strings = on; SET plan_cache_mode = force_generic_plan;'
