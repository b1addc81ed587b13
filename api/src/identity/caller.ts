// Who sends a request. The key decides; no header or parameter with an address is looked at.
import type { ApiKey } from '@openvenue/store/identity'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../http/refusals.ts'

/** The owner of the key that a request came with. */
export type Caller = Readonly<{
  /** Wallet, lower case. */
  account: string
  key: ApiKey
  /** The request named its key by the header of a brand: its client is of the family. */
  isLegacy?: boolean
}>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`. */
    caller?: Caller
  }
}

/** Returns the caller of a request that `authenticate` let through. */
export function requireCaller(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Refusal('AUTH_REQUIRED')
  return request.caller
}
