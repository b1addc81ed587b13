// API keys and their secrets: creation and comparison.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const KEY_BYTES = 16
const SECRET_BYTES = 32
const HASH_BYTES = 32

/** Returns a key and a secret, both hex of random bytes, and the hash of the secret to store. */
export function newKey(): Readonly<{ key: string; secret: string; secretHash: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  return { key: randomBytes(KEY_BYTES).toString('hex'), secret, secretHash: hashText(secret) }
}

/** Returns whether `newKey` may have made the text; other texts need no lookup. */
export const isKeyText = (text: string) => KEY.test(text)
const KEY = new RegExp(`^[0-9a-f]{${2 * KEY_BYTES}}$`)

/** Returns the SHA-256 of `text`, lower-case hex. */
export const hashText = (text: string) => hash('sha256', text)

/**
 * Returns whether `secret` has `secretHash`, in constant time. Without a hash the result is false,
 * after the same work.
 */
export function isSecret(secret: string, secretHash: string | undefined): boolean {
  const expected = secretHash === undefined ? NO_HASH : Buffer.from(secretHash, 'hex')
  const isEqual = timingSafeEqual(hash('sha256', secret, 'buffer'), expected)
  return isEqual && secretHash !== undefined
}
const NO_HASH = Buffer.alloc(HASH_BYTES)
