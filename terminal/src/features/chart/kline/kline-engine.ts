// The adapter of the chart's library, klinecharts: only this folder knows it, so that another one
// can replace it. It draws what it is given; the chart decides what is visible.
import {
  type AxisCreateRangeParams,
  type AxisCreateTicksParams,
  type AxisRange,
  type AxisTick,
  type Chart,
  dispose,
  init,
  utils,
} from 'klinecharts'
import type { ChartColors } from '../chart-colors.ts'
import type { CandleTypeName, DrawnCandle, Resolution, ScaleName } from '../chart-protocol.ts'
import { periodOf } from '../chart-times.ts'
import type { PriceRange } from '../price-scale.ts'
import { BAR_PX_MAX, BAR_PX_MIN, type TimeScale } from '../time-scale.ts'
import type { Tick } from '../time-ticks.ts'
import { type Bar, PRICE_LINES, registerScene, SCENE, type Scene, VOLUMES } from './kline-scene.ts'
import { CANDLE_TYPES, FONT_PX, LABEL_PX, stylesOf } from './kline-styles.ts'

export const PANE = 'candle_pane'
const MS_PER_SECOND = 1_000
/** No zero is folded: prices are written as in the book. */
const FOLD_ZEROS = 20
const PANE_PX = 90
/** Free above the candles and below them, as shares of their height. */
const MARGINS = { top: 0.14, bottom: 0.28 } as const
/** Lowest price of a logarithmic scale, as a share of its highest. */
const LOG_SHARE_MIN = 0.001

/** Price scales as the library spells them. */
const SCALES = { linear: 'normal', log: 'logarithm', percent: 'percentage' } as const

export type EngineSource = Readonly<{
  /** Returns the prices to show, from those of the visible candles. */
  range: (visible: PriceRange) => PriceRange
  timeTicks: () => readonly Readonly<Tick & { text: string }>[]
  /** Returns the prices to write between the bottom and the top. */
  priceTicks: (range: PriceRange, heightPx: number) => readonly number[]
  priceText: (price: number) => string
  hoverText: (time: number) => string
  scene: () => Omit<Scene, 'colors' | 'family' | 'widthOf'>
  /** Called after a drawing in which everything may have moved. */
  layout: () => void
}>

registerScene()

export class KlineEngine {
  readonly chart: Chart
  readonly #source: EngineSource
  readonly #colors: ChartColors
  readonly #family: string
  #bars: Bar[] = []
  #put: (bar: Bar) => void = () => {}
  #scale: ScaleName = 'linear'
  #range: PriceRange | undefined
  #drawn = ''

  constructor(frame: HTMLElement, colors: ChartColors, source: EngineSource) {
    this.#source = source
    this.#colors = colors
    this.#family = getComputedStyle(frame).fontFamily
    this.chart = this.#open(frame)
    this.#drawScene()
  }

  /** Starts with other candles. */
  begin(resolution: Resolution, decimals: number): void {
    const [pricePrecision, volumePrecision] = [decimals, 4]
    this.#bars = []
    this.chart.setSymbol({ ticker: '', pricePrecision, volumePrecision })
    this.chart.setPeriod(periodOf(resolution))
  }

  /** Replaces all candles. */
  replace(candles: readonly DrawnCandle[]): void {
    this.#bars = candles.map(barOf)
    this.chart.resetData()
  }

  /** Replaces the newest candle, or appends one. */
  put(candle: DrawnCandle): void {
    this.#put(barOf(candle))
  }

  /** Shows a part of the candles. */
  look({ barPx, right }: TimeScale): void {
    this.chart.setBarSpace(barPx)
    const behind = right + 0.5 - this.chart.getDataList().length
    this.chart.setOffsetRightDistance(behind * barPx)
  }

  /** Draws lines and marks again. */
  redraw(): void {
    this.chart.overrideOverlay({ id: SCENE, extendData: () => this.#scene() })
  }

  /** Draws prices again, for another range. */
  rescale(): void {
    this.chart.overrideYAxis({ paneId: PANE })
  }

  /** Points at a candle; undefined: at none. */
  point(at: Readonly<{ x: number; y: number }> | undefined): void {
    this.chart.executeAction('onCrosshairChange', at ? { ...at, paneId: PANE } : { paneId: '' })
  }

  type(type: CandleTypeName): void {
    this.chart.setStyles({ candle: { type: CANDLE_TYPES[type] } })
  }

  scale(scale: ScaleName): void {
    this.#scale = scale
    this.chart.overrideYAxis({ paneId: PANE, name: SCALES[scale], ...this.#axis() })
  }

  /** The price range without its margins; undefined before there are candles. */
  get range(): PriceRange | undefined {
    return this.#range
  }

  /** Size of the candles' pane. Pixels. */
  get pane(): Readonly<{ width: number; height: number }> {
    return this.chart.getSize(PANE, 'main') ?? { width: 0, height: 0 }
  }

  /** Top of each other pane. Pixels. */
  topOf(paneId: string): number {
    return this.chart.getSize(paneId, 'root')?.top ?? 0
  }

  get height(): number {
    return this.chart.getSize('x_axis_pane', 'root')?.top ?? 0
  }

  yOf(price: number): number | undefined {
    const place = this.chart.convertToPixel({ value: price }, { paneId: PANE })
    return Array.isArray(place) ? undefined : place.y
  }

  priceAt(y: number): number | undefined {
    const point = this.chart.convertFromPixel([{ y }], { paneId: PANE })
    return Array.isArray(point) ? point[0]?.value : point.value
  }

  remove(): void {
    dispose(this.chart)
  }

  #open(frame: HTMLElement): Chart {
    const chart = init(frame, {
      styles: stylesOf(this.#colors, this.#family),
      // The page has keys of its own, and gestures: they leave vertical scrolling to the page.
      hotkey: { enabled: false },
      formatter: {
        formatDate: ({ timestamp }) => this.#source.hoverText(timestamp / MS_PER_SECOND),
      },
      decimalFold: { threshold: FOLD_ZEROS },
      layout: {
        barSpaceLimit: { min: BAR_PX_MIN, max: BAR_PX_MAX },
        pane: { height: PANE_PX, dragEnabled: false },
        yAxis: { scrollZoomEnabled: false },
      },
    })
    if (chart === null) throw new TypeError('the chart has no frame')
    chart.setZoomEnabled(false)
    chart.setScrollEnabled(false)
    const element = chart.getDom()
    if (element !== null) element.tabIndex = -1
    chart.overrideXAxis({ scrollZoomEnabled: false, createTicks: () => this.#timeTicks(chart) })
    chart.overrideYAxis({ paneId: PANE, ...this.#axis() })
    chart.setDataLoader({
      getBars: ({ callback }) => callback([...this.#bars], false),
      subscribeBar: ({ callback }) => {
        this.#put = callback
      },
    })
    return chart
  }

  #axis() {
    const createRange = (params: AxisCreateRangeParams) => this.#rangeOf(params)
    const createTicks = (params: AxisCreateTicksParams) => this.#priceTicks(params)
    return { createRange, createTicks, gap: MARGINS, scrollZoomEnabled: false }
  }

  #drawScene(): void {
    const own = { paneId: PANE, extendData: this.#colors }
    this.chart.createIndicator({ name: VOLUMES, ...own }, true)
    this.chart.createIndicator({ name: PRICE_LINES, ...own }, true)
    const extendData = () => this.#scene()
    this.chart.createOverlay({
      ...{ id: SCENE, name: SCENE, lock: true, extendData, points: [{ dataIndex: 0, value: 0 }] },
    })
  }

  /** Called with each drawing of the lines: it follows everything that moves them. */
  #scene(): Scene {
    const { width, height } = this.pane
    const drawn = [width, height, this.yOf(0), this.yOf(1), this.priceAt(0)].join()
    if (drawn !== this.#drawn) queueMicrotask(this.#source.layout)
    this.#drawn = drawn
    const [colors, family] = [this.#colors, this.#family]
    const widthOf = (text: string) => utils.calcTextWidth(text, FONT_PX, 'normal', family)
    return { ...this.#source.scene(), colors, family, widthOf }
  }

  /** A logarithmic scale and percents are labelled by the library. */
  #priceTicks({ range, bounding, defaultTicks }: AxisCreateTicksParams): AxisTick[] {
    if (this.#scale !== 'linear') return defaultTicks
    const { from, to } = range
    const { height } = bounding
    const coordOf = (price: number) => Math.round(height * (1 - (price - from) / (to - from)))
    const labels = this.#source.scene().lines.map(({ price }) => coordOf(price))
    return this.#source.priceTicks({ low: from, high: to }, height).flatMap((price) => {
      const coord = coordOf(price)
      const isFree = labels.every((label) => Math.abs(label - coord) >= LABEL_PX)
      const isWhole = coord >= FONT_PX && coord <= height - FONT_PX
      return isFree && isWhole ? [{ coord, value: price, text: this.#source.priceText(price) }] : []
    })
  }

  #timeTicks(chart: Chart): AxisTick[] {
    return this.#source.timeTicks().flatMap(({ index, text }) => {
      const place = chart.convertToPixel({ dataIndex: index })
      const coord = Array.isArray(place) ? undefined : place.x
      return coord === undefined ? [] : [{ coord, value: index, text }]
    })
  }

  #rangeOf({ chart, defaultRange }: AxisCreateRangeParams): AxisRange {
    if (chart.getDataList().length === 0) return defaultRange
    const { low, high } = this.#source.range({ low: defaultRange.from, high: defaultRange.to })
    this.#range = { low, high }
    const first = chart.getDataList()[chart.getVisibleRange().from]?.close ?? 1
    const [from, realFrom, shownFrom] = scaled(this.#scale, logLow(this.#scale, low, high), first)
    const [to, realTo, shownTo] = scaled(this.#scale, high, first)
    return {
      ...{ from, to, range: to - from },
      ...{ realFrom, realTo, realRange: realTo - realFrom },
      ...{ displayFrom: shownFrom, displayTo: shownTo, displayRange: shownTo - shownFrom },
    }
  }
}

const logLow = (scale: ScaleName, low: number, high: number): number =>
  scale === 'log' ? Math.max(low, high * LOG_SHARE_MIN) : low

/** Returns a price, where it is on its scale, and what is written there. */
function scaled(scale: ScaleName, price: number, first: number): [number, number, number] {
  if (scale === 'log') return [price, Math.log10(price), price]
  if (scale === 'linear') return [price, price, price]
  const percent = first === 0 ? 0 : (price / first - 1) * 100
  return [price, percent, percent]
}

const barOf = ({ time, ...candle }: DrawnCandle): Bar => ({
  ...candle,
  timestamp: time * MS_PER_SECOND,
})
