// Seals the secrets of keys that sign requests, so that this process can read them back and whoever
// reads the database cannot: AES-256-GCM.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
/** What GCM is made for; new for every secret. */
const IV_BYTES = 12
const TAG_BYTES = 16
/** Hashed before a key: nothing else is hashed so. */
const ID_PREFIX = 'openvenue sealing key '
/** Digits of a key's id: enough to distinguish the few that an operator has at a time. */
const ID_LENGTH = 8
/** Says how the rest is written, should that ever change. */
const VERSION = '1'

type SealingKey = Readonly<{ id: string; key: KeyObject }>

/**
 * The first of its keys seals; the others open what they sealed before they were replaced. Nothing
 * of a key shows when it is printed.
 */
export class SecretSeal {
  readonly #keys: readonly [SealingKey, ...SealingKey[]]

  constructor(first: Buffer, ...earlier: Buffer[]) {
    this.#keys = [sealingKey(first), ...earlier.map(sealingKey)]
  }

  /** Returns `secret` sealed; it opens for the same `owner` alone. */
  seal(secret: string, owner: string): string {
    const [{ id, key }] = this.#keys
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key, iv)
    cipher.setAAD(Buffer.from(owner))
    const text = Buffer.concat([cipher.update(secret), cipher.final()])
    return [VERSION, id, encode(iv), encode(cipher.getAuthTag()), encode(text)].join('.')
  }

  /** Returns the secret as a key to sign with; undefined: it was sealed by no key of ours. */
  open(sealed: string, owner: string): KeyObject | undefined {
    const [version, id, iv = '', tag = '', text = ''] = sealed.split('.')
    const found = this.#keys.find((each) => each.id === id)
    if (version !== VERSION || found === undefined) return undefined
    try {
      const options = { authTagLength: TAG_BYTES }
      const decipher = createDecipheriv(CIPHER, found.key, decode(iv), options)
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
