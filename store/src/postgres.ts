// PostgreSQL over the network: one pool for what is new, one for history, one session that writes.
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolConfig,
  Query,
  type QueryArrayConfig,
  type QueryConfig,
} from 'pg'
import {
  type Db,
  type Param,
  prepareText,
  type Row,
  SESSION_SETTINGS,
  type Session,
  type Sql,
  scriptOf,
  type Transaction,
  type View,
} from './db.ts'
import { postgresLeases } from './postgres-lease.ts'
import { PostgresListener } from './postgres-listener.ts'
import { runScript } from './postgres-script.ts'

/** Connections of one process that read, to each of primary and replica. */
const READERS_MAX = 8
/** Waiting longer for a connection is a database that is down. */
const CONNECT_MS_MAX = 3000
/** A query that takes longer is ended: nothing that a request asks for needs it. */
const QUERY_MS_MAX = 10_000
/** The same for reads of whole tables, and for the other statements of their transaction. */
const LOAD_MS_MAX = 30_000
/** A server that should have ended a query by itself and says nothing for so much longer is gone. */
const GRACE_MS = 1000
/** Silence after which a connection is probed: one that broke without a word is noticed. */
const PROBE_MS = 10_000
/** A database that takes longer to say that it is there is not there. */
const PING_MS_MAX = 1000
/** Names the advisory lock that the writer holds. */
const WRITER_LOCK = 0x6f76_656e

const asText = (value: string) => value
const types = { getTypeParser: () => asText } as unknown as NonNullable<ClientConfig['types']>

const settings = (connectionString: string, purpose: string): PoolConfig => ({
  connectionString,
  types,
  application_name: `openvenue ${purpose}`,
  connectionTimeoutMillis: CONNECT_MS_MAX,
  keepAlive: true,
  keepAliveInitialDelayMillis: PROBE_MS,
})

/**
 * Opens `url` for writes and news, `readUrl` for history; connections are made as needed. A query
 * fails after `queryMsMax`, also when the server does not answer at all.
 */
export function openPostgres(
  url: string,
  readUrl: string | undefined,
  queryMsMax = QUERY_MS_MAX,
): Db {
  const primary = poolOf(url, 'feed', queryMsMax)
  const replica = readUrl === undefined ? primary : poolOf(readUrl, 'history', queryMsMax)
  const waitMs = queryMsMax + GRACE_MS
  const listener = new PostgresListener(settings(url, 'listener') as ClientConfig)
  return {
    engine: 'postgres',
    primary: sqlOf(primary, waitMs),
    replica: sqlOf(replica, waitMs),
    readTransaction: (work) =>
      onOneConnection(replica, BEGIN_READING, (client) => work(viewOf(client, BEGIN_READING[1]))),
    writeTransaction: (work) =>
      onOneConnection(primary, ['BEGIN', waitMs], (client) => work(sqlOf(client, waitMs))),
    script: (text) => runAlone(primary, text),
    session: (lost) => openSession(url, lost),
    listen: (channel, hear) => listener.listen(channel, hear),
    lease: postgresLeases(settings(url, 'lease') as ClientConfig),
    ping: async () => {
      await ping(primary)
      if (replica !== primary) await ping(replica)
    },
    close: async () => {
      listener.close()
      await primary.end()
      if (replica !== primary) await replica.end()
    },
  }
}

function poolOf(url: string, purpose: string, queryMsMax: number): Pool {
  const pool = new Pool({
    ...settings(url, purpose),
    max: READERS_MAX,
    statement_timeout: queryMsMax,
  })
  // The pool has already dropped the connection; whoever asks next gets the error that matters.
  pool.on('error', () => {})
  return pool
}

const ping = async (pool: Pool) =>
  void (await pool.query({ text: 'SELECT 1', query_timeout: PING_MS_MAX } as QueryConfig))

/** Statement names by text. Texts are constants of this package, so there are few. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `read_${names.size}`
  names.set(text, name)
  return name
}

/** The driver gives up after `query_timeout`; undefined: never. Its types do not know it. */
type Waiting = Readonly<{ query_timeout: number | undefined }>

const configOf = (text: string, params: readonly Param[], waitMs?: number) =>
  ({
    name: nameOf(text),
    text,
    values: [...params],
    rowMode: 'array',
    query_timeout: waitMs,
  }) satisfies QueryArrayConfig & Waiting

const sqlOf = (runner: Pick<Pool | ClientBase, 'query'>, waitMs?: number): Sql => ({
  query: async (text, params: readonly Param[] = []) => {
    const result = await runner.query(configOf(text, params, waitMs))
    return result.rows as unknown as Row[]
  },
})

const viewOf = (client: ClientBase, waitMs?: number): View => ({
  ...sqlOf(client, waitMs),
  each: (text, params, take) =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = { query_timeout: waitMs }
      const query = Object.assign(new Query(configOf(text, params)), waiting)
      // The driver must not be left in the middle of an answer.
      let failure: unknown
      query.on('row', (row: Row) => {
        try {
          take(row)
        } catch (error) {
          failure ??= error
        }
      })
      query.on('end', () => (failure === undefined ? resolve() : reject(failure)))
      query.on('error', reject)
      client.query(query)
    }),
})

/** Text that begins a transaction, and how long a statement of it is waited for. */
type Begin = readonly [text: string, waitMs: number]

/**
 * The lock comes before the view: a wipe, whose TRUNCATE heeds no older view, waits for us or we
 * for it.
 */
const BEGIN_READING: Begin = [
  `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${LOAD_MS_MAX};
  LOCK TABLE checkpoint IN ACCESS SHARE MODE`,
  LOAD_MS_MAX + GRACE_MS,
]

async function onOneConnection<T>(
  pool: Pool,
  [begin, waitMs]: Begin,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const run = (text: string) => client.query({ text, query_timeout: waitMs } as QueryConfig)
  try {
    await run(begin)
    const result = await work(client)
    await run('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Closes the connection, and with it the transaction: it may be the reason.
    client.release(true)
    throw error
  }
}

/** Runs statements that may take as long as they need. */
async function runAlone(pool: Pool, text: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query(text)
  } finally {
    // What was set goes with the connection.
    client.release(true)
  }
}

async function openSession(url: string, lost: () => void): Promise<Session | undefined> {
  const client = new Client(settings(url, 'writer') as ClientConfig)
  let isOpen = true
  const end = () => {
    if (isOpen) lost()
    isOpen = false
  }
  client.on('error', end)
  client.on('end', end)
  await client.connect()
  const lock = await client.query(`SELECT pg_try_advisory_lock(${WRITER_LOCK}) AS taken`)
  if (lock.rows[0]?.taken !== 't') {
    isOpen = false
    await client.end()
    return undefined
  }
  await client.query(SESSION_SETTINGS)
  return {
    prepare: async (statements) =>
      void (await client.query(`DEALLOCATE ALL;${statements.map(prepareText).join('')}`)),
    run: (steps) => runScript(client, steps),
    transaction: (work) => inTransaction(client, () => work(transactionOf(client))),
    isOpen: () => isOpen,
    close: () => client.end(),
  }
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // When the connection is gone, so is the transaction, and the first error says more.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

const transactionOf = (client: Client): Transaction => ({
  ...viewOf(client),
  run: async (calls) => void (await client.query(scriptOf(calls))),
})
