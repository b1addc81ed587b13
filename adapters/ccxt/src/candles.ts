// Reads candles: of trades, and of the mark and the index, made of the prices that the venue keeps.
import type { Dict, Int, OHLCV } from 'ccxt'
import type { shapes } from 'openvenue'
import { TIMEFRAMES } from './describe.ts'
import { VenueMarketData } from './market-data.ts'
import { candlesOf, samplesOf } from './price-candles.ts'

const CANDLES_DEFAULT = 500
/** More is not given at once. */
const CANDLES_MAX = 5000
const PRICES_MAX = 500
const MS_PER_SECOND = 1000

type Resolution = '1'
type Range = Readonly<{ sinceMs: number | undefined; untilMs: number | undefined; limit: number }>

export class VenueCandles extends VenueMarketData {
  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    ...[since, limit, params = {}]: [Int?, Int?, Dict?]
  ): Promise<OHLCV[]> {
    await this.loadMarkets()
    const [untilMs, withoutUntil] = this.untilOf(params)
    const price = this.safeString(withoutUntil, 'price')
    const rest = this.omit(withoutUntil, 'price')
    const kept = price === 'mark' || price === 'index'
    const most = kept ? PRICES_MAX - 1 : CANDLES_MAX
    const range = { sinceMs: since, untilMs, limit: Math.min(limit ?? CANDLES_DEFAULT, most) }
    if (kept) return this.fetchPriceCandles([symbol, timeframe, price], range, rest)
    const query = {
      instrument_name: this.venueMarket(symbol).instrument_name,
      resolution: this.resolutionOf(timeframe) as Resolution,
      ...this.candleWindow(timeframe, range),
    }
    const candles = await this.ask('GET /candles', { query, params: rest })
    return this.parseOHLCVs(candles, this.market(symbol), timeframe, since, limit)
  }

  override parseOHLCV(candle: shapes.Candle): OHLCV {
    const { time, open, high, low, close, volume } = candle
    const numbers = [open, high, low, close, volume].map((text) => this.parseNumber(text))
    return [time * MS_PER_SECOND, ...numbers] as OHLCV
  }

  resolutionOf(timeframe: string): string {
    return this.getSupportedMapping(timeframe, TIMEFRAMES)
  }

  /** From `since` on so many bars at most, or the newest ones. Seconds. */
  candleWindow(timeframe: string, { sinceMs, untilMs, limit }: Range) {
    const until = untilMs === undefined ? undefined : Math.floor(untilMs / MS_PER_SECOND)
    if (sinceMs === undefined) return { countback: limit, ...(until && { to: until }) }
    const from = Math.ceil(sinceMs / MS_PER_SECOND)
    const last = from + limit * this.parseTimeframe(timeframe) - 1
    return { from, to: Math.min(last, until ?? last) }
  }

  /** One request, of prices as close to each other as that one can hold. */
  async fetchPriceCandles(
    [symbol, timeframe, price]: readonly [string, string, string],
    { sinceMs, untilMs, limit }: Range,
    params: Dict,
  ): Promise<OHLCV[]> {
    const { instrument_name, underlying_asset: asset } = this.venueMarket(symbol)
    const seconds = this.parseTimeframe(timeframe)
    const samples = samplesOf(seconds, limit, PRICES_MAX)
    const start = sinceMs === undefined ? undefined : Math.floor(sinceMs / MS_PER_SECOND)
    const end = untilMs === undefined ? undefined : Math.floor(untilMs / MS_PER_SECOND)
    const last = start === undefined ? end : Math.min(start + limit * seconds - 1, end ?? Infinity)
    const query = {
      resolution: samples,
      limit: PRICES_MAX,
      // The price before the first period is what it opens at.
      ...(start !== undefined && { start_time: start - samples }),
      ...(last !== undefined && { end_time: last }),
    }
    const { history } =
      price === 'mark'
        ? await this.ask('GET /mark-history', { query: { instrument_name, ...query }, params })
        : await this.ask('GET /index-history', { query: { asset, ...query }, params })
    const candles = candlesOf(history, seconds).map(
      ([ms, ...texts]) => [ms, ...texts.map((text) => this.parseNumber(text)), undefined] as OHLCV,
    )
    return this.filterBySinceLimit(candles, sinceMs, limit, 0, sinceMs === undefined) as OHLCV[]
  }
}
