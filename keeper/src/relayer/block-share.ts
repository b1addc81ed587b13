// Shares the relayer's part of a block among the order lanes, which limits pending gas to one such
// part. Cancels count towards it, and never wait.

/** Maximum percentage of the relayer's part of a block for one transaction. */
const TX_PERCENT = 40

export class BlockShare {
  /** Gas limit of a block. */
  blockGas = Number.MAX_SAFE_INTEGER
  readonly #gasPerBlock: number
  #taken = 0

  constructor(gasPerBlock: number) {
    this.#gasPerBlock = gasPerBlock
  }

  /** The relayer's part of a block, gas. */
  get gasPerBlock(): number {
    return Math.min(this.#gasPerBlock, this.blockGas)
  }

  /** Maximum gas of the items of one transaction. */
  get gasPerTx(): number {
    return Math.floor((this.gasPerBlock * TX_PERCENT) / 100)
  }

  /** Returns `gas`, capped to the gas that fits in a block. */
  limit(gas: number): number {
    return Math.min(gas, this.blockGas)
  }

  /** Gas for one more transaction; with none pending, one is always allowed. */
  get room(): number {
    if (this.#taken === 0) return this.gasPerTx
    return Math.min(this.gasPerTx, this.gasPerBlock - this.#taken)
  }

  /** Returns whether a transaction of `gas` may be sent. */
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
