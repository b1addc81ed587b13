// Compares the scopes of the key with the level that the program was started for.
import type { Rest, shapes } from 'openvenue'
import { RefusedError } from 'openvenue'
import type { Power } from './options.ts'
import { StartError } from './tool-error.ts'

type KeyScope = shapes.Scope

/** Scopes that a key may have at each level. A key with more is refused as a mistake or a trap. */
const ALLOWED: Readonly<Record<Power, readonly KeyScope[]>> = {
  read: ['read'],
  cancel: ['read', 'cancel'],
  submit: ['read', 'cancel', 'trade'],
  trade: ['read', 'cancel', 'trade'],
}

/** Returns the account of the key. Throws if the scopes of the key do not match the level. */
export async function checkKey(rest: Rest, power: Power): Promise<string> {
  const { api_keys } = await explainRefusal(rest.call('GET /api-keys'))
  const current = api_keys.find(({ is_current }) => is_current)
  if (current === undefined) throw new StartError('the venue does not list the API key in use')
  refuseScopes(current.scopes, power)
  const { account } = await explainRefusal(rest.call('GET /limits'))
  return account
}

function refuseScopes(scopes: readonly KeyScope[], power: Power): void {
  const allowed = ALLOWED[power]
  const excess = scopes.filter((scope) => !allowed.includes(scope))
  if (excess.length > 0)
    throw new StartError(
      `API key scopes: got ${excess.join(' and ')}, which exceeds the level of this program. ` +
        `Create a key with only ${allowed.join(', ')} (POST /api-keys), or see --help`,
    )
  const missing = allowed.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0)
    throw new StartError(`API key scopes: ${missing.join(' and ')} missing, required by --${power}`)
}

async function explainRefusal<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RefusedError)
      throw new StartError(`the venue refused the API key: ${error.message}`)
    throw error
  }
}
