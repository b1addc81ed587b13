// Creates a key with another key, and renames or narrows keys. A key grants no more than it has,
// and cannot change a key with more rights.
import type { ApiKey, Identity } from '@openvenue/store/identity/identity'
import type { KeyIssued } from '@openvenue/wire/api-keys'
import type { ApiKeyItem, KeyRemoved } from '@openvenue/wire/registration'
import { msToNs, Refusal } from '../http/refusals.ts'
import { fieldRefusal, invalid } from '../http/validation.ts'
import type { Clock } from '../model/clock.ts'
import { keyItem, type ListDeps, PREFIX_LENGTH, refuseUnavailable } from './api-keys.ts'
import type { Caller } from './caller.ts'
import {
  nameMissing,
  parseRights,
  type Rights,
  type RightsRequest,
  rightsWithin,
} from './key-request.ts'
import { requireScopes } from './key-scopes.ts'
import { newKey } from './new-key.ts'
import { requireSeal } from './register.ts'
import type { IdentitySettings } from './settings.ts'

/** Attempts to change a key that other requests change meanwhile. */
const LOOKS_MAX = 3
const OF_CHANGES = ['name', 'scopes', 'ip_addresses', 'expiry']
const OF_KEYS = [...OF_CHANGES, 'hmac']

type MakeDeps = Readonly<{ identity: Identity; clock: Clock; settings: IdentitySettings }>

/** Creates the key that a body requests, or refuses it. */
export async function makeKey(
  { identity, clock, settings }: MakeDeps,
  { account, key: parent }: Caller,
  body: unknown,
): Promise<KeyIssued> {
  const requested = parseRights(body, OF_KEYS)
  const { name } = requested
  if (name === undefined) throw nameMissing()
  const seal = requested.isSigning ? requireSeal(settings) : undefined
  const nowMs = clock.nowMs()
  const rights = rightsWithin(requested, parent, nowMs)
  const { key, secret, secretHash } = newKey()
  const { signingKey } = parent
  const outcome = await identity
    .issue({
      ...rights,
      key,
      secretHash,
      account,
      signingKey,
      name,
      createdMs: nowMs,
      sealedSecret: seal?.seal(secret, key),
      parent,
      keysMax: settings.keysPerAccountMax,
    })
    .catch(refuseUnavailable)
  if (outcome.result === 'parent_gone') throw new Refusal('AUTH_INVALID')
  if (outcome.result === 'full') throw keysFull(settings.keysPerAccountMax)
  return {
    api_key: key,
    api_secret: secret,
    account,
    signing_key: signingKey,
    prefix: key.slice(0, PREFIX_LENGTH),
    name,
    scopes: [...rights.scopes],
    ip_addresses: [...rights.ipAddresses],
    hmac: requested.isSigning,
    expires_timestamp: msToNs(rights.expiresMs),
  }
}

function keysFull(max: number): Refusal {
  const code = 'API_KEYS_FULL'
  const message = `API key limit reached: an account may have ${max} keys. Revoke one with DELETE /api-key`
  return new Refusal(code, { details: [{ field: 'api_key', code, message }] })
}

/** Renames or narrows the key that begins with `prefix`; returns it as the list shows it. */
export async function changeKey(
  deps: ListDeps,
  caller: Caller,
  { prefix, body }: Readonly<{ prefix: string; body: unknown }>,
): Promise<ApiKeyItem> {
  const requested = parseRights(body, OF_CHANGES)
  const { identity, clock } = deps
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const nowMs = clock.nowMs()
    const live = await identity.liveKeys(caller.account, nowMs).catch(refuseUnavailable)
    const key = findByPrefix(live, prefix)
    requireScopes(caller.key.scopes, key.scopes)
    const rights = rightsWithin(requested, key, nowMs)
    const name = requested.name ?? key.name
    const amendment = { ...rights, name, isNarrower: isNarrower(requested, rights, key) }
    const amended = await identity.amend(key, amendment, nowMs).catch(refuseUnavailable)
    if (amended !== undefined) return keyItem(amended, caller.key, deps)
  }
  return refuseUnavailable(new Error(`a key changed ${LOOKS_MAX} times during one request`))
}

/** Revokes the key that begins with `prefix`: the caller's own, or one with no more rights. */
export async function revokeByPrefix(
  { identity, clock }: Pick<ListDeps, 'identity' | 'clock'>,
  { account, key: own }: Caller,
  prefix: string,
): Promise<KeyRemoved> {
  const nowMs = clock.nowMs()
  const live = await identity.liveKeys(account, nowMs).catch(refuseUnavailable)
  const { key, scopes } = findByPrefix(live, prefix)
  if (key !== own.key) requireScopes(own.scopes, scopes)
  // If another request has revoked it meanwhile, it is gone as well.
  await identity.revoke(account, key, nowMs).catch(refuseUnavailable)
  return { success: true }
}

/** Returns the only key that begins with `prefix`. */
function findByPrefix(live: readonly ApiKey[], prefix: string): ApiKey {
  const matches =
    prefix.length < PREFIX_LENGTH ? [] : live.filter(({ key }) => key.startsWith(prefix))
  const [first, second] = matches
  if (second !== undefined)
    throw fieldRefusal([invalid('prefix', 'more characters of the key', { fault: 'is ambiguous' })])
  if (first !== undefined) return first
  const code = 'API_KEY_NOT_FOUND'
  const message = `prefix is unknown: expected the first ${PREFIX_LENGTH} characters of a live key`
  throw new Refusal(code, { details: [{ field: 'prefix', code, message }] })
}

const isNarrower = (
  { expiry }: RightsRequest,
  { scopes, ipAddresses }: Rights,
  before: ApiKey,
): boolean =>
  expiry !== undefined ||
  scopes.join() !== before.scopes.join() ||
  ipAddresses.join() !== before.ipAddresses.join()
