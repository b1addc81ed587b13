// GET /api-keys and DELETE /api-key. Interface 4.5 and 5.3.
import type { ApiKey } from '@openvenue/store/identity'
import { ApiKeys, KeyRemoval, KeyRemoved } from '@openvenue/wire/registration'
import { authenticate } from '../identity/authenticate.ts'
import { type Caller, callerOf } from '../identity/caller.ts'
import { isKeyText } from '../identity/new-key.ts'
import { membersOf } from '../identity/registration-body.ts'
import { nsOfMs, Refusal } from '../refusals.ts'
import { refusalOf } from '../validation.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { keysUnavailable } from './registration.ts'
import { answers, type RestDeps, type Routes, TAGS } from './route.ts'

/** Characters of a key that are shown: enough to tell a few apart, too few to guess the rest. */
const PREFIX_LENGTH = 8

export const apiKeyRoutes: Routes = (app, deps) => {
  const { accounts, clock } = deps
  const tags = TAGS.registration
  const onRequest = authenticate(deps)
  const list = { tags, summary: 'Live API keys of the account', response: answers(ApiKeys) }
  app.get('/api-keys', { schema: list, onRequest }, async (request): Promise<ApiKeys> => {
    const { account, key } = callerOf(request)
    const live = await accounts.identity.liveKeys(account, clock.nowMs()).catch(refuse)
    return { api_keys: live.map((each) => listed(each, key, deps)) }
  })
  const schema = {
    tags,
    summary: 'Revoke one API key, or all of the account',
    body: KeyRemoval,
    response: answers(KeyRemoved),
  }
  const options = { schema, onRequest, validatorCompiler: describedOnly }
  withExactBodies(app, (scope) => {
    scope.delete('/api-key', options, (request) => remove(deps, callerOf(request), request.body))
  })
}

const listed = (key: ApiKey, current: ApiKey, { keys }: RestDeps) => {
  const lastUsedMs = keys.lastUsedMs(key)
  return {
    prefix: key.key.slice(0, PREFIX_LENGTH),
    created_timestamp: nsOfMs(key.createdMs),
    expires_timestamp: nsOfMs(key.expiresMs),
    last_used_timestamp: lastUsedMs === undefined ? null : nsOfMs(lastUsedMs),
    is_current: key.key === current.key,
  }
}

async function remove(
  { accounts: { identity }, clock }: RestDeps,
  { account, key }: Caller,
  body: unknown,
): Promise<KeyRemoved> {
  const { all, api_key: named } = membersOf(body ?? {})
  const nowMs = clock.nowMs()
  if (all === true) {
    const revoked = await identity.revokeAll(account, nowMs).catch(refuse)
    return { success: true, revoked: revoked.length }
  }
  const wanted = named ?? key.key
  if (typeof wanted !== 'string') throw notText()
  if (!isKeyText(wanted)) throw notFound()
  if (await identity.revoke(account, wanted, nowMs).catch(refuse)) return { success: true }
  throw notFound()
}

const refuse = (cause: unknown): never => {
  throw keysUnavailable(cause)
}

const notText = () =>
  refusalOf([{ field: 'api_key', code: 'INVALID_PARAMETER', message: 'api_key is text' }])

function notFound(): Refusal {
  const code = 'API_KEY_NOT_FOUND'
  const message = 'api_key is a live key of the account'
  return new Refusal(code, { details: [{ field: 'api_key', code, message }] })
}
