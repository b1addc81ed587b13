// Data of an account that is kept between visits. All of it is encrypted.
import type { ApiKey } from 'openvenue'
import type { Address, Hex } from 'openvenue/signing'
import type { MoneyForm } from '../../account/account-protocol.ts'
import type { SealedStore } from './sealed-store.ts'

/** Credentials for trading; valid until the key expires. */
export type SavedKeys = Readonly<{ apiKey: ApiKey; signingKey: Hex; expirySeconds: number }>

/**
 * Keys being registered. They are stored before the wallet is asked, so that only one pair is made.
 */
export type UnfinishedKeys = Omit<SavedKeys, 'apiKey'> & Readonly<{ apiKey: ApiKey | undefined }>

/** An unfinished deposit: enough to find out later whether it is on the chain. */
export type UnfinishedDeposit = Readonly<{
  asked: MoneyForm
  /** The deposit's transactions are in this block or later. */
  fromBlock: number
}>

export type SavedAccount = Readonly<{
  kind: 'test' | 'injected'
  /** Id of the wallet program, with which the page finds it again. */
  walletId: string
  name: string
  address: Address
  /** Set only for a test wallet. */
  walletKey: Hex | undefined
  /** The test wallet has received its money. */
  isFunded: boolean
  keys: SavedKeys | undefined
  begunKeys: UnfinishedKeys | undefined
  begunDeposit: UnfinishedDeposit | undefined
}>

/** Returns an account without keys or deposits. */
export const newAccount = (
  account: Pick<SavedAccount, 'kind' | 'walletId' | 'name' | 'address'>,
): SavedAccount => ({
  ...account,
  ...{ walletKey: undefined, isFunded: false },
  ...{ keys: undefined, begunKeys: undefined, begunDeposit: undefined },
})

/** Stores the account of one venue: each API and chain has its own. */
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
