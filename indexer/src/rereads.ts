// Blocks that cannot be true: most likely an answer before them was incomplete. How far back the
// chain is read again, until there is nothing left that could be read better.

/** Blocks that are undone before the second reading and those after it; the first undoes none. */
const DEPTHS = [0, 1, 4, 16, 64, 256] as const

export class Rereads {
  readonly #depths: readonly number[]
  #tries = 0
  /** The block that failed. */
  #number = -1

  /** Everything that is not final is read once from each of `endpoints` at the last. */
  constructor(finalityBlocks: number, endpoints: number) {
    const whole = Array.from({ length: endpoints }, () => finalityBlocks)
    this.#depths = [...DEPTHS.filter((depth) => depth < finalityBlocks), ...whole]
  }

  /** Returns how many blocks to undo after a failure at block `number`; undefined: give up. */
  next(number: number): number | undefined {
    this.#number = Math.max(this.#number, number)
    return this.#depths[this.#tries++]
  }

  /** Says that block `number` is committed. */
  committed(number: number): void {
    if (number < this.#number) return
    this.#tries = 0
    this.#number = -1
  }
}

/**
 * Returns the lowest block from `target` up to `head` whose header is stored: what comes after it
 * can be undone. Stored headers have no gap.
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
