// Draws the chart on two canvases: candles with all around them, and the cross hair above it.
import type { OwnMarks } from '../order/order-protocol.ts'
import type { AxisLabel } from './axis-labels.ts'
import {
  type AxisScene,
  axisWidth,
  type ChartFrame,
  paintAxes,
  paintGrid,
  paintLabels,
  paintTime,
  placeLabels,
  TIME_AXIS_PX,
} from './axis-painter.ts'
import {
  type CandleScene,
  paintCandles,
  paintLine,
  paintMarks,
  paintVolumes,
} from './candle-painter.ts'
import type { ChartColors } from './chart-colors.ts'
import type { DrawnCandle } from './chart-protocol.ts'
import { type PlacedMark, placeMarks } from './own-marks.ts'
import { Pen } from './pen.ts'
import {
  type PriceRange,
  type PriceScale,
  priceAt,
  priceTicks,
  rangeOf,
  withOrders,
  yOf,
} from './price-scale.ts'
import * as text from './text.ts'
import { inSight, type TimeScale, xOf } from './time-scale.ts'
import { type Tick, type TickKind, timeTicks } from './time-ticks.ts'

const LINES = ['mark', 'index'] as const
type LineName = (typeof LINES)[number]
/** The crosshair: at a candle, `y` pixels from the top. */
export type Crosshair = Readonly<{ index: number; y: number }>

/** All that is drawn. */
export type ChartContent = Readonly<{
  candles: readonly DrawnCandle[]
  /** When they open. Unix seconds. */
  times: readonly number[]
  time: TimeScale
  /** The range set by the user; undefined: that of the visible candles. */
  range: PriceRange | undefined
  ownMarks: OwnMarks
  /** Prices as they are now. */
  now: Readonly<Record<LineName, number | undefined>>
  /** The least step between two prices. */
  step: number
  /** True if the last candle is the newest one. */
  hasNewest: boolean
  isUtc: boolean
  texts: Readonly<{
    price: (price: number) => string
    tick: (time: number, kind: TickKind) => string
    hover: (time: number) => string
  }>
  cross: Crosshair | undefined
}>

type ChartSource = Readonly<{
  shown: () => ChartContent
  /** Called when everything may have moved. */
  layout: () => void
  /** Called when the width of candles has changed. */
  resized: () => void
}>

/** Shares of the height that are free above the candles and below them. */
const [TOP_SHARE, BOTTOM_SHARE] = [0.1, 0.2]
const AXIS_PX_MIN = 56
/** Minimum distance between time labels. Pixels. */
const TICK_PX = 84
const FONT_PX = 11
const DOTTED = [1, 3]
const DASHED = [5, 4]

export class ChartPainter {
  readonly #frame: HTMLElement
  readonly #colors: ChartColors
  readonly #source: ChartSource
  readonly #base = document.createElement('canvas')
  readonly #above = document.createElement('canvas')
  readonly #font: string
  readonly #ticks = remembered(timeTicks)
  readonly #marks = remembered(placeMarks)
  #frameRequest = 0
  #isBaseAsked = false
  #price: PriceScale | undefined
  #size: ChartFrame = { width: 0, height: 0, paneWidth: 0, paneHeight: 0 }
  #axisPx = AXIS_PX_MIN

  constructor(frame: HTMLElement, colors: ChartColors, source: ChartSource) {
    this.#frame = frame
    this.#colors = colors
    this.#source = source
    this.#font = `${FONT_PX}px ${getComputedStyle(frame).fontFamily}`
    frame.append(this.#base, this.#above)
  }

  /** The price scale; undefined before there is one. */
  get price(): PriceScale | undefined {
    return this.#price
  }

  get frame(): ChartFrame {
    return this.#size
  }

  /** Takes the size of its frame, and returns how wide the candles have it. Pixels. */
  resize(): number {
    const { clientWidth: width, clientHeight: height } = this.#frame
    const [paneWidth, paneHeight] = [width - this.#axisPx, height - TIME_AXIS_PX]
    this.#size = { width, height, paneWidth, paneHeight }
    return paneWidth
  }

  /** Draws everything with the next frame. */
  ask(): void {
    this.#isBaseAsked = true
    this.askCross()
  }

  /** Draws the cross hair with the next frame. */
  askCross(): void {
    this.#frameRequest ||= requestAnimationFrame(() => this.#paint())
  }

  remove(): void {
    cancelAnimationFrame(this.#frameRequest)
    this.#base.remove()
    this.#above.remove()
  }

  #paint(): void {
    this.#frameRequest = 0
    const shown = this.#source.shown()
    if (this.#size.paneWidth <= 0 || this.#size.paneHeight <= 0) return
    const isBaseAsked = this.#isBaseAsked
    // Painting may ask for more.
    this.#isBaseAsked = false
    if (isBaseAsked) this.#paintBase(shown)
    this.#paintCross(shown)
  }

  #paintBase(shown: ChartContent): void {
    const pen = this.#penOf(this.#base)
    const { candles, time, ownMarks, step } = shown
    const seen = inSight(time, candles.length)
    const { paneHeight, paneWidth } = this.#size
    const range = shown.range ?? rangeSeen(candles.slice(...seen), ownMarks, step)
    if (pen === undefined || range === undefined) return
    const price = {
      ...range,
      ...{ topPx: paneHeight * TOP_SHARE, bottomPx: paneHeight * (1 - BOTTOM_SHARE) },
      heightPx: paneHeight,
    }
    this.#price = price
    const scene: CandleScene = { candles, seen, time, price, colors: this.#colors }
    const axes = this.#axesOf(shown, price, seen)
    paintGrid(pen, axes)
    const unclip = pen.clip({ x: 0, y: 0, width: paneWidth, height: paneHeight })
    paintVolumes(pen, scene)
    paintCandles(pen, scene)
    for (const name of LINES) paintLine(pen, scene, name)
    this.#paintOwn(pen, scene, shown)
    unclip()
    paintAxes(pen, axes)
    paintLabels(pen, this.#size, axes.labels)
    this.#fitAxis(pen, axes)
    this.#source.layout()
  }

  #axesOf(
    shown: ChartContent,
    price: PriceScale,
    [from, behind]: readonly [number, number],
  ): AxisScene {
    const { texts, times, time, step, isUtc } = shown
    const apart = Math.ceil(TICK_PX / time.barPx)
    const key = `${apart} ${isUtc} ${times[0]} ${times.length}`
    const ticks = this.#ticks(key, times, apart, isUtc)
    return {
      ...{ frame: this.#size, time, price, colors: this.#colors },
      prices: priceTicks(price, step),
      ticks: ticks.filter(({ index }) => index >= from && index < behind),
      labels: placeLabels(this.#size, this.#labelsOf(shown, price)),
      priceText: texts.price,
      tickText: ({ index, kind }: Tick) => texts.tick(times[index] ?? 0, kind),
    }
  }

  /** Lines of what is of the account, and as prices are now. */
  #paintOwn(
    pen: Pen,
    scene: CandleScene,
    { ownMarks, now, candles, times, hasNewest }: ChartContent,
  ): void {
    const colors = this.#colors
    const across = (price: number, color: string, dash: readonly number[]) =>
      pen.level(yOf(scene.price, price), [0, this.#size.paneWidth], { color, dash })
    const last = candles.at(-1)
    if (last !== undefined && hasNewest) across(last.close, colorOf(last, colors), DOTTED)
    for (const name of LINES) {
      const price = now[name]
      if (price !== undefined) across(price, colors[name], DOTTED)
    }
    for (const { price, tone, orderId } of ownMarks.lines)
      across(price, colors[tone], orderId === '' ? DOTTED : DASHED)
    const newest = ownMarks.marks.at(-1)
    const key = `${times[0]} ${times.length} ${ownMarks.marks.length} ${newest?.key} ${newest?.text}`
    const marks: readonly PlacedMark[] = this.#marks(key, ownMarks.marks, times)
    paintMarks(pen, scene, marks)
  }

  #labelsOf(
    { ownMarks, now, candles, hasNewest, texts }: ChartContent,
    price: PriceScale,
  ): AxisLabel[] {
    const colors = this.#colors
    const label = (at: number, title: string, color: string): AxisLabel => ({
      ...{ y: yOf(price, at), text: texts.price(at), title, color },
    })
    const last = hasNewest ? candles.at(-1) : undefined
    return [
      // An order's text is on its handle.
      ...ownMarks.lines.map(({ price: at, text: title, tone, orderId }) =>
        label(at, orderId === '' ? title : '', colors[tone]),
      ),
      ...LINES.flatMap((name) => {
        const at = now[name]
        return at === undefined ? [] : [label(at, text.lineNames[name], colors[name])]
      }),
      ...(last === undefined ? [] : [label(last.close, '', colorOf(last, colors))]),
    ]
  }

  /** Prices of more digits need more room: with the next frame. */
  #fitAxis(pen: Pen, { prices, priceText, price }: AxisScene): void {
    const texts = [...prices.slice(0, 1), ...prices.slice(-1), price.low, price.high].map(priceText)
    const axisPx = Math.max(AXIS_PX_MIN, axisWidth(pen, texts))
    if (axisPx === this.#axisPx) return
    this.#axisPx = axisPx
    this.#source.resized()
  }

  #paintCross({ cross, time, times, texts }: ChartContent): void {
    const pen = this.#penOf(this.#above)
    const price = this.#price
    if (pen === undefined || price === undefined || cross === undefined) return
    const { paneWidth, paneHeight } = this.#size
    const line = { color: this.#colors.quiet, dash: DASHED }
    const x = xOf(time, cross.index)
    pen.level(cross.y, [0, paneWidth], line)
    if (x >= 0 && x <= paneWidth) pen.upright(x, [0, paneHeight], line)
    const { text: color } = this.#colors
    const at = texts.price(priceAt(price, cross.y))
    const label = { y: cross.y, text: at, title: '', color }
    paintLabels(pen, this.#size, placeLabels(this.#size, [label]))
    const opens = times[cross.index]
    if (opens !== undefined) paintTime(pen, this.#size, { x, text: texts.hover(opens), color })
  }

  /** Returns what draws on an empty canvas of the frame's size. */
  #penOf(canvas: HTMLCanvasElement): Pen | undefined {
    const context = canvas.getContext('2d')
    if (context === null) return undefined
    const pen = new Pen(context, devicePixelRatio, this.#font)
    pen.begin(this.#size)
    return pen
  }
}

/** Everything in sight, and the orders near it. */
function rangeSeen(candles: readonly DrawnCandle[], { lines }: OwnMarks, step: number) {
  const range = rangeOf(candles, step)
  return range && withOrders(range, lines)
}

const colorOf = ({ open, close }: DrawnCandle, { buy, sell }: ChartColors): string =>
  close >= open ? buy : sell

/** Returns a function that has its last result again for the same key. */
function remembered<Args extends readonly unknown[], Result>(work: (...args: Args) => Result) {
  let last: Readonly<{ key: string; result: Result }> | undefined
  return (key: string, ...args: Args): Result => {
    if (last?.key !== key) last = { key, result: work(...args) }
    return last.result
  }
}
