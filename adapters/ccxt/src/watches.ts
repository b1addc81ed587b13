// Watches books, trades, tickers, candles, and the account's orders, fills, positions and balances.
import type {
  Balances,
  Dict,
  Int,
  OHLCV,
  Order,
  OrderBook,
  Position,
  Str,
  Strings,
  Ticker,
  Trade,
} from 'ccxt'
import { NetworkError } from 'ccxt'
import { OrderBook as CheckedBook, type ChannelMessage as Message, type shapes } from 'openvenue'
import type { ChannelMessage } from './channel-position.ts'
import { rangeOf } from './params.ts'
import { RecentRows } from './recent-rows.ts'
import { type Gap, type SocketClient, VenueSockets } from './sockets.ts'

/** Rows kept per channel, equal to the number that the venue replays after a lost connection. */
const ROWS_MAX = 4096
/** Maximum rows per REST request for messages that the venue no longer replays. */
const MISSED_MAX = 1000

type WatchRows = RecentRows<object>
type WatchRange = Readonly<{ symbols: Strings; since?: Int; limit?: Int }>
/** Members by which rows are filtered. */
type WatchRow = Readonly<{ symbol: Str; timestamp?: Int }>

export class VenueWatches extends VenueSockets {
  readonly #books = new Map<string, CheckedBook>()
  readonly #bookMs = new Map<string, number>()
  readonly #rows = new Map<string, WatchRows>()
  #balances: shapes.Account | undefined

  override async watchOrderBook(
    symbol: string,
    limit?: Int,
    _params: Dict = {},
  ): Promise<OrderBook> {
    rangeOf(undefined, limit)
    const channel = await this.marketChannel('orderbook', symbol)
    await this.watchChannel(channel)
    const { bids = [], asks = [], seq } = this.#books.get(channel) ?? {}
    const side = (levels: CheckedBook['bids']) =>
      levels.slice(0, limit).map(([price, amount]) => [price, amount])
    const levels = { bids: side(bids), asks: side(asks) }
    const book = this.parseOrderBook(levels, symbol, this.#bookMs.get(channel))
    book.nonce = seq
    return book
  }

  override async watchTicker(symbol: string, _params: Dict = {}): Promise<Ticker> {
    await this.watchChannel(await this.marketChannel('ticker', symbol))
    return this.tickers[symbol] as Ticker
  }

  override async watchTrades(
    symbol: string,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Trade[]> {
    rangeOf(since, limit)
    const channel = await this.marketChannel('trades', symbol)
    return this.watchRows<Trade>(channel, { symbols: [symbol], since, limit })
  }

  override async watchOHLCV(
    symbol: string,
    timeframe = '1m',
    ...[since, limit]: [Int?, Int?, Dict?]
  ): Promise<OHLCV[]> {
    rangeOf(since, limit)
    const channel = await this.marketChannel('candles', symbol, this.resolutionOf(timeframe))
    const rows = await this.watchRows<OHLCV>(channel, { symbols: undefined })
    return this.filterBySinceLimit(rows, since, limit, 0, true) as OHLCV[]
  }

  override async watchOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Order[]> {
    return this.watchRows<Order>('orders', { symbols: this.oneOrAll(symbol), since, limit })
  }

  override async watchMyTrades(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Trade[]> {
    return this.watchRows<Trade>('fills', { symbols: this.oneOrAll(symbol), since, limit })
  }

  override async watchPositions(
    symbols?: Strings,
    since?: Int,
    limit?: Int,
    _params: Dict = {},
  ): Promise<Position[]> {
    return this.watchRows<Position>('positions', { symbols, since, limit })
  }

  override async watchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets()
    const [type] = this.handleMarketTypeAndParams('watchBalance', undefined, params)
    await this.watchChannel('balances')
    return this.balancesOf(this.#balances as shapes.Account, type)
  }

  oneOrAll(symbol: Str): Strings {
    return symbol === undefined ? undefined : [symbol]
  }

  async marketChannel(kind: string, symbol: string, ...more: string[]): Promise<string> {
    await this.loadMarkets()
    return [kind, this.venueMarket(symbol).instrument_name, ...more].join(':')
  }

  /** Waits for rows that are new to the caller and returns them; returns all if requested. */
  async watchRows<Kind>(channel: string, { symbols, since, limit }: WatchRange): Promise<Kind[]> {
    rangeOf(since, limit)
    await this.loadMarkets()
    const reader = symbols?.join() ?? ''
    const isWanted = (row: object) =>
      symbols === undefined || symbols.includes(String((row as WatchRow).symbol))
    for (;;) {
      const rows = this.#rows.get(channel)
      const fresh = rows?.takeNew(reader, isWanted) ?? []
      const given = this.newUpdates ? fresh : (rows?.all() ?? []).filter(isWanted)
      if (fresh.length > 0)
        return channel.startsWith('candles')
          ? (given as Kind[])
          : (this.filterBySinceLimit(given, since, limit, 'timestamp', true) as Kind[])
      await this.watchChannel(channel)
    }
  }

  override takeMessage(message: ChannelMessage): boolean {
    const [kind = ''] = message.channel.split(':')
    const take = this.takers()[kind]
    return take === undefined || take.call(this, message as never)
  }

  /** Handlers by kind of channel. Not a getter, because ccxt copies every member. */
  takers(): Readonly<Record<string, (message: never) => boolean>> {
    return {
      orderbook: this.takeBook,
      ticker: this.takeTicker,
      trades: this.takeTrade,
      candles: this.takeCandle,
      orders: this.takeOrders,
      fills: this.takeFills,
      positions: this.takePositions,
      balances: this.takeBalances,
    }
  }

  /** Returns false if the book does not match its checksum. */
  takeBook(message: Message<`orderbook:${string}`>): boolean {
    const { channel, ts } = message
    const book = this.#books.get(channel) ?? new CheckedBook()
    this.#books.set(channel, book)
    this.#bookMs.set(channel, ts)
    return book.take(message)
  }

  takeTicker({ data }: Message<`ticker:${string}`>): boolean {
    for (const ticker of data.tickers) {
      const parsed = this.parseTickerAt(ticker, this.msOf(data.timestamp))
      this.tickers[String(parsed.symbol)] = parsed
    }
    return true
  }

  takeTrade({ channel, type, data }: Message<`trades:${string}`>): boolean {
    const rows = this.rowsOf(channel)
    if (type === 'undo') return dropAll(rows, data.ids)
    if (data === null) return true
    const trade = this.parseTrade(data)
    rows.add(String(trade.id), trade)
    return true
  }

  /** An undo carries the newest remaining candle. */
  takeCandle({ channel, data }: Message<`candles:${string}:${string}`>): boolean {
    if (data === null) return true
    const candle = this.parseOHLCV(data)
    this.rowsOf(channel).put(Number(candle[0]), candle)
    return true
  }

  takeOrders({ channel, type, data }: Message<'orders'>): boolean {
    const rows = this.rowsOf(channel)
    for (const order of data.orders) rows.put(order.order_id, this.parseOrder(order))
    return type === 'snapshot' || dropAll(rows, data.removed ?? [])
  }

  takeFills({ channel, type, data }: Message<'fills'>): boolean {
    const rows = this.rowsOf(channel)
    if (type === 'undo') return dropAll(rows, data.ids)
    for (const fill of type === 'snapshot' ? data.fills : [data.fill])
      rows.add(fill.trade_id, this.parseTrade(fill))
    return true
  }

  takePositions({ channel, data }: Message<'positions'>): boolean {
    for (const position of data.positions) {
      if (position.instrument_type !== 'PERPETUAL') continue
      const symbol = String(this.safeMarket(position.instrument_name)?.symbol)
      const parsed =
        'leverage' in position ? this.parsePosition(position) : this.flatPosition(symbol)
      this.rowsOf(channel).put(symbol, parsed)
    }
    return true
  }

  takeBalances({ data }: Message<'balances'>): boolean {
    this.#balances = data.account
    return true
  }

  /**
   * Reads over REST the messages that the venue no longer replays, from the last row on; each row
   * is delivered once. Pending calls fail if they cannot be read.
   */
  override handleGap(client: SocketClient, { channel, from_seq, to_seq }: Gap): void {
    const [kind = ''] = channel.split(':')
    // Snapshots of other states are complete; the one of orders lacks orders that ended meanwhile.
    if (!['trades', 'fills', 'orders'].includes(kind)) return
    const fill = async () => {
      for (const row of await this.readMissed(channel))
        this.rowsOf(channel).add(String(this.safeString(row, 'id')), row)
      client.resolve(true, channel)
    }
    fill().catch((cause: unknown) => {
      const text = `${this.id} ${channel}: messages ${from_seq} to ${to_seq} were missed: ${cause}`
      client.reject(new NetworkError(text), channel)
    })
  }

  /** Returns rows over REST from the last one on. Throws if they may be incomplete. */
  async readMissed(channel: string): Promise<readonly object[]> {
    const [kind = '', name = ''] = channel.split(':')
    if (kind === 'orders') throw new Error('use fetchClosedOrders for orders that ended')
    const last = this.rowsOf(channel).all().at(-1) as WatchRow | undefined
    if (last === undefined) throw new Error('no previous row')
    const symbol = String(this.safeMarket(name)?.symbol)
    const rows =
      kind === 'trades'
        ? await this.fetchTrades(symbol, last.timestamp, MISSED_MAX)
        : await this.fetchMyTrades(undefined, last.timestamp, MISSED_MAX)
    if (rows.length >= MISSED_MAX) throw new Error('more rows than one request returns')
    return rows
  }

  rowsOf(channel: string): WatchRows {
    const rows = this.#rows.get(channel) ?? new RecentRows<object>(ROWS_MAX)
    this.#rows.set(channel, rows)
    return rows
  }
}

function dropAll(rows: WatchRows, ids: readonly string[]): true {
  for (const id of ids) rows.drop(id)
  return true
}
