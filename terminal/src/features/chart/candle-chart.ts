// The price chart: its visible range, and its controls. It is drawn at most once per frame, and not
// while hidden; the crosshair has its own canvas, so that moving the pointer redraws no candle.
import type { OwnMarks } from '../order/order-protocol.ts'
import { TIME_AXIS_PX } from './axis-painter.ts'
import { readColors } from './chart-colors.ts'
import { type ChartPart, listenToGestures, type Point } from './chart-gestures.ts'
import { type ChartContent, ChartPainter, type Crosshair } from './chart-painter.ts'
import type { CandleNews, DrawnCandle, Resolution } from './chart-protocol.ts'
import { hoverText, isOfDays, priceText, tickText } from './chart-times.ts'
import { lastUntil } from './own-marks.ts'
import { type PriceRange, priceAt, stretched, yOf } from './price-scale.ts'
import {
  BAR_PX,
  indexAt,
  inSight,
  moved,
  RIGHT_GAP,
  type TimeScale,
  toNewest,
  xOf,
  zoomed,
} from './time-scale.ts'

/** Distance from the loaded end, in candles, at which more are requested. */
const AHEAD = 50
/** How far one press of a button goes: of what is in sight, and of a distance. */
const STEP_SHARE = 0.3
export const ZOOM_STEP = 1.4
const STRETCH_PER_PX = 0.006

type ChartListener = Readonly<{
  older: (beforeSeconds: number) => void
  newer: () => void
  /** The candle under the pointer, by when it opens; undefined: there is none. */
  hover: (time: number | undefined) => void
  /** Everything may be somewhere else now. */
  layout: () => void
  /** Reports whether the newest candle is visible. */
  atEnd: (isAtEnd: boolean) => void
}>

export class CandleChart {
  readonly #listener: ChartListener
  readonly #painter: ChartPainter
  readonly #sizes: ResizeObserver
  readonly #stop: () => void
  #candles: DrawnCandle[] = []
  /** When they open. */
  #times: number[] = []
  #time: TimeScale = { barPx: BAR_PX, right: RIGHT_GAP - 1, widthPx: 0 }
  /** The range set by the user; undefined: that of the visible candles. */
  #range: PriceRange | undefined
  #ownMarks: OwnMarks = { lines: [], marks: [] }
  #news: CandleNews | undefined
  #texts: ChartContent['texts'] = textsOf('5', 2)
  #isUtc = false
  #cross: Crosshair | undefined
  /** Opening time of the oldest candle before which more were requested. */
  #olderThan = 0

  constructor(frame: HTMLElement, listener: ChartListener) {
    this.#listener = listener
    const colors = readColors(frame)
    const resized = () => {
      this.#time = { ...this.#time, widthPx: this.#painter.resize() }
      this.#look()
    }
    const { layout } = listener
    this.#painter = new ChartPainter(frame, colors, { shown: () => this.#shown, layout, resized })
    this.#sizes = new ResizeObserver(resized)
    this.#sizes.observe(frame)
    this.#stop = listenToGestures(frame, {
      partAt: (x, y) => this.#partAt(x, y),
      drag: (part, byX, byY) => this.#drag(part, byX, byY),
      zoom: (x, by) => this.#zoom(x, by),
      reset: (part) => this.#reset(part),
      point: (at) => this.#point(at),
      press: (key) => this.#press(key),
    })
  }

  /** Takes news of candles. */
  draw(news: CandleNews): void {
    const isNew = news.key !== this.#news?.key
    // Changes are useless without the rest, which follows.
    if (isNew && !news.isWhole) return
    this.#news = news
    if (isNew) this.#begin(news)
    if (news.isWhole) this.#takeWhole(news.candles, isNew)
    else for (const candle of news.candles) this.#takeOne(candle)
    this.#look()
  }

  /** Draws what is of the account. */
  mark(ownMarks: OwnMarks): void {
    this.#ownMarks = ownMarks
    this.#painter.ask()
  }

  /** Goes to the newest candle. */
  toNewest(): void {
    this.#time = toNewest(this.#time, this.#candles.length)
    this.#look()
  }

  /** Goes to later candles, or to earlier ones. */
  step(towards: 1 | -1): void {
    this.#drag('candles', -towards * this.#time.widthPx * STEP_SHARE, 0)
  }

  /** Multiplies the distance between candles. */
  zoom(by: number): void {
    this.#zoom(this.#time.widthPx, by)
  }

  /** Multiplies the height of the price range. */
  stretch(by: number): void {
    const { price } = this.#painter
    if (price !== undefined) this.#range = stretched(price, by, this.#news?.step ?? 1)
    this.#look()
  }

  /** Returns where a price is, in pixels from the top; undefined where it is not on the screen. */
  yOf(price: number): number | undefined {
    const { price: scale, frame } = this.#painter
    if (scale === undefined) return undefined
    const y = yOf(scale, price)
    return y < 0 || y > frame.paneHeight ? undefined : y
  }

  /** Returns the price at a pixel, as it is written; the worker finds the legal one next to it. */
  textAt(y: number): string | undefined {
    const { price: scale } = this.#painter
    const price = scale === undefined ? 0 : priceAt(scale, y)
    return price <= 0 ? undefined : this.#texts.price(price)
  }

  /** The width of the axis of prices. Pixels. */
  get axisWidth(): number {
    return this.#painter.frame.width - this.#painter.frame.paneWidth
  }

  remove(): void {
    this.#stop()
    this.#sizes.disconnect()
    this.#painter.remove()
  }

  get #shown(): ChartContent {
    const { mark, index, step = 1, hasNewest = false } = this.#news ?? {}
    return {
      ...{ candles: this.#candles, times: this.#times, time: this.#time, range: this.#range },
      ...{ ownMarks: this.#ownMarks, now: { mark, index }, step, hasNewest, isUtc: this.#isUtc },
      ...{ texts: this.#texts, cross: this.#cross },
    }
  }

  /** Something else is in sight. Asks for what is beyond the ends, once for each end there is. */
  #look(): void {
    this.#painter.ask()
    const [first] = this.#times
    if (first === undefined || this.#news === undefined) return
    const { hasNewest } = this.#news
    const { right } = this.#time
    this.#listener.atEnd(hasNewest && right >= this.#times.length - 1)
    if (indexAt(this.#time, 0) < AHEAD && this.#olderThan !== first) {
      this.#olderThan = first
      this.#listener.older(first)
    }
    if (!hasNewest && right > this.#times.length - AHEAD) this.#listener.newer()
  }

  #begin({ key, decimals }: CandleNews): void {
    const resolution = key.slice(key.lastIndexOf(':') + 1) as Resolution
    this.#texts = textsOf(resolution, decimals)
    this.#isUtc = isOfDays(resolution)
    this.#range = undefined
    this.#setCross(undefined)
  }

  #takeWhole(candles: readonly DrawnCandle[], isNew: boolean): void {
    const before = this.#times
    this.#candles = [...candles]
    this.#times = candles.map(({ time }) => time)
    this.#olderThan = 0
    if (isNew) this.#time = toNewest({ ...this.#time, barPx: BAR_PX }, candles.length)
    else this.#stay(before)
  }

  /** Keeps the candle in the middle of the screen in place when candles are added or removed. */
  #stay(before: readonly number[]): void {
    const [from, behind] = inSight(this.#time, before.length)
    const index = Math.min(Math.round((from + behind) / 2), before.length - 1)
    const now = this.#times.indexOf(before[index] ?? 0)
    if (now < 0) return
    const shift = now - index
    this.#time = { ...this.#time, right: this.#time.right + shift }
    if (this.#cross !== undefined)
      this.#setCross({ ...this.#cross, index: this.#cross.index + shift })
  }

  #takeOne(candle: DrawnCandle): void {
    const last = this.#times.length - 1
    const newest = this.#times[last]
    if (newest === undefined || candle.time > newest) {
      this.#candles.push(candle)
      this.#times.push(candle.time)
      // Whoever looks at the newest one sees the next.
      if (this.#time.right >= last) this.#time = { ...this.#time, right: this.#time.right + 1 }
      return
    }
    const index = lastUntil(this.#times, candle.time)
    if (this.#times[index] === candle.time) this.#candles[index] = candle
  }

  #partAt(x: number, y: number): ChartPart {
    const { paneWidth, height } = this.#painter.frame
    if (x > paneWidth) return 'prices'
    return y > height - TIME_AXIS_PX ? 'times' : 'candles'
  }

  #drag(part: ChartPart, byX: number, byY: number): void {
    if (part === 'times') this.#zoom(this.#time.widthPx, Math.exp(byX * STRETCH_PER_PX))
    else if (part === 'candles') this.#move(byX, byY)
    else this.stretch(Math.exp(byY * STRETCH_PER_PX))
    this.#look()
  }

  /** Prices move only if the user has set their range. */
  #move(byX: number, byY: number): void {
    const { price } = this.#painter
    this.#time = moved(this.#time, byX, this.#candles.length)
    if (this.#range === undefined || price === undefined) return
    const by = priceAt(price, 0) - priceAt(price, -byY)
    this.#range = { low: this.#range.low - by, high: this.#range.high - by }
  }

  #zoom(x: number, by: number): void {
    this.#time = zoomed(this.#time, { x, by }, this.#candles.length)
    this.#look()
  }

  #reset(part: ChartPart): void {
    if (part === 'prices') this.#range = undefined
    if (part === 'times')
      this.#time = toNewest({ ...this.#time, barPx: BAR_PX }, this.#candles.length)
    this.#look()
  }

  #point(at: Point | undefined): void {
    if (at === undefined || this.#partAt(at.x, at.y) !== 'candles') this.#setCross(undefined)
    else this.#setCross({ index: Math.round(indexAt(this.#time, at.x)), y: at.y })
  }

  #press(key: string): boolean {
    if (key === 'ArrowLeft') this.#pointAtNext(-1)
    else if (key === 'ArrowRight') this.#pointAtNext(1)
    else if (key === '+' || key === '=') this.zoom(ZOOM_STEP)
    else if (key === '-') this.zoom(1 / ZOOM_STEP)
    else if (key === 'End') this.toNewest()
    else if (key === 'Escape' && this.#cross !== undefined) this.#setCross(undefined)
    else return false
    return true
  }

  /** Points at the next candle, and has it in sight. */
  #pointAtNext(by: 1 | -1): void {
    const last = this.#candles.length - 1
    const from = this.#cross?.index ?? Math.min(last, Math.floor(this.#time.right)) + 1
    const index = Math.min(Math.max(0, from + by), last)
    const candle = this.#candles[index]
    if (candle === undefined) return
    const x = xOf(this.#time, index)
    const beyond = Math.min(0, x - BAR_PX) + Math.max(0, x + BAR_PX - this.#time.widthPx)
    if (beyond !== 0) this.#time = moved(this.#time, -beyond, this.#candles.length)
    this.#setCross({ index, y: this.yOf(candle.close) ?? 0 })
    this.#look()
  }

  #setCross(cross: Crosshair | undefined): void {
    this.#cross = cross
    this.#listener.hover(cross && this.#times[cross.index])
    this.#painter.askCross()
  }
}

const textsOf = (resolution: Resolution, decimals: number): ChartContent['texts'] => ({
  ...{ price: priceText(decimals), tick: tickText(resolution), hover: hoverText(resolution) },
})
