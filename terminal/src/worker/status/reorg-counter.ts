// Counts reorganisations: each shows itself by messages that take back what was published.

/** Of a message of a channel, what shows that blocks were taken back. */
export type Published = Readonly<{
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  block_number: number
}>

export class ReorgCounter {
  #count = 0
  #seq = 0
  #block = 0
  /** Blocks are taken back one after the other: they are one reorganisation. */
  #isGoingBack = false

  get count(): number {
    return this.#count
  }

  /** Returns whether the message is the first sign of a reorganisation. */
  take({ type, seq, block_number: block }: Published): boolean {
    // Messages of one entry come by several channels: it is counted once.
    if (seq <= this.#seq) return false
    const isUndone = type === 'undo' || (type === 'update' && block < this.#block)
    this.#seq = seq
    this.#block = block
    const isFirst = isUndone && !this.#isGoingBack
    this.#isGoingBack = isUndone
    if (isFirst) this.#count += 1
    return isFirst
  }
}
