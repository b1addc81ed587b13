// Counts reorganisations, detected by messages that undo published data.

/** The members of a channel message that reveal a reorganisation. */
export type PublishedMessage = Readonly<{
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  block_number: number
}>

export class ReorgCounter {
  #count = 0
  #seq = 0
  #block = 0
  /** Consecutive undone blocks are one reorganisation. */
  #isGoingBack = false

  get count(): number {
    return this.#count
  }

  /** Returns true if the message is the first sign of a reorganisation. */
  take({ type, seq, block_number: block }: PublishedMessage): boolean {
    // Messages of one entry arrive on several channels and count once.
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
