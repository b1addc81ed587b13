// Authenticates a connection. Interface 3.4 and 5.4.
import type { Caller } from '../../identity/caller.ts'
import type { Connection } from '../session/connection.ts'
import { OPERATION_MS_MAX } from '../session/deadlines.ts'
import type { Sessions } from '../session/sessions.ts'
import { CREDENTIAL_LENGTH_MAX } from '../session/socket-limits.ts'
import { SocketRefusal } from '../session/socket-refusal.ts'

const NS_PER_MS = 1_000_000n

/**
 * Authenticates the connection and returns what makes the reply, or throws why not. That throws
 * when the identity went again before the reply goes out: AUTH_EXPIRED, then success, would be a
 * lie.
 */
export async function authenticate(sessions: Sessions, connection: Connection, data: unknown) {
  let isOver = false
  const identify = (caller: Caller) => {
    if (connection.isClosed || isOver) return
    if (connection.caller?.account !== caller.account) sessions.forget(connection)
    connection.caller = caller
  }
  const found = find(sessions, connection, data, identify)
  const caller = await sessions.deadlines.within(OPERATION_MS_MAX, found).catch((error) => {
    // A key that is found later identifies nobody.
    isOver = true
    throw error instanceof SocketRefusal ? error : unavailable(sessions, connection, error)
  })
  if (caller === undefined) {
    sessions.forget(connection)
    throw new SocketRefusal('AUTH_INVALID')
  }
  const { account, key: apiKey } = caller
  const expires_timestamp = (BigInt(Math.trunc(apiKey.expiresMs)) * NS_PER_MS).toString()
  return () => {
    if (connection.caller !== caller) throw new SocketRefusal('AUTH_INVALID')
    return { data: { success: true, account, expires_timestamp } }
  }
}

/** Returns whose the key is; undefined: nobody's. Throws when that cannot be known now. */
async function find(
  sessions: Sessions,
  connection: Connection,
  data: unknown,
  identify: (caller: Caller) => void,
) {
  await countAttempt(sessions, connection)
  const { key, secret } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (!isCredential(key) || !isCredential(secret)) return undefined
  return sessions.keys.check(key, secret, identify)
}

/** Refuses the attempt when there were too many; the identity stays as it is. Section 8. */
async function countAttempt(sessions: Sessions, connection: Connection): Promise<void> {
  const { consume, clock } = sessions.deps
  const waitMs = connection.attempts.take(clock.monotonicMs())
  if (waitMs > 0) throw new SocketRefusal('AUTH_RATE_LIMITED', { retryAfterMs: waitMs })
  const verdict = await consume('socket-auth', connection.socket.address, 1)
  if (!verdict.allowed)
    throw new SocketRefusal('AUTH_RATE_LIMITED', { retryAfterMs: Math.ceil(verdict.resetMs) })
}

function unavailable(sessions: Sessions, connection: Connection, error: unknown): SocketRefusal {
  sessions.failed(error)
  sessions.forget(connection)
  return new SocketRefusal('AUTH_UNAVAILABLE')
}

const isCredential = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= CREDENTIAL_LENGTH_MAX
