// Lets a request through that comes with a live key and its secret. Interface 5.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { RestDeps } from '../rest/route.ts'
import { isAddress } from './address.ts'
import type { Caller } from './caller.ts'

/** When to come back with a key that the database could not be asked about. */
const RETRY_MS = 1000

/**
 * Returns the hook of routes that need a key. Refuses with 401 without a valid one; then, where the
 * path has an `address`, with 400 when it is none and 403 when it is not the key's account.
 */
export function authenticate(deps: RestDeps) {
  const { keys, accounts } = deps
  const namePairs = headerNames(accounts.settings.headerBrands)
  return async (request: FastifyRequest) => {
    const caller = await callerBy(keys, keyAndSecret(request, namePairs))
    request.caller = caller
    checkAddress(request, caller)
  }
}

type HeaderPair = readonly [key: string, secret: string]

/** Our own names first, then those of each brand. Interface 5.1. */
const headerNames = (brands: readonly string[]): readonly HeaderPair[] =>
  ['api', ...brands.map((brand) => brand.toLowerCase())].map((brand) => [
    `${brand}-key`,
    `${brand}-secret`,
  ])

/** Returns key and secret from the first pair of headers that is there as a whole. */
function keyAndSecret({ headers }: FastifyRequest, pairs: readonly HeaderPair[]): HeaderPair {
  for (const [keyName, secretName] of pairs) {
    const key = headers[keyName]
    const secret = headers[secretName]
    if (typeof key === 'string' && typeof secret === 'string' && key !== '' && secret !== '')
      return [key, secret]
  }
  throw new Refusal('AUTH_REQUIRED')
}

async function callerBy(keys: RestDeps['keys'], [key, secret]: HeaderPair): Promise<Caller> {
  const caller = await keys.check(key, secret).catch((cause: unknown) => {
    throw new Refusal('AUTH_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })
  })
  if (caller === undefined) throw new Refusal('AUTH_INVALID')
  return caller
}

function checkAddress(request: FastifyRequest, { account }: Caller): void {
  const { address } = request.params as Readonly<Record<string, string | undefined>>
  if (address === undefined) return
  if (!isAddress(address)) {
    const code = 'MALFORMED_ADDRESS'
    const message = 'address is 0x and 40 hex digits'
    throw new Refusal(code, { details: [{ field: 'address', code, message }] })
  }
  if (address.toLowerCase() !== account) throw new Refusal('FORBIDDEN_ACCOUNT')
}
