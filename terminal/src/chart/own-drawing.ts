// Draws what is of the account into the candles: orders, entry and liquidation as lines, fills as
// marks on the candle in which they were.
import {
  createSeriesMarkers,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts'
import type { ChartMark, OwnMarks } from '../worker/order/order-protocol.ts'

type Colors = Readonly<{ buy: string; sell: string; text: string }>

export class OwnDrawing {
  readonly #series: ISeriesApi<'Candlestick'>
  readonly #colors: Colors
  readonly #markers: ISeriesMarkersPluginApi<Time>
  readonly #lines = new Map<string, IPriceLine>()
  #own: OwnMarks = { lines: [], marks: [] }
  /** What the drawn marks depend on: they are not drawn anew with each tick. */
  #drawn = ''

  constructor(series: ISeriesApi<'Candlestick'>, colors: Colors) {
    this.#series = series
    this.#colors = colors
    this.#markers = createSeriesMarkers(series, [])
  }

  /** Draws the newest of what is of the account. */
  mark(own: OwnMarks): void {
    this.#own = own
    this.#drawLines()
    this.draw()
  }

  /** Puts the marks on the candles that there are now. */
  draw(): void {
    const times = this.#series.data().map(({ time }) => Number(time))
    const { marks } = this.#own
    const drawn = `${times[0]} ${times.length} ${marks.length} ${marks.at(-1)?.key} ${marks.at(-1)?.text}`
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#markers.setMarkers(marks.flatMap((mark) => this.#markOf(mark, times)))
  }

  #drawLines(): void {
    const { buy, sell, text: quiet } = this.#colors
    const wanted = new Map(this.#own.lines.map((line) => [line.key, line]))
    for (const [key, line] of this.#lines) {
      if (wanted.has(key)) continue
      this.#series.removePriceLine(line)
      this.#lines.delete(key)
    }
    for (const { key, price, text, tone } of wanted.values()) {
      const color = { buy, sell, quiet }[tone]
      const options = {
        price,
        title: text,
        color,
        lineStyle: LineStyle.Dashed,
        lineWidth: 1,
      } as const
      const line = this.#lines.get(key)
      if (line === undefined) this.#lines.set(key, this.#series.createPriceLine(options))
      else line.applyOptions(options)
    }
  }

  #markOf(mark: ChartMark, times: readonly number[]): readonly SeriesMarker<Time>[] {
    const { time, isBuy, text } = mark
    const at = times.findLast((begins) => begins <= time)
    if (at === undefined) return []
    return [
      {
        time: at as Time & number,
        position: isBuy ? 'belowBar' : 'aboveBar',
        shape: isBuy ? 'arrowUp' : 'arrowDown',
        color: isBuy ? this.#colors.buy : this.#colors.sell,
        text,
      },
    ]
  }
}
