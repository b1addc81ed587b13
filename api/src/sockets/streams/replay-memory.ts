// Bounds the messages that all channels of a node keep for resuming clients: the oldest message of
// any channel is dropped first.

/** Memory of the messages that all channels of a node keep. */
const REPLAY_BYTES_MAX = 64 * 1024 * 1024
/** Overhead of a kept message, bytes: its objects, and its place in two lists. */
const KEPT_BYTES = 256

/** A message that a channel keeps. */
type ReplayItem = {
  readonly bytes: number
  readonly drop: () => void
  older: ReplayItem | undefined
  newer: ReplayItem | undefined
}

export type ReplayHandle = Readonly<{ forget: () => void }>

export class ReplayMemory {
  readonly #bytesMax: number
  #bytes = 0
  #oldest: ReplayItem | undefined
  #newest: ReplayItem | undefined

  constructor(bytesMax: number = REPLAY_BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts a message. `drop` makes its channel drop it; it is the channel's oldest one then.
   * Returns a handle to end the count when the channel drops it first.
   */
  keep(text: string, drop: () => void): ReplayHandle {
    // Text of Latin letters takes one byte per character.
    const bytes = text.length + KEPT_BYTES
    const item: ReplayItem = { bytes, drop, older: this.#newest, newer: undefined }
    if (this.#newest === undefined) this.#oldest = item
    else this.#newest.newer = item
    this.#newest = item
    this.#bytes += item.bytes
    let isKept = true
    const message = {
      forget: () => {
        if (!isKept) return
        isKept = false
        this.#remove(item)
      },
    }
    while (this.#bytes > this.#bytesMax && this.#oldest !== undefined && this.#oldest !== item)
      this.#oldest.drop()
    return message
  }

  #remove({ bytes, older, newer }: ReplayItem): void {
    this.#bytes -= bytes
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
  }
}
