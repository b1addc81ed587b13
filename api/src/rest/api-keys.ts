// GET /api-keys and DELETE /api-key. Interface 4.5 and 5.3.
import type { ApiKey } from '@openvenue/store/identity'
import { KEPT_FINISHED_MS, type KeyRelay } from '@openvenue/store/key-relays'
import { ApiKeys, KeyRemoval, KeyRemoved, RELAYS_MAX } from '@openvenue/wire/registration'
import { answers } from '../http/answer.ts'
import { msToNs, Refusal, type RefusalCode } from '../http/refusals.ts'
import { fieldRefusal } from '../http/validation.ts'
import { type Caller, requireCaller } from '../identity/caller.ts'
import { isKeyText } from '../identity/new-key.ts'
import { revokedByWallet } from '../identity/on-chain.ts'
import { flagIn, requireMembers } from '../identity/registration-body.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { keysUnavailable } from './registration.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

/** Characters of a key that are shown: enough to distinguish a few, too few to guess the rest. */
const PREFIX_LENGTH = 8
const REFUSES: readonly RefusalCode[] = [
  'API_KEY_NOT_FOUND',
  'ON_CHAIN_NOT_OFFERED',
  'ON_CHAIN_REVOKE_BY_WALLET',
]

export const apiKeyRoutes: Routes<KeyParts | 'keyRelays' | 'keys' | 'authenticate'> = (
  host,
  deps,
) => {
  const { identity, keyRelays, clock, authenticate: onRequest } = deps
  const tags = TAGS.registration
  const list = { tags, summary: 'Live API keys of the account', response: answers(ApiKeys) }
  const listOptions = { schema: list, onRequest, config: { isOffChain: true } }
  host.get('/api-keys', listOptions, async (request): Promise<ApiKeys> => {
    const { account, key } = requireCaller(request)
    const nowMs = clock.nowMs()
    const [live, relays] = await Promise.all([
      identity.liveKeys(account, nowMs),
      keyRelays.ofWallet(account, RELAYS_MAX),
    ]).catch(refuse)
    return {
      api_keys: live.map((each) => listed(each, key, deps)),
      on_chain: relays.filter((relay) => isRemembered(relay, nowMs)).map(relayItem),
    }
  })
  const schema = {
    tags,
    summary: 'Revoke one API key, or all of the account',
    body: KeyRemoval,
    response: answers(KeyRemoved),
  }
  const config = { isOffChain: true, refuses: REFUSES }
  const options = { schema, config, onRequest, validatorCompiler: describedOnly }
  withExactBodies(host, (scope) => {
    scope.delete('/api-key', options, (request) =>
      remove(deps, requireCaller(request), request.body),
    )
  })
}

type KeyParts = 'identity' | 'clock' | 'settings'

const listed = (key: ApiKey, current: ApiKey, { keys }: Parts<'keys'>) => {
  const lastUsedMs = keys.lastUsedMs(key)
  return {
    prefix: key.key.slice(0, PREFIX_LENGTH),
    signing_key: key.signingKey,
    created_timestamp: msToNs(key.createdMs),
    expires_timestamp: msToNs(key.expiresMs),
    last_used_timestamp: lastUsedMs === undefined ? null : msToNs(lastUsedMs),
    is_current: key.key === current.key,
  }
}

/** Those that ended are deleted when others come, which may be later. */
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

async function remove(deps: Parts<KeyParts>, caller: Caller, body: unknown): Promise<KeyRemoved> {
  const members = requireMembers(body ?? {})
  const { all, api_key: named } = members
  const isOnChain = flagIn(members, 'on_chain')
  const { account, key } = caller
  const { identity, clock } = deps
  const nowMs = clock.nowMs()
  if (isOnChain) {
    const wanted = all === true ? undefined : keyText(named, key)
    throw revokedByWallet(deps, await readSigningKeys(deps, account, wanted))
  }
  if (all === true) {
    const revoked = await identity.revokeAll(account, nowMs).catch(refuse)
    return { success: true, revoked: revoked.length }
  }
  const wanted = keyText(named, key)
  if (await identity.revoke(account, wanted, nowMs).catch(refuse)) return { success: true }
  throw notFound()
}

/** Returns the signing key of one live API key of the account, or those of all. */
async function readSigningKeys(
  { identity, clock }: Parts<KeyParts>,
  account: string,
  wanted: string | undefined,
): Promise<readonly string[]> {
  const live = await identity.liveKeys(account, clock.nowMs()).catch(refuse)
  const chosen = live.filter(({ key }) => wanted === undefined || key === wanted)
  if (chosen.length === 0) throw notFound()
  return chosen.map(({ signingKey }) => signingKey)
}

/** Returns the key that a body names, by default the one of the request. */
function keyText(named: unknown, current: ApiKey): string {
  const wanted = named ?? current.key
  if (typeof wanted !== 'string') throw notText()
  if (!isKeyText(wanted)) throw notFound()
  return wanted
}

const refuse = (cause: unknown): never => {
  throw keysUnavailable(cause)
}

const notText = () =>
  fieldRefusal([{ field: 'api_key', code: 'INVALID_PARAMETER', message: 'api_key is text' }])

function notFound(): Refusal {
  const code = 'API_KEY_NOT_FOUND'
  const message = 'api_key is a live key of the account'
  return new Refusal(code, { details: [{ field: 'api_key', code, message }] })
}
