// How the sockets say no.
import { SOCKET_CODES, type SocketCode } from '@openvenue/wire/socket'

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
