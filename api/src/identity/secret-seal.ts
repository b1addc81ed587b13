// Seals the secrets of signing keys, so that this process can read them back and a reader of the
// database cannot: AES-256-GCM.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
/** Length recommended for GCM; random for every secret. */
const IV_BYTES = 12
const TAG_BYTES = 16
/** Prefix of the hash that identifies a key; no other hash uses it. */
const ID_PREFIX = 'openvenue sealing key '
/** Digits of a key's id: enough to distinguish the few keys of an operator. */
const ID_LENGTH = 8
/** Version of the sealed format. */
const VERSION = '1'

type SealingKey = Readonly<{ id: string; key: KeyObject }>

/**
 * The first key seals; the others open secrets sealed before they were replaced. Printing a seal
 * reveals nothing of its keys.
 */
export class SecretSeal {
  readonly #keys: readonly [SealingKey, ...SealingKey[]]

  constructor(first: Buffer, ...earlier: Buffer[]) {
    this.#keys = [sealingKey(first), ...earlier.map(sealingKey)]
  }

  /** Returns `secret` sealed; it opens only for the same `owner`. */
  seal(secret: string, owner: string): string {
    const [{ id, key }] = this.#keys
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key, iv)
    cipher.setAAD(Buffer.from(owner))
    const text = Buffer.concat([cipher.update(secret), cipher.final()])
    return [VERSION, id, encode(iv), encode(cipher.getAuthTag()), encode(text)].join('.')
  }

  /** Returns the secret as a signing key; undefined when none of our keys sealed it. */
  open(sealed: string, owner: string): KeyObject | undefined {
    const [version, id, iv = '', tag = '', text = ''] = sealed.split('.')
    const sealingKey = this.#keys.find((each) => each.id === id)
    if (version !== VERSION || sealingKey === undefined) return undefined
    try {
      const options = { authTagLength: TAG_BYTES }
      const decipher = createDecipheriv(CIPHER, sealingKey.key, decode(iv), options)
      decipher.setAAD(Buffer.from(owner)).setAuthTag(decode(tag))
      const secret = Buffer.concat([decipher.update(decode(text)), decipher.final()])
      return createSecretKey(secret)
    } catch {
      return undefined
    }
  }
}

const sealingKey = (bytes: Buffer): SealingKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from(ID_PREFIX), bytes])).slice(0, ID_LENGTH),
  key: createSecretKey(bytes),
})

const encode = (bytes: Buffer) => bytes.toString('base64url')
const decode = (text: string) => Buffer.from(text, 'base64url')
