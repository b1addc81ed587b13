// Handles impossible blocks, which most likely follow an incomplete answer: decides how far back to
// re-read the chain, and when to give up.

/** Blocks to undo before each re-read; none before the first. */
const DEPTHS = [0, 1, 4, 16, 64, 256] as const

export class Rereads {
  readonly #depths: readonly number[]
  #tries = 0
  /** The block that failed. */
  #number = -1

  /** The last attempt re-reads everything that is not final, once from each of `endpoints`. */
  constructor(finalityBlocks: number, endpoints: number) {
    const whole = Array.from({ length: endpoints }, () => finalityBlocks)
    this.#depths = [...DEPTHS.filter((depth) => depth < finalityBlocks), ...whole]
  }

  /** Returns how many blocks to undo after a failure at block `number`; undefined: give up. */
  next(number: number): number | undefined {
    this.#number = Math.max(this.#number, number)
    return this.#depths[this.#tries++]
  }

  /** Resets the attempts once block `number` is committed. */
  committed(number: number): void {
    if (number < this.#number) return
    this.#tries = 0
    this.#number = -1
  }
}

/**
 * Returns the lowest block from `target` up to `head` with a stored header: later ones can be
 * undone. Stored headers have no gaps.
 */
export async function undoableFrom(
  isStored: (number: number) => Promise<boolean>,
  target: number,
  head: number,
): Promise<number> {
  let [low, high] = [Math.max(0, target), head]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isStored(middle)) high = middle
    else low = middle + 1
  }
  return low
}
