// Authenticates a connection: by the operation `auth`, or by the member `auth` of any other.
// Interface 3.4 and 5.4.
import { missingScope } from '@openvenue/core/scopes'
import { type OrderOperation, SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import { isInNetworks } from '../../http/networks.ts'
import type { Caller } from '../../identity/caller.ts'
import type { SignedFault } from '../../identity/key-checks.ts'
import type { Members } from '../../identity/registration-body.ts'
import type { Connection } from '../session/connection.ts'
import { OPERATION_MS_MAX } from '../session/deadlines.ts'
import type { Sessions } from '../session/sessions.ts'
import { CREDENTIAL_LENGTH_MAX } from '../session/socket-limits.ts'
import { SocketRefusal } from '../session/socket-refusal.ts'
import { signedText } from './message.ts'

const NS_PER_MS = 1_000_000n

type SignatureFault = SignedFault | 'IP_NOT_ALLOWED'
/** Looks up the owner of a key: the caller, a fault, or undefined when the proof is wrong. */
type FindOwner = () => Promise<Caller | SignatureFault | undefined>
/** The signed text between the timestamp and the end: `ws,op,` and the data. */
type SignedOperation = Readonly<{ op: string; data: string }>

/**
 * Authenticates the connection and returns a function that builds the reply, or throws the refusal.
 * The function throws when the identity was lost before the reply is sent, so that success never
 * follows AUTH_EXPIRED.
 */
export async function authenticate(sessions: Sessions, connection: Connection, data: unknown) {
  const caller = await identify(sessions, connection, async () => {
    await countAttempt(sessions, connection)
    return proofOf(sessions, connection, { members: data, signed: { op: 'auth', data: '' } })
  }).catch((error: unknown) => {
    // Too many attempts leave the identity unchanged.
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

/**
 * Identifies the connection by the signature beside a message's data, before the operation is
 * performed. A failure leaves the identity unchanged and counts as an attempt, also for a key
 * unknown to this node.
 */
export async function authenticateMessage(
  sessions: Sessions,
  connection: Connection,
  { auth, op, data }: Readonly<{ auth: unknown; op: string; data: unknown }>,
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

/** Returns the caller of an operation on orders; refuses a key without the scope for it. */
export function requireCallerFor(
  { caller }: Pick<Connection, 'caller'>,
  op: OrderOperation,
): Caller {
  if (caller === undefined) throw new SocketRefusal('AUTH_REQUIRED', { message: NO_CALLER })
  const needed = SOCKET_SCOPES[op]
  const { scopes } = caller.key
  if (missingScope([needed], scopes) === undefined) return caller
  const message = `API key lacks the scope ${needed}: its scopes are ${scopes.join(', ')}`
  throw new SocketRefusal('SCOPE_MISSING', { message })
}
const NO_CALLER = 'Authentication required: order operations need an API key'

type Proof = Readonly<{ key: string; find: FindOwner }>

/** Gives the connection the identity that a proof yields, and returns it; or throws. */
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
  const checked = prove().then((proof) => {
    if (proof === undefined) return undefined
    const check = () => sessions.keys.check(proof.key, proof.find, take)
    // The key of another connection is in memory.
    return sessions.deps.keys.remembers(proof.key) ? check() : sessions.authentications.run(check)
  })
  const caller = await sessions.deadlines.within(OPERATION_MS_MAX, checked).catch((error) => {
    // A key that is found after this does not identify the connection.
    isOver = true
    if (error instanceof SocketRefusal) throw error
    sessions.failed(error)
    throw new SocketRefusal('AUTH_UNAVAILABLE')
  })
  if (typeof caller === 'object') return caller
  const code = caller ?? 'AUTH_INVALID'
  const { exactAddress: address, transport } = connection.socket
  // The limits of attempts and messages bound the lines.
  sessions.deps.loginFailed?.({ code, address, transport })
  throw new SocketRefusal(code)
}

/** Returns how to prove the owner of a key; undefined when the members contain no proof. */
function proofOf(
  { deps: { keys } }: Sessions,
  { socket }: Connection,
  { members, signed }: Readonly<{ members: unknown; signed: SignedOperation }>,
): Proof | undefined {
  const { key, secret, timestamp, signature } = (members ?? {}) as Members
  const here = (find: FindOwner): FindOwner => {
    return async () => {
      const caller = await find()
      const isCaller = typeof caller === 'object'
      const isHere = isCaller && isInNetworks(socket.exactAddress, caller.key.ipAddresses)
      return isCaller && !isHere ? 'IP_NOT_ALLOWED' : caller
    }
  }
  if (!isCredential(key)) return undefined
  if (isCredential(timestamp) && isCredential(signature)) {
    const body = Buffer.from(signed.data)
    const request = { key, timestamp, signature, forms: [`ws,${signed.op}`] }
    // A repeated lookup after a revocation is still the same message.
    let looks = 0
    const find: FindOwner = () =>
      keys.checkSigned({ ...request, body: async () => body, isOnce: looks++ === 0 })
    return { key, find: here(find) }
  }
  if (!isCredential(secret) || signature !== undefined) return undefined
  return { key, find: here(() => keys.check(key, secret)) }
}

/** Refuses too many attempts; the identity stays unchanged. Section 8. */
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
