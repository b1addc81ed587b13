// orderbook:<name> and its throttled forms: the whole book first, then the levels that changed.
import { levels } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import { type BookParts, bookData, levelJson } from '@openvenue/wire/book-frames'
import { type Affected, addMove, type LevelMove, type LevelMoves } from './affected.ts'
import { checksumOf } from './book-texts.ts'
import { Pace } from './pace.ts'
import type { FramePosition, ReplayBuffer } from './replay-buffer.ts'
import { type Opening, publicChannel, type Source, type StreamDeps } from './stream-deps.ts'

/** Intervals in milliseconds by the first word of the channel's name; 0: at every change. */
export const BOOK_INTERVALS_MS = {
  orderbook: 0,
  'orderbook-100ms': 100,
  'orderbook-500ms': 500,
} as const

export type BookWord = keyof typeof BOOK_INTERVALS_MS

/** Returns how to open a book channel of `market`, or undefined for another word. */
export const bookChannel = (deps: StreamDeps, name: string, market: Market, word: BookWord) =>
  publicChannel(deps, name, (buffer) =>
    new BookChannel(deps, buffer, market).source(BOOK_INTERVALS_MS[word]),
  ) satisfies Opening

class BookChannel {
  readonly #deps: StreamDeps
  readonly #buffer: ReplayBuffer
  readonly #market: Market
  /** Since the last message. */
  readonly #moves: LevelMoves = new Map()
  /** Levels that a snapshot showed before everybody was told: they are told in any case. */
  readonly #shown: LevelMoves = new Map()
  #updatedNs = 0n

  constructor(deps: StreamDeps, buffer: ReplayBuffer, market: Market) {
    this.#deps = deps
    this.#buffer = buffer
    this.#market = market
  }

  source(intervalMs: number): Source {
    const pace = new Pace(intervalMs, this.#deps.monotonicMs, () => this.#tell())
    return {
      subject: { kind: 'market', id: this.#market.id },
      snapshot: (position) => this.#snapshot(position),
      take: (affected) => {
        if (this.#take(affected)) pace.changed()
      },
      forget: () => this.#forget(),
      ...(intervalMs === 0 ? {} : { tick: () => pace.tick() }),
    }
  }

  #take(affected: Affected): boolean {
    const moves = affected.markets.get(this.#market.id)?.levels
    if (moves === undefined || moves.size === 0) return false
    for (const move of moves.values()) addMove(this.#moves, move)
    return true
  }

  #tell(): boolean {
    if (this.#moves.size === 0 && this.#shown.size === 0) return false
    const [bids, asks] = [this.#changed(true), this.#changed(false)]
    this.#forget()
    this.#buffer.send({
      type: 'update',
      data: (position) => this.#data({ type: 'update', bids, asks }, position),
    })
    return true
  }

  #forget(): void {
    this.#moves.clear()
    this.#shown.clear()
  }

  /** Returns the levels of a side that moved, best first. */
  #changed(isBuy: boolean): string[] {
    const { bids, asks } = this.#book
    const { levels } = isBuy ? bids : asks
    const moved: LevelMove[] = []
    const moves = new Map([...this.#shown, ...this.#moves])
    for (const move of moves.values()) if (move.isBuy === isBuy) moved.push(move)
    moved.sort((a, b) => (isBuy ? b.tick - a.tick : a.tick - b.tick))
    return moved.map(({ tick }) => {
      const level = levels.get(tick)
      const [lots, count] = [level?.lots ?? 0n, level?.orders.size ?? 0]
      return levelJson(this.#market, { tick, lots, count })
    })
  }

  #snapshot(position: FramePosition): string {
    for (const [key, move] of this.#moves) this.#shown.set(key, move)
    const side = (isBuy: boolean) => {
      const texts: string[] = []
      for (const { tick, lots, orders } of levels(this.#book, isBuy))
        texts.push(levelJson(this.#market, { tick, lots, count: orders.size }))
      return texts
    }
    return this.#data({ type: 'snapshot', bids: side(true), asks: side(false) }, position)
  }

  #data(parts: Omit<BookParts, 'checksum'>, position: FramePosition): string {
    const checksum = checksumOf(this.#deps.model, this.#market)
    const lastUpdated = this.#lastUpdated(position).toString()
    return bookData(this.#market, { ...parts, checksum }, { ...position, lastUpdated })
  }

  /** The seq makes blocks of one second differ; where an undo turns time back, one more does. */
  #lastUpdated({ seq }: FramePosition): bigint {
    const ns = BigInt(this.#deps.model.head?.seconds ?? 0) * NS + (BigInt(seq) % NS)
    this.#updatedNs = ns > this.#updatedNs ? ns : this.#updatedNs + 1n
    return this.#updatedNs
  }

  get #book() {
    return this.#deps.model.book(this.#market.id)
  }
}

/** Nanoseconds of a second. */
const NS = 1_000_000_000n
