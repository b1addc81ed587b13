// Shares a block among the lanes of orders: what is on its way counts at most the relayer's part of
// one block. Cancels count, and never wait.

export class BlockShare {
  readonly #gasPerBlock: number
  #taken = 0

  constructor(gasPerBlock: number) {
    this.#gasPerBlock = gasPerBlock
  }

  /** Whether so much more may go out. One transaction always may. */
  hasRoom(gas: number): boolean {
    return this.#taken === 0 || this.#taken + gas <= this.#gasPerBlock
  }

  take(gas: number): void {
    this.#taken += gas
  }

  give(gas: number): void {
    this.#taken -= gas
  }
}
