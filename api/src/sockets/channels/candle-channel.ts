// candles:<name>:<resolution>: the newest candle as trades change it, and once more when it closes.
import type { Candle, Market } from '@openvenue/core/records'
import { nextOpenOf, type Resolution } from '@openvenue/core/resolutions'
import { encodeBar } from '@openvenue/wire/candles'
import type { Affected } from './affected.ts'
import type { ReplayBuffer } from './replay-buffer.ts'
import { type Opening, publicChannel, type Source, type StreamDeps } from './stream-deps.ts'

/** Returns how to open the channel of a market at a resolution. */
export const candleChannel = (
  deps: StreamDeps,
  name: string,
  market: Market,
  resolution: Resolution,
): Opening =>
  publicChannel(deps, name, (buffer) =>
    new CandleChannel(deps, buffer, { market, resolution }).source(),
  )

class CandleChannel {
  readonly #deps: StreamDeps
  readonly #buffer: ReplayBuffer
  readonly #market: Market
  readonly #resolution: Resolution
  /** The candle that was told last. */
  #told: Candle | undefined
  #isClosed = false

  constructor(
    deps: StreamDeps,
    buffer: ReplayBuffer,
    { market, resolution }: Readonly<{ market: Market; resolution: Resolution }>,
  ) {
    this.#deps = deps
    this.#buffer = buffer
    this.#market = market
    this.#resolution = resolution
    this.#forget()
  }

  source(): Source {
    return {
      subject: { kind: 'market', id: this.#market.id },
      snapshot: () => this.#textOf(this.#newest),
      take: (affected) => this.#take(affected),
      tick: () => this.#close(),
      forget: () => this.#forget(),
    }
  }

  #take(affected: Affected): void {
    const candles = affected.markets.get(this.#market.id)?.candles
    const change = candles?.find(({ key }) => key === `${this.#market.id}|${this.#resolution}`)
    if (change === undefined) {
      this.#close()
      return
    }
    const [before, after] = [this.#told, change.after]
    this.#told = after
    if (after === undefined || (before !== undefined && after.openSeconds < before.openSeconds)) {
      this.#isClosed = this.#isOver(after)
      this.#buffer.send({ type: 'undo', data: this.#textOf(after) })
      return
    }
    const isNext = before !== undefined && before.openSeconds < after.openSeconds
    const closed = isNext && !this.#isClosed ? [this.#textOf(before)] : []
    this.#isClosed = this.#isOver(after)
    this.#buffer.sendEach('update', [...closed, this.#textOf(after)])
  }

  /** Tells once that the period is over. */
  #close(): void {
    if (this.#isClosed || !this.#isOver(this.#told)) return
    this.#isClosed = true
    this.#buffer.send({ type: 'update', data: this.#textOf(this.#told) })
  }

  #forget(): void {
    this.#told = this.#newest
    this.#isClosed = this.#isOver(this.#told)
  }

  get #newest(): Candle | undefined {
    return this.#deps.model.newestCandle(this.#market.id, this.#resolution)
  }

  /** A period ends with the first block beyond it, or with the clock. */
  #isOver(candle: Candle | undefined): boolean {
    if (candle === undefined) return false
    const { model, nowMs } = this.#deps
    const next = nextOpenOf(this.#resolution, candle.openSeconds)
    return next <= (model.head?.seconds ?? 0) || next * 1000 <= nowMs()
  }

  #textOf(candle: Candle | undefined): string {
    if (candle === undefined) return 'null'
    const { item } = encodeBar(this.#market, candle)
    return `${item.slice(0, -1)},"closed":${this.#isOver(candle)}}`
  }
}
