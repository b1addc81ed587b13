// Lists and revokes the API keys of an account. Interface 4.5 and 5.3.
import { missingScope, SCOPES } from '@openvenue/core/scopes'
import type { ApiKey, Identity } from '@openvenue/store/identity/identity'
import {
  KEPT_FINISHED_MS,
  type KeyRelay,
  type KeyRelays,
} from '@openvenue/store/identity/key-relays'
import {
  type ApiKeyItem,
  type ApiKeys,
  type KeyRemoved,
  RELAYS_MAX,
} from '@openvenue/wire/registration'
import { msToNs, Refusal } from '../http/refusals.ts'
import { fieldRefusal, invalid } from '../http/validation.ts'
import type { Clock } from '../model/clock.ts'
import type { Caller } from './caller.ts'
import type { KeyChecks } from './key-checks.ts'
import { requireScopes } from './key-scopes.ts'
import { isKeyText } from './new-key.ts'
import { revokedByWallet } from './on-chain.ts'
import { keysUnavailable } from './register.ts'
import { flagIn, requireMembers } from './registration-body.ts'
import type { IdentitySettings } from './settings.ts'

/** Characters of a key that lists show: enough to distinguish a few, too few to guess the rest. */
export const PREFIX_LENGTH = 8

type Keys = Readonly<{ identity: Identity; clock: Clock }>
export type ListDeps = Keys &
  Readonly<{ keyRelays: Pick<KeyRelays, 'ofWallet'>; keys: Pick<KeyChecks, 'lastUsedMs'> }>

/** Returns the live keys of the caller's account, and its pending registrations. */
export async function listKeys(deps: ListDeps, { account, key }: Caller): Promise<ApiKeys> {
  const { identity, keyRelays, clock } = deps
  const nowMs = clock.nowMs()
  const [live, relays] = await Promise.all([
    identity.liveKeys(account, nowMs),
    keyRelays.ofWallet(account, RELAYS_MAX),
  ]).catch(refuseUnavailable)
  return {
    api_keys: live.map((each) => keyItem(each, key, deps)),
    on_chain: relays.filter((relay) => isRemembered(relay, nowMs)).map(relayItem),
  }
}

/** Returns a key as an item of the list. */
export const keyItem = (key: ApiKey, current: ApiKey, { keys }: ListDeps): ApiKeyItem => {
  const lastUsedMs = keys.lastUsedMs(key)
  return {
    prefix: key.key.slice(0, PREFIX_LENGTH),
    name: key.name ?? null,
    scopes: [...key.scopes],
    ip_addresses: [...key.ipAddresses],
    hmac: key.sealedSecret !== undefined,
    signing_key: key.signingKey,
    created_timestamp: msToNs(key.createdMs),
    expires_timestamp: msToNs(key.expiresMs),
    last_used_timestamp: lastUsedMs === undefined ? null : msToNs(lastUsedMs),
    is_current: key.key === current.key,
  }
}

/** Ended ones are deleted when others arrive, which may be later. */
const isRemembered = ({ status, updatedMs }: KeyRelay, nowMs: number) =>
  status === 'pending' || status === 'sent' || updatedMs > nowMs - KEPT_FINISHED_MS

const relayItem = (relay: KeyRelay): ApiKeys['on_chain'][number] => ({
  signing_key: relay.signingKey,
  expiry: relay.expiry.toString(),
  status: relay.status,
  transaction_hash: relay.txHash ?? null,
  reason: relay.reason ?? null,
  created_timestamp: msToNs(relay.createdMs),
  timestamp: msToNs(relay.updatedMs),
})

/**
 * Revokes the keys that the body of a removal names, or throws the refusal. Every key may revoke
 * itself, and others with no more rights.
 */
export async function revokeKeys(
  deps: Keys & Readonly<{ settings: IdentitySettings }>,
  caller: Caller,
  body: unknown,
): Promise<KeyRemoved> {
  const members = requireMembers(body ?? {})
  const { all, api_key: named } = members
  const isOnChain = flagIn(members, 'on_chain')
  const { account, key } = caller
  const { identity, clock } = deps
  const nowMs = clock.nowMs()
  if (isOnChain) {
    const keyToRevoke = all === true ? undefined : keyText(named, key)
    throw revokedByWallet(deps, await readSigningKeys(deps, account, keyToRevoke))
  }
  if (all === true) {
    requireScopes(key.scopes, SCOPES)
    const revoked = await identity.revokeAll(account, nowMs).catch(refuseUnavailable)
    return { success: true, revoked: revoked.length }
  }
  const revokedKey = keyText(named, key)
  await requireOver(deps, caller, revokedKey)
  if (await identity.revoke(account, revokedKey, nowMs).catch(refuseUnavailable))
    return { success: true }
  throw notFound()
}

/** Refuses a key with more rights than the caller's. */
async function requireOver(
  { identity, clock }: Keys,
  { account, key }: Caller,
  keyToRevoke: string,
) {
  if (keyToRevoke === key.key || missingScope(SCOPES, key.scopes) === undefined) return
  const live = await identity.liveKeys(account, clock.nowMs()).catch(refuseUnavailable)
  const target = live.find((each) => each.key === keyToRevoke)
  if (target === undefined) throw notFound()
  requireScopes(key.scopes, target.scopes)
}

/** Returns the signing key of one live API key of the account, or those of all. */
async function readSigningKeys(
  { identity, clock }: Keys,
  account: string,
  named: string | undefined,
): Promise<readonly string[]> {
  const live = await identity.liveKeys(account, clock.nowMs()).catch(refuseUnavailable)
  const chosen = live.filter(({ key }) => named === undefined || key === named)
  if (chosen.length === 0) throw notFound()
  return chosen.map(({ signingKey }) => signingKey)
}

/** Returns the key that a body names, by default the one of the request. */
function keyText(named: unknown, current: ApiKey): string {
  const keyName = named ?? current.key
  if (typeof keyName !== 'string') throw notText()
  if (!isKeyText(keyName)) throw notFound()
  return keyName
}

export const refuseUnavailable = (cause: unknown): never => {
  throw keysUnavailable(cause)
}

const notText = () => fieldRefusal([invalid('api_key', 'text')])

function notFound(): Refusal {
  const code = 'API_KEY_NOT_FOUND'
  const message = 'api_key is unknown: expected a live key of the account'
  return new Refusal(code, { details: [{ field: 'api_key', code, message }] })
}
