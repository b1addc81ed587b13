// Stands for the answers of the second pages until the first question, which loads them.
import { once } from '../once.ts'
import type { Handlers } from '../requests.ts'
import type { PageRequests } from './page-protocol.ts'
import type { PageParts } from './page-requests.ts'

const NAMES: readonly (keyof PageRequests)[] = [
  ...(['readPortfolio', 'exportPortfolio', 'lookAt', 'readFaucet'] as const),
  ...(['readKeys', 'makeKey', 'revokeKey', 'revokeAllKeys', 'revokeSigningKey'] as const),
  ...(['allowVenue', 'revokeCanceller'] as const),
  ...(['readAccounts', 'openSubAccount', 'moveMoney', 'actAs'] as const),
]

/** Returns handlers of which each loads them all, once. */
export function lateHandlers(parts: PageParts): Handlers<PageRequests> {
  const load = once(async () => (await import('./page-requests.ts')).pageHandlers(parts))
  const late = (name: keyof PageRequests) => async (data: never) => (await load())[name](data)
  return Object.fromEntries(NAMES.map((name) => [name, late(name)])) as never
}
