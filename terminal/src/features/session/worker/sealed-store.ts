// Stores secrets of the account in the browser, encrypted with a non-extractable WebCrypto key. A
// copy of the database is useless without the browser's own key.

const DATABASE = 'openvenue'
const TABLE = 'sealed'

/** Storage of records: IndexedDB in a browser. */
export type Records = Readonly<{
  read: (name: string) => Promise<unknown>
  write: (name: string, record: unknown) => Promise<void>
  clear: () => Promise<void>
}>

type SealedRecord = Readonly<{ iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }>

const KEY_NAME = 'sealing-key'
const ALGORITHM = 'AES-GCM'
const KEY_BITS = 256
/** Length of an AES-GCM nonce. */
const IV_BYTES = 12

export class SealedStore {
  readonly #records: Records

  constructor(records: Records) {
    this.#records = records
  }

  /** Stores a text under a name. A text encrypted for another name cannot be decrypted. */
  async write(name: string, text: string): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const key = (await this.#key()) ?? (await this.#newKey())
    const bytes = await crypto.subtle.encrypt(terms(iv, name), key, new TextEncoder().encode(text))
    await this.#records.write(name, { iv, bytes } satisfies SealedRecord)
  }

  /** Returns the text of a name; undefined if there is none, or if it cannot be decrypted. */
  async read(name: string): Promise<string | undefined> {
    const [key, sealed] = await Promise.all([this.#key(), this.#records.read(name)])
    if (key === undefined || sealed === undefined) return undefined
    const { iv, bytes } = sealed as SealedRecord
    const opened = await crypto.subtle.decrypt(terms(iv, name), key, bytes).catch(() => undefined)
    return opened === undefined ? undefined : new TextDecoder().decode(opened)
  }

  /** Deletes everything, the encryption key first. */
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

/**
 * Opens the IndexedDB of this origin, which can store a WebCrypto key without exposing its bytes.
 */
export function indexedRecords(): Records {
  const opening = open()
  const table = async (mode: IDBTransactionMode) =>
    (await opening).transaction(TABLE, mode).objectStore(TABLE)
  return {
    read: async (name) => settled((await table('readonly')).get(name)),
    write: async (name, record) => {
      await settled((await table('readwrite')).put(record, name))
    },
    clear: async () => {
      await settled((await table('readwrite')).clear())
    },
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE)
  return settled(request)
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
