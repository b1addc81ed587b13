// orderbook:<name> and its throttled forms: the whole book first, then the levels that changed.
import { levels } from '@openvenue/core/book'
import type { LevelMove } from '@openvenue/core/levels'
import type { Market } from '@openvenue/core/records'
import { type BookContent, bookData, levelJson } from '@openvenue/wire/book-frames'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected } from '../streams/affected.ts'
import type { Frame, FramePosition, PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import { bookChecksum } from './book-checksum.ts'
import { Pace } from './pace.ts'

/** Intervals in milliseconds by the first word of the channel's name; 0: at every change. */
export const BOOK_INTERVALS_MS = {
  orderbook: 0,
  'orderbook-100ms': 100,
  'orderbook-500ms': 500,
} as const

export function bookChannel(deps: StreamDeps, market: Market, intervalMs: number): PublicChannel {
  const book = new BookFrames(deps.model, market)
  const pace = new Pace(intervalMs, deps.monotonicMs, () => book.changes())
  return {
    subject: { kind: 'market', id: market.id },
    snapshot: (position) => book.snapshot(position),
    onEntry: (affected) => (book.take(affected) ? pace.changed() : []),
    onReset: () => book.reset(),
    ...(intervalMs === 0 ? {} : { onTick: () => pace.tick() }),
  }
}

class BookFrames {
  readonly #model: VenueModel
  readonly #market: Market
  /**
   * Levels that moved since the last message, also those that are as before: a client may have a
   * snapshot from in between, of this node or of another.
   */
  readonly #moved = new Map<number, LevelMove>()
  #updatedNs = 0n

  constructor(model: VenueModel, market: Market) {
    this.#model = model
    this.#market = market
  }

  /** Returns whether the entry moved any level. */
  take({ markets }: Affected): boolean {
    const moves = markets.get(this.#market.id)?.levels
    if (moves === undefined || moves.size === 0) return false
    for (const [key, move] of moves) this.#moved.set(key, move)
    return true
  }

  changes(): readonly Frame[] {
    if (this.#moved.size === 0) return []
    const [bids, asks] = [this.#changed(true), this.#changed(false)]
    this.reset()
    return [
      {
        type: 'update',
        data: (position) => this.#data({ type: 'update', bids, asks }, position),
      },
    ]
  }

  snapshot(position: FramePosition): string {
    const side = (isBuy: boolean) => {
      const texts: string[] = []
      for (const { tick, lots, orders } of levels(this.#book, isBuy))
        texts.push(levelJson(this.#market, { tick, lots, count: orders.size }))
      return texts
    }
    return this.#data({ type: 'snapshot', bids: side(true), asks: side(false) }, position)
  }

  reset(): void {
    this.#moved.clear()
  }

  /** Returns the levels of a side that moved, best first. */
  #changed(isBuy: boolean): string[] {
    const { bids, asks } = this.#book
    const { levels } = isBuy ? bids : asks
    const moved: LevelMove[] = []
    for (const move of this.#moved.values()) if (move.isBuy === isBuy) moved.push(move)
    moved.sort((a, b) => (isBuy ? b.tick - a.tick : a.tick - b.tick))
    return moved.map(({ tick }) => {
      const level = levels.get(tick)
      const [lots, count] = [level?.lots ?? 0n, level?.orders.size ?? 0]
      return levelJson(this.#market, { tick, lots, count })
    })
  }

  #data(parts: Omit<BookContent, 'checksum'>, position: FramePosition): string {
    const checksum = bookChecksum(this.#model, this.#market)
    const lastUpdated = this.#lastUpdated(position.seq).toString()
    return bookData(this.#market, { ...parts, checksum }, { ...position, lastUpdated })
  }

  /**
   * Includes the seq, since blocks may share a second; rises by one when an undo turns time back.
   */
  #lastUpdated(seq: number): bigint {
    const ns = BigInt(this.#model.head?.seconds ?? 0) * NS + (BigInt(seq) % NS)
    this.#updatedNs = ns > this.#updatedNs ? ns : this.#updatedNs + 1n
    return this.#updatedNs
  }

  get #book() {
    return this.#model.book(this.#market.id)
  }
}

/** Nanoseconds of a second. */
const NS = 1_000_000_000n
