// Signs requests as a client of the API family, with a signing key.
import { createHmac, randomBytes } from 'node:crypto'
import type { Store } from '@openvenue/store/store'
import { newKey } from '../src/identity/new-key.ts'
import { SecretSeal } from '../src/identity/secret-seal.ts'
import { issueKey } from './keyed.ts'

export const TEST_SEAL = new SecretSeal(randomBytes(32))

export type SigningKey = Readonly<{ key: string; secret: string }>

/** Issues a key to `wallet` that can sign, sealed by TEST_SEAL. */
export async function issueSigningKey(
  store: Pick<Store, 'identity'>,
  wallet: string,
  nowMs: number,
): Promise<SigningKey> {
  const parent = await issueKey(store, wallet, nowMs)
  const found = await store.identity.find(parent.key, nowMs)
  if (found === undefined) throw new Error('a key is live as soon as it is issued')
  const { key, secret, secretHash } = newKey()
  const sealedSecret = TEST_SEAL.seal(secret, key)
  const rights = { ...found, name: 'signs', parent: found, keysMax: 5, createdMs: nowMs }
  await store.identity.issue({ ...rights, key, secretHash, sealedSecret })
  return { key, secret }
}

/** Returns the signature of `key,timestamp,parts…`, with commas between. */
export const sign = ({ key, secret }: SigningKey, timestamp: string, ...parts: string[]): string =>
  createHmac('sha256', secret)
    .update([key, timestamp, ...parts].join(','))
    .digest('hex')

/** Returns the headers of a signed request. `timestamp` is in nanoseconds. */
export function signedHeaders(
  signing: SigningKey,
  timestamp: bigint,
  { method = 'GET', path, body = '' }: Readonly<{ method?: string; path: string; body?: string }>,
): Record<string, string> {
  const text = timestamp.toString()
  return {
    'api-key': signing.key,
    'api-timestamp': text,
    'api-signature': sign(signing, text, method, path, body),
  }
}
