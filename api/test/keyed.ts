// Keys of accounts, issued through the store: for tests that need a caller.
import type { ApiKey } from '@openvenue/store/identity/identity'
import type { Store } from '@openvenue/store/store'
import { newKey } from '../src/identity/new-key.ts'

/** Lifetime of an issued key, ms. */
const LIFE_MS = 3_600_000

export type IssuedKey = Readonly<{
  key: string
  secret: string
  /** Headers of a request. */
  headers: Readonly<{ 'api-key': string; 'api-secret': string }>
}>

/** Issues a key with fewer rights to `wallet`. */
export async function issueNarrowKey(
  store: Pick<Store, 'identity'>,
  wallet: string,
  nowMs: number,
  rights: Partial<Pick<ApiKey, 'name' | 'scopes' | 'ipAddresses'>>,
): Promise<IssuedKey> {
  const issued = await issueKey(store, wallet, nowMs)
  const found = await store.identity.find(issued.key, nowMs)
  if (found === undefined) throw new Error('a key is live as soon as it is issued')
  await store.identity.amend(found, { ...found, ...rights, isNarrower: true }, nowMs)
  return issued
}

/** Issues a key to `wallet` that lives `lifeMs` from `nowMs` on, an hour by default. */
export async function issueKey(
  store: Pick<Store, 'identity'>,
  wallet: string,
  nowMs: number,
  lifeMs = LIFE_MS,
): Promise<IssuedKey> {
  const { key, secret, secretHash } = newKey()
  const expiresMs = nowMs + lifeMs
  await store.identity.register({
    account: wallet.toLowerCase(),
    signingKey: `0x${'51'.repeat(20)}`,
    // Unique, because each key needs its own pair of signatures.
    expiry: BigInt(`0x${key}`),
    referralCode: undefined,
    inviteHash: undefined,
    isInviteOnly: false,
    apiKey: { key, secretHash, expiresMs },
    isKeyKept: false,
    keysMax: 5,
    relayed: undefined,
    nowMs,
  })
  return { key, secret, headers: { 'api-key': key, 'api-secret': secret } }
}
