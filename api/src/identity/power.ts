// Refuses what a key is not for, and where it may not be used from.
import { missingScope, type Scope } from '@openvenue/core/scopes'
import { Refusal } from '../http/refusals.ts'
import type { Caller } from './caller.ts'

/** Refuses a caller whose key has not the scope that is needed. */
export function requireScope({ key }: Caller, needed: Scope | 'any' = 'read'): void {
  if (needed !== 'any') requireScopes(key.scopes, [needed])
}

/** Refuses unless all of `needed` are among `held`. */
export function requireScopes(held: readonly Scope[], needed: readonly Scope[]): void {
  const missing = missingScope(needed, held)
  if (missing !== undefined) throw scopeMissing(missing, held)
}

function scopeMissing(missing: Scope, held: readonly Scope[]): Refusal {
  const code = 'SCOPE_MISSING'
  const message = `the API key has the scope ${missing} (it has ${held.join(', ')})`
  return new Refusal(code, {
    message,
    details: [{ field: 'API-KEY', code, message, nearest: missing }],
  })
}

/** The list itself is not shown: whoever is refused may have stolen the key. */
export function ipNotAllowed(address: string): Refusal {
  const code = 'IP_NOT_ALLOWED'
  const message = `the address of the caller, ${address}, is in one of the key's ip_addresses`
  return new Refusal(code, { details: [{ field: 'ip_addresses', code, message }] })
}
