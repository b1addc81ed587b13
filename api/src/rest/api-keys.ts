// GET, POST and PATCH /api-keys, and DELETE /api-key. Interface 4.5 and 5.3.
import { KeyChange, KeyIssued, KeyRequest } from '@openvenue/wire/api-keys'
import { pathSchema } from '@openvenue/wire/pagination'
import { ApiKeyItem, ApiKeys, KeyRemoval, KeyRemoved } from '@openvenue/wire/registration'
import { answers } from '../http/answer.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { listKeys, revokeKeys } from '../identity/api-keys.ts'
import { requireCaller } from '../identity/caller.ts'
import { changeKey, makeKey, revokeByPrefix } from '../identity/change-keys.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type Routes, TAGS } from './route.ts'

const REFUSES: readonly RefusalCode[] = [
  'API_KEY_NOT_FOUND',
  'ON_CHAIN_NOT_OFFERED',
  'ON_CHAIN_REVOKE_BY_WALLET',
]
const MAKING_REFUSES: readonly RefusalCode[] = [
  'MISSING_PARAMETER',
  'KEY_EXPIRY_PASSED',
  'HMAC_NOT_OFFERED',
  'API_KEYS_FULL',
]

const PREFIX_WORDS = 'Beginning of the key: 8 characters or more.'

type KeyParts = 'identity' | 'clock' | 'settings' | 'keyRelays' | 'keys' | 'authenticate'

export const apiKeyRoutes: Routes<KeyParts> = (host, deps) => {
  const { authenticate: onRequest } = deps
  const tags = TAGS.registration
  const list = { tags, summary: 'Live API keys of the account', response: answers(ApiKeys) }
  const listOptions = { schema: list, onRequest, config: { isOffChain: true } }
  host.get('/api-keys', listOptions, (request) => listKeys(deps, requireCaller(request)))
  const schema = {
    tags,
    summary: 'Revoke one API key, or all of the account',
    body: KeyRemoval,
    response: answers(KeyRemoved),
  }
  // A key with few scopes may still revoke itself, and create one with no more scopes.
  const config = { isOffChain: true, refuses: REFUSES, scope: 'any' } as const
  const options = { schema, config, onRequest, validatorCompiler: describedOnly }
  withExactBodies(host, (scope) => {
    scope.delete('/api-key', options, (request) =>
      revokeKeys(deps, requireCaller(request), request.body),
    )
  })
  addMaking(host, deps)
}

const addMaking: Routes<KeyParts> = (host, deps) => {
  const shared = { onRequest: deps.authenticate, validatorCompiler: describedOnly }
  const config = { isOffChain: true, scope: 'any' } as const
  const make = {
    tags: TAGS.registration,
    summary:
      'Create another API key for the account, with no more rights than the key of the request',
    body: KeyRequest,
    response: { 201: KeyIssued },
  }
  const making = { ...shared, schema: make, config: { ...config, refuses: MAKING_REFUSES } }
  const change = {
    tags: TAGS.registration,
    summary: 'Rename an API key, or narrow its rights',
    params: pathSchema({ prefix: PREFIX_WORDS }),
    body: KeyChange,
    response: answers(ApiKeyItem),
  }
  const refuses: RefusalCode[] = ['API_KEY_NOT_FOUND', 'KEY_EXPIRY_PASSED']
  const revoke = {
    tags: TAGS.registration,
    summary: 'Revoke an API key by its prefix, as shown in the list of keys',
    params: pathSchema({ prefix: PREFIX_WORDS }),
    response: answers(KeyRemoved),
  }
  const revoking = { ...config, refuses: ['API_KEY_NOT_FOUND'] as RefusalCode[] }
  withExactBodies(host, (scope) => {
    scope.post('/api-keys', making, async (request, reply) =>
      reply.code(201).send(await makeKey(deps, requireCaller(request), request.body)),
    )
    scope.delete(
      '/api-keys/:prefix',
      { onRequest: deps.authenticate, schema: revoke, config: revoking },
      (request) => {
        const { prefix } = request.params as Readonly<{ prefix: string }>
        return revokeByPrefix(deps, requireCaller(request), prefix)
      },
    )
    const options = { ...shared, schema: change, config: { ...config, refuses } }
    scope.patch('/api-keys/:prefix', options, (request) => {
      const { prefix } = request.params as Readonly<{ prefix: string }>
      return changeKey(deps, requireCaller(request), { prefix, body: request.body })
    })
  })
}
