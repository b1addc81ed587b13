// Keeps the transactions of this visit: text, inclusion, and explorer link.
import type { Hex } from 'openvenue/signing'
import type { TxView } from '../../wallet/wallet-protocol.ts'
import { included } from '../../wallet/worker/chain-rpc.ts'
import type { Wallet } from '../../wallet/worker/wallet.ts'

const KEPT_MAX = 5

export class TxLog {
  readonly #show: (txs: readonly TxView[]) => void
  #explorerUrl = ''
  #txs: readonly TxView[] = []

  constructor(show: (txs: readonly TxView[]) => void) {
    this.#show = show
  }

  /** Base URL of links; empty: there are none. */
  explorer(url: string): void {
    this.#explorerUrl = url
  }

  /** Sends, and returns the block that includes the transaction. Throws if it reverts. */
  async follow(text: string, wallet: Wallet, send: () => Promise<Hex>): Promise<number> {
    const hash = await send()
    this.#put({ id: hash, text, state: 'sent', url: this.#urlOf(hash) })
    try {
      const block = await included(wallet.request, hash)
      this.#put({ id: hash, text, state: 'done', url: this.#urlOf(hash) })
      return block
    } catch (error) {
      this.#put({ id: hash, text, state: 'failed', url: this.#urlOf(hash) })
      throw error
    }
  }

  clear(): void {
    this.#txs = []
  }

  #urlOf(hash: Hex): string {
    return /^https?:\/\//.test(this.#explorerUrl)
      ? `${this.#explorerUrl.replace(/\/+$/, '')}/tx/${hash}`
      : ''
  }

  #put(tx: TxView): void {
    this.#txs = [tx, ...this.#txs.filter(({ id }) => id !== tx.id)].slice(0, KEPT_MAX)
    this.#show(this.#txs)
  }
}
