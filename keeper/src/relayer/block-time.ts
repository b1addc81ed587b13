// Measures the block time by the chain's timestamps.
import type { Header } from '@openvenue/core/events'

const HEADS_MAX = 32
const UNKNOWN_MS = 1_000
const MIN_MS = 100
const MAX_MS = 15_000

export class BlockTime {
  #heads: Pick<Header, 'number' | 'seconds'>[] = []

  /** Records the newest block. */
  see({ number, seconds }: Pick<Header, 'number' | 'seconds'>): void {
    this.#heads = this.#heads.filter((head) => head.number < number)
    this.#heads.push({ number, seconds })
    if (this.#heads.length > HEADS_MAX) this.#heads.shift()
  }

  /** Recent block time, milliseconds. */
  get ms(): number {
    const [first, last] = [this.#heads[0], this.#heads.at(-1)]
    if (first === undefined || last === undefined || last.number === first.number) return UNKNOWN_MS
    const ms = ((last.seconds - first.seconds) * 1_000) / (last.number - first.number)
    return Math.min(MAX_MS, Math.max(MIN_MS, Math.round(ms)))
  }
}
