// Counts open connections by client address.
export class AddressCounts {
  readonly #max: number
  readonly #counts = new Map<string, number>()
  /** Of all addresses. */
  total = 0

  constructor(max: number) {
    this.#max = max
  }

  isFull(address: string): boolean {
    return (this.#counts.get(address) ?? 0) >= this.#max
  }

  add(address: string): void {
    this.total += 1
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
  }

  remove(address: string): void {
    this.total -= 1
    const left = (this.#counts.get(address) ?? 0) - 1
    if (left > 0) this.#counts.set(address, left)
    else this.#counts.delete(address)
  }
}
