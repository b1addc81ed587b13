// The connections of one process to PostgreSQL, by purpose: whoever fills one pool leaves the
// others alone (decision 0027).
import { type ClientBase, type ClientConfig, Pool, type PoolConfig, type QueryConfig } from 'pg'
import { type Cell, DatabaseBusy, type Run, type Sql, type SqlCall, type SqlRow } from './db.ts'
import { createSql } from './postgres-rows.ts'

/** Of one pool. */
type Limits = Readonly<{
  connectionsMax: number
  /** Who comes when so many wait for a connection already is refused at once. */
  waitingMax: number
  /** The server ends a statement that takes longer, and a transaction that is left open so long. */
  statementMsMax: number
  /** A statement of which nothing is heard for so long has failed. Absent: `statementMsMax`. */
  silenceMsMax?: number
  /** Statements are sent at once, not each when the one before it was answered. */
  isPipelined?: boolean
  /**
   * Each text is planned once: a look at many partitions for every page would cost more than it.
   */
  isPlannedOnce?: boolean
}>

const POOLS = {
  /** News of the feed: never behind anything else. */
  feed: { connectionsMax: 2, waitingMax: 64, statementMsMax: 3000 },
  /** Keys, registrations and intents: a request without its key checked is no request. */
  keys: { connectionsMax: 4, waitingMax: 256, statementMsMax: 3000, isPipelined: true },
  /** Notifications, equity, relays: short statements on the database that takes the writes. */
  primary: { connectionsMax: 4, waitingMax: 256, statementMsMax: 10_000, isPlannedOnce: true },
  /** Pages and counts of any length. */
  history: { connectionsMax: 8, waitingMax: 64, statementMsMax: 5000, isPlannedOnce: true },
  /**
   * Whole tables, and migrations. As long as rows come it may take its time: a load that is cut
   * short would begin anew.
   */
  load: { connectionsMax: 2, waitingMax: 8, statementMsMax: 300_000, silenceMsMax: 30_000 },
} as const satisfies Record<string, Limits>

export type Purpose = keyof typeof POOLS

/** Connections of one process at most: the pools, the listener, the writer and two leases. */
export const CONNECTIONS_MAX =
  Object.values(POOLS).reduce((sum, { connectionsMax }) => sum + connectionsMax, 0) + 4

/** Waiting longer for a connection is a database that is down. */
const CONNECT_MS_MAX = 3000
/**
 * A server that should have ended a query by itself and says nothing for so much longer is gone.
 */
const GRACE_MS = 1000
/** Silence after which a connection is probed: one that broke without a word is noticed. */
const PROBE_MS = 10_000
/** A database that takes longer to say that it is there is not there. */
const PING_MS_MAX = 1000

/** To compile a plan takes longer than to run any of ours, however much the planner expects. */
const UNCOMPILED = '-c jit=off'
const PLANNED_ONCE = ' -c plan_cache_mode=force_generic_plan'

const asText = (value: string) => value
const types = { getTypeParser: () => asText } as unknown as NonNullable<ClientConfig['types']>

/** Returns what every connection has in common. */
export const settings = (connectionString: string, purpose: string): ClientConfig => ({
  connectionString,
  types,
  application_name: `openvenue ${purpose}`,
  connectionTimeoutMillis: CONNECT_MS_MAX,
  keepAlive: true,
  keepAliveInitialDelayMillis: PROBE_MS,
})

/** Other limits than those above, for tests. */
export type Given = Partial<Record<Purpose, Partial<Limits>>>

/** The connections of one purpose. They are made as needed, and closed when idle. */
export class PurposePool {
  readonly #pool: Pool
  readonly #limits: Limits
  readonly #purpose: Purpose

  constructor(url: string, purpose: Purpose, given: Given = {}) {
    const limits: Limits = { ...POOLS[purpose], ...given[purpose] }
    this.#purpose = purpose
    this.#limits = limits
    const config: PoolConfig = {
      ...settings(url, purpose),
      max: limits.connectionsMax,
      pipeline: limits.isPipelined ?? false,
      statement_timeout: limits.statementMsMax,
      idle_in_transaction_session_timeout: limits.statementMsMax,
      // While the server waits for us to take what it sends, no limit of a statement counts.
      options: `${UNCOMPILED} -c tcp_user_timeout=${this.#waitMs}${limits.isPlannedOnce ? PLANNED_ONCE : ''}`,
    }
    this.#pool = new Pool(config)
    // The pool has already dropped the connection; whoever asks next gets the error that matters.
    this.#pool.on('error', () => {})
    // The same while somebody has it: what they ask for fails. An event that nobody hears would
    // end the process.
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

  /** Runs `work` on one connection, in the transaction that `begin` begins. */
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
      // Closes the connection, and with it the transaction: it may be the reason.
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
      // After a statement that fails, COMMIT undoes.
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

  /** Runs `work` on a connection of its own, whose statements may take as long as they need. */
  async alone<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      await client.query('SET statement_timeout = 0')
      return await work(async (text) => {
        // Of several statements the driver returns as many results, though its types say one.
        const results = [await client.query<Cell[]>({ text, rowMode: 'array' })].flat()
        return results.at(-1)?.rows ?? []
      })
    } finally {
      // The settings of the session go with the connection.
      client.release(true)
    }
  }

  async ping(): Promise<void> {
    this.#admit()
    await this.#pool.query({ text: 'SELECT 1', query_timeout: PING_MS_MAX } as QueryConfig)
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
    // Who finds an idle connection counts as waiting until the end of the turn.
    const waiting = this.#pool.waitingCount - this.#pool.idleCount
    if (waiting >= this.#limits.waitingMax) throw new DatabaseBusy(this.#purpose)
  }
}
