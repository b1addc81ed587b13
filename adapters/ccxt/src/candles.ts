// Reads candles of trades, and builds candles of the mark and the index from stored prices.
import { BadRequest, type Dict, type Int, type OHLCV } from 'ccxt'
import type { shapes } from 'openvenue'
import { TIMEFRAMES } from './describe.ts'
import { firstRows } from './first-rows.ts'
import { VenueMarketData } from './market-data.ts'
import { rangeOf, textParam } from './params.ts'
import { candlesOf, samplesOf } from './price-candles.ts'

const CANDLES_DEFAULT = 500
/** Maximum number of candles per request of the venue. */
const CANDLES_MAX = 5000
const PRICES_MAX = 500
const MS_PER_SECOND = 1000

type CandleResolution = '1'
type CandleRange = Readonly<{
  sinceMs: number | undefined
  untilMs: number | undefined
  limit: number
}>

/** Prices that can replace trades in candles. */
const KEPT = ['mark', 'index']

export class VenueCandles extends VenueMarketData {
  /** Returns the newest candles, or with `since` the first `limit` from then on, across any gap. */
  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    ...[since, limit, params = {}]: [Int?, Int?, Dict?]
  ): Promise<OHLCV[]> {
    const { since: sinceMs, limit: count = CANDLES_DEFAULT } = rangeOf(since, limit)
    const [untilMs, withoutUntil] = this.untilOf(params)
    const price = textParam(withoutUntil, 'price')
    if (price !== undefined && !KEPT.includes(price))
      throw new BadRequest(`${this.id} price: got ${price}, expected ${KEPT.join(' or ')}`)
    await this.loadMarkets()
    const rest = this.omit(withoutUntil, 'price')
    const most = price === undefined ? CANDLES_MAX : PRICES_MAX - 1
    const range = { sinceMs, untilMs, limit: Math.min(count, most) }
    if (price !== undefined) return this.fetchPriceCandles([symbol, timeframe, price], range, rest)
    const candles = await this.readCandles([symbol, timeframe], range, rest)
    return this.parseOHLCVs(candles, this.market(symbol), timeframe, sinceMs, range.limit)
  }

  override parseOHLCV(candle: shapes.Candle): OHLCV {
    const { time, open, high, low, close, volume } = candle
    const numbers = [open, high, low, close, volume].map((text) => this.parseNumber(text))
    return [time * MS_PER_SECOND, ...numbers] as OHLCV
  }

  resolutionOf(timeframe: string): string {
    return this.getSupportedMapping(timeframe, TIMEFRAMES)
  }

  /**
   * Requests as many periods as candles first, since most markets trade in most periods, and the
   * later ones only if candles are missing.
   */
  async readCandles(
    [symbol, timeframe]: readonly [string, string],
    { sinceMs, untilMs, limit }: CandleRange,
    params: Dict,
  ): Promise<shapes.Candle[]> {
    const to = untilMs === undefined ? undefined : Math.floor(untilMs / MS_PER_SECOND)
    const ask = (window: Readonly<{ from?: number; to?: number; countback?: number }>) => {
      const resolution = this.resolutionOf(timeframe) as CandleResolution
      const { instrument_name } = this.venueMarket(symbol)
      return this.ask('GET /candles', { query: { instrument_name, resolution, ...window }, params })
    }
    if (sinceMs === undefined) return ask({ countback: limit, ...(to !== undefined && { to }) })
    const from = Math.ceil(sinceMs / MS_PER_SECOND)
    const end = to ?? Math.floor(this.milliseconds() / MS_PER_SECOND)
    if (from > end) return []
    const last = from + limit * this.parseTimeframe(timeframe) - 1
    const first = await ask({ from, to: Math.min(last, end) })
    if (last >= end || first.length >= limit) return first
    return ask({ from, ...(to !== undefined && { to }) })
  }

  /** Returns the newest candles, or with `since` the first ones from then on. */
  async fetchPriceCandles(
    names: readonly [symbol: string, timeframe: string, price: string],
    { sinceMs, untilMs, limit }: CandleRange,
    params: Dict,
  ): Promise<OHLCV[]> {
    const seconds = this.parseTimeframe(names[1])
    const samples = samplesOf(seconds, limit, PRICES_MAX)
    const read = (fromMs?: number, toMs?: number) =>
      this.readPrices([names[0], names[2]], { samples, fromMs, toMs }, params)
    const history =
      sinceMs === undefined
        ? await read(undefined, untilMs)
        : await firstRows(read, {
            // The price before the first period is its opening price.
            sinceMs: this.firstOpen(sinceMs, seconds) - samples * MS_PER_SECOND,
            untilMs: untilMs ?? this.milliseconds(),
            limit: Math.min((limit * seconds) / samples + 1, PRICES_MAX),
            periodMs: samples * MS_PER_SECOND,
            most: PRICES_MAX,
          })
    const candles = candlesOf(history, seconds).map(
      ([ms, ...texts]) => [ms, ...texts.map((text) => this.parseNumber(text)), undefined] as OHLCV,
    )
    return this.filterBySinceLimit(candles, sinceMs, limit, 0, sinceMs === undefined) as OHLCV[]
  }

  /** Returns the opening time of the first period from `ms` on. */
  firstOpen(ms: number, seconds: number): number {
    const period = seconds * MS_PER_SECOND
    return Math.ceil(ms / period) * period
  }

  /** Returns the newest prices of a range, oldest first. */
  async readPrices(
    [symbol, price]: readonly [string, string],
    range: Readonly<{ samples: number; fromMs: number | undefined; toMs: number | undefined }>,
    params: Dict,
  ): Promise<shapes.PriceHistory['history']> {
    const { samples, fromMs, toMs } = range
    const { instrument_name, underlying_asset: asset } = this.venueMarket(symbol)
    const seconds = (ms: number) => Math.floor(ms / MS_PER_SECOND)
    const query = {
      resolution: samples,
      limit: PRICES_MAX,
      ...(fromMs !== undefined && { start_time: Math.max(0, seconds(fromMs)) }),
      ...(toMs !== undefined && { end_time: seconds(toMs) }),
    }
    const { history } =
      price === 'mark'
        ? await this.ask('GET /mark-history', { query: { instrument_name, ...query }, params })
        : await this.ask('GET /index-history', { query: { asset, ...query }, params })
    return history
  }
}
