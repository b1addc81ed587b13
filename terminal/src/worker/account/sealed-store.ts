// Keeps secrets of the account in the browser: sealed by a key that no program can read out, since
// WebCrypto made it so. Whoever copies the database has nothing without the browser's own key.

/** Where records are kept: IndexedDB in a browser. */
export type Records = Readonly<{
  read: (name: string) => Promise<unknown>
  write: (name: string, record: unknown) => Promise<void>
  clear: () => Promise<void>
}>

type Sealed = Readonly<{ iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }>

const KEY_NAME = 'sealing-key'
const ALGORITHM = 'AES-GCM'
const KEY_BITS = 256
/** Of a nonce, as AES-GCM asks for it. */
const IV_BYTES = 12

export class SealedStore {
  readonly #records: Records

  constructor(records: Records) {
    this.#records = records
  }

  /** Keeps a text under a name. A text that was sealed for another name does not open. */
  async write(name: string, text: string): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const key = (await this.#key()) ?? (await this.#newKey())
    const bytes = await crypto.subtle.encrypt(terms(iv, name), key, new TextEncoder().encode(text))
    await this.#records.write(name, { iv, bytes } satisfies Sealed)
  }

  /** Returns the text of a name; undefined where there is none, or none that opens. */
  async read(name: string): Promise<string | undefined> {
    const [key, sealed] = await Promise.all([this.#key(), this.#records.read(name)])
    if (key === undefined || sealed === undefined) return undefined
    const { iv, bytes } = sealed as Sealed
    const opened = await crypto.subtle.decrypt(terms(iv, name), key, bytes).catch(() => undefined)
    return opened === undefined ? undefined : new TextDecoder().decode(opened)
  }

  /** Forgets everything, the sealing key first of all. */
  clear(): Promise<void> {
    return this.#records.clear()
  }

  async #key(): Promise<CryptoKey | undefined> {
    return (await this.#records.read(KEY_NAME)) as CryptoKey | undefined
  }

  async #newKey(): Promise<CryptoKey> {
    const algorithm = { name: ALGORITHM, length: KEY_BITS }
    const key = await crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt'])
    await this.#records.write(KEY_NAME, key)
    return key
  }
}

const terms = (iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams => ({
  name: ALGORITHM,
  iv,
  additionalData: new TextEncoder().encode(name),
})
