// Refuses requests outside of a key's scopes and networks.
import { missingScope, type Scope } from '@openvenue/core/scopes'
import { Refusal } from '../http/refusals.ts'
import type { Caller } from './caller.ts'
import type { SignedFault } from './key-checks.ts'
import { CLOCK_SKEW_MS_MAX } from './request-signature.ts'

/** Refuses a caller whose key lacks the needed scope. */
export function requireScope({ key }: Caller, needed: Scope | 'any' = 'read'): void {
  if (needed !== 'any') requireScopes(key.scopes, [needed])
}

/** Refuses unless all of `needed` are among `held`. */
export function requireScopes(keyScopes: readonly Scope[], needed: readonly Scope[]): void {
  const missing = missingScope(needed, keyScopes)
  if (missing !== undefined) throw scopeMissing(missing, keyScopes)
}

function scopeMissing(missing: Scope, keyScopes: readonly Scope[]): Refusal {
  const code = 'SCOPE_MISSING'
  const message = `API key lacks the scope ${missing}: its scopes are ${keyScopes.join(', ')}`
  return new Refusal(code, {
    message,
    details: [{ field: 'API-KEY', code, message, nearest: missing }],
  })
}

/** Returns the refusal of a signed request, which does not reveal whether the key exists. */
export function signedRefusal(code: SignedFault): Refusal {
  const [field, message] = SIGNED_RULES[code]
  return new Refusal(code, { details: [{ field, code, message }] })
}

const SIGNED_RULES: Readonly<Record<SignedFault, readonly [field: string, message: string]>> = {
  AUTH_INVALID: [
    'API-SIGNATURE',
    'API-SIGNATURE is invalid: expected hex HMAC-SHA256 of key,timestamp,METHOD,path,body ' +
      '(comma-separated) with the secret of a live key created with hmac true',
  ],
  AUTH_TIMESTAMP_INVALID: [
    'API-TIMESTAMP',
    `API-TIMESTAMP is out of range: expected nanoseconds within ${CLOCK_SKEW_MS_MAX / 1000} s of GET /time`,
  ],
  AUTH_REPLAYED: [
    'API-SIGNATURE',
    'API-SIGNATURE was already used: sign again with a new API-TIMESTAMP',
  ],
}

/** The list is not returned, because the key may be stolen. */
export function ipNotAllowed(address: string): Refusal {
  const code = 'IP_NOT_ALLOWED'
  const message = `IP address is not allowed: got ${address}, expected one of the key's ip_addresses`
  return new Refusal(code, { details: [{ field: 'ip_addresses', code, message }] })
}
