// Reads the orders and fills of the API key's account.
import type { Dict, Int, Market, Order, Str, Trade } from 'ccxt'
import type { shapes } from 'openvenue'
import { rangeOf, textParam } from './params.ts'
import { fillTexts, orderTexts } from './parse-order.ts'
import { VenueTransfers } from './transfers.ts'

const ROWS_MAX = 1000
/** Maximum number of pages to search; rarer rows need a narrower time range. */
const PAGES_MAX = 20

type HistoryRequest = Readonly<{
  symbol: Str
  since: Int
  limit: Int
  params: Dict
}>
type OrderPage<Row> = Readonly<{ rows: readonly Row[]; pagination: shapes.Pagination }>

export class VenueOrderReads extends VenueTransfers {
  override async fetchOrder(id: string, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets()
    const [named, rest] = this.clientIdOf(params)
    if (named !== undefined) {
      const path = { client_order_id: named }
      return this.parseOrder(
        await this.ask('GET /orders/by-client-id/{client_order_id}', { path, params: rest }),
      )
    }
    const query = { include: 'closed' } as const
    return this.parseOrder(
      await this.ask('GET /orders/{order_id}', { path: { order_id: id }, query, params: rest }),
    )
  }

  override async fetchOpenOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    const range = rangeOf(since, limit)
    await this.loadMarkets()
    const market = symbol === undefined ? undefined : this.venueMarket(symbol)
    const filter = market && {
      asset: market.underlying_asset,
      instrument_type: market.instrument_type,
    }
    const rows = await this.readPages<shapes.Order>(async (cursor) => {
      const query = { ...filter, ...cursor, limit: ROWS_MAX, include: 'pending' as const }
      const { orders, pagination } = await this.ask('GET /open-orders', { query, params })
      return { rows: orders, pagination }
    })
    const knownMarket = symbol === undefined ? undefined : this.market(symbol)
    return this.parseOrders(rows, knownMarket, range.since, range.limit)
  }

  override async fetchClosedOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchEnded(['filled'], { symbol, ...rangeOf(since, limit), params })
  }

  override async fetchCanceledOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchEnded(['cancelled'], { symbol, ...rangeOf(since, limit), params })
  }

  override async fetchCanceledAndClosedOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchEnded(['filled', 'cancelled'], { symbol, ...rangeOf(since, limit), params })
  }

  /** Order history covers orders on the chain only; `fetchOrder` finds the others. */
  async fetchEnded(
    statuses: readonly shapes.OrderStatus[],
    history: HistoryRequest,
  ): Promise<Order[]> {
    await this.loadMarkets()
    const { symbol, since, limit } = history
    const [query, params] = this.historyQuery(history)
    const isWanted = (row: shapes.Order) => statuses.includes(row.order_status)
    const rows = await this.readPages<shapes.Order>(async (cursor) => {
      const page = await this.ask('GET /order-history', { query: { ...query, ...cursor }, params })
      return { rows: page.order_history.filter(isWanted), pagination: page.pagination }
    }, limit ?? ROWS_MAX)
    const market = symbol === undefined ? undefined : this.market(symbol)
    return this.parseOrders(rows, market, since, limit)
  }

  override async fetchMyTrades(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Trade[]> {
    const range = rangeOf(since, limit)
    await this.loadMarkets()
    const market = symbol === undefined ? undefined : this.market(symbol)
    const fills = await this.readFills({ symbol, ...range, params }, () => true)
    return this.parseTrades(fills, market, range.since, range.limit)
  }

  override async fetchOrderTrades(
    id: string,
    symbol?: Str,
    ...[since, limit, params = {}]: [Int?, Int?, Dict?]
  ): Promise<Trade[]> {
    const range = rangeOf(since, limit)
    const order = await this.fetchOrder(id, symbol)
    // The venue has no list of an order's fills. None is older than the order.
    const from = range.since ?? order.timestamp
    const history = { symbol: order.symbol, since: from, limit: undefined, params }
    const isOfIt = ({ order_id }: shapes.Fill) => order_id === order.id
    const fills = await this.readFills(history, isOfIt)
    return this.parseTrades(fills, this.market(order.symbol), range.since, range.limit)
  }

  async readFills(history: HistoryRequest, isWanted: (fill: shapes.Fill) => boolean) {
    const [query, params] = this.historyQuery(history)
    return this.readPages<shapes.Fill>(async (cursor) => {
      const page = await this.ask('GET /trade-history', { query: { ...query, ...cursor }, params })
      const { trade_history, pagination } = page as shapes.FillsPage
      return { rows: trade_history.filter(isWanted), pagination }
    }, history.limit ?? ROWS_MAX)
  }

  /** Without `since` the newest rows, otherwise the oldest from then on. */
  historyQuery({ symbol, since, limit, params }: HistoryRequest) {
    const [until, rest] = this.untilOf(params)
    const query = {
      sort_order: since === undefined ? 'desc' : 'asc',
      limit: Math.min(limit ?? ROWS_MAX, ROWS_MAX),
      ...(symbol !== undefined && { instrument_name: String(this.market(symbol).id) }),
      ...(since !== undefined && { start_time: since }),
      ...(until !== undefined && { end_time: until }),
    } as const
    return [query, rest] as const
  }

  /** Returns the first `enough` rows of a list, page by page. */
  async readPages<Row>(
    read: (cursor: { cursor?: string; direction?: 'next' }) => Promise<OrderPage<Row>>,
    enough = Number.POSITIVE_INFINITY,
  ): Promise<Row[]> {
    const rows: Row[] = []
    let cursor: { cursor?: string; direction?: 'next' } = {}
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = await read(cursor)
      rows.push(...page.rows)
      const next = page.pagination.next_cursor
      if (next === null || rows.length >= enough) break
      cursor = { cursor: next, direction: 'next' }
    }
    return rows.slice(0, enough)
  }

  override parseOrder(order: shapes.Order, market?: Market): Order {
    const knownMarket = this.safeMarket(order.instrument_name, market)
    const timestamp = this.msOf(order.created_timestamp)
    return this.safeOrder(
      {
        ...orderTexts(order),
        symbol: knownMarket?.symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        lastUpdateTimestamp: this.msOf(order.timestamp),
        lastTradeTimestamp: undefined,
        trades: undefined,
        fee: { cost: this.parseNumber(order.fees), currency: knownMarket?.quote },
      },
      knownMarket,
    )
  }

  /** Fills have more members than public trades: account, order and fee. */
  override parseTrade(trade: shapes.Fill | shapes.TradeHistoryItem, market?: Market): Trade {
    if (!('account' in trade)) return super.parseTrade(trade, market)
    const knownMarket = this.safeMarket(trade.instrument_name, market)
    const timestamp = this.msOf(trade.created_timestamp)
    const currency = this.safeCurrencyCode(trade.fee_asset)
    return this.safeTrade(
      {
        ...fillTexts(trade),
        symbol: knownMarket?.symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        fee: { cost: trade.fees, currency, rate: trade.fee_rate },
      },
      knownMarket,
    )
  }

  clientIdOf(params: Dict): [id: Str, rest: Dict] {
    return [
      textParam(params, 'clientOrderId') ?? textParam(params, 'clientOid'),
      this.omit(params, ['clientOrderId', 'clientOid']),
    ]
  }
}
