// What the chart shows of the market: candles of a length, the depth, or the funding.
import type { OrderBook, Rest, shapes, VenueSocket } from 'openvenue'
import type { Poster } from '../shown-sources.ts'
import { CandleFeed } from './candle-feed.ts'
import type {
  CandleText,
  ChartChoice,
  DepthSpan,
  FundingView,
  Resolution,
} from './chart-protocol.ts'
import { viewDepth } from './depth-view.ts'
import { viewFunding } from './funding-view.ts'

/** Of one request; the interface has no more. */
const FUNDING_HOURS = 500
const MS_PER_SECOND = 1_000

export type ChartParts = Readonly<{
  rest: Rest
  socket: VenueSocket
  poster: Poster
  /** Does work until its signal, and anew where the venue could not be reached. */
  run: (work: () => Promise<void>, signal: AbortSignal) => void
  /** The venue's clock. Unix milliseconds. */
  nowMs: () => number
}>

export class ChartView {
  readonly #parts: ChartParts
  #market: shapes.Market | undefined
  #resolution: Resolution = '5'
  #choice: ChartChoice = { tab: 'price', hasMark: false, hasIndex: false }
  #span: DepthSpan = '2'
  #candles: CandleFeed | undefined
  #drawing = new AbortController()
  #book: OrderBook | undefined

  constructor(parts: ChartParts) {
    this.#parts = parts
  }

  /** Shows another market. */
  open(market: shapes.Market): void {
    this.#market = market
    this.#book = undefined
    this.resolution(this.#resolution)
  }

  /** Shows candles of another length. */
  resolution(resolution: Resolution): void {
    this.#resolution = resolution
    const market = this.#market
    if (market === undefined) return
    this.#drawing.abort()
    this.#drawing = new AbortController()
    const { rest, socket, poster } = this.#parts
    const onChange = () => {
      if (this.#candles === candles) poster.showLater('candles', () => candles.take())
    }
    const choice = this.#choice
    const candles = new CandleFeed({ rest, socket, market, resolution, choice, onChange })
    this.#candles = candles
    this.#work(() => candles.follow(this.#drawing.signal))
  }

  /** Shows another tab, or other lines. A drawing that begins gets everything. */
  choose(choice: ChartChoice): void {
    this.#choice = choice
    const candles = this.#candles
    if (candles === undefined) return
    candles.redraw()
    this.#work(() => candles.choose(choice, this.#drawing.signal))
    this.#showDepth()
  }

  /** Shows the depth so far from the middle. */
  span(span: DepthSpan): void {
    this.#span = span
    this.#showDepth()
  }

  /** Reads candles before those that are drawn. Unix seconds. */
  older(before: number): void {
    this.#work(async () => this.#candles?.older(before, this.#drawing.signal))
  }

  newer(): void {
    this.#work(async () => this.#candles?.newer(this.#drawing.signal))
  }

  toNewest(): void {
    this.#work(async () => this.#candles?.toNewest(this.#drawing.signal))
  }

  takeBook(book: OrderBook): void {
    this.#book = book
    this.#showDepth()
  }

  takePrices(market: shapes.Market): void {
    if (market.instrument_id !== this.#market?.instrument_id) return
    this.#candles?.takePrices(market, Math.floor(this.#parts.nowMs() / MS_PER_SECOND))
  }

  describe(time: number): CandleText | null {
    return this.#candles?.describe(time) ?? null
  }

  /** Reads the hours of funding of the market; none of a spot market. */
  async funding(name: string): Promise<FundingView> {
    const market = this.#market
    const none: FundingView = { hours: [], average: '', averageYearly: '' }
    if (market?.instrument_name !== name || market.instrument_type !== 'PERPETUAL') return none
    const { funding_history } = await this.#parts.rest.call('GET /funding-history', {
      query: { instrument_name: name, limit: FUNDING_HOURS },
    })
    return viewFunding(funding_history, market.price_step)
  }

  #work(work: () => Promise<void>): void {
    this.#parts.run(work, this.#drawing.signal)
  }

  #showDepth(): void {
    const [book, market, span] = [this.#book, this.#market, this.#span]
    if (this.#choice.tab !== 'depth' || book === undefined || market === undefined) return
    this.#parts.poster.showLater('depth', () => viewDepth(book, market, span))
  }
}
