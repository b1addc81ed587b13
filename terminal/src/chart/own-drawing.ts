// Draws what is of the account into the candles: orders, entry and liquidation as lines, fills as
// marks on the candle in which they were.
import {
  type AutoscaleInfo,
  createSeriesMarkers,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts'
import type { ChartMark, OwnMarks } from '../worker/order/order-protocol.ts'
import type { ChartColors } from './chart-colors.ts'

export class OwnDrawing {
  readonly #series: ISeriesApi<'Candlestick'>
  readonly #colors: ChartColors
  readonly #markers: ISeriesMarkersPluginApi<Time>
  readonly #lines = new Map<string, IPriceLine>()
  #own: OwnMarks = { lines: [], marks: [] }
  /** What the drawn marks depend on: they are not drawn anew with each tick. */
  #drawn = ''

  constructor(series: ISeriesApi<'Candlestick'>, colors: ChartColors) {
    this.#series = series
    this.#colors = colors
    this.#markers = createSeriesMarkers(series, [])
    series.applyOptions({
      autoscaleInfoProvider: (whole: () => AutoscaleInfo | null) => this.#withOrders(whole()),
    })
  }

  /**
   * An order that rests near what is drawn is drawn as well, so that it can be dragged: no farther
   * than the candles are high.
   */
  #withOrders(info: AutoscaleInfo | null): AutoscaleInfo | null {
    const range = info?.priceRange
    if (info === null || range === undefined || range === null) return info
    const { minValue, maxValue } = range
    const height = maxValue - minValue
    const near = this.#own.lines
      .filter(({ orderId, price }) => orderId !== '' && price > minValue - height)
      .filter(({ price }) => price < maxValue + height)
      .map(({ price }) => price)
    const priceRange = {
      minValue: Math.min(minValue, ...near),
      maxValue: Math.max(maxValue, ...near),
    }
    return { ...info, priceRange }
  }

  /** Takes the newest of what is of the account. */
  mark(own: OwnMarks): void {
    this.#own = own
    this.#drawLines()
  }

  /** Puts the marks on the candles that open at `times`. */
  draw(times: readonly number[]): void {
    const { marks } = this.#own
    const newest = marks.at(-1)
    const drawn = `${times[0]} ${times.length} ${marks.length} ${newest?.key} ${newest?.text}`
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#markers.setMarkers(marks.flatMap((mark) => this.#markOf(mark, times)))
  }

  #drawLines(): void {
    const { buy, sell, quiet } = this.#colors
    const wanted = new Map(this.#own.lines.map((line) => [line.key, line]))
    for (const [key, line] of this.#lines) {
      if (wanted.has(key)) continue
      this.#series.removePriceLine(line)
      this.#lines.delete(key)
    }
    for (const { key, price, text, tone, orderId } of wanted.values()) {
      const color = { buy, sell, quiet }[tone]
      const options = {
        ...({ price, color, lineWidth: 1 } as const),
        // An order's words stand on its handle.
        title: orderId === '' ? text : '',
        lineStyle: orderId === '' ? LineStyle.SparseDotted : LineStyle.Dashed,
      }
      const line = this.#lines.get(key)
      if (line === undefined) this.#lines.set(key, this.#series.createPriceLine(options))
      else line.applyOptions(options)
    }
  }

  #markOf(mark: ChartMark, times: readonly number[]): readonly SeriesMarker<Time>[] {
    const { time, isBuy, text } = mark
    const opens = times.findLast((begins) => begins <= time)
    if (opens === undefined) return []
    return [
      {
        time: opens as Time & number,
        position: isBuy ? 'belowBar' : 'aboveBar',
        shape: isBuy ? 'arrowUp' : 'arrowDown',
        color: isBuy ? this.#colors.buy : this.#colors.sell,
        text,
      },
    ]
  }
}
