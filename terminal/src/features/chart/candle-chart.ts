// The price chart: its visible range, and its controls. The engine draws it, once per frame.
import type { OwnMarks } from '../order/order-protocol.ts'
import { type ChartColors, readColors } from './chart-colors.ts'
import { type ChartPart, listenToGestures, type Point } from './chart-gestures.ts'
import type { CandleNews, DrawnCandle, Resolution } from './chart-protocol.ts'
import { isOfDays, textsOf } from './chart-times.ts'
import { KlineEngine } from './kline/kline-engine.ts'
import { lastUntil, placeMarks } from './own-marks.ts'
import { type PriceRange, padded, priceTicks, stretched, withOrders } from './price-scale.ts'
import { remembered } from './remembered.ts'
import { linesOf } from './scene-lines.ts'
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
import { timeTicks } from './time-ticks.ts'

/** Distance from the loaded end, in candles, at which more are requested. */
const AHEAD = 50
/** How far one press of a button goes: of what is in sight, and of a distance. */
const STEP_SHARE = 0.3
export const ZOOM_STEP = 1.4
const STRETCH_PER_PX = 0.006
/** Minimum distance between time labels. Pixels. */
const TICK_PX = 84
/** No label of a time where it would be cut off. */
const TICK_EDGE_PX = 20

/** The candle that is pointed at: `x` of the pointer, or undefined if keys have chosen it. */
type Cross = Readonly<{ index: number; x: number | undefined; y?: number }>
/**
 * The candle to describe, by when it opens; `spoken` is its time in words if keys have chosen it.
 * `y` is the pointer's, from the top.
 */
export type PointedCandle = Readonly<{
  opens: number
  spoken: string | undefined
  y: number | undefined
}>

type ChartListener = Readonly<{
  older: (beforeSeconds: number) => void
  newer: () => void
  /** The candle that is pointed at; undefined: there is none. */
  hover: (candle: PointedCandle | undefined) => void
  /** Everything may be somewhere else now. */
  layout: () => void
  /** Reports whether the newest candle is visible. */
  atEnd: (isAtEnd: boolean) => void
}>

export class CandleChart {
  readonly engine: KlineEngine
  readonly #listener: ChartListener
  readonly #colors: ChartColors
  readonly #sizes: ResizeObserver
  readonly #stop: () => void
  readonly #ticks = remembered(timeTicks)
  readonly #marks = remembered(placeMarks)
  #candles: DrawnCandle[] = []
  /** When they open. */
  #times: number[] = []
  #view: Omit<TimeScale, 'widthPx'> = { barPx: BAR_PX, right: RIGHT_GAP - 1 }
  /** The range set by the user; undefined: that of the visible candles. */
  #range: PriceRange | undefined
  #ownMarks: OwnMarks = { lines: [], marks: [] }
  #news: CandleNews | undefined
  #texts = textsOf('5', 2)
  #isUtc = false
  #cross: Cross | undefined
  #isPaused = () => false
  /** Opening time of the oldest candle before which more were requested. */
  #olderThan = 0

  constructor(frame: HTMLElement, listener: ChartListener) {
    this.#listener = listener
    this.#colors = readColors(frame)
    this.engine = new KlineEngine(frame, this.#colors, {
      range: (visible) => this.#range ?? this.#rangeOf(visible),
      timeTicks: () => this.#timeTicks(),
      priceTicks: (range, heightPx) => priceTicks(range, heightPx, this.#news?.step ?? 1),
      priceText: (price) => this.#texts.price(price),
      hoverText: (time) => this.#texts.hover(time),
      scene: () => this.#scene(),
      layout: listener.layout,
    })
    this.#sizes = new ResizeObserver(() => this.#look())
    this.#sizes.observe(frame)
    this.#stop = listenToGestures(frame, {
      partAt: (x, y) => this.#partAt(x, y),
      drag: (part, byX, byY) => this.#drag(part, byX, byY),
      zoom: (x, by) => this.#zoom(x, by),
      reset: (part) => this.#reset(part),
      point: (at, isTap) => this.#point(at, isTap),
      press: (key) => this.#press(key),
      isPaused: () => this.#isPaused(),
    })
  }

  /** Moves nothing while `isPaused`: a drawing is moved instead. */
  pause(isPaused: () => boolean): void {
    this.#isPaused = isPaused
  }

  /** The candle that is pointed at, or else the last one. */
  get pointedIndex(): number {
    const last = this.#candles.length - 1
    return Math.min(this.#cross?.index ?? last, last)
  }

  /** Takes news of candles. */
  draw(news: CandleNews): void {
    const isOther = news.key !== this.#news?.key
    // Changes are useless without the rest, which follows.
    if (isOther && !news.isWhole) return
    this.#news = news
    if (isOther) this.#begin(news)
    // A window without candles may come first: nothing in it keeps its place.
    if (news.isWhole) this.#takeWhole(news.candles, isOther || this.#times.length === 0)
    else for (const candle of news.candles) this.#takeOne(candle)
    this.#look()
    this.engine.redraw()
  }

  /** Draws what is of the account. */
  mark(ownMarks: OwnMarks): void {
    this.#ownMarks = ownMarks
    this.engine.rescale()
    this.engine.redraw()
  }

  /** Goes to the newest candle. */
  toNewest(): void {
    this.#setView(toNewest(this.#time, this.#candles.length))
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
    const { range } = this.engine
    if (range !== undefined) this.#setRange(stretched(range, by, this.#news?.step ?? 1))
  }

  /** Returns where a price is, in pixels from the top; undefined where it is not on the screen. */
  yOf(price: number): number | undefined {
    if (this.#candles.length === 0) return undefined
    const y = this.engine.yOf(price)
    return y === undefined || y < 0 || y > this.engine.pane.height ? undefined : y
  }

  /** Returns the price at a pixel, as it is written; the worker finds the legal one next to it. */
  textAt(y: number): string | undefined {
    const price = this.engine.priceAt(y) ?? 0
    return price <= 0 ? undefined : this.#texts.price(price)
  }

  /** Where the last price is, from the top. Pixels. */
  get lastY(): number | undefined {
    const last = this.#candles.at(-1)
    return last && this.engine.yOf(last.close)
  }

  /** Where the candle is that is pointed at, or else the last one. Pixels. */
  get pointedPlace(): Point | undefined {
    const index = this.pointedIndex
    const y = this.yOf(this.#candles[index]?.close ?? 0)
    return y === undefined ? undefined : { x: xOf(this.#time, index), y }
  }

  /** The pointer has left. */
  leave(): void {
    this.#setCross(undefined)
  }

  isAmongCandles(x: number, y: number): boolean {
    return this.#partAt(x, y) === 'candles' && y <= this.engine.pane.height
  }

  remove(): void {
    this.#stop()
    this.#sizes.disconnect()
    this.engine.remove()
  }

  get #time(): TimeScale {
    return { ...this.#view, widthPx: this.engine.pane.width }
  }

  #setView({ barPx, right }: TimeScale): void {
    this.#view = { barPx, right }
    this.#look()
  }

  #setRange(range: PriceRange | undefined): void {
    this.#range = range
    this.engine.rescale()
  }

  #rangeOf(visible: PriceRange): PriceRange {
    return withOrders(padded(visible, this.#news?.step ?? 1), this.#ownMarks.lines)
  }

  #scene() {
    const { marks, lines } = this.#ownMarks
    const newest = marks.at(-1)
    const [first] = this.#times
    const key = `${first} ${this.#times.length} ${marks.length} ${newest?.key} ${newest?.text}`
    return {
      lines: linesOf(lines, this.#news, this.#candles.at(-1), {
        ...{ colors: this.#colors, priceText: this.#texts.price },
      }),
      marks: this.#marks(key, marks, this.#times),
    }
  }

  #timeTicks() {
    const time = this.#time
    const apart = Math.ceil(TICK_PX / time.barPx)
    const key = `${apart} ${this.#isUtc} ${this.#times[0]} ${this.#times.length}`
    const isShown = (x: number) => x >= TICK_EDGE_PX && x <= time.widthPx - TICK_EDGE_PX
    return this.#ticks(key, this.#times, apart, this.#isUtc)
      .filter(({ index }) => isShown(xOf(time, index)))
      .map((tick) => ({ ...tick, text: this.#texts.tick(this.#times[tick.index] ?? 0, tick.kind) }))
  }

  /** Something else is in sight. Asks for what is beyond the ends, once for each end there is. */
  #look(): void {
    const time = this.#time
    this.engine.look(time)
    this.#lookAtCross(time)
    const [first] = this.#times
    if (first === undefined || this.#news === undefined) return
    const { hasNewest } = this.#news
    this.#listener.atEnd(hasNewest && time.right >= this.#times.length - 1)
    if (indexAt(time, 0) < AHEAD && this.#olderThan !== first) {
      this.#olderThan = first
      this.#listener.older(first)
    }
    if (!hasNewest && time.right > this.#times.length - AHEAD) this.#listener.newer()
  }

  /** A pointer that stays in its place points at another candle; keys stay at theirs. */
  #lookAtCross(time: TimeScale): void {
    const cross = this.#cross
    if (cross?.x !== undefined) this.#setCross({ ...cross, index: this.#indexAt(cross.x) })
    else if (cross !== undefined) this.#pointEngine(xOf(time, cross.index), cross.index)
  }

  #indexAt(x: number): number {
    return Math.round(indexAt(this.#time, x))
  }

  #pointEngine(x: number, index: number): void {
    const y = this.engine.yOf(this.#candles[index]?.close ?? 0)
    if (y !== undefined) this.engine.point({ x, y })
  }

  #begin({ key, decimals }: CandleNews): void {
    const resolution = key.slice(key.lastIndexOf(':') + 1) as Resolution
    this.#texts = textsOf(resolution, decimals)
    this.#isUtc = isOfDays(resolution)
    this.#range = undefined
    this.#setCross(undefined)
    this.engine.begin(resolution, decimals)
  }

  #takeWhole(candles: readonly DrawnCandle[], isNew: boolean): void {
    const before = this.#times
    this.#candles = [...candles]
    this.#times = candles.map(({ time }) => time)
    this.#olderThan = 0
    this.engine.replace(candles)
    if (isNew) this.#view = toNewest({ ...this.#time, barPx: BAR_PX }, candles.length)
    else this.#stay(before)
  }

  /** Keeps the candle in the middle of the screen in place when candles are added or removed. */
  #stay(before: readonly number[]): void {
    const [from, behind] = inSight(this.#time, before.length)
    const index = Math.min(Math.round((from + behind) / 2), before.length - 1)
    const now = this.#times.indexOf(before[index] ?? 0)
    if (now < 0) return
    const shift = now - index
    this.#view = { ...this.#view, right: this.#view.right + shift }
    if (this.#cross !== undefined)
      this.#setCross({ ...this.#cross, index: this.#cross.index + shift })
  }

  #takeOne(candle: DrawnCandle): void {
    const last = this.#times.length - 1
    const newest = this.#times[last]
    if (newest === undefined || candle.time > newest) {
      this.#candles.push(candle)
      this.#times.push(candle.time)
      this.engine.put(candle)
      // Whoever looks at the newest one sees the next.
      if (this.#view.right >= last) this.#view = { ...this.#view, right: this.#view.right + 1 }
      return
    }
    const index = lastUntil(this.#times, candle.time)
    if (this.#times[index] !== candle.time) return
    this.#candles[index] = candle
    if (index === last) this.engine.put(candle)
    else this.engine.replace(this.#candles)
  }

  #partAt(x: number, y: number): ChartPart {
    const { pane, height } = this.engine
    if (y > height) return 'times'
    return x > pane.width ? 'prices' : 'candles'
  }

  #drag(part: ChartPart, byX: number, byY: number): void {
    if (part === 'times') this.#zoom(this.#time.widthPx, Math.exp(byX * STRETCH_PER_PX))
    else if (part === 'candles') this.#move(byX, byY)
    else this.stretch(Math.exp(byY * STRETCH_PER_PX))
  }

  /** Prices move only if the user has set their range. */
  #move(byX: number, byY: number): void {
    this.#setView(moved(this.#time, byX, this.#candles.length))
    const [top, bottom] = [this.engine.priceAt(0), this.engine.priceAt(-byY)]
    if (this.#range === undefined || top === undefined || bottom === undefined) return
    const by = top - bottom
    this.#setRange({ low: this.#range.low - by, high: this.#range.high - by })
  }

  #zoom(x: number, by: number): void {
    this.#setView(zoomed(this.#time, { x, by }, this.#candles.length))
  }

  #reset(part: ChartPart): void {
    if (part === 'prices') this.#setRange(undefined)
    if (part === 'times')
      this.#setView(toNewest({ ...this.#time, barPx: BAR_PX }, this.#candles.length))
  }

  /** The engine follows a mouse on its own. */
  #point(at: Point | undefined, isTap: boolean): void {
    if (at === undefined || this.#partAt(at.x, at.y) !== 'candles') this.#setCross(undefined)
    else this.#setCross({ index: this.#indexAt(at.x), ...at })
    if (isTap) this.engine.point(this.#cross && at)
  }

  #press(key: string): boolean {
    if (key === 'ArrowLeft') this.#pointAtNext(-1)
    else if (key === 'ArrowRight') this.#pointAtNext(1)
    else if (key === '+' || key === '=') this.zoom(ZOOM_STEP)
    else if (key === '-') this.zoom(1 / ZOOM_STEP)
    else if (key === 'End') this.toNewest()
    else if (key === 'Escape' && this.#cross !== undefined) this.#leaveCross()
    else return false
    return true
  }

  /** Points at the next candle, and has it in sight. */
  #pointAtNext(by: 1 | -1): void {
    const last = this.#candles.length - 1
    if (last < 0) return
    const time = this.#time
    const from = this.#cross?.index ?? Math.min(last, Math.floor(time.right)) + 1
    const index = Math.min(Math.max(0, from + by), last)
    const x = xOf(time, index)
    const beyond = Math.min(0, x - BAR_PX) + Math.max(0, x + BAR_PX - time.widthPx)
    this.#setCross({ index, x: undefined })
    this.#setView(beyond === 0 ? time : moved(time, -beyond, this.#candles.length))
  }

  #leaveCross(): void {
    this.#setCross(undefined)
    this.engine.point(undefined)
  }

  #setCross(cross: Cross | undefined): void {
    this.#cross = cross
    const opens = cross && this.#times[cross.index]
    const spoken = cross?.x === undefined && opens ? this.#texts.hover(opens) : undefined
    this.#listener.hover(opens === undefined ? undefined : { opens, spoken, y: cross?.y })
  }
}
