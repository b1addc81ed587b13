// The one session that writes, and who has it. A process takes the writer's lease, which goes with
// its beats; then an advisory lock on the very session that it writes over. So a process that hangs
// loses its turn, and cannot write after it: its session is ended before another has the lock
// (decision 0027).
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientBase } from 'pg'
import { prepareText, SESSION_SETTINGS, type Session, scriptText, type Transaction } from './db.ts'
import { LEASE_ENDED_MS, type Lease, type TakeLease } from './lease.ts'
import { createSession, postgresLeases, queryInTime, WATCHED_SOCKET } from './postgres-lease.ts'
import { settings } from './postgres-pools.ts'
import { createView } from './postgres-rows.ts'
import { runScript } from './postgres-script.ts'

/** Names the advisory lock that the writer holds. */
const WRITER_LOCK = 0x6f76_656e
const LEASE_NAME = 'writer'
/**
 * A writer whose database stalls goes on with it: a load of the state costs more than the wait. It
 * may, since nobody can write while its session lives.
 */
const SILENCE_MS_MAX = 10_000
/**
 * The same for its lease while it has read the state and not committed since: what is made of a
 * large state may take its process longer than beats allow. Were it replaced for that, so would be
 * the next one.
 */
const LOADING_MS_MAX = 60_000
/** A writer that cannot get back a lease that it lost gives up its session after so long. */
const DOUBT_MS_MAX = 10_000
/** Between two tries for a lease that was lost, or a lock that is being freed. */
const RETRY_MS = 100
/** A session that was ended frees its lock within this, or the next try has to wait for it. */
const FREED_MS_MAX = 2000
/** A transaction between whose statements the process does nothing for so long is undone. */
const IDLE_MS_MAX = 60_000
/** How long a server has to say goodbye. */
const CLOSE_MS_MAX = 1000

/** Rows that it has yet to take may wait as long as a load: whoever takes over ends the session. */
const WRITER_SETTINGS = `${SESSION_SETTINGS} ${WATCHED_SOCKET};
  SET tcp_user_timeout = ${LOADING_MS_MAX}; SET jit = off;
  SET idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`

/** Ends the session that has the lock. A key of 64 bits stands in two columns. */
const END_HOLDER = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND classid = 0 AND objid = ${WRITER_LOCK} AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted`

/** Opens the session as `Db.session` says. */
export async function openSession(url: string, lost: () => void): Promise<Session | undefined> {
  const turn = { isLoading: true }
  const takeLease = postgresLeases(settings(url, 'writer lease'), {
    silenceMsMax: SILENCE_MS_MAX,
    endedMs: () => (turn.isLoading ? LOADING_MS_MAX : LEASE_ENDED_MS),
  })
  const lease = await takeLease(LEASE_NAME)
  if (lease === undefined) return undefined
  const { client, close } = createSession(settings(url, 'writer'))
  try {
    await client.connect()
    if (await isLocked(client, lease)) {
      await queryInTime(client, WRITER_SETTINGS)
      return sessionUnder(Object.assign(turn, { client, close, lease, takeLease }), lost)
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

/** Takes the lock, if need be from a session whose process no longer has the lease. */
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

type Turn = Readonly<{ client: Client; close: () => void; lease: Lease; takeLease: TakeLease }> & {
  /** The state was read, and nothing was committed since. */
  isLoading: boolean
}

function sessionUnder(turn: Turn, lost: () => void): Session {
  const { client, close } = turn
  const ending = new AbortController()
  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    lost()
  }
  client.on('error', end)
  client.on('end', end)
  const leaseIsOver = keepLease(turn, ending.signal).finally(close)
  return {
    prepare: async (statements) =>
      void (await client.query(`DEALLOCATE ALL;${statements.map(prepareText).join('')}`)),
    run: (steps) => {
      turn.isLoading = false
      return runScript(client, steps)
    },
    transaction: (work) => {
      turn.isLoading = true
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
 * Holds the lease until `ended`, then gives it back. Returns before that when the session is not to
 * be used any more: it is unknown for too long who has the lease.
 */
async function keepLease({ lease, takeLease }: Turn, ended: AbortSignal): Promise<void> {
  let held: Lease | undefined = lease
  while (held !== undefined) {
    await Promise.race([held.lost, aborted(ended)])
    if (ended.aborted) return held.release()
    held = await takenAgain(takeLease, ended)
  }
}

async function takenAgain(takeLease: TakeLease, ended: AbortSignal): Promise<Lease | undefined> {
  const startMs = performance.now()
  while (!ended.aborted && performance.now() - startMs < DOUBT_MS_MAX) {
    // While the database cannot be reached, whoever writes hears of it from the session. While the
    // lease is not free, its last session is not yet gone; or another process has it, which will
    // end ours.
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
    // When the connection is gone, so is the transaction, and the first error says more.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

const createTransaction = (client: Client): Transaction => ({
  ...createView(client),
  run: async (calls) => void (await client.query(scriptText(calls))),
})
