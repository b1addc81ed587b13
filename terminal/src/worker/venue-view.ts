// Creates the page's view of the venue, in the worker, so that ticks never delay clicks. Follows
// one market at a time.
import {
  ConnectionError,
  followBook,
  OpenvenueError,
  type OrderBook,
  RateLimitedError,
  RefusedError,
  Rest,
  type shapes,
  UnavailableError,
  VenueSocket,
} from 'openvenue'
import { NO_BOOK, viewBook } from '../features/book/worker/book-view.ts'
import { QueueAhead } from '../features/book/worker/queue-ahead.ts'
import type { Resolution } from '../features/chart/chart-protocol.ts'
import { type ChartParts, ChartView } from '../features/chart/worker/chart-view.ts'
import { titleOf, viewMarket } from '../features/market/worker/market-view.ts'
import {
  type DaysBlock,
  followFunding,
  MarketsFeed,
} from '../features/market/worker/markets-feed.ts'
import type { OrderContext } from '../features/order/worker/order-plan.ts'
import type { OwnOrders } from '../features/order/worker/own-orders.ts'
import { NO_POOLS } from '../features/pools/pools-protocol.ts'
import { readPools } from '../features/pools/worker/pools-view.ts'
import { ConnectionWatch } from '../features/status/worker/connection-watch.ts'
import type { PublishedMessage } from '../features/status/worker/reorg-counter.ts'
import { StatusFeed, type StatusSource } from '../features/status/worker/status-feed.ts'
import { viewTrade } from '../features/trades/worker/trade-view.ts'
import type { PageState } from '../protocol/protocol.ts'
import type { Poster } from '../protocol/worker/shown-sources.ts'
import { decimalsOf, showDecimal } from '../text/decimal-text.ts'

const JUDGE_EVERY_MS = 250
/** Delay before a failed request is repeated. */
const RETRY_MS = 1_500
const TRADES_SHOWN = 50
/** Longer lists of markets are updated less often: each update makes the page compare all rows. */
const LONG_LIST = 100
const LONG_LIST_MS = 1_000

type ListedMarket = shapes.Market
type VenueHosts = Readonly<{
  apiUrl: string
  integratedUrl: string
  /** Receives each new state of the connection. */
  onConnection: (connection: PageState['connection']) => void
}>

export class VenueView {
  readonly #rest: Rest
  readonly #socket: VenueSocket
  readonly #poster: Poster
  readonly #watch = new ConnectionWatch(() => performance.now())
  readonly #days: MarketsFeed
  readonly #status: StatusFeed
  readonly #integratedUrl: string
  readonly chart: ChartView
  readonly #onConnection: VenueHosts['onConnection']
  #chosenName = ''
  #markets: readonly ListedMarket[] = []
  #market: ListedMarket | undefined
  #reading = new AbortController()
  #book: OrderBook | undefined
  #shownBook: PageState['book'] = NO_BOOK
  /** The market whose book is requested before the markets are known. */
  #early = ''
  #group = 0
  readonly #queue = new QueueAhead()
  #ownOrders: OwnOrders | undefined
  #chosen: (() => void) | undefined
  #page = ''
  #connection: PageState['connection'] = 'connecting'
  #blockNumber = 0
  #puttingMarkets: ReturnType<typeof setTimeout> | undefined

  constructor({ apiUrl, integratedUrl, onConnection }: VenueHosts, poster: Poster) {
    this.#poster = poster
    this.#onConnection = onConnection
    this.#rest = new Rest({ url: apiUrl, patience: { retries: 10, waitMsMax: 10_000 } })
    this.#socket = new VenueSocket({
      url: apiUrl,
      onState: (state) => {
        this.#watch.enter(state)
        this.#judge()
      },
    })
    const [rest, socket, watch] = [this.#rest, this.#socket, this.#watch]
    const show: StatusSource['show'] = (name, value) => this.#show(name, value)
    this.#days = new MarketsFeed(rest)
    const readBlock = async () => this.#sawBlock(await this.#days.readDays())
    this.#status = new StatusFeed({ apiUrl, rest, socket, watch, readBlock, show })
    this.#integratedUrl = integratedUrl
    const run: ChartParts['run'] = (work, signal) => this.#run(work, signal)
    this.chart = new ChartView({ rest, socket, poster, run, nowMs: () => this.#status.nowMs })
    setInterval(() => this.#judge(), JUDGE_EVERY_MS)
  }

  /** Follows all markets, and shows the one of that name. */
  open(market: string | undefined): void {
    this.#chosenName = market ?? ''
    this.#run(() => this.#followMarkets())
    // In parallel with the markets, which confirm that the name exists.
    if (market !== undefined && market !== '') this.#beginBook(market)
    const quietMs = () => this.#watch.quietMs
    this.#run(() => this.#days.follow(quietMs, (block) => this.#sawBlock(block)))
    this.#status.follow()
    this.#show('pools', { ...NO_POOLS, isOffered: this.#integratedUrl !== '' })
  }

  /** Starts or stops reading data that only one page shows. */
  page(page: string): void {
    this.#page = page
    this.#run(() => this.#status.shown(page === 'status'))
    if (page === 'pools') this.#run(() => this.#readPools())
  }

  /** Reads the price lines of the visible markets. */
  sparks(markets: readonly string[]): void {
    this.#run(() => this.#days.readSparks(markets, (sparks) => this.#show('sparks', sparks)))
  }

  async #readPools(): Promise<void> {
    this.#show('pools', await readPools(this.#integratedUrl))
  }

  #sawBlock(block: DaysBlock): void {
    // A newer block without a message means that there was nothing to publish.
    if (block.blockNumber > this.#blockNumber) this.#noteMessage()
    this.#blockNumber = block.blockNumber
    this.#status.sawBlock(block)
    this.#showMarkets()
  }

  async #followMarkets(): Promise<void> {
    for await (const message of this.#socket.subscribe('markets')) {
      this.#noteMessage(message)
      this.#keep(message.data)
      for (const changed of message.data) this.chart.takePrices(changed)
      this.#showMarkets()
      if (this.#market === undefined) this.choose(this.#chosenName)
      if (message.type === 'snapshot') this.page(this.#page)
    }
  }

  #showMarkets(): void {
    if (this.#markets.length <= LONG_LIST || this.#market === undefined) this.#putMarkets()
    else
      this.#puttingMarkets ??= setTimeout(() => {
        this.#puttingMarkets = undefined
        this.#putMarkets()
      }, LONG_LIST_MS)
  }

  #putMarkets(): void {
    const day = ({ instrument_name: name }: ListedMarket) => this.#days.day(name)
    const rows = this.#markets.map((market) => viewMarket(market, day(market)))
    this.#show('title', titleOf(rows, this.#market?.instrument_name))
    this.#show('markets', rows)
  }

  #keep(changed: readonly ListedMarket[]): void {
    const markets = new Map(this.#markets.map((market) => [market.instrument_id, market]))
    for (const market of changed) markets.set(market.instrument_id, market)
    this.#markets = [...markets.values()].sort((a, b) =>
      a.instrument_name < b.instrument_name ? -1 : 1,
    )
  }

  /** Shows the account's orders and positions, and follows their changes. */
  showOwn(ownOrders: OwnOrders): void {
    this.#ownOrders = ownOrders
    this.#showBook()
    this.#showMarks()
  }

  /** Shows candles of another length, with fills at them. */
  resolution(resolution: Resolution): void {
    this.chart.resolution(resolution)
    this.#showMarks()
  }

  #showMarks(): void {
    const [orders, market] = [this.#ownOrders, this.#market]
    if (orders === undefined || market === undefined) return
    this.#show('ownMarks', orders.marks(market, this.chart.shownResolution))
  }

  /** Returns the context of an order check: a market, with best prices if it is displayed. */
  orderContext(name: string): OrderContext | undefined {
    const market = this.#markets.find(({ instrument_name }) => instrument_name === name)
    if (market === undefined) return undefined
    const book = name === this.#market?.instrument_name ? this.#exactBook : undefined
    const [bestBid, bestAsk] = [book?.bids[0]?.[0], book?.asks[0]?.[0]]
    return { market, bestBid, bestAsk, nowSeconds: Math.floor(Date.now() / 1_000) }
  }

  /** Shows another market; an unknown name shows the first one. */
  choose(name: string): void {
    this.#chosenName = name
    const named = this.#markets.find(({ instrument_name }) => instrument_name === name)
    this.#market = named ?? this.#markets.find(({ is_active }) => is_active) ?? this.#markets[0]
    if (this.#market === undefined) return
    const market = this.#market
    if (this.#early !== market.instrument_name) this.#beginBook(market.instrument_name)
    this.#early = ''
    const { signal } = this.#reading
    this.#chosen?.()
    this.#putMarkets()
    this.#show('market', market.instrument_name)
    this.#show('trades', [])
    this.#showMarks()
    this.#show('fundingIn', '')
    this.#run(() => this.#followTrades(market, signal), signal)
    if (market.instrument_type === 'PERPETUAL')
      this.#run(() => this.#followFunding(market.instrument_name, signal), signal)
    this.chart.open(market)
    this.#tookBook()
  }

  /** Follows the book of a market instead of the previous one. */
  #beginBook(name: string): void {
    this.#reading.abort()
    this.#reading = new AbortController()
    this.#book = undefined
    this.#shownBook = NO_BOOK
    this.#early = name
    const { signal } = this.#reading
    const follow = () =>
      this.#followBook(name, signal).catch((error: unknown) => {
        // The URL names no market of this venue: another one is chosen once they are known.
        const isUnknown = error instanceof RefusedError && !isPassing(error)
        if (!isUnknown || this.#early !== name) throw error
        this.#early = ''
      })
    this.#run(follow, signal)
  }

  /** Requests all data of the market again. */
  restart(): void {
    this.choose(this.#chosenName)
  }

  /** The newest block that the API has shown. */
  get block(): number {
    return Math.max(this.#book?.blockNumber ?? 0, this.#blockNumber)
  }

  #followFunding(name: string, signal: AbortSignal): Promise<void> {
    const show = (text: string) => this.#show('fundingIn', text)
    const source = { socket: this.#socket, nowMs: () => this.#status.nowMs, show }
    return followFunding(source, name, signal)
  }

  /** The displayed market; undefined before there is one. */
  get market(): ListedMarket | undefined {
    return this.#market && this.marketNamed(this.#market.instrument_name)
  }

  /** Registers a listener of changes of the displayed market. */
  onChoose(listener: () => void): void {
    this.#chosen = listener
  }

  /** Returns the current state of a market; undefined before it is known. */
  marketNamed(name: string): ListedMarket | undefined {
    return this.#markets.find(({ instrument_name }) => instrument_name === name)
  }

  /** Returns the decimals of a market's prices; undefined before it is known. */
  digitsOf(name: string): number | undefined {
    const market = this.#markets.find(({ instrument_name }) => instrument_name === name)
    return market === undefined ? undefined : decimalsOf(market.price_step)
  }

  group(at: number): void {
    this.#group = at
    this.#showBook()
  }

  /** Runs `work` until `signal` aborts; repeats it if the venue could not be reached. */
  #run(work: () => Promise<void>, signal?: AbortSignal): void {
    work().catch((error: unknown) => {
      if (signal?.aborted === true || isAbort(error)) return
      if (!(error instanceof OpenvenueError)) throw error
      if (!isPassing(error)) return this.#show('problem', error.message)
      setTimeout(() => {
        if (signal?.aborted !== true) this.#run(work, signal)
      }, RETRY_MS)
    })
  }

  async #followBook(name: string, signal: AbortSignal): Promise<void> {
    for await (const book of followBook(this.#socket, name, { everyMs: 100, signal })) {
      this.#book = book
      this.#noteMessage()
      this.#tookBook()
    }
  }

  #tookBook(): void {
    if (this.#book !== undefined) this.chart.takeBook(this.#book)
    this.#showBook()
  }

  /** The book, unless its checksum differs from the venue's. */
  get #exactBook(): OrderBook | undefined {
    return this.#book?.isExact === true ? this.#book : undefined
  }

  #showBook(): void {
    const [book, market] = [this.#exactBook, this.#market]
    if (book === undefined || market === undefined) return
    const resting = this.#ownOrders?.resting(market.instrument_name) ?? []
    const aheads = this.#queue.take(book, resting, market.amount_step)
    const aheadOf = new Map(aheads.map(({ id, lots }) => [id, lots]))
    const ownOrders = resting.map((order) => ({ ...order, ahead: aheadOf.get(order.order_id) }))
    // The checksum may fail before the post; then the last correct book stays.
    this.#poster.showLater('book', () => {
      if (book.isExact) this.#shownBook = viewBook(book, market, this.#group, ownOrders)
      return this.#shownBook
    })
    this.#poster.showLater('trust', () => {
      return { block: showDecimal(String(book.blockNumber)), isChecked: book.isExact }
    })
  }

  async #followTrades(market: ListedMarket, signal: AbortSignal): Promise<void> {
    let shown: PageState['trades'] = []
    const { instrument_name: name, underlying_asset: asset } = market
    for await (const message of this.#socket.subscribe(`trades:${asset}`, {
      snapshot: true,
      signal,
    })) {
      const { type, data } = message
      this.#noteMessage(message)
      if (type === 'snapshot') shown = await this.#readTrades(market, signal)
      else if (type === 'undo') shown = shown.filter(({ id }) => !data.ids.includes(id))
      else if (data.instrument_name === name && shown[0]?.id !== data.trade_id)
        shown = [viewTrade(data, market), ...shown].slice(0, TRADES_SHOWN)
      this.#show('trades', shown)
    }
  }

  async #readTrades(market: ListedMarket, signal: AbortSignal): Promise<PageState['trades']> {
    const { trade_history } = await this.#rest.call(
      'GET /instrument/{instrument_name}/trade-history',
      { path: { instrument_name: market.instrument_name }, query: { limit: TRADES_SHOWN } },
      { signal },
    )
    return trade_history.map((trade) => viewTrade(trade, market))
  }

  #noteMessage(message?: PublishedMessage): void {
    this.#watch.noteMessage(message)
    this.#judge()
  }

  #judge(): void {
    const { state } = this.#watch
    // The book is being loaded again.
    const connection = state === 'open' && this.#book?.isExact === false ? 'resync' : state
    if (connection === 'stale') this.#show('quietFor', this.#watch.quietFor)
    if (connection === this.#connection) return
    this.#connection = connection
    this.#show('connection', connection)
    this.#onConnection(connection)
    if (connection === 'open') this.#show('problem', '')
  }

  #show<Name extends keyof PageState>(name: Name, value: PageState[Name]): void {
    this.#poster.show(name, value as never)
  }
}

/** True for errors that may not recur on a retry. */
const isPassing = (error: OpenvenueError): boolean =>
  error instanceof ConnectionError ||
  error instanceof UnavailableError ||
  error instanceof RateLimitedError

const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'
