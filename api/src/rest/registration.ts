// POST /register. Interface 4.5, 5.2, 5.3.
import type { RegistrationOutcome } from '@openvenue/store/identity'
import {
  type Registered,
  Registered as RegisteredSchema,
  RegisterRequest,
} from '@openvenue/wire/registration'
import { hashOf, newKey } from '../identity/new-key.ts'
import { type RegistrationRequest, registrationRequestOf } from '../identity/registration-body.ts'
import { checkSignatures } from '../identity/signatures.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { PROBLEM, type RestDeps, type Routes, TAGS } from './route.ts'

/** Life of a key whose expiry was in the past. Interface 5.3. */
const PAST_EXPIRY_LIFE_MS = 60_000
/** When to come back while the database does not answer. */
const RETRY_MS = 1000

export const registrationRoutes: Routes = (app, deps) => {
  const schema = {
    tags: TAGS.registration,
    summary: 'Register a signing key and issue an API key, whose secret is shown once',
    body: RegisterRequest,
    response: { 201: RegisteredSchema, '4xx': PROBLEM, '5xx': PROBLEM },
  }
  const options = {
    schema,
    config: { bucket: 'register' },
    validatorCompiler: describedOnly,
  } as const
  withExactBodies(app, (scope) => {
    scope.post('/register', options, async (request, reply) => {
      const wanted = registrationRequestOf(request.body)
      await checkSignatures(deps.accounts, wanted)
      const issued = await register(deps, wanted)
      return reply.code(201).header('cache-control', 'no-store').send(issued)
    })
  })
}

async function register(
  { accounts: { identity, settings }, clock }: RestDeps,
  wanted: RegistrationRequest,
): Promise<Registered> {
  const { account, signingKey, inviteCode, accountSignature, signingKeySignature, ...rest } = wanted
  const { key, secret, secretHash } = newKey()
  const nowMs = clock.nowMs()
  const expiresMs = expiryMs(wanted.expiry, nowMs, settings.keyTtlMaxSeconds)
  const outcome = await identity
    .register({
      ...rest,
      account,
      signingKey,
      accountSignature: accountSignature ?? '',
      signingKeySignature: signingKeySignature ?? '',
      inviteHash: inviteCode === undefined ? undefined : hashOf(inviteCode),
      isInviteOnly: settings.isInviteOnly,
      apiKey: { key, secretHash, expiresMs },
      keysMax: settings.keysPerAccountMax,
      isRelayed: false,
      nowMs,
    })
    .catch((cause: unknown) => {
      throw keysUnavailable(cause)
    })
  const { result } = outcome
  if (result === 'kept') return { account, signing_key: signingKey }
  if (result === 'relay_refused') throw new Refusal('INTERNAL_ERROR')
  if (result !== 'issued') throw new Refusal(INVITE_CODES[result], inviteDetails(result))
  return { api_key: key, api_secret: secret, account, signing_key: signingKey }
}

/** Returns when a key ends: as signed, but no later than allowed, and after a minute when past. */
export function expiryMs(expiry: bigint, nowMs: number, ttlMaxSeconds: number): number {
  const wantedMs = expiry * 1000n
  if (wantedMs <= BigInt(nowMs)) return nowMs + PAST_EXPIRY_LIFE_MS
  const latestMs = nowMs + ttlMaxSeconds * 1000
  return wantedMs < BigInt(latestMs) ? Number(wantedMs) : latestMs
}

type InviteResult = Exclude<RegistrationOutcome['result'], 'issued' | 'kept' | 'relay_refused'>

const INVITE_CODES = {
  invite_required: 'INVITE_REQUIRED',
  invite_invalid: 'INVITE_INVALID',
  invite_used: 'INVITE_USED',
} as const satisfies Record<InviteResult, RefusalCode>

const INVITE_RULES: Readonly<Record<InviteResult, string>> = {
  invite_required: 'invite_code is required from an account that registers for the first time',
  invite_invalid: 'invite_code is one that the operator gave out',
  invite_used: 'invite_code is one that no account has used',
}

const inviteDetails = (result: InviteResult) => ({
  details: [{ field: 'invite_code', code: INVITE_CODES[result], message: INVITE_RULES[result] }],
})

/** Returns the refusal of what the database of keys cannot do now. */
export const keysUnavailable = (cause: unknown) =>
  new Refusal('AUTH_UNAVAILABLE', {
    message: 'API keys cannot be read or written now',
    cause,
    retryAfterMs: RETRY_MS,
  })
