// Interface to the database of this package: text in, text out, so that no driver converts numbers
// between a row and its codec. Implementations: pglite.ts and postgres.ts.

import type { TakeLease } from '@openvenue/runtime/lease'

export type Param = string | number | null
/** A value in PostgreSQL's text format. */
export type Cell = string | null
export type SqlRow = readonly Cell[]

export type Sql = Readonly<{
  /** Runs one statement with `$1`-style parameters and returns its rows. */
  query(text: string, params?: readonly Param[]): Promise<SqlRow[]>
}>

/** A statement with its parameters. */
export type SqlCall = Readonly<{ text: string; params?: readonly Param[] }>

/** A consistent view of the database. */
export type DbView = Sql &
  Readonly<{
    /**
     * Runs one statement and passes its rows on as they arrive, without storing them. Rejects with
     * the first error, including errors of `take`.
     */
    each(text: string, params: readonly Param[], take: (row: SqlRow) => void): Promise<void>
  }>

/** Runs a text without parameters; returns the rows of its last statement. */
export type Run = (text: string) => Promise<readonly SqlRow[]>

/** A prepared statement by name, and its arguments. */
export type StatementCall = Readonly<{ name: string; args: readonly Param[] }>

/** Rows to append to a table: one line each, in COPY text format. */
type Copy = Readonly<{ table: string; columns: readonly string[]; rows: string }>

export type WriteStep = StatementCall | Copy

export const isCopy = (step: WriteStep): step is Copy => 'rows' in step

export type Transaction = DbView &
  Readonly<{
    /** Runs `calls` in order. */
    run(calls: readonly StatementCall[]): Promise<void>
  }>

/** The only connection that writes. Open until `close`. */
export type DbSession = Readonly<{
  /** Prepares statements for the life of the session. */
  prepare(statements: readonly Statement[]): Promise<void>
  /** Runs `steps` in order in one transaction and, if the driver can, in one round trip. */
  run(steps: readonly WriteStep[]): Promise<void>
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** False once the connection is lost: a new session is required. */
  isOpen(): boolean
  close(): Promise<void>
}>

export type Statement = Readonly<{ name: string; types: readonly string[]; text: string }>

/** Connections of a pool, and calls that wait for one. */
export type PoolLoad = Readonly<{ pool: string; open: number; idle: number; waiting: number }>

export type MessageHandler = (payload: string | undefined) => void

/** Thrown when the queue of a purpose is full: try again later. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'

  constructor(purpose: string) {
    super(`too many wait for the database (${purpose})`)
  }
}

/**
 * Each purpose has its own connections, bounded queue and time limit, if the driver supports it, so
 * that one cannot block another. A call beyond the queue throws `DatabaseBusy`.
 */
export type Db = Readonly<{
  engine: 'pglite' | 'postgres'
  /** Reads new feed entries from the primary. */
  feed: Sql
  /** Reads and writes keys and registrations on the primary. */
  keys: Sql
  /** Runs other short statements on the primary. */
  primary: Sql
  /** Reads history; may be a replica that lags behind `primary`. */
  replica: Sql
  /** Runs `work`, a few short reads, on one consistent view of the replica or the primary. */
  readTransaction<T>(work: (sql: DbView) => Promise<T>, from?: 'replica' | 'primary'): Promise<T>
  /** Like `readTransaction`, for whole tables, which may take long. */
  load<T>(work: (sql: DbView) => Promise<T>, from?: 'replica' | 'primary'): Promise<T>
  /** Runs `work` in a transaction on the primary; READ COMMITTED. For keys. */
  writeTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Runs `calls` in order in such a transaction in one round trip, so that no lock waits for this
   * process. Returns the rows of each.
   */
  writeTogether(calls: readonly SqlCall[]): Promise<readonly SqlRow[][]>
  /** Runs a script of several statements in one transaction. */
  script(text: string): Promise<void>
  /** Runs `work` on a connection of its own without a statement timeout. */
  maintain<T>(work: (run: Run) => Promise<T>): Promise<T>
  /**
   * Returns the writer's session, or undefined while another process has it. Calls `lost` when its
   * connection ends, after which another process may write. Throws when the database is
   * unreachable.
   */
  session(lost: () => void): Promise<DbSession | undefined>
  /**
   * Calls `onMessage` with notifications of other processes on `channel` (a constant), and with
   * undefined after every connection, since earlier ones are not repeated. Notifications of this
   * process may be included. Calls `onLost` when the connection is lost or silent, and again every
   * few seconds until there is another: notifications are lost meanwhile. Returns a function that
   * stops it.
   */
  listen(channel: string, onMessage: MessageHandler, onLost?: () => void): () => void
  /**
   * Runs `check` on each later connection that writes or follows, before its first use. The
   * connection is closed when it throws.
   */
  onConnect(check: (sql: Sql) => Promise<void>): void
  /** Takes a lease on a session of its own. */
  lease: TakeLease
  /** Resolves when the databases answer; throws within seconds when one does not. */
  ping(): Promise<void>
  /** Returns the load of each pool; absent without pools. */
  pools?(): readonly PoolLoad[]
  close(): Promise<void>
}>

/**
 * Poll interval of what notifications announce. None is lost while the connection that listens is
 * alive, and its loss is announced, too.
 */
export const LISTEN_FALLBACK_MS = 10_000

/** Channel notified by commits. */
export const SIGNAL_CHANNEL = 'openvenue_feed'

/** Returns a value as a literal, for a session with standard_conforming_strings on. */
export const standardLiteral = (value: string) => `'${value.replaceAll("'", "''")}'`

/** Returns the text that runs `steps`, for a session with standard_conforming_strings on. */
export const scriptText = (steps: readonly WriteStep[]) =>
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

/** Settings of every writer session. A generic plan suits any batch: rows are found by key. */
export const SESSION_SETTINGS =
  'SET standard_conforming_strings = on; SET plan_cache_mode = force_generic_plan;'
