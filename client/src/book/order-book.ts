// Maintains an order book from the messages of an `orderbook` channel, and verifies the checksum of
// each message.
import type { Message } from '../socket/cursor.ts'
import { crc32 } from './crc32.ts'

/** A price level in human units, as decimal text; `orders` is the number of resting orders. */
export type Level = readonly [price: string, amount: string, orders: string]
/** Data of an orderbook message: all levels in a snapshot, the changed levels in an update. */
export type BookData = Readonly<{
  bids: readonly Level[]
  asks: readonly Level[]
  /** CRC32 of the best 100 levels of each side after this message, in decimal. */
  checksum: string
}>

/** Number of levels per side that the checksum covers. */
const CHECKSUM_LEVELS = 100

/** An order book, built from the messages of its channel. See also {@link followBook}. */
export class OrderBook {
  readonly #bids: Level[] = []
  readonly #asks: Level[] = []
  /** Sequence number of the message that was applied last. */
  seq = 0
  /** Number of the block that the book reflects. */
  blockNumber = 0
  /**
   * True if the book matches the checksum of the last message. Always true when {@link followBook}
   * yields it; between two yields a message may have been applied that does not match.
   */
  isExact = false

  /** Bids, highest price first. */
  get bids(): readonly Level[] {
    return this.#bids
  }

  /** Asks, lowest price first. */
  get asks(): readonly Level[] {
    return this.#asks
  }

  /**
   * Applies the next message of the channel. Returns whether the book matches its checksum; if not,
   * it needs a snapshot.
   */
  take({ type, seq, block_number, data }: Message<BookData>): boolean {
    this.isExact = false
    if (type === 'snapshot') {
      this.#bids.length = 0
      this.#asks.length = 0
    }
    for (const level of data.bids) put(this.#bids, level, -1)
    for (const level of data.asks) put(this.#asks, level, 1)
    this.seq = seq
    this.blockNumber = block_number
    this.isExact = this.checksum() === data.checksum
    return this.isExact
  }

  /** Returns the CRC32 of the best 100 levels as the venue computes it. */
  checksum(): string {
    const parts: string[] = []
    for (let i = 0; i < CHECKSUM_LEVELS; i++)
      for (const level of [this.#bids[i], this.#asks[i]])
        if (level !== undefined) parts.push(level[0], level[1])
    return String(crc32(parts.join(':')))
  }
}

/** Inserts or replaces a level, best first; an amount of 0 removes it. */
function put(levels: Level[], level: Level, sign: 1 | -1): void {
  const [price, amount] = level
  let [low, high] = [0, levels.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const [other] = levels[middle] as Level
    if (sign * compareDecimals(other, price) < 0) low = middle + 1
    else high = middle
  }
  const isThere = levels[low]?.[0] === price
  if (amount === '0') levels.splice(low, isThere ? 1 : 0)
  else levels.splice(low, isThere ? 1 : 0, level)
}

/**
 * Returns a negative number, 0 or a positive number as `a` is below, equal to or above `b`. Both
 * are non-negative decimals in shortest form, as the venue writes them: `3217.92`, `12`.
 */
export function compareDecimals(a: string, b: string): number {
  const [dotA, dotB] = [pointOf(a), pointOf(b)]
  if (dotA !== dotB) return dotA - dotB
  return a === b ? 0 : a < b ? -1 : 1
}

/** Number of digits before the point. Texts with equally many compare character by character. */
function pointOf(text: string): number {
  const dot = text.indexOf('.')
  return dot === -1 ? text.length : dot
}
