// POST /register. Interface 4.5, 5.2, 5.3.
import { Registered, RegisterRequest } from '@openvenue/wire/registration'
import type { RefusalCode } from '../http/refusals.ts'
import { registerKey } from '../identity/register.ts'
import { boundedCalls } from '../identity/wallet-calls.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type Routes, TAGS } from './route.ts'

/** Refusal codes apart from those of the body. */
const REFUSES: readonly RefusalCode[] = [
  'MISSING_PARAMETER',
  'MALFORMED_ADDRESS',
  'KEY_EXPIRY_PASSED',
  'SIGNATURE_NOT_ON_CHAIN',
  'ON_CHAIN_NOT_OFFERED',
  'HMAC_NOT_OFFERED',
  'INVALID_SIGNATURE',
  'SIGNATURES_USED',
  'INVITE_REQUIRED',
  'INVITE_INVALID',
  'INVITE_USED',
  'KEY_TAKEN',
  'KEY_REVOKED',
  'ON_CHAIN_REFUSED',
  'AUTH_UNAVAILABLE',
  'CHAIN_UNAVAILABLE',
]

export const registrationRoutes: Routes<'identity' | 'settings' | 'clock' | 'history' | 'call'> = (
  host,
  deps,
) => {
  const schema = {
    tags: TAGS.registration,
    summary: 'Register a signing key and issue an API key, whose secret is shown once',
    body: RegisterRequest,
    response: { 201: Registered },
  }
  const limited = { ...deps, call: boundedCalls(deps.call) }
  const options = {
    schema,
    config: { bucket: 'register', isOffChain: true, refuses: REFUSES },
    validatorCompiler: describedOnly,
  } as const
  withExactBodies(host, (scope) => {
    scope.post('/register', options, async (request, reply) => {
      const issued = await registerKey(limited, request.body)
      return reply.code(201).header('cache-control', 'no-store').send(issued)
    })
  })
}
