// Holds what a key may do against what the program was started for.
import type { Rest, shapes } from 'openvenue'
import { RefusedError } from 'openvenue'
import type { Power } from './options.ts'
import { StartError } from './tool-error.ts'

type Scope = shapes.Scope

/** What a key may have for each power. A key that can do more is a mistake, or bait. */
const ALLOWED: Readonly<Record<Power, readonly Scope[]>> = {
  read: ['read'],
  cancel: ['read', 'cancel'],
  submit: ['read', 'cancel', 'trade'],
  trade: ['read', 'cancel', 'trade'],
}

/** The account of the key; a key that does not fit what is to be done with it is refused. */
export async function checkKey(rest: Rest, power: Power): Promise<string> {
  const { api_keys } = await asked(rest.call('GET /api-keys'))
  const current = api_keys.find(({ is_current }) => is_current)
  if (current === undefined) throw new StartError('the venue does not list the key that was used')
  refuseScopes(current.scopes, power)
  const { account } = await asked(rest.call('GET /limits'))
  return account
}

function refuseScopes(scopes: readonly Scope[], power: Power): void {
  const allowed = ALLOWED[power]
  const excess = scopes.filter((scope) => !allowed.includes(scope))
  if (excess.length > 0)
    throw new StartError(
      `the API key has the scope ${excess.join(' and ')}, and this program was not started for ` +
        `that. Make one with the scopes ${allowed.join(', ')} alone: POST /api-keys; or see --help`,
    )
  const missing = allowed.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0)
    throw new StartError(`the API key has not the scope ${missing.join(' and ')}: --${power}`)
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RefusedError)
      throw new StartError(`the venue refuses the API key: ${error.message}`)
    throw error
  }
}
