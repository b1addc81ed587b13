// Chart view of the market: candles of a length, the depth, or the funding.
import type { OrderBook, Rest, shapes, VenueSocket } from 'openvenue'
import type { Poster } from '../../../protocol/worker/shown-sources.ts'
import type {
  CandleText,
  ChartChoice,
  DepthSpan,
  FundingView,
  Resolution,
} from '../chart-protocol.ts'
import type { CandleFeed, CandleSource } from './candle-feed.ts'

/** Hours per request; the maximum of the interface. */
const FUNDING_HOURS = 500
const MS_PER_SECOND = 1_000

export type ChartParts = Readonly<{
  rest: Rest
  socket: VenueSocket
  poster: Poster
  /** Runs work until its signal aborts; repeats it if the venue could not be reached. */
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
  /** True once the page has asked for a chart, which it does after the book. */
  #isAsked = false
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

  /** The length of the candles. */
  get shownResolution(): Resolution {
    return this.#resolution
  }

  /** Shows candles of another length. */
  resolution(resolution: Resolution): void {
    this.#resolution = resolution
    const market = this.#market
    if (market === undefined || !this.#isAsked) return
    this.#drawing.abort()
    this.#drawing = new AbortController()
    this.#candles = undefined
    const { signal } = this.#drawing
    let candles: CandleFeed | undefined
    this.#work(async () => {
      candles ??= await this.#openFeed(market, resolution)
      if (signal.aborted) return
      this.#candles = candles
      await candles.follow(signal)
    })
  }

  async #openFeed(market: shapes.Market, resolution: Resolution): Promise<CandleFeed> {
    const { CandleFeed } = await import('./candle-feed.ts')
    const candles: CandleFeed = new CandleFeed({
      ...this.#sourceOf(market, resolution),
      onChange: () => {
        if (this.#candles !== candles) return
        this.#parts.poster.showLater('candles', () => candles.take())
      },
    })
    return candles
  }

  #sourceOf(market: shapes.Market, resolution: Resolution): Omit<CandleSource, 'onChange'> {
    const { rest, socket } = this.#parts
    const { instrument_name } = market
    const channel = `candles:${instrument_name}:${resolution}` as const
    return {
      ...{ market, resolution, choice: this.#choice },
      messages: (signal) => socket.subscribe(channel, { signal }),
      read: (range, signal) => {
        const query = { instrument_name, resolution, ...range }
        return rest.call('GET /candles', { query }, { signal })
      },
      withLines: async (candles, choice, signal) => {
        if (!(choice.hasMark || choice.hasIndex)) {
          const { withoutLines } = await import('./candle-window.ts')
          return candles.map(withoutLines)
        }
        const { withLines } = await import('./price-lines.ts')
        return withLines({ rest, market, resolution }, candles, choice, signal)
      },
    }
  }

  /** Shows another tab, or other lines. A drawing that begins gets everything. */
  choose(choice: ChartChoice): void {
    this.#choice = choice
    if (!this.#isAsked) {
      this.#isAsked = true
      this.resolution(this.#resolution)
    }
    const candles = this.#candles
    this.#showDepth()
    if (candles === undefined) return
    // It is asked for: it comes while the numbers are frozen, too.
    this.#parts.poster.showLater('drawn', () => candles.takeAll())
    this.#work(() => candles.choose(choice, this.#drawing.signal))
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
    const { viewFunding } = await import('./funding-view.ts')
    return viewFunding(funding_history, market.price_step)
  }

  #work(work: () => Promise<void>): void {
    this.#parts.run(work, this.#drawing.signal)
  }

  #showDepth(): void {
    if (this.#choice.tab === 'depth') this.#work(() => this.#postDepth())
  }

  async #postDepth(): Promise<void> {
    const { viewDepth } = await import('./depth-view.ts')
    const [book, market] = [this.#book, this.#market]
    if (this.#choice.tab !== 'depth' || book === undefined || market === undefined) return
    this.#parts.poster.showLater('depth', () => viewDepth(book, market, this.#span))
  }
}
