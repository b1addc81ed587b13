// Generates random numbers from a seed: the same seed gives the same market.

/** Draws whole numbers. Not for secrets. */
export type Random = Readonly<{
  /** Returns a whole number from 0 to `below` - 1. */
  whole(below: number): number
  /** Returns true with a probability of 1 / `outOf`. */
  chance(outOf: number): boolean
  /** Returns a random one of `items`, which must not be empty. */
  pick<T>(items: readonly T[]): T
}>

/** Returns the generator "mulberry32" of `seed`, with 32 bits of state. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number) => Math.floor(next() * below)
  return {
    whole,
    chance: (outOf) => whole(outOf) === 0,
    pick: (items) => items[whole(items.length)] as (typeof items)[number],
  }
}
