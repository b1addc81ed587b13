// Reads public data: tickers, books, trades, open interest and the status of the venue.
import type {
  Dict,
  Int,
  Market,
  OpenInterest,
  OrderBook,
  Status,
  Strings,
  Ticker,
  Tickers,
  Trade,
} from 'ccxt'
import { fromRaw, type shapes } from 'openvenue'
import { VenueMarkets } from './markets.ts'
import { rangeOf } from './params.ts'

/** Maximum number of trades per request of the venue. */
const TRADES_MAX = 1000
/** Maximum `limit` of `fetchTrades`, read in several requests. */
const TRADES_WANTED_MAX = 20_000

/** Tickers over a socket lack the daily prices. */
type TickerRow = Pick<
  shapes.Ticker,
  'instrument_name' | 'mark' | 'index' | 'bid' | 'ask' | 'last_price' | 'volume_24h'
> &
  Partial<shapes.Ticker>

export class VenueMarketData extends VenueMarkets {
  override async fetchTime(params: Dict = {}): Promise<Int> {
    return this.msOf((await this.ask('GET /time', { params })).time)
  }

  override async fetchStatus(params: Dict = {}): Promise<Status> {
    const health = await this.ask('GET /health', { params })
    const open = health.trading === 'live' ? 'ok' : 'maintenance'
    const status = health.degraded ? 'error' : open
    const { timestamp: updated } = health
    return { status, updated, eta: undefined, url: undefined, info: health } as unknown as Status
  }

  override async fetchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    return (await this.fetchTickers([symbol], params))[symbol] as Ticker
  }

  override async fetchTickers(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets()
    const requested = this.marketSymbols(symbols)
    const query = this.tickersQuery(requested)
    const { tickers, timestamp } = await this.ask('GET /tickers', { query, params })
    const parsed = tickers.map((ticker) => this.parseTickerAt(ticker, this.msOf(timestamp)))
    return this.filterByArrayTickers(parsed, 'symbol', requested)
  }

  /** Narrows the request for a single market. */
  tickersQuery(symbols: Strings) {
    if (symbols?.length !== 1) return {}
    const { underlying_asset: asset, instrument_type } = this.venueMarket(symbols[0] as string)
    return { asset, instrument_type }
  }

  /** Omits `open`, `change` and `percentage`: the daily change is known for the mark only. */
  parseTickerAt(ticker: TickerRow, timestamp: number | undefined): Ticker {
    const { instrument_name, bid, ask, mark, index, last_price } = ticker
    const market = this.safeMarket(instrument_name)
    return this.safeTicker(
      {
        symbol: market?.symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        bid: bid?.price,
        bidVolume: bid?.amount,
        ask: ask?.price,
        askVolume: ask?.amount,
        high: ticker.high_24h ?? undefined,
        low: ticker.low_24h ?? undefined,
        last: last_price ?? undefined,
        quoteVolume: ticker.volume_24h,
        markPrice: mark.price ?? undefined,
        indexPrice: index.price ?? undefined,
        info: ticker,
      },
      market,
    )
  }

  override async fetchOrderBook(
    symbol: string,
    limit?: Int,
    params: Dict = {},
  ): Promise<OrderBook> {
    await this.loadMarkets()
    const market = this.venueMarket(symbol)
    const { instrument_name, base_decimals, quote_decimals } = market
    const { limit: depth } = rangeOf(undefined, limit)
    const query = { instrument_name, ...(depth === undefined ? {} : { depth }) }
    const book = await this.ask('GET /orderbook', { query, params })
    const human = ({ price, amount }: shapes.OrderBookLevel) => [
      fromRaw(BigInt(price), quote_decimals),
      fromRaw(BigInt(amount), base_decimals),
    ]
    const sides = { bids: book.bids.map(human), asks: book.asks.map(human) }
    return this.parseOrderBook(sides, symbol, book.last_updated_timestamp)
  }

  override async fetchTrades(
    symbol: string,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Trade[]> {
    const range = rangeOf(since, limit)
    await this.loadMarkets()
    const market = this.market(symbol)
    const id = String(market.id)
    const count = Math.min(range.limit ?? TRADES_MAX, TRADES_WANTED_MAX)
    const trades =
      range.since === undefined
        ? await this.readTrades(id, { limit: Math.min(count, TRADES_MAX) }, params)
        : await this.readTradesFrom(id, { sinceMs: range.since, count }, params)
    return this.parseTrades(trades, market, range.since, range.limit)
  }

  /** Returns trades, oldest first. */
  async readTrades(
    market: string,
    query: Readonly<{ limit: number; start_time?: number; after?: string }>,
    params: Dict,
  ): Promise<shapes.TradeHistoryItem[]> {
    const path = { instrument_name: market }
    const endpoint = 'GET /instrument/{instrument_name}/trade-history'
    return (await this.ask(endpoint, { path, query, params })).trade_history.reverse()
  }

  /** Returns the first trades from a time on; each request continues after the last trade. */
  async readTradesFrom(
    market: string,
    { sinceMs, count }: Readonly<{ sinceMs: number; count: number }>,
    params: Dict,
  ): Promise<shapes.TradeHistoryItem[]> {
    const trades: shapes.TradeHistoryItem[] = []
    while (trades.length < count) {
      const limit = Math.min(count - trades.length, TRADES_MAX)
      const last = trades.at(-1)
      const nextStart = last && {
        start_time: Number(this.msOf(last.created_timestamp)),
        after: last.trade_id,
      }
      const page = await this.readTrades(
        market,
        { limit, ...(nextStart ?? { start_time: sinceMs }) },
        params,
      )
      trades.push(...page)
      if (page.length < limit) break
    }
    return trades
  }

  override parseTrade(trade: shapes.TradeHistoryItem, market?: Market): Trade {
    const knownMarket = this.safeMarket(trade.instrument_name, market)
    const timestamp = this.msOf(trade.created_timestamp)
    return this.safeTrade(
      {
        id: trade.trade_id,
        timestamp,
        datetime: this.iso8601(timestamp),
        symbol: knownMarket?.symbol,
        side: trade.side,
        price: trade.price,
        amount: trade.amount,
        order: undefined,
        type: undefined,
        takerOrMaker: undefined,
        fee: undefined,
        info: trade,
      },
      knownMarket,
    )
  }

  override async fetchOpenInterest(symbol: string, params: Dict = {}): Promise<OpenInterest> {
    await this.loadMarkets()
    const { instrument_name } = this.venueMarket(symbol)
    const said = await this.ask('GET /statistics', { query: { instrument_name }, params })
    const timestamp = this.milliseconds()
    return this.safeOpenInterest(
      {
        symbol,
        openInterestAmount: this.safeNumber(said.open_interest, 'total'),
        openInterestValue: undefined,
        timestamp,
        datetime: this.iso8601(timestamp),
        info: said,
      },
      this.market(symbol),
    )
  }
}
