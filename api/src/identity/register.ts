// Registers a signing key and issues an API key, or refuses. Interface 4.5, 5.2, 5.3.
import type { Identity, RegistrationResult } from '@openvenue/store/identity/identity'
import {
  type KeyRelay,
  WALLET_DAILY_MAX,
  WALLET_UNFINISHED_MAX,
} from '@openvenue/store/identity/key-relays'
import type { Registered } from '@openvenue/wire/registration'
import { Refusal, type RefusalCode } from '../http/refusals.ts'
import type { Clock } from '../model/clock.ts'
import { checkChainSignatures } from './chain-signatures.ts'
import { hashText, newKey } from './new-key.ts'
import { type ContractForm, keyRevoked, requireFit } from './on-chain.ts'
import { parseRegistration, type RegistrationRequest } from './registration-body.ts'
import type { SecretSeal } from './secret-seal.ts'
import type { IdentitySettings } from './settings.ts'
import { checkSignatures, type SignatureDeps } from './signatures.ts'

/** Lifetime of a key whose expiry was in the past. Interface 5.3. */
const PAST_EXPIRY_LIFE_MS = 60_000
/** Retry-After while the database does not answer. */
const RETRY_MS = 1000
/** Retry-After while too many registrations wait for the chain: the keeper sends some a second. */
const RELAY_RETRY_MS = 60_000

type RegisterDeps = SignatureDeps & Readonly<{ identity: Identity; clock: Clock }>

/** Returns the answer to a registration, or throws the refusal. */
export async function registerKey(deps: RegisterDeps, body: unknown): Promise<Registered> {
  const registration = parseRegistration(body)
  if (registration.isOnChain) requireFit(deps, registration, deps.clock.nowMs())
  if (registration.isSigning) requireSeal(deps.settings)
  await checkSignatures(deps, registration)
  const form = registration.isOnChain ? await checkChainSignatures(deps, registration) : undefined
  return issueKey(deps, registration, form)
}

async function issueKey(
  { identity, settings, clock }: RegisterDeps,
  registration: RegistrationRequest,
  relayed: ContractForm | undefined,
): Promise<Registered> {
  const { account, signingKey, expiry, inviteCode, referralCode, isKeyKept } = registration
  const { key, secret, secretHash } = newKey()
  const sealedSecret = registration.isSigning ? requireSeal(settings).seal(secret, key) : undefined
  const nowMs = clock.nowMs()
  const expiresMs = expiryMs(registration.expiry, nowMs, settings.keyTtlMaxSeconds)
  const outcome = await identity
    .register({
      account,
      signingKey,
      expiry,
      referralCode,
      isKeyKept,
      relayed,
      inviteHash: inviteCode === undefined ? undefined : hashText(inviteCode),
      isInviteOnly: settings.isInviteOnly,
      apiKey: { key, secretHash, expiresMs, sealedSecret },
      keysMax: settings.keysPerAccountMax,
      nowMs,
    })
    .catch((cause: unknown) => {
      throw keysUnavailable(cause)
    })
  if (!('relay' in outcome)) throw refuseOutcome(outcome)
  const registered = { account, signing_key: signingKey, ...onChainStatus(outcome.relay) }
  return outcome.result === 'kept'
    ? registered
    : { api_key: key, api_secret: secret, ...registered }
}

/** Returns the seal of secrets, or refuses keys that need it. */
export function requireSeal({ secretSeal }: Pick<IdentitySettings, 'secretSeal'>): SecretSeal {
  if (secretSeal !== undefined) return secretSeal
  const code = 'HMAC_NOT_OFFERED'
  const message =
    'hmac is not supported: expected false, since the operator has not set KEY_ENCRYPTION_KEY'
  throw new Refusal(code, { details: [{ field: 'hmac', code, message, nearest: 'false' }] })
}

function refuseOutcome(outcome: RegistrationRefusal): Refusal {
  switch (outcome.result) {
    case 'relay_refused':
      return relayRefusals[outcome.refused]()
    case 'key_revoked':
      return keyRevoked()
    case 'signatures_used':
      return signaturesUsed()
    default:
      return new Refusal(INVITE_CODES[outcome.result], inviteDetails(outcome.result))
  }
}

function signaturesUsed(): Refusal {
  const code = 'SIGNATURES_USED'
  const message =
    'account_signature and signing_key_signature were already used: sign again with another expiry'
  return new Refusal(code, { details: [{ field: 'account_signature', code, message }] })
}

const onChainStatus = (relay: KeyRelay | undefined): Pick<Registered, 'on_chain'> =>
  relay === undefined
    ? {}
    : { on_chain: { status: relay.status, transaction_hash: relay.txHash ?? null } }

const relayRefusals = {
  wallet_full: () =>
    new Refusal('RATE_LIMIT_EXCEEDED', {
      message: `Too many pending registrations: an account may have ${WALLET_UNFINISHED_MAX} pending, and ${WALLET_DAILY_MAX} per day`,
      retryAfterMs: RELAY_RETRY_MS,
    }),
  full: () =>
    new Refusal('CHAIN_UNAVAILABLE', {
      message: 'Registration queue is full',
      retryAfterMs: RELAY_RETRY_MS,
    }),
} as const

/** Returns when a key ends: as signed, but no later than allowed, and after a minute if past. */
function expiryMs(expiry: bigint, nowMs: number, ttlMaxSeconds: number): number {
  const wantedMs = expiry * 1000n
  if (wantedMs <= BigInt(nowMs)) return nowMs + PAST_EXPIRY_LIFE_MS
  const latestMs = nowMs + ttlMaxSeconds * 1000
  return wantedMs < BigInt(latestMs) ? Number(wantedMs) : latestMs
}

type RegistrationRefusal = Exclude<RegistrationResult, Readonly<{ relay: unknown }>>
type InviteResult = Extract<RegistrationRefusal['result'], `invite_${string}`>

const INVITE_CODES = {
  invite_required: 'INVITE_REQUIRED',
  invite_invalid: 'INVITE_INVALID',
  invite_used: 'INVITE_USED',
} as const satisfies Record<InviteResult, RefusalCode>

const INVITE_RULES: Readonly<Record<InviteResult, string>> = {
  invite_required: 'invite_code is required for the first registration of an account',
  invite_invalid: 'invite_code is invalid: expected a code from the operator',
  invite_used: 'invite_code is already used: expected an unused code',
}

const inviteDetails = (result: InviteResult) => ({
  details: [{ field: 'invite_code', code: INVITE_CODES[result], message: INVITE_RULES[result] }],
})

/** Returns the refusal when the database of keys does not answer. */
export const keysUnavailable = (cause: unknown) =>
  new Refusal('AUTH_UNAVAILABLE', {
    message: 'API keys are temporarily unavailable',
    cause,
    retryAfterMs: RETRY_MS,
  })
