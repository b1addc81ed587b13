// Sends transactions of the mnemonic's accounts, which anvil signs. It owns each account's nonces,
// so that many transactions can wait for one block.

import type { RpcCall } from '@openvenue/runtime/json-rpc'
import { quantity } from '@openvenue/runtime/node'
import type { ChainRpc } from './rpc.ts'

/** A transaction to send. `to` is absent for one that creates a contract. */
export type Tx = Readonly<{
  from: string
  to?: string
  data?: string
  value?: bigint
  gas: number
}>

/** Its hash, or why the node refused it. */
export type SendResult = Readonly<{ hash: string } | { refused: string }>

export type Receipt = Readonly<{
  isDone: boolean
  gasUsed: number
  blockNumber: number
  contractAddress: string | null
}>

/** Far above the base fee of empty blocks. */
const FEE_PER_GAS_WEI = 2_000_000_000n

export class TxSender {
  readonly #rpc: ChainRpc
  /** Next nonce by address; absent: the node is asked. */
  readonly #nonces = new Map<string, number>()

  constructor(rpc: ChainRpc) {
    this.#rpc = rpc
  }

  /** Sends `txs` to the node's pool. Transactions of one account execute in this order. */
  async send(txs: readonly Tx[]): Promise<readonly SendResult[]> {
    const senders = new Set(txs.map(({ from }) => from))
    await this.#learnNonces(senders)
    const answers = await this.#rpc.batch(txs.map((tx) => this.#sendCall(tx))).catch((error) => {
      // It is unknown which of them arrived.
      for (const from of senders) this.#nonces.delete(from)
      throw error
    })
    return answers.map((answer, index) => {
      if ('result' in answer) return { hash: String(answer.result) }
      // It left a gap, or another client used the nonce: ask the node.
      this.#nonces.delete(txs[index]?.from ?? '')
      return answer
    })
  }

  /** Returns the receipts of `hashes`; undefined where there is none yet. */
  async readReceipts(hashes: readonly string[]): Promise<readonly (Receipt | undefined)[]> {
    const answers = await this.#rpc.batch(
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    return answers.map((answer) =>
      'result' in answer && answer.result !== null ? parseReceipt(answer.result) : undefined,
    )
  }

  async #learnNonces(senders: ReadonlySet<string>): Promise<void> {
    const unknown = [...senders].filter((from) => !this.#nonces.has(from))
    const counts = await Promise.all(
      unknown.map((from) => this.#rpc.call('eth_getTransactionCount', from, 'pending')),
    )
    for (const [index, from] of unknown.entries()) this.#nonces.set(from, Number(counts[index]))
  }

  #sendCall({ from, to, data, value, gas }: Tx): RpcCall {
    const nonce = this.#nonces.get(from) ?? 0
    this.#nonces.set(from, nonce + 1)
    const fields = {
      from,
      ...(to === undefined ? {} : { to }),
      ...(data === undefined ? {} : { data }),
      ...(value === undefined ? {} : { value: quantity(value) }),
      nonce: quantity(nonce),
      gas: quantity(gas),
      maxFeePerGas: quantity(FEE_PER_GAS_WEI),
      maxPriorityFeePerGas: '0x0',
    }
    return { method: 'eth_sendTransaction', params: [fields] }
  }
}

function parseReceipt(value: unknown): Receipt {
  const { status, gasUsed, blockNumber, contractAddress } = value as Record<string, string | null>
  return {
    isDone: status === '0x1',
    gasUsed: Number(gasUsed),
    blockNumber: Number(blockNumber),
    contractAddress: contractAddress?.toLowerCase() ?? null,
  }
}
