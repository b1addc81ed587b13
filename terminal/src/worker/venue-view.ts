// Everything that the page knows of the venue is made here, beside the page: no tick keeps a click
// waiting. One market at a time is followed.
import {
  followBook,
  OpenvenueError,
  type OrderBook,
  Rest,
  type shapes,
  VenueSocket,
} from 'openvenue'
import { viewBook } from './book-view.ts'
import { CandleFeed } from './candle-feed.ts'
import { showDecimal } from './decimal-text.ts'
import type { FramePoster } from './frame-poster.ts'
import { viewMarket } from './market-view.ts'
import type { OrderContext } from './order-plan.ts'
import type { OwnOrders } from './own-orders.ts'
import type { Resolution, Shown } from './protocol.ts'
import { viewTrade } from './trade-view.ts'

/** The venue makes blocks: when none has come for so long, what is shown is old. */
const STALE_MS = 2_000
const TRADES_SHOWN = 50

type Market = shapes.Market

export class VenueView {
  readonly #rest: Rest
  readonly #socket: VenueSocket
  readonly #poster: FramePoster
  #markets: readonly Market[] = []
  #market: Market | undefined
  #reading = new AbortController()
  #book: OrderBook | undefined
  #candles: CandleFeed | undefined
  #drawing = new AbortController()
  #resolution: Resolution = '5'
  #group = 0
  #heardMs = 0
  #own: OwnOrders | undefined

  constructor(apiUrl: string, poster: FramePoster) {
    this.#poster = poster
    this.#rest = new Rest({ url: apiUrl, patience: { retries: 10, waitMsMax: 10_000 } })
    this.#socket = new VenueSocket({
      url: apiUrl,
      onState: (state) => this.#show('connection', connectionOf(state)),
    })
    setInterval(() => this.#judgeAge(), STALE_MS / 4)
  }

  /** Follows all markets, and shows the one of that name. */
  open(market: string | undefined): void {
    this.#run(this.#followMarkets(market ?? ''))
  }

  async #followMarkets(wanted: string): Promise<void> {
    for await (const { data } of this.#socket.subscribe('markets')) {
      this.#heard()
      for (const changed of data) this.#keep(changed)
      const rows = this.#markets.map((one) => viewMarket(one))
      this.#show('markets', rows)
      if (this.#market === undefined) this.choose(wanted)
    }
  }

  #keep(changed: Market): void {
    const others = this.#markets.filter(({ instrument_id: id }) => id !== changed.instrument_id)
    this.#markets = [...others, changed].sort((a, b) =>
      a.instrument_name < b.instrument_name ? -1 : 1,
    )
  }

  /** Shows what is of the account, from now on and whenever it changes. */
  showOwn(own: OwnOrders): void {
    this.#own = own
    this.#showBook()
    if (this.#market !== undefined) this.#show('own', own.marks(this.#market))
  }

  /** Returns what an order is checked against: the market that is shown, and who is there. */
  orderContext(): OrderContext | undefined {
    const name = this.#market?.instrument_name
    const market = this.#markets.find(({ instrument_name }) => instrument_name === name)
    if (market === undefined) return undefined
    const [bestBid, bestAsk] = [this.#book?.bids[0]?.[0], this.#book?.asks[0]?.[0]]
    return { market, bestBid, bestAsk, nowSeconds: Math.floor(Date.now() / 1_000) }
  }

  /** Shows another market; one that there is not is the first. */
  choose(name: string): void {
    const found = this.#markets.find(({ instrument_name }) => instrument_name === name)
    this.#market = found ?? this.#markets.find(({ is_active }) => is_active) ?? this.#markets[0]
    if (this.#market === undefined) return
    this.#reading.abort()
    this.#reading = new AbortController()
    const { signal } = this.#reading
    this.#show('market', this.#market.instrument_name)
    this.#show('trades', [])
    this.#book = undefined
    if (this.#own !== undefined) this.#show('own', this.#own.marks(this.#market))
    this.#run(this.#followBook(this.#market.instrument_name, signal))
    this.#run(this.#followTrades(this.#market, signal))
    this.resolution(this.#resolution)
  }

  /** The market that is shown, as it was when it was chosen; undefined before there is one. */
  get market(): Market | undefined {
    return this.#market
  }

  /** Groups prices of the book by that one of the groups. */
  group(at: number): void {
    this.#group = at
    this.#showBook()
  }

  /** Shows candles of another length. */
  resolution(resolution: Resolution): void {
    this.#resolution = resolution
    const market = this.#market
    if (market === undefined) return
    this.#drawing.abort()
    this.#drawing = new AbortController()
    const source = { rest: this.#rest, socket: this.#socket, market, resolution }
    this.#candles = new CandleFeed(source, (news) => this.#poster.show('candles', news))
    this.#run(this.#candles.follow(this.#drawing.signal))
  }

  /** Reads candles before those that are shown. Unix seconds. */
  older(before: number): void {
    const { signal } = this.#drawing
    if (this.#candles !== undefined) this.#run(this.#candles.older(before, signal))
  }

  #run(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof OpenvenueError) this.#show('problem', error.message)
      else if (!isAbort(error)) throw error
    })
  }

  async #followBook(name: string, signal: AbortSignal): Promise<void> {
    for await (const book of followBook(this.#socket, name, { everyMs: 100, signal })) {
      this.#book = book
      this.#heard()
      this.#showBook()
    }
  }

  #showBook(): void {
    if (this.#book === undefined || this.#market === undefined) return
    const own = this.#own?.resting(this.#market.instrument_name)
    this.#show('book', viewBook(this.#book, this.#market, this.#group, own))
    const block = showDecimal(String(this.#book.blockNumber))
    this.#show('trust', { block, isChecked: true })
  }

  async #followTrades(market: Market, signal: AbortSignal): Promise<void> {
    let shown: Shown['trades'] = []
    const { instrument_name: name, underlying_asset: asset } = market
    for await (const { type, data } of this.#socket.subscribe(`trades:${asset}`, {
      snapshot: true,
      signal,
    })) {
      this.#heard()
      if (type === 'snapshot') shown = await this.#readTrades(name, signal)
      else if (type === 'undo') shown = shown.filter(({ id }) => !data.ids.includes(id))
      else if (data.instrument_name === name && shown[0]?.id !== data.trade_id)
        shown = [viewTrade(data), ...shown].slice(0, TRADES_SHOWN)
      this.#show('trades', shown)
    }
  }

  async #readTrades(name: string, signal: AbortSignal): Promise<Shown['trades']> {
    const { trade_history } = await this.#rest.call(
      'GET /instrument/{instrument_name}/trade-history',
      { path: { instrument_name: name }, query: { limit: TRADES_SHOWN } },
      { signal },
    )
    return trade_history.map(viewTrade)
  }

  #heard(): void {
    this.#heardMs = performance.now()
    if (this.#socket.state === 'open') this.#show('connection', 'open')
  }

  #judgeAge(): void {
    const isOld = performance.now() - this.#heardMs > STALE_MS
    if (isOld && this.#socket.state === 'open') this.#show('connection', 'stale')
  }

  #show<Name extends keyof Shown>(name: Name, value: Shown[Name]): void {
    this.#poster.show(name, value as never)
  }
}

const connectionOf = (state: string): Shown['connection'] => {
  if (state === 'open' || state === 'connecting') return state
  return 'lost'
}

const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'
