// What is kept of an account from one visit to the next. All of it is sealed.
import type { ApiKey } from 'openvenue'
import type { Address, Hex } from 'openvenue/signing'
import type { MoneyForm } from './account-protocol.ts'
import type { SealedStore } from './sealed-store.ts'

/** What trading needs; good until the key expires. */
export type SavedKeys = Readonly<{ apiKey: ApiKey; signingKey: Hex; expirySeconds: number }>

/** Keys that are being registered: kept before the wallet is asked, so that there is one pair. */
export type BegunKeys = Omit<SavedKeys, 'apiKey'> & Readonly<{ apiKey: ApiKey | undefined }>

/** A deposit that was begun: enough to find out later whether the chain has it. */
export type BegunDeposit = Readonly<{
  asked: MoneyForm
  /** Whatever of it the chain has is in this block or a later one. */
  fromBlock: number
}>

export type SavedAccount = Readonly<{
  kind: 'test' | 'injected'
  /** Of the wallet's program, as the page finds it again. */
  walletId: string
  name: string
  address: Address
  /** Of a test wallet alone. */
  walletKey: Hex | undefined
  /** A test wallet has had its money. */
  isFunded: boolean
  keys: SavedKeys | undefined
  begunKeys: BegunKeys | undefined
  begunDeposit: BegunDeposit | undefined
}>

/** Returns an account that has nothing yet. */
export const newAccount = (
  account: Pick<SavedAccount, 'kind' | 'walletId' | 'name' | 'address'>,
): SavedAccount => ({
  ...account,
  ...{ walletKey: undefined, isFunded: false },
  ...{ keys: undefined, begunKeys: undefined, begunDeposit: undefined },
})

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
