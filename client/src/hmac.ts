// Signs requests with the secret of an API key, so that the secret is never sent.

import { type Check, InputError, isText } from './input.ts'

/** An API key, as `POST /register` and `POST /api-keys` return it. */
export type ApiKey = Readonly<{
  key: string
  /** Shown only once, when the key is created. */
  secret: string
  /** True: the secret signs requests and is never sent; for keys created with `hmac`. */
  signs?: boolean
}>

/** Throws if the value is not an API key. The message does not show the value: it may be secret. */
export const isKey: Check = (value, name) => {
  const { key, secret } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (isText(key, '') === undefined && isText(secret, '') === undefined) return undefined
  throw new InputError(name, ': expected an API key with key and secret')
}

/** Values that are sent in place of the secret. */
type KeySignature = Readonly<{ key: string; timestamp: string; signature: string }>

const encoder = new TextEncoder()
const NS_PER_MS = 1_000_000n

/** Signs for one key with strictly increasing timestamps: the venue accepts each timestamp once. */
export class RequestSigner {
  readonly #apiKey: ApiKey
  readonly #nowMs: () => number
  #cryptoKey: Promise<CryptoKey> | undefined
  #lastNs = 0n

  constructor(apiKey: ApiKey, nowMs: () => number = Date.now) {
    this.#apiKey = apiKey
    this.#nowMs = nowMs
  }

  /** Returns the signature over key, timestamp and `parts`, joined by commas. */
  async sign(...parts: readonly string[]): Promise<KeySignature> {
    const { key } = this.#apiKey
    const timestamp = String(this.#nextNs())
    this.#cryptoKey ??= importKey(this.#apiKey.secret)
    const text = encoder.encode([key, timestamp, ...parts].join(','))
    const digest = await crypto.subtle.sign('HMAC', await this.#cryptoKey, text)
    return { key, timestamp, signature: hexOf(new Uint8Array(digest)) }
  }

  #nextNs(): bigint {
    const now = BigInt(Math.floor(this.#nowMs())) * NS_PER_MS
    this.#lastNs = now > this.#lastNs ? now : this.#lastNs + 1n
    return this.#lastNs
  }
}

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
