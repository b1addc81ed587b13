// The caller of a request. Only the key decides; other addresses in the request are ignored.
import type { ApiKey } from '@openvenue/store/identity/identity'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../http/refusals.ts'

/** The owner of the request's key. */
export type Caller = Readonly<{
  /** Wallet, lower case. */
  account: string
  key: ApiKey
  /** True when a brand's header named the key: the client is one of the API family. */
  isLegacy?: boolean
}>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`. */
    caller?: Caller
  }
}

/** Returns the caller of an authenticated request. */
export function requireCaller(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Refusal('AUTH_REQUIRED')
  return request.caller
}
