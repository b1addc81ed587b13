// Computes the checksum of a book for all of its channels, once per change of the book.
import { crc32 } from 'node:zlib'
import { type Book, levels } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import { CHECKSUM_LEVELS_MAX, checksumText, levelPair } from '@openvenue/wire/book-frames'
import type { LiveMarket } from '../../model/live-market.ts'
import type { VenueModel } from '../../model/venue-model.ts'

/** Level texts cached for the next checksum. */
const PAIRS_MAX = 8 * CHECKSUM_LEVELS_MAX

type ChecksumLevel = Readonly<{ lots: bigint; text: string }>

class BookTexts {
  readonly #market: Market
  readonly #bids = new Map<number, ChecksumLevel>()
  readonly #asks = new Map<number, ChecksumLevel>()
  #version = -1
  #checksum = 0

  constructor(market: Market) {
    this.#market = market
  }

  checksum(book: Book, version: number): number {
    if (version !== this.#version) {
      this.#version = version
      this.#checksum = crc32(checksumText(this.#pairs(book, true), this.#pairs(book, false)))
    }
    return this.#checksum
  }

  #pairs(book: Book, isBuy: boolean): string[] {
    const pairs = isBuy ? this.#bids : this.#asks
    if (pairs.size > PAIRS_MAX) pairs.clear()
    const texts: string[] = []
    for (const { tick, lots } of levels(book, isBuy)) {
      if (texts.length === CHECKSUM_LEVELS_MAX) break
      const pair = pairs.get(tick)
      if (pair?.lots === lots) texts.push(pair.text)
      else {
        const text = levelPair(this.#market, { tick, lots })
        pairs.set(tick, { lots, text })
        texts.push(text)
      }
    }
    return texts
  }
}

const textsOf = new WeakMap<LiveMarket, BookTexts>()

/** Returns the CRC32 of the book of `market`; `checksumText` defines its input. */
export function bookChecksum(model: VenueModel, market: Market): number {
  const live = model.market(market.id)
  if (live === undefined) return 0
  let texts = textsOf.get(live)
  if (texts === undefined) {
    texts = new BookTexts(market)
    textsOf.set(live, texts)
  }
  return texts.checksum(model.book(market.id), live.versions.book)
}
