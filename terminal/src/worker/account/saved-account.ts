// What is kept of an account from one visit to the next. All of it is sealed.
import type { ApiKey } from 'openvenue'
import type { Address, Hex } from 'openvenue/signing'
import type { SealedStore } from './sealed-store.ts'

/** What trading needs; good until the key expires. */
export type SavedKeys = Readonly<{ apiKey: ApiKey; signingKey: Hex; expirySeconds: number }>

export type SavedAccount = Readonly<{
  kind: 'test' | 'injected'
  name: string
  address: Address
  /** Of a test wallet alone. */
  walletKey: Hex | undefined
  keys: SavedKeys | undefined
}>

/** Keeps the account of one venue: another API or another chain has another. */
export class AccountFile {
  readonly #store: SealedStore
  readonly #name: string

  constructor(store: SealedStore, apiUrl: string) {
    this.#store = store
    this.#name = `account of ${apiUrl}`
  }

  async read(): Promise<SavedAccount | undefined> {
    const text = await this.#store.read(this.#name)
    return text === undefined ? undefined : (JSON.parse(text) as SavedAccount)
  }

  write(account: SavedAccount): Promise<void> {
    return this.#store.write(this.#name, JSON.stringify(account))
  }

  clear(): Promise<void> {
    return this.#store.clear()
  }
}
