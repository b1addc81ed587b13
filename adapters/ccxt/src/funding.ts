// Reads current and settled funding rates, and the funding payments of an account.
import {
  BadRequest,
  type Dict,
  type FundingHistory,
  type FundingRate,
  type FundingRateHistory,
  type FundingRates,
  type Int,
  type Market,
  type Str,
  type Strings,
} from 'ccxt'
import type { shapes } from 'openvenue'
import { VenueCandles } from './candles.ts'
import { firstRows } from './first-rows.ts'
import { rangeOf } from './params.ts'

const RATES_MAX = 500
/** Number of newest payments of an account that the venue searches. */
const PAYMENTS_MAX = 500
const HOUR_MS = 3_600_000

export class VenueFunding extends VenueCandles {
  override async fetchFundingRate(symbol: string, params: Dict = {}): Promise<FundingRate> {
    await this.loadMarkets()
    this.requireSwap(symbol)
    return (await this.fetchFundingRates([symbol], params))[symbol] as FundingRate
  }

  override async fetchFundingRates(symbols?: Strings, params: Dict = {}): Promise<FundingRates> {
    await this.loadMarkets()
    const requested = this.marketSymbols(symbols)
    const query = { ...this.tickersQuery(requested), instrument_type: 'PERPETUAL' }
    const { tickers, timestamp } = await this.ask('GET /tickers', { query, params })
    const rates = tickers.map((ticker) => this.fundingRateAt(ticker, this.msOf(timestamp) ?? 0))
    return this.filterByArray(rates, 'symbol', requested)
  }

  /** Funding settles at every full hour of the clock. */
  fundingRateAt(ticker: shapes.Ticker, timestamp: number): FundingRate {
    const settles = timestamp - (timestamp % HOUR_MS) + HOUR_MS
    const { instrument_name, mark, index, funding_rate, next_funding_rate } = ticker
    return {
      symbol: this.safeMarket(instrument_name)?.symbol,
      markPrice: this.parseNumber(mark.price ?? undefined),
      indexPrice: this.parseNumber(index.price ?? undefined),
      interestRate: undefined,
      estimatedSettlePrice: undefined,
      timestamp,
      datetime: this.iso8601(timestamp),
      fundingRate: this.parseNumber(funding_rate ?? undefined),
      fundingTimestamp: settles,
      fundingDatetime: this.iso8601(settles),
      nextFundingRate: this.parseNumber(next_funding_rate ?? undefined),
      nextFundingTimestamp: settles + HOUR_MS,
      nextFundingDatetime: this.iso8601(settles + HOUR_MS),
      previousFundingRate: undefined,
      previousFundingTimestamp: undefined,
      previousFundingDatetime: undefined,
      interval: '1h',
      info: ticker,
    } as unknown as FundingRate
  }

  override async fetchFundingRateHistory(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<FundingRateHistory[]> {
    this.checkRequiredArgument('fetchFundingRateHistory', symbol, 'symbol')
    const range = rangeOf(since, limit)
    const [until, rest] = this.untilOf(params)
    await this.loadMarkets()
    const market = this.market(symbol)
    const count = Math.min(range.limit ?? RATES_MAX, RATES_MAX)
    const read = async (from?: number, to?: number) => {
      const query = {
        instrument_name: String(market.id),
        limit: from === undefined ? count : RATES_MAX,
        ...(from !== undefined && { start_time: from }),
        ...(to !== undefined && { end_time: to }),
      }
      return (await this.ask('GET /funding-history', { query, params: rest })).funding_history
    }
    // The venue returns the newest hours of a range, ccxt expects the oldest.
    const rows =
      range.since === undefined
        ? await read(undefined, until)
        : await firstRows(read, {
            sinceMs: range.since,
            untilMs: until ?? this.milliseconds(),
            limit: count,
            periodMs: HOUR_MS,
            most: RATES_MAX,
          })
    return this.parseFundingRateHistories(rows, market, range.since, range.limit)
  }

  override parseFundingRateHistory(row: shapes.FundingRow, market?: Market): FundingRateHistory {
    const [, settledNs, rate] = row
    const timestamp = this.msOf(settledNs)
    return {
      symbol: market?.symbol,
      fundingRate: this.parseNumber(rate),
      timestamp,
      datetime: this.iso8601(timestamp),
      info: row,
    } as unknown as FundingRateHistory
  }

  override async fetchFundingHistory(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<FundingHistory[]> {
    const range = rangeOf(since, limit)
    await this.loadMarkets()
    const market = symbol === undefined ? undefined : this.market(symbol)
    const page = await this.ask('GET /trade-history', {
      query: {
        trade_types: 'funding',
        limit: PAYMENTS_MAX,
        ...(market && { instrument_name: String(market.id) }),
      },
      params,
    })
    const payments = (page as shapes.FundingPage).trade_history.map((payment) =>
      this.parseFundingPayment(payment),
    )
    const sorted: FundingHistory[] = this.sortBy(payments, 'timestamp')
    const oldest = sorted[0]?.timestamp
    // Older payments exist, but this endpoint does not return them.
    if (range.since !== undefined && sorted.length >= PAYMENTS_MAX && range.since < Number(oldest))
      throw new BadRequest(
        `${this.id} since: got ${range.since}, expected at least ${oldest}, the oldest of ${PAYMENTS_MAX} payments`,
      )
    return this.filterBySymbolSinceLimit(sorted, symbol, range.since, range.limit)
  }

  parseFundingPayment(payment: shapes.FundingPayment): FundingHistory {
    const market = this.safeMarket(payment.instrument_name)
    const timestamp = this.msOf(payment.created_timestamp)
    return {
      info: payment,
      symbol: market?.symbol,
      code: market?.settle,
      timestamp,
      datetime: this.iso8601(timestamp),
      id: payment.trade_id,
      amount: this.parseNumber(payment.funding_payment),
    } as FundingHistory
  }

  requireSwap(symbol: string): void {
    if (this.market(symbol).swap !== true)
      throw this.refusal({ error: 'INSTRUMENT_NOT_FOUND', message: `${symbol} has no funding` })
  }
}
