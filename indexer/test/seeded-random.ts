// Draws random numbers from a seed (mulberry32). A copy continues with the same numbers.

export class SeededRandom {
  #state: number

  constructor(state: number) {
    this.#state = state >>> 0
  }

  /** Returns a generator that draws the same numbers as this one. */
  clone(): SeededRandom {
    return new SeededRandom(this.#state)
  }

  /** Returns an integer of 32 bits. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** Returns an integer from 0 to `limit - 1`. */
  below(limit: number): number {
    return this.word() % limit
  }

  /** Returns an integer of at most `bits` bits. */
  bits(bits: number): bigint {
    let value = 0n
    for (let drawn = 0; drawn < bits; drawn += 32) value = (value << 32n) | BigInt(this.word())
    return BigInt.asUintN(bits, value)
  }
}
