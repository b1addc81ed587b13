// A lease as an advisory lock of PostgreSQL on its own session, which ends with the process.
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createLease,
  LEASE_BEAT_MS,
  LEASE_ENDED_MS,
  LEASE_SILENCE_MS_MAX,
  type Lease,
  type LeaseWait,
  type TakeLease,
} from '@openvenue/runtime/lease'
import { Client, type ClientConfig, type QueryConfig } from 'pg'
import type { Sql } from './db.ts'
import { type DbServer, judgeServer, SERVER_STATE, type Servers } from './servers.ts'

/** First half of the lock's key; the second is a hash of the lease's name. */
const LEASE_LOCK = 0x6f76_6c65
/** Lets the server detect that a holder behind a seemingly open connection is gone. */
export const WATCHED_SOCKET = `SET tcp_keepalives_idle = ${LEASE_ENDED_MS / 1000 - 1};
  SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 1; SET tcp_user_timeout = ${LEASE_ENDED_MS}`
/** Timeout of a trivial statement, after which the server counts as gone. */
const ANSWER_MS_MAX = 3000

/** Time for the server to close a connection. */
const CLOSE_MS_MAX = 1000

type LeaseSession = Readonly<{ client: Client; close: () => void }>

type LeaseTimes = Readonly<{
  /** A holder without an answer for this long no longer holds the lease. */
  silenceMsMax: number
  /** The database ends the session of a holder this long after its last beat. */
  endedMs: () => number
  /** The next renewal is after this time. */
  beatMs: () => number
}>

/** A server process, by its number and start. */
type Backend = Readonly<{ pid: string; started: string }>
const BACKEND = 'pid::text, extract(epoch FROM backend_start)::text AS started'

/** Checks in intervals whether a URL still leads to the server of a session. */
export type Sightings = Readonly<{
  everyMs: number
  isSeen: (backend: Backend) => Promise<boolean>
}>

/** Returns a function that looks for a backend over the pooled connections of `sql`. */
export const createSight =
  (sql: Sql): Sightings['isSeen'] =>
  async ({ pid, started }) => {
    const text = `SELECT 1 FROM (SELECT ${BACKEND} FROM pg_stat_activity) AS backend
      WHERE pid = $1 AND started = $2`
    return (await sql.query(text, [pid, started])).length > 0
  }

const TIMES: LeaseTimes = {
  silenceMsMax: LEASE_SILENCE_MS_MAX,
  endedMs: () => LEASE_ENDED_MS,
  beatMs: () => LEASE_BEAT_MS,
}

/** Returns leases in the database of `servers`. */
export const postgresLeases =
  (servers: Servers, config: ClientConfig, sightings: Sightings, times = TIMES): TakeLease =>
  (name, wait) =>
    servers.attempt(async (server) => {
      const session = createSession(server, config)
      try {
        await session.client.connect()
        const isFree = await isTaken(session.client, { server, name, times })
        if (isFree || (await isTakenLater(session, name, wait))) {
          await queryInTime(session.client, WATCHED_SOCKET)
          return keepLease(session, times, await watchServer(session.client, sightings))
        }
      } catch (error) {
        session.close()
        throw error
      }
      session.close()
      return undefined
    })

/** Returns an unconnected client. It ends with its socket: a silent server cannot block it. */
export function createSession({ url }: DbServer, config: ClientConfig): LeaseSession {
  const socket = new Socket()
  const client = new Client({ ...config, connectionString: url, stream: () => socket })
  client.on('error', () => {})
  return { client, close: () => void socket.destroy() }
}

/** Returns the rows of a trivial statement; throws when the server does not answer in time. */
export async function queryInTime(client: Client, text: string, values: readonly string[] = []) {
  const query: QueryConfig & QueryTimeout = {
    text,
    values: [...values],
    query_timeout: ANSWER_MS_MAX,
  }
  const { rows } = await client.query(query)
  return rows
}

type QueryTimeout = Readonly<{ query_timeout: number }>

type LeaseRequest = Readonly<{ server: DbServer; name: string; times: LeaseTimes }>

async function isTaken(client: Client, { server, name, times }: LeaseRequest): Promise<boolean> {
  // A lease of a standby would not exclude the holder of the primary's.
  const text = `SELECT ${SERVER_STATE}, set_config('idle_session_timeout', $2, false),
    (NOT pg_is_in_recovery() AND pg_try_advisory_lock(${LEASE_LOCK}, hashtext($1)))::text AS taken`
  const [row] = await queryInTime(client, text, [name, String(times.endedMs())])
  judgeServer(server, row)
  return row?.taken === 'true'
}

/** PostgreSQL's code for a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Waits for the lock in the database, so that a standby need not poll. */
async function isTakenLater({ client, close }: LeaseSession, name: string, wait?: LeaseWait) {
  if (wait === undefined || wait.signal.aborted) return false
  const { waitMs, signal } = wait
  signal.addEventListener('abort', close, { once: true })
  try {
    await queryInTime(client, `SET lock_timeout = ${waitMs}`)
    const text = `SELECT pg_advisory_lock(${LEASE_LOCK}, hashtext($1))`
    await client.query({
      text,
      values: [name],
      query_timeout: waitMs + ANSWER_MS_MAX,
    } as QueryConfig)
    return !signal.aborted
  } catch (error) {
    if (signal.aborted || (error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  } finally {
    signal.removeEventListener('abort', close)
  }
}

const endedAfter = (ms: number) => `SET idle_session_timeout = ${ms}`

/** Returns a function that calls `lost` once the URL leads to another server than `client`'s. */
export async function watchServer(client: Client, { everyMs, isSeen }: Sightings) {
  const text = `SELECT ${BACKEND} FROM pg_stat_activity WHERE pid = pg_backend_pid()`
  const [backend] = (await queryInTime(client, text)) as Backend[]
  if (backend === undefined) throw new Error('the server does not show this session')
  return async (lost: () => void, stopped: AbortSignal) => {
    while (!stopped.aborted) {
      await delay(everyMs, undefined, { ref: false, signal: stopped }).catch(() => {})
      // While the pool fails, nothing is known.
      if (!stopped.aborted && !(await isSeen(backend).catch(() => true))) lost()
    }
  }
}

type ServerWatch = Awaited<ReturnType<typeof watchServer>>

function keepLease(
  { client, close }: LeaseSession,
  { silenceMsMax, endedMs, beatMs }: LeaseTimes,
  watch: ServerWatch,
): Lease {
  const stopping = new AbortController()
  // A process that was suspended and resumes must not trust its old state.
  let heardMs = performance.now()
  const { lease, end } = createLease(
    async () => {
      stopping.abort()
      // The server frees the lock before it closes the connection: the next holder need not wait.
      const freed = beating.then(() => client.end())
      await Promise.race([freed.catch(() => {}), delay(CLOSE_MS_MAX, undefined, { ref: false })])
      close()
    },
    () => performance.now() - heardMs < silenceMsMax,
  )
  client.on('error', end)
  client.on('end', end)
  const over = new AbortController()
  void lease.lost.then(() => over.abort())
  void watch(close, over.signal)
  const recordAnswer = (askedMs: number) => {
    heardMs = askedMs
  }
  const beat = () => ({
    text: endedAfter(endedMs()),
    query_timeout: silenceMsMax - LEASE_BEAT_MS,
  })
  const beating = keepAlive(client, { recordAnswer, beat, beatMs }, stopping.signal).then(() => {
    end()
    if (!stopping.signal.aborted) close()
  })
  return lease
}

type Heartbeat = Readonly<{
  recordAnswer: (askedMs: number) => void
  beat: () => QueryConfig & QueryTimeout
  beatMs: LeaseTimes['beatMs']
}>

/** Polls the server; `recordAnswer` receives the time at which an answered poll was sent. */
async function keepAlive(
  client: Client,
  { recordAnswer, beat, beatMs }: Heartbeat,
  stopped: AbortSignal,
): Promise<void> {
  try {
    while (!stopped.aborted) {
      const askedMs = performance.now()
      await client.query(beat())
      recordAnswer(askedMs)
      await delay(beatMs(), undefined, { ref: false, signal: stopped })
    }
  } catch {
    // After silence, an error or the end, the lease is no longer certain.
  }
}
