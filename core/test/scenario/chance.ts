// Seeded random numbers: the same seed gives the same scenario.

export class Chance {
  #state: number

  /** `seed` is any safe integer. */
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
  }

  /** Returns an integer in [0, limit), for a limit up to 2^32. Algorithm: mulberry32. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }

  /** Returns true with a probability of `percent` in a hundred. */
  happens(percent: number): boolean {
    return this.below(100) < percent
  }

  /** Returns one of `list`, or undefined when it is empty. */
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }
}
