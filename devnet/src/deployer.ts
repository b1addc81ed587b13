// Sends the setup of a chain: every transaction must succeed.
import type { Hex } from 'viem'
import type { Chain } from './chain.ts'
import { type Receipt, type Tx, TxSender } from './tx-sender.ts'

/** Contracts to create: their creator, their codes, and the gas of each. */
type Creation = Readonly<{ from: string; codes: readonly Hex[]; gas: number }>

/** Sends one block per group of transactions, each of which must succeed. */
export class Deployer {
  readonly #chain: Chain
  readonly #sender: TxSender
  readonly #seconds: number

  /** Its blocks have the time `seconds`, Unix seconds. */
  constructor(chain: Chain, seconds: number) {
    this.#chain = chain
    this.#sender = new TxSender(chain.rpc)
    this.#seconds = seconds
  }

  /** Creates contracts and returns their addresses, lower-case hex, in the order of `codes`. */
  async create({ from, codes, gas }: Creation): Promise<Hex[]> {
    const receipts = await this.send(codes.map((data) => ({ from, data, gas })))
    return receipts.map(({ contractAddress }) => {
      if (contractAddress === null) throw new Error('deploying failed: no contract was created')
      return contractAddress as Hex
    })
  }

  async send(txs: readonly Tx[]): Promise<readonly Receipt[]> {
    const sent = await this.#sender.send(txs)
    await this.#chain.mine(this.#seconds)
    const receipts = await this.#sender.readReceipts(
      sent.map((result) => ('hash' in result ? result.hash : '')),
    )
    return receipts.map((receipt, index) => {
      const refusal = sent[index]
      const reason = refusal !== undefined && 'refused' in refusal ? refusal.refused : 'reverted'
      if (receipt?.isDone !== true) throw new Error(`deploying failed: ${reason}`)
      return receipt
    })
  }
}
