// The single writing session and its owner. A process takes the writer's lease, which depends on
// its beats, and then an advisory lock on its writing session. A process that hangs loses its turn
// and cannot write later: its session is ended before another one has the lock (decision 0027).
import { setTimeout as delay } from 'node:timers/promises'
import { LEASE_BEAT_MS, LEASE_ENDED_MS, type Lease, type TakeLease } from '@openvenue/runtime/lease'
import type { Client, ClientBase } from 'pg'
import {
  type DbSession,
  prepareText,
  SESSION_SETTINGS,
  type Sql,
  scriptText,
  type Transaction,
} from './db.ts'
import {
  createSession,
  postgresLeases,
  queryInTime,
  type Sightings,
  WATCHED_SOCKET,
  watchServer,
} from './postgres-lease.ts'
import { settings } from './postgres-pools.ts'
import { createSql, createView } from './postgres-rows.ts'
import { runScript } from './postgres-script.ts'
import { judgeServer, SERVER_STATE, type Servers } from './servers.ts'

/** Advisory lock of the writer. */
const WRITER_LOCK = 0x6f76_656e
const LEASE_NAME = 'writer'
/**
 * How long a writer waits for a stalled database: waiting is cheaper than reloading the state, and
 * safe since no other process can write while its session lives.
 */
const SILENCE_MS_MAX = 10_000
/**
 * The same for its lease between loading the state and the next commit: processing a large state
 * may delay beats for longer than usual. Replacing the process would not help, since the next one
 * would take as long.
 */
const LOADING_MS_MAX = 60_000
/** Renewal of the lease while loading, so that the long limit ends soon after the load. */
const LOADING_BEAT_MS = 200
/**
 * Time after which a writer that cannot regain its lease gives up its session, and silence after
 * which a new session fails.
 */
const DOUBT_MS_MAX = 10_000
/** Pause between attempts to take a lost lease, or a lock that is being freed. */
const RETRY_MS = 100
/** An ended session frees its lock within this time; otherwise the next attempt waits for it. */
const FREED_MS_MAX = 2000
/** The server undoes a transaction that is idle between statements for this long. */
const IDLE_MS_MAX = 60_000
/** Time for the server to close a connection. */
const CLOSE_MS_MAX = 1000

/** Rows that are still to be read may wait as long as a load: a successor ends the session. */
const WRITER_SETTINGS = `${SESSION_SETTINGS} ${WATCHED_SOCKET};
  SET tcp_user_timeout = ${LOADING_MS_MAX}; SET jit = off;
  SET idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`

/** Ends the session with the lock, whose 64-bit key takes two columns. */
const END_HOLDER = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND classid = 0 AND objid = ${WRITER_LOCK} AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted`

type SessionOptions = Readonly<{
  lost: () => void
  check: (sql: Sql) => Promise<void>
  sightings: Sightings
}>

/** Opens a session like `Db.session`; `check` runs on it first. */
export async function openSession(
  servers: Servers,
  { lost, check, sightings }: SessionOptions,
): Promise<DbSession | undefined> {
  const loading = { isLoading: true }
  const takeLease = postgresLeases(servers, settings(servers, 'writer lease'), sightings, {
    silenceMsMax: SILENCE_MS_MAX,
    endedMs: () => (loading.isLoading ? LOADING_MS_MAX : LEASE_ENDED_MS),
    beatMs: () => (loading.isLoading ? LOADING_BEAT_MS : LEASE_BEAT_MS),
  })
  const lease = await takeLease(LEASE_NAME)
  if (lease === undefined) return undefined
  const { client, close } = await connect(servers).catch(async (error) => {
    await lease.release()
    throw error
  })
  try {
    if (await isLocked(client, lease)) {
      await check(createSql(client, DOUBT_MS_MAX))
      await queryInTime(client, WRITER_SETTINGS)
      const watch = await watchServer(client, sightings)
      const session = Object.assign(loading, { client, close, lease, takeLease, watch })
      return startSession(session, lost)
    }
  } catch (error) {
    close()
    await lease.release()
    throw error
  }
  close()
  await lease.release()
  return undefined
}

const connect = (servers: Servers) =>
  servers.attempt(async (server) => {
    const session = createSession(server, settings(servers, 'writer'))
    try {
      await session.client.connect()
      const [state] = await queryInTime(session.client, `SELECT ${SERVER_STATE}`)
      judgeServer(server, state)
      return session
    } catch (error) {
      session.close()
      throw error
    }
  })

/** Takes the lock, if necessary from a session whose process has lost the lease. */
async function isLocked(client: Client, lease: Lease): Promise<boolean> {
  const startMs = performance.now()
  while (lease.isHeld() && performance.now() - startMs < FREED_MS_MAX) {
    const [row] = await queryInTime(client, `SELECT pg_try_advisory_lock(${WRITER_LOCK}) AS taken`)
    if (row?.taken === 't') return true
    await queryInTime(client, END_HOLDER)
    await delay(RETRY_MS)
  }
  return false
}

type OpenWriter = Readonly<{
  client: Client
  close: () => void
  lease: Lease
  takeLease: TakeLease
  /** Ends the session once the URL leads to another server. */
  watch: Awaited<ReturnType<typeof watchServer>>
}> & {
  /** The state was loaded, and nothing was committed since. */
  isLoading: boolean
}

function startSession(writerTurn: OpenWriter, lost: () => void): DbSession {
  const { client, close } = writerTurn
  const ending = new AbortController()
  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    lost()
  }
  client.on('error', end)
  client.on('end', end)
  void writerTurn.watch(close, ending.signal)
  const leaseIsOver = keepLease(writerTurn, ending.signal).finally(close)
  return {
    prepare: async (statements) =>
      void (await client.query(`DEALLOCATE ALL;${statements.map(prepareText).join('')}`)),
    run: (steps) => {
      writerTurn.isLoading = false
      return runScript(client, steps)
    },
    transaction: (work) => {
      writerTurn.isLoading = true
      return inTransaction(client, () => work(createTransaction(client)))
    },
    isOpen: () => !ending.signal.aborted,
    close: async () => {
      await Promise.race([client.end(), delay(CLOSE_MS_MAX, undefined, { ref: false })])
      end()
      await leaseIsOver
    },
  }
}

/**
 * Holds the lease until `ended`, then releases it. Returns earlier when the session must not be
 * used any more, since the owner of the lease was unknown for too long.
 */
async function keepLease({ lease, takeLease }: OpenWriter, ended: AbortSignal): Promise<void> {
  let current: Lease | undefined = lease
  while (current !== undefined) {
    await Promise.race([current.lost, aborted(ended)])
    if (ended.aborted) return current.release()
    current = await retakeLease(takeLease, ended)
  }
}

async function retakeLease(takeLease: TakeLease, ended: AbortSignal): Promise<Lease | undefined> {
  const startMs = performance.now()
  while (!ended.aborted && performance.now() - startMs < DOUBT_MS_MAX) {
    // While the database is unreachable, writers learn it from the session. While the lease is
    // taken, either its last session has not ended yet, or another process has it and will end
    // ours.
    const lease = await takeLease(LEASE_NAME).catch(() => undefined)
    if (lease !== undefined) return lease
    await delay(RETRY_MS, undefined, { ref: false })
  }
  return undefined
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A lost connection ends the transaction, and the first error is more useful.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

const createTransaction = (client: Client): Transaction => ({
  ...createView(client),
  run: async (calls) => void (await client.query(scriptText(calls))),
})
