// Keeps an order book by the messages of a channel `orderbook`, and checks it against the checksum
// of each.
import type { Message } from '../socket/cursor.ts'
import { compareDecimals } from './compare-decimals.ts'
import { crc32 } from './crc32.ts'

/** Of one price, in human units as decimal text; `orders` is how many rest there. */
export type Level = readonly [price: string, amount: string, orders: string]
/** What a message of an orderbook channel carries: all levels in a snapshot, then the changed. */
export type BookData = Readonly<{
  bids: readonly Level[]
  asks: readonly Level[]
  /** CRC32 of the best 100 levels of each side after this message, in decimal. */
  checksum: string
}>

/** The checksum covers so many levels of each side. */
const CHECKSUM_LEVELS = 100

/** An order book, kept by the messages of its channel. {@link followBook} keeps one for you. */
export class OrderBook {
  readonly #bids: Level[] = []
  readonly #asks: Level[] = []
  /** The entry of the venue's feed that the book is of. */
  seq = 0
  /** The block that the book is of. */
  blockNumber = 0
  /**
   * Whether it is as the venue says. It is with each yield of {@link followBook}; between two it
   * may have taken a message that it does not agree with.
   */
  isExact = false

  /** Highest first. */
  get bids(): readonly Level[] {
    return this.#bids
  }

  /** Lowest first. */
  get asks(): readonly Level[] {
    return this.#asks
  }

  /**
   * Takes the next message of the channel. Returns whether the book is now as the venue says; if
   * not, it needs a snapshot.
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

/** Puts a level where its price belongs, best first; one without an amount is taken out. */
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
