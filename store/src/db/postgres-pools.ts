// Connections of one process to PostgreSQL by purpose, so that one pool cannot block another
// (decision 0027).
import type { ClientBase, ClientConfig, QueryConfig } from 'pg'
import {
  type Cell,
  DatabaseBusy,
  type PoolLoad,
  type Run,
  type Sql,
  type SqlCall,
  type SqlRow,
} from './db.ts'
import { createSql } from './postgres-rows.ts'
import { ServerPool } from './server-pool.ts'
import type { Servers } from './servers.ts'

/** Limits of one pool. */
type Limits = Readonly<{
  connectionsMax: number
  /** Number of waiting calls beyond which a call is refused at once. */
  waitingMax: number
  /** The server ends statements, and open transactions, after this time. */
  statementMsMax: number
  /** A statement without data for this long has failed. Absent: `statementMsMax`. */
  silenceMsMax?: number
  /** Statements are sent without waiting for the answer to the previous one. */
  isPipelined?: boolean
  /** Plans each text once: re-planning over many partitions would cost more than the page. */
  isPlannedOnce?: boolean
}>

const POOLS = {
  /** New entries of feed and log, which must never wait for other calls. */
  feed: { connectionsMax: 1, waitingMax: 64, statementMsMax: 3000 },
  /** Keys, registrations and intents: every request needs its key checked. */
  keys: { connectionsMax: 2, waitingMax: 256, statementMsMax: 3000, isPipelined: true },
  /** Notifications, equity, relays: short statements on the primary. */
  primary: { connectionsMax: 1, waitingMax: 256, statementMsMax: 10_000, isPlannedOnce: true },
  /** Pages and counts of any length. */
  history: { connectionsMax: 2, waitingMax: 64, statementMsMax: 5000, isPlannedOnce: true },
  /**
   * Whole tables, and migrations. A load may take long as long as rows arrive, since one that is
   * cut off would have to start over.
   */
  load: { connectionsMax: 1, waitingMax: 8, statementMsMax: 300_000, silenceMsMax: 30_000 },
} as const satisfies Record<string, Limits>

export type Purpose = keyof typeof POOLS

/**
 * Returns the limits of the pools. With a replica, history takes no connection of the primary,
 * which also answers reads that the replica is behind for (api/src/model/fresh-reads.ts).
 */
export function limitsOf(given: LimitOverrides, hasReplica: boolean): LimitOverrides {
  const { primary, history } = POOLS
  const connectionsMax = primary.connectionsMax + (hasReplica ? history.connectionsMax : 0)
  return { ...given, primary: { connectionsMax, ...given.primary } }
}

/**
 * Maximum connections of one process: the pools and the listener. Indexers and keepers do not read
 * history, and so have room for the writer and its lease, or for two leases, as well.
 */
export const CONNECTIONS_MAX =
  Object.values(POOLS).reduce((sum, { connectionsMax }) => sum + connectionsMax, 0) + 1

/** Age at which a connection is replaced, to follow a name that leads to another server. */
export const SESSION_AGE_MS_MAX = 300_000
/** Additional silence after the server's own limit, beyond which the server counts as gone. */
const GRACE_MS = 1000
/** Silence after which a connection is probed, to detect a broken one. */
const PROBE_MS = 10_000
/** Timeout of a ping. */
const PING_MS_MAX = 1000

const asText = (value: string) => value
const types = { getTypeParser: () => asText } as unknown as NonNullable<ClientConfig['types']>

/** Returns the settings of every connection, without its server. */
export const settings = (servers: Servers, purpose: string): ClientConfig => ({
  types,
  application_name: `openvenue ${purpose}`,
  connectionTimeoutMillis: servers.connectMsMax,
  keepAlive: true,
  keepAliveInitialDelayMillis: PROBE_MS,
})

/**
 * Set by a statement: poolers such as PgBouncer refuse startup parameters. While the server waits
 * for us to read, statement timeouts do not apply, but the socket's does. Compiling a plan takes
 * longer than any of our statements, whatever the planner expects.
 */
const sessionParameters = ({ statementMsMax, isPlannedOnce }: Limits, waitMs: number) => ({
  statement_timeout: statementMsMax,
  idle_in_transaction_session_timeout: statementMsMax,
  tcp_user_timeout: waitMs,
  jit: 'off',
  ...(isPlannedOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
})

/** Limits that tests override. */
export type LimitOverrides = Partial<Record<Purpose, Partial<Limits>>>

type PoolOptions = Readonly<{
  given?: LimitOverrides
  /** A connection is replaced at this age. */
  ageMsMax: number
  check: (sql: Sql) => Promise<void>
}>

/** Connections of one purpose, opened as needed and closed when idle. */
export class PurposePool {
  readonly #pool: ServerPool
  readonly #limits: Limits
  readonly #purpose: Purpose

  /** `check` runs on each connection before its first use; it is closed when that throws. */
  constructor(servers: Servers, purpose: Purpose, { given = {}, ageMsMax, check }: PoolOptions) {
    const limits: Limits = { ...POOLS[purpose], ...given[purpose] }
    this.#purpose = purpose
    this.#limits = limits
    this.#pool = new ServerPool(
      {
        ...settings(servers, purpose),
        max: limits.connectionsMax,
        maxLifetimeSeconds: ageMsMax / 1000,
      },
      {
        servers,
        isPipelined: limits.isPipelined ?? false,
        parameters: sessionParameters(limits, this.#waitMs),
        waitMs: this.#waitMs,
        check: (client) => check(createSql(client, this.#waitMs)),
      },
    )
    // The pool has already dropped the connection; the next call gets the relevant error.
    this.#pool.on('error', () => {})
    // The same for a connection in use, whose calls fail. An unhandled event would end the process.
    this.#pool.on('connect', (client) => void client.on('error', () => {}))
  }

  /** Runs single statements. */
  get sql(): Sql {
    const sql = createSql(this.#pool, this.#waitMs)
    return {
      query: async (text, params) => {
        this.#admit()
        return sql.query(text, params)
      },
    }
  }

  /** Runs `work` on one connection, in the transaction started by `begin`. */
  async transaction<T>(begin: string, work: (client: ClientBase, waitMs: number) => Promise<T>) {
    const client = await this.#connect()
    const waitMs = this.#waitMs
    const run = (text: string) => client.query({ text, query_timeout: waitMs } as QueryConfig)
    try {
      await run(begin)
      const result = await work(client, waitMs)
      await run('COMMIT')
      client.release()
      return result
    } catch (error) {
      // Closes the connection, and with it the transaction: it may be the cause.
      client.release(true)
      throw error
    }
  }

  /** Runs `calls` in one transaction; over a pipelined connection, in one round trip. */
  async together(calls: readonly SqlCall[]): Promise<readonly SqlRow[][]> {
    const client = await this.#connect()
    const sql = createSql(client, this.#waitMs)
    const bare = (text: string) =>
      client.query({ text, query_timeout: this.#waitMs } as QueryConfig).then(() => [])
    try {
      // After a failed statement, COMMIT rolls back.
      const sent = [
        bare('BEGIN'),
        ...calls.map(({ text, params }) => sql.query(text, params)),
        bare('COMMIT'),
      ]
      const rows = (await Promise.all(sent)).slice(1, -1)
      client.release()
      return rows
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Runs `work` on a connection of its own without a statement timeout. */
  async alone<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      await client.query('SET statement_timeout = 0')
      return await work(async (text) => {
        // For several statements the driver returns as many results, contrary to its types.
        const results = [await client.query<Cell[]>({ text, rowMode: 'array' })].flat()
        return results.at(-1)?.rows ?? []
      })
    } finally {
      // Session settings end with the connection.
      client.release(true)
    }
  }

  async ping(): Promise<void> {
    this.#admit()
    await this.#pool.query({ text: 'SELECT 1', query_timeout: PING_MS_MAX } as QueryConfig)
  }

  get load(): Omit<PoolLoad, 'pool'> {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  get #waitMs(): number {
    const { statementMsMax, silenceMsMax = statementMsMax + GRACE_MS } = this.#limits
    return silenceMsMax
  }

  #connect() {
    this.#admit()
    return this.#pool.connect()
  }

  #admit(): void {
    // A call that finds an idle connection counts as waiting until the end of the turn.
    const queued = this.#pool.waitingCount - this.#pool.idleCount
    if (queued >= this.#limits.waitingMax) throw new DatabaseBusy(this.#purpose)
  }
}
