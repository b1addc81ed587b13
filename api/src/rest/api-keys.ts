// GET /api-keys and DELETE /api-key. Interface 4.5 and 5.3.
import { ApiKeys, KeyRemoval, KeyRemoved } from '@openvenue/wire/registration'
import { answers } from '../http/answer.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { listKeys, revokeKeys } from '../identity/api-keys.ts'
import { requireCaller } from '../identity/caller.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type Routes, TAGS } from './route.ts'

const REFUSES: readonly RefusalCode[] = [
  'API_KEY_NOT_FOUND',
  'ON_CHAIN_NOT_OFFERED',
  'ON_CHAIN_REVOKE_BY_WALLET',
]

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
  const config = { isOffChain: true, refuses: REFUSES }
  const options = { schema, config, onRequest, validatorCompiler: describedOnly }
  withExactBodies(host, (scope) => {
    scope.delete('/api-key', options, (request) =>
      revokeKeys(deps, requireCaller(request), request.body),
    )
  })
}
