// Authenticates a connection: by the operation `auth`, or by the member `auth` of any other.
// Interface 3.4 and 5.4.
import { missingScope } from '@openvenue/core/scopes'
import { type OrderOperation, SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import { isInNetworks } from '../../http/networks.ts'
import type { Caller } from '../../identity/caller.ts'
import type { SignedFault } from '../../identity/key-checks.ts'
import type { Connection } from '../session/connection.ts'
import { OPERATION_MS_MAX } from '../session/deadlines.ts'
import type { Sessions } from '../session/sessions.ts'
import { CREDENTIAL_LENGTH_MAX } from '../session/socket-limits.ts'
import { SocketRefusal } from '../session/socket-refusal.ts'
import { signedText } from './message.ts'

const NS_PER_MS = 1_000_000n

type Members = Readonly<Record<string, unknown>>
type Fault = SignedFault | 'IP_NOT_ALLOWED'
/** Returns who proves to be the owner of a key, or why nobody does. */
type Find = () => Promise<Caller | Fault | undefined>
/** What is signed between the timestamp and the end: `ws,op,` and the data. */
type Signed = Readonly<{ op: string; data: string }>

/**
 * Authenticates the connection and returns what makes the reply, or throws why not. That throws
 * when the identity went again before the reply goes out: AUTH_EXPIRED, then success, would be a
 * lie.
 */
export async function authenticate(sessions: Sessions, connection: Connection, data: unknown) {
  const caller = await identify(sessions, connection, async () => {
    await countAttempt(sessions, connection)
    return proofOf(sessions, connection, { members: data, signed: { op: 'auth', data: '' } })
  }).catch((error: unknown) => {
    // Too many attempts leave the identity as it is.
    if (!(error instanceof SocketRefusal && error.code === 'AUTH_RATE_LIMITED'))
      sessions.forget(connection)
    throw error
  })
  const { account, key: apiKey } = caller
  const expires_timestamp = (BigInt(Math.trunc(apiKey.expiresMs)) * NS_PER_MS).toString()
  return () => {
    if (connection.caller !== caller) throw new SocketRefusal('AUTH_INVALID')
    return { data: { success: true, account, expires_timestamp } }
  }
}

type SignedMessage = Readonly<{ auth: unknown; op: string; data: unknown }>

/**
 * Identifies the connection by the signature that a message has beside its data, before it is
 * performed. What fails leaves the identity as it is, and counts as an attempt; so does a key that
 * this node does not know.
 */
export async function authenticateMessage(
  sessions: Sessions,
  connection: Connection,
  { auth, op, data }: SignedMessage,
): Promise<void> {
  const { key, timestamp, signature } = (auth ?? {}) as Members
  const members = { key, timestamp, signature }
  const isKnown = typeof key === 'string' && sessions.deps.keys.remembers(key)
  const signed = { op, data: data === undefined ? '' : signedText(data) }
  await identify(sessions, connection, async () => {
    if (!isKnown) await countAttempt(sessions, connection)
    return proofOf(sessions, connection, { members, signed })
  }).catch(async (error: unknown) => {
    if (isKnown) await countAttempt(sessions, connection)
    throw error
  })
}

/** Returns who asks for an operation on orders; refuses where the key is not for it. */
export function requireCallerFor(
  { caller }: Pick<Connection, 'caller'>,
  op: OrderOperation,
): Caller {
  if (caller === undefined) throw new SocketRefusal('AUTH_REQUIRED', { message: NO_CALLER })
  const needed = SOCKET_SCOPES[op]
  const { scopes } = caller.key
  if (missingScope([needed], scopes) === undefined) return caller
  const message = `the API key has the scope ${needed} (it has ${scopes.join(', ')})`
  throw new SocketRefusal('SCOPE_MISSING', { message })
}
const NO_CALLER = 'operations on orders are by an API key: authenticate first'

type Proof = Readonly<{ key: string; find: Find }>

/** Makes the connection that of whom a proof finds, and returns who that is; or throws. */
async function identify(
  sessions: Sessions,
  connection: Connection,
  prove: () => Promise<Proof | undefined>,
): Promise<Caller> {
  let isOver = false
  const take = (caller: Caller) => {
    if (connection.isClosed || isOver) return
    if (connection.caller?.account !== caller.account) sessions.forget(connection)
    connection.caller = caller
  }
  const found = prove().then((proof) =>
    proof === undefined ? undefined : sessions.keys.check(proof.key, proof.find, take),
  )
  const caller = await sessions.deadlines.within(OPERATION_MS_MAX, found).catch((error) => {
    // A key that is found later identifies nobody.
    isOver = true
    if (error instanceof SocketRefusal) throw error
    sessions.failed(error)
    throw new SocketRefusal('AUTH_UNAVAILABLE')
  })
  if (typeof caller === 'object') return caller
  throw new SocketRefusal(caller ?? 'AUTH_INVALID')
}

/** Returns how the owner of a key is proved; undefined: the members prove nothing. */
function proofOf(
  { deps: { keys } }: Sessions,
  { socket }: Connection,
  { members, signed }: Readonly<{ members: unknown; signed: Signed }>,
): Proof | undefined {
  const { key, secret, timestamp, signature } = (members ?? {}) as Members
  const here = (find: Find): Find => {
    return async () => {
      const found = await find()
      const isCaller = typeof found === 'object'
      const isHere = isCaller && isInNetworks(socket.exactAddress, found.key.ipAddresses)
      return isCaller && !isHere ? 'IP_NOT_ALLOWED' : found
    }
  }
  if (!isCredential(key)) return undefined
  if (isCredential(timestamp) && isCredential(signature)) {
    const body = Buffer.from(signed.data)
    const request = { key, timestamp, signature, forms: [`ws,${signed.op}`] }
    // Looked up again after a revocation, it is the same message.
    let looks = 0
    const find: Find = () =>
      keys.checkSigned({ ...request, body: async () => body, isOnce: looks++ === 0 })
    return { key, find: here(find) }
  }
  if (!isCredential(secret) || signature !== undefined) return undefined
  return { key, find: here(() => keys.check(key, secret)) }
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

const isCredential = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= CREDENTIAL_LENGTH_MAX
