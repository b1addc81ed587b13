// Maps wallets to account numbers: queried from the database once, and updated by the feed.

import type { BlockRead, ReadFrom } from '@openvenue/store/db/block-read'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Cached wallets; the oldest entry is evicted. */
const WALLETS_MAX = 10_000

type WalletDeps = Readonly<{
  model: VenueModel
  history: AccountHistory
  fresh: FreshReads
}>

export class Wallets {
  readonly #history: AccountHistory
  readonly #fresh: FreshReads
  readonly #numbers = new Map<string, number>()
  readonly #wallets = new Map<number, string>()
  /** Number of accounts taken back and of reloads. */
  #undone = 0

  constructor({ model, history, fresh }: WalletDeps) {
    this.#history = history
    this.#fresh = fresh
    model.on('account', ({ before, after }) => {
      if (after !== undefined) this.#remember(after.wallet, after.account)
      else if (before !== undefined) {
        this.#undone += 1
        this.#forget(before.wallet, before.account)
      }
    })
    model.onLoad(() => {
      this.#undone += 1
      this.#numbers.clear()
      this.#wallets.clear()
    })
  }

  /** Returns the number of a wallet (lower case); undefined while the chain has none for it. */
  async accountNumber(wallet: string): Promise<number | undefined> {
    const number = this.#numbers.get(wallet)
    if (number !== undefined) return number
    const account = await this.#read((from) => this.#history.accountNumber(wallet, from))
    if (account !== undefined) this.#remember(wallet, account)
    // The feed may have brought the account while the query was pending.
    return account ?? this.#numbers.get(wallet)
  }

  /** Returns the wallets of account numbers; unknown numbers are absent. */
  async readWallets(accounts: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const missing = accounts.filter((account) => !this.#wallets.has(account))
    if (missing.length > 0) {
      const walletRows = await this.#read((from) => this.#history.readWallets(missing, from))
      for (const [account, wallet] of walletRows) this.#remember(wallet, account)
    }
    const byNumber = new Map<number, string>()
    for (const account of accounts) {
      const wallet = this.#wallets.get(account)
      if (wallet !== undefined) byNumber.set(account, wallet)
    }
    return byNumber
  }

  /** Queries again after a reorg: a number that it took back may belong to another wallet now. */
  async #read<T>(ask: (from: ReadFrom) => Promise<BlockRead<T>>): Promise<T> {
    for (;;) {
      const undone = this.#undone
      const { rows } = await this.#fresh.read(ask)
      if (undone === this.#undone) return rows
    }
  }

  #remember(wallet: string, account: number): void {
    this.#numbers.set(wallet, account)
    this.#wallets.set(account, wallet)
    for (const [oldest, number] of this.#numbers) {
      if (this.#numbers.size <= WALLETS_MAX) return
      this.#forget(oldest, number)
    }
  }

  #forget(wallet: string, account: number): void {
    this.#numbers.delete(wallet)
    this.#wallets.delete(account)
  }
}
