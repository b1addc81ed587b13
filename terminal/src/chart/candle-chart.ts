// Draws candles, volumes, and the lines of mark and index. It is loaded after the book: it is most
// of what is loaded. The library draws once in a frame at most, and nothing that is hidden.
import {
  CandlestickSeries,
  type ChartOptions,
  CrosshairMode,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type LogicalRange,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { CandleNews, DrawnCandle, Resolution } from '../worker/market/chart-protocol.ts'
import type { OwnMarks } from '../worker/order/order-protocol.ts'
import { type ChartColors, readColors } from './chart-colors.ts'
import { hoverText, priceText, tickText } from './chart-times.ts'
import { OwnDrawing } from './own-drawing.ts'

/** So many candles before the end of what is there, more are asked for. */
const AHEAD = 50
const BAR_PX = 7
const LINES = ['mark', 'index'] as const
type LineName = (typeof LINES)[number]

export type ChartListener = Readonly<{
  older: (beforeSeconds: number) => void
  newer: () => void
  /** The candle under the pointer, by when it opens; undefined: there is none. */
  hover: (time: number | undefined) => void
  /** Everything may be somewhere else now. */
  layout: () => void
  /** Whether the newest candle is on the screen. */
  atEnd: (isAtEnd: boolean) => void
}>

const at = (time: number) => time as UTCTimestamp

export class CandleChart {
  readonly #chart: IChartApi
  readonly #listener: ChartListener
  readonly #colors: ChartColors
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #volumes: ISeriesApi<'Histogram'>
  readonly #lines: Readonly<Record<LineName, ISeriesApi<'Line'>>>
  readonly #now = new Map<LineName, IPriceLine>()
  readonly #own: OwnDrawing
  /** When the drawn candles open. */
  #times: readonly number[] = []
  #key = ''
  #asked = 0
  #hasNewest = true
  #text: (price: number) => string = priceText(2)

  constructor(frame: HTMLElement, listener: ChartListener) {
    this.#listener = listener
    this.#colors = readColors(frame)
    this.#chart = createChart(frame, optionsOf(this.#colors))
    const { buy, sell } = this.#colors
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      ...{ upColor: buy, downColor: sell, wickUpColor: buy, wickDownColor: sell },
      ...{ borderVisible: false, priceLineStyle: LineStyle.Dotted },
    })
    this.#volumes = this.#chart.addSeries(HistogramSeries, {
      ...{ priceScaleId: '', lastValueVisible: false, priceLineVisible: false },
      priceFormat: { type: 'volume' },
    })
    this.#volumes.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
    this.#lines = { mark: this.#addLine('mark'), index: this.#addLine('index') }
    this.#own = new OwnDrawing(this.#candles, this.#colors)
    this.#listen()
  }

  /** Takes news of candles. */
  draw(news: CandleNews): void {
    const isNew = news.key !== this.#key
    // What has changed says nothing to who has not got the rest: that comes.
    if (isNew && !news.isWhole) return
    this.#hasNewest = news.hasNewest
    if (isNew) this.#begin(news)
    if (news.isWhole) this.#drawWhole(news.candles, isNew)
    else for (const candle of news.candles) this.#drawOne(candle)
    for (const name of LINES) this.#drawNow(name, news[name])
    this.#own.draw(this.#times)
  }

  /** Draws what is of the account. */
  mark(own: OwnMarks): void {
    this.#own.mark(own)
    this.#own.draw(this.#times)
    this.#listener.layout()
  }

  /** Goes to the newest candle. */
  toNewest(): void {
    this.#chart.timeScale().scrollToRealTime()
  }

  /** Returns where a price is, in pixels from the top; undefined where it is not on the screen. */
  yOf(price: number): number | undefined {
    const y = this.#candles.priceToCoordinate(price)
    return y === null || y < 0 || y > this.#chart.paneSize().height ? undefined : y
  }

  /** Returns the price at a pixel, as it is written; the worker finds the legal one next to it. */
  textAt(y: number): string | undefined {
    const price = this.#candles.coordinateToPrice(y)
    return price === null || price <= 0 ? undefined : this.#text(price)
  }

  /** The width of the axis of prices. Pixels. */
  get axisWidth(): number {
    return this.#chart.priceScale('right').width()
  }

  remove(): void {
    this.#chart.remove()
  }

  #addLine(name: LineName): ISeriesApi<'Line'> {
    return this.#chart.addSeries(LineSeries, {
      ...{ color: this.#colors[name], lineWidth: 1, crosshairMarkerVisible: false },
      ...{ lastValueVisible: false, priceLineVisible: false },
    })
  }

  #listen(): void {
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => this.#page(range))
    this.#chart.subscribeCrosshairMove(({ time }) =>
      this.#listener.hover(time === undefined ? undefined : Number(time)),
    )
    const { layout } = this.#listener
    this.#candles.attachPrimitive({ updateAllViews: layout })
  }

  /** Asks for what is beyond the ends, once for each end that there is. */
  #page(range: LogicalRange | null): void {
    const [first] = this.#times
    if (range === null || first === undefined) return
    this.#listener.atEnd(this.#hasNewest && range.to >= this.#times.length - 1)
    if (range.from < AHEAD && this.#asked !== first) {
      this.#asked = first
      this.#listener.older(first)
    }
    if (!this.#hasNewest && range.to > this.#times.length - AHEAD) this.#listener.newer()
  }

  #begin({ key, decimals, step }: CandleNews): void {
    this.#key = key
    this.#text = priceText(decimals)
    const resolution = key.slice(key.lastIndexOf(':') + 1) as Resolution
    this.#chart.applyOptions({
      localization: { priceFormatter: this.#text, timeFormatter: hoverText(resolution) },
      timeScale: {
        timeVisible: !Number.isNaN(Number(resolution)),
        tickMarkFormatter: tickText(resolution),
      },
    })
    const priceFormat = { type: 'price', precision: decimals, minMove: step } as const
    for (const series of [this.#candles, ...Object.values(this.#lines)])
      series.applyOptions({ priceFormat })
  }

  #drawWhole(all: readonly DrawnCandle[], isNew: boolean): void {
    const scale = this.#chart.timeScale()
    const range = isNew ? null : scale.getVisibleLogicalRange()
    const before = this.#times
    this.#times = all.map(({ time }) => time)
    this.#candles.setData(all.map((one) => ({ ...one, time: at(one.time) })))
    this.#volumes.setData(all.map((one) => this.#bar(one)))
    for (const name of LINES) this.#lines[name].setData(all.map((one) => point(one, name)))
    this.#asked = 0
    if (isNew) {
      scale.applyOptions({ barSpacing: BAR_PX, rightOffset: 6 })
      scale.scrollToRealTime()
    } else if (range !== null) this.#stay(range, before)
  }

  /** What was in the middle of the screen stays there, whatever came or went at the ends. */
  #stay(range: LogicalRange, before: readonly number[]): void {
    const middle = Math.round((Number(range.from) + Number(range.to)) / 2)
    const index = Math.min(Math.max(middle, 0), before.length - 1)
    const now = this.#times.indexOf(before[index] ?? 0)
    if (now < 0 || now === index) return
    const shift = now - index
    const shifted = { from: range.from + shift, to: range.to + shift }
    this.#chart.timeScale().setVisibleLogicalRange(shifted)
  }

  #drawOne(candle: DrawnCandle): void {
    const last = this.#times.at(-1) ?? 0
    const isOld = candle.time < last
    if (candle.time > last) this.#times = [...this.#times, candle.time]
    this.#candles.update({ ...candle, time: at(candle.time) }, isOld)
    this.#volumes.update(this.#bar(candle), isOld)
    for (const name of LINES) this.#lines[name].update(point(candle, name), isOld)
  }

  #bar({ time, volume, open, close }: DrawnCandle) {
    const color = `${close >= open ? this.#colors.buy : this.#colors.sell}55`
    return { time: at(time), value: volume, color }
  }

  /** The price as it is now, on the axis. */
  #drawNow(name: LineName, price: number | undefined): void {
    const line = this.#now.get(name)
    if (price === undefined) {
      if (line !== undefined) this.#candles.removePriceLine(line)
      this.#now.delete(name)
    } else if (line !== undefined) line.applyOptions({ price })
    else
      this.#now.set(
        name,
        this.#candles.createPriceLine({
          ...{ price, title: name, color: this.#colors[name], lineWidth: 1 },
          ...{ lineStyle: LineStyle.Dotted, axisLabelVisible: true },
        }),
      )
  }
}

/** Without a price there is a gap. */
const point = (candle: DrawnCandle, name: LineName) => {
  const value = candle[name]
  return value === undefined ? { time: at(candle.time) } : { time: at(candle.time), value }
}

const optionsOf = ({ quiet, line, panel }: ChartColors): DeepPartial<ChartOptions> => ({
  autoSize: true,
  // Its logo writes a style into the page, which the page's policy forbids: a link is beside it.
  layout: {
    ...{ background: { color: panel }, textColor: quiet, attributionLogo: false, fontSize: 11 },
  },
  grid: { vertLines: { color: `${line}70` }, horzLines: { color: `${line}70` } },
  crosshair: { mode: CrosshairMode.Normal },
  timeScale: { timeVisible: true, borderColor: line, minBarSpacing: 1 },
  rightPriceScale: { borderColor: line, scaleMargins: { top: 0.1, bottom: 0.2 } },
})
