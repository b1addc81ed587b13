// Encodes the refusals of the sockets.
import type { Problem as ErrorBody } from '@openvenue/wire/field'
import { SERVER_SHUTDOWN, SOCKET_CODES, type SocketCode } from '@openvenue/wire/socket'
import { msToNs, type Refusal } from '../../http/refusals.ts'
import { nextRequestId } from '../../http/request-id.ts'
import type { CloseReason } from './socket.ts'

export type Id = number | string | undefined
export type RejectedChannel = Readonly<{ channel: string; code: SocketCode }>
type Problem = Readonly<{
  message?: string | undefined
  retryAfterMs?: number
  rejected?: readonly RejectedChannel[]
}>
export type SocketFault = Problem & Readonly<{ id?: Id; code: SocketCode; channel?: string }>

/** An operation refused with a code. */
export class SocketRefusal extends Error {
  override name = 'SocketRefusal'
  readonly code: SocketCode
  readonly problem: Problem

  constructor(code: SocketCode, problem: Problem = {}) {
    super(SOCKET_CODES[code])
    this.code = code
    this.problem = problem
  }
}

/** Returns the text of a refusal, with `id` and `channel` if given. */
export const failureText = ({ id, code, channel, message, retryAfterMs, rejected }: SocketFault) =>
  JSON.stringify({
    type: code === 'SERVER_STOPPING' ? SERVER_SHUTDOWN : undefined,
    id,
    data: { success: false, code, message: message ?? SOCKET_CODES[code], retryAfterMs },
    error: code,
    channel,
    rejected,
  })

/** Returns the text of a refused operation on orders, which contains the error body of REST. */
export function orderFailureText(id: Id, refusal: Refusal | SocketRefusal): string {
  const body = errorBody(refusal)
  const { error, message } = body
  const { retryAfterMs } = refusal instanceof SocketRefusal ? refusal.problem : refusal.options
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }
  return JSON.stringify({ id, data: { success: false, code: error, message, ...wait }, ...body })
}

function errorBody(refusal: Refusal | SocketRefusal): ErrorBody {
  const requestId = nextRequestId()
  if (!(refusal instanceof SocketRefusal)) return refusal.body(requestId)
  const { code, problem } = refusal
  const { message = SOCKET_CODES[code], retryAfterMs } = problem
  const wait = retryAfterMs === undefined ? {} : { retry_after: msToNs(retryAfterMs) }
  return { error: code, message, request_id: requestId, ...wait }
}

/** The failure sent before a connection ends, in addition to the reason in its last frame. */
const CLOSE_MESSAGES: Readonly<Partial<Record<CloseReason, SocketFault>>> = {
  SLOW_CONSUMER: { code: 'SLOW_CONSUMER' },
  SHUTDOWN: { code: 'SERVER_STOPPING' },
  RATE_LIMIT_EXCEEDED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'too many messages: connection closed, reconnect after retryAfterMs',
  },
}

/** Returns the text sent before a connection ends, if there is one. */
export function closeText(reason: CloseReason, retryAfterMs?: number): string | undefined {
  const failure = CLOSE_MESSAGES[reason]
  if (failure === undefined) return undefined
  return failureText(retryAfterMs === undefined ? failure : { ...failure, retryAfterMs })
}
