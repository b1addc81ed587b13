// Writes the refusals of the sockets.
import { SOCKET_CODES, type SocketCode } from '@openvenue/wire/socket'
import type { CloseReason } from './socket.ts'

export type Id = number | string | undefined
export type Rejected = Readonly<{ channel: string; code: SocketCode }>
type Problem = Readonly<{
  message?: string | undefined
  retryAfterMs?: number
  rejected?: readonly Rejected[]
}>
export type Failure = Problem & Readonly<{ id?: Id; code: SocketCode; channel?: string }>

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

/** Returns the text of a refusal; `id` and `channel` where there is one. */
export const failureText = ({ id, code, channel, message, retryAfterMs, rejected }: Failure) =>
  JSON.stringify({
    id,
    data: { success: false, code, message: message ?? SOCKET_CODES[code], retryAfterMs },
    error: code,
    channel,
    rejected,
  })

/** The failure sent before a connection ends, besides the reason in its last frame. */
const CLOSE_MESSAGES: Readonly<Partial<Record<CloseReason, Failure>>> = {
  SLOW_CONSUMER: { code: 'SLOW_CONSUMER' },
  SHUTDOWN: { code: 'SERVER_STOPPING' },
  RATE_LIMIT_EXCEEDED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'too many messages: the connection ends, see retryAfterMs',
  },
}

/** Returns the text of what a client hears before its connection ends, if it does. */
export function closeText(reason: CloseReason, retryAfterMs?: number): string | undefined {
  const failure = CLOSE_MESSAGES[reason]
  if (failure === undefined) return undefined
  return failureText(retryAfterMs === undefined ? failure : { ...failure, retryAfterMs })
}
