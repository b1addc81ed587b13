// candles:<name>:<resolution>: the newest candle as trades change it, and a final message when a
// block beyond its period closes it. The node's clock closes nothing: a later block may still add a
// trade to a period that is over by that clock.
import type { Candle, Market } from '@openvenue/core/records'
import { nextPeriodOpen, type Resolution } from '@openvenue/core/resolutions'
import { encodeBar } from '@openvenue/wire/candles'
import type { Affected } from '../streams/affected.ts'
import { type Frame, type PublicChannel, separateFrames } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'

export function candleChannel(
  deps: StreamDeps,
  market: Market,
  resolution: Resolution,
): PublicChannel {
  const candles = new CandleFrames(deps, market, resolution)
  return {
    subject: { kind: 'market', id: market.id },
    snapshot: () => candles.newest(),
    onEntry: (affected) => candles.take(affected),
    onTick: () => candles.turn(),
    onReset: () => candles.reset(),
  }
}

class CandleFrames {
  readonly #deps: StreamDeps
  readonly #market: Market
  readonly #resolution: Resolution
  /** The candle that was sent last. */
  #sent: Candle | undefined
  #isClosed = false

  constructor(deps: StreamDeps, market: Market, resolution: Resolution) {
    this.#deps = deps
    this.#market = market
    this.#resolution = resolution
    this.reset()
  }

  newest(): string {
    return this.#encode(this.#newest)
  }

  take({ markets }: Affected): readonly Frame[] {
    const candles = markets.get(this.#market.id)?.candles
    const change = candles?.find(({ key }) => key === `${this.#market.id}|${this.#resolution}`)
    if (change === undefined) return this.turn()
    const [before, after] = [this.#sent, change.after]
    this.#sent = after
    if (after === undefined || (before !== undefined && after.openSeconds < before.openSeconds)) {
      this.#isClosed = this.#isOver(after)
      return [{ type: 'undo', data: this.#encode(after) }]
    }
    const isNext = before !== undefined && before.openSeconds < after.openSeconds
    const closed = isNext && !this.#isClosed ? [this.#encode(before)] : []
    this.#isClosed = this.#isOver(after)
    return separateFrames('update', [...closed, this.#encode(after)])
  }

  /** Reports once that a block has closed the candle, or that an undo has opened it again. */
  turn(): readonly Frame[] {
    const isOver = this.#isOver(this.#sent)
    if (this.#isClosed === isOver) return []
    this.#isClosed = isOver
    return [{ type: isOver ? 'update' : 'undo', data: this.#encode(this.#sent) }]
  }

  reset(): void {
    this.#sent = this.#newest
    this.#isClosed = this.#isOver(this.#sent)
  }

  get #newest(): Candle | undefined {
    return this.#deps.model.newestCandle(this.#market.id, this.#resolution)
  }

  /** Returns whether the head is beyond the period: no later block can change the candle then. */
  #isOver(candle: Candle | undefined): boolean {
    if (candle === undefined) return false
    const next = nextPeriodOpen(this.#resolution, candle.openSeconds)
    return next <= (this.#deps.model.head?.seconds ?? 0)
  }

  #encode(candle: Candle | undefined): string {
    if (candle === undefined) return 'null'
    const { item } = encodeBar(this.#market, candle)
    return `${item.slice(0, -1)},"closed":${this.#isOver(candle)}}`
  }
}
