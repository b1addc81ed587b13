// Shares a block among the lanes of orders: what is on its way counts at most the relayer's part of
// one block. Cancels count, and never wait.

/** Of the relayer's part of a block, what one transaction may count. */
const TX_PERCENT = 40

export class BlockShare {
  /** What one block of the chain may take. */
  blockGas = Number.MAX_SAFE_INTEGER
  readonly #gasPerBlock: number
  #taken = 0

  constructor(gasPerBlock: number) {
    this.#gasPerBlock = gasPerBlock
  }

  /** The relayer's part of a block. */
  get gasPerBlock(): number {
    return Math.min(this.#gasPerBlock, this.blockGas)
  }

  /** What the items of one transaction may count. */
  get gasPerTx(): number {
    return Math.floor((this.gasPerBlock * TX_PERCENT) / 100)
  }

  /** Returns a gas limit that a block has room for. */
  limit(gas: number): number {
    return Math.min(gas, this.blockGas)
  }

  /** What may go out in one more transaction; while nothing is on its way, one always may. */
  get room(): number {
    if (this.#taken === 0) return this.gasPerTx
    return Math.min(this.gasPerTx, this.gasPerBlock - this.#taken)
  }

  /** Whether a transaction that counts so much may go out. */
  hasRoom(gas: number): boolean {
    return this.#taken === 0 || this.#taken + gas <= this.gasPerBlock
  }

  take(gas: number): void {
    this.#taken += gas
  }

  give(gas: number): void {
    this.#taken -= gas
  }
}
