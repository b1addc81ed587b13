// Reads the account of the API key: balances, positions and leverage.
import type {
  Balances,
  Dict,
  Leverage,
  Leverages,
  LeverageTier,
  LeverageTiers,
  Market,
  Position,
  PositionModeInfo,
  Str,
  Strings,
} from 'ccxt'
import { functions, Precise } from 'ccxt'
import type { shapes } from 'openvenue'
import { VenueFunding } from './funding.ts'

const POSITIONS_MAX = 1000
/** Maximum number of decimals of a balance, which ccxt holds as a float. */
const DIGITS_MAX = 8
const { TRUNCATE, DECIMAL_PLACES } = functions

export class VenueAccount extends VenueFunding {
  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets()
    const [type, rest] = this.handleMarketTypeAndParams('fetchBalance', undefined, params)
    return this.balancesOf(await this.ask('GET /account', { params: rest }), type)
  }

  /** Margin includes the profit and loss of positions; its free part can open others. */
  balancesOf(account: shapes.Account, type: Str): Balances {
    const result: Dict = { info: account, timestamp: undefined, datetime: undefined }
    const isSpot = type === 'spot'
    const kind = isSpot ? 'SPOT' : 'PERPETUAL'
    for (const tokens of account.collaterals.filter((row) => row.instrument_type === kind)) {
      const code = this.safeCurrencyCode(tokens.collateral_asset)
      const total = isSpot ? tokens.balance : account.equity
      const free = isSpot ? tokens.available_balance : account.available_balance
      const cut = (text: string | null) => this.cutTo(tokens.decimals, text)
      if (code !== undefined) result[code] = { total: cut(total), free: cut(free), used: undefined }
    }
    return this.safeBalance(result)
  }

  /** Truncates to the token's decimals: less cannot be withdrawn, and floats lose it in sums. */
  cutTo(decimals: number, text: string | null): string | undefined {
    if (text === null) return undefined
    return this.decimalToPrecision(text, TRUNCATE, Math.min(decimals, DIGITS_MAX), DECIMAL_PLACES)
  }

  override async fetchPosition(symbol: string, params: Dict = {}): Promise<Position> {
    const [position] = await this.fetchPositions([symbol], params)
    return position ?? this.flatPosition(symbol)
  }

  override async fetchPositions(symbols?: Strings, params: Dict = {}): Promise<Position[]> {
    await this.loadMarkets()
    const query = { instrument_type: 'PERPETUAL', limit: POSITIONS_MAX } as const
    const { positions } = await this.ask('GET /positions', { query, params })
    const parsed = positions.map((position) =>
      this.parsePosition(position as shapes.PerpetualPosition),
    )
    return this.filterByArrayPositions(parsed, 'symbol', this.marketSymbols(symbols), false)
  }

  override parsePosition(position: shapes.PerpetualPosition, market?: Market): Position {
    const knownMarket = this.safeMarket(position.instrument_name, market)
    const timestamp = this.msOf(position.updated_timestamp)
    const { initial_margin, maintenance_margin, notional_value } = position
    const share = (margin: string | null) =>
      margin === null || notional_value === null || !Precise.stringGt(notional_value, '0')
        ? undefined
        : this.parseNumber(Precise.stringDiv(margin, notional_value, 8))
    const number = (text: string | null) => this.parseNumber(text ?? undefined)
    return this.safePosition({
      info: position,
      id: undefined,
      symbol: knownMarket?.symbol,
      timestamp,
      datetime: this.iso8601(timestamp),
      lastUpdateTimestamp: timestamp,
      contracts: number(position.amount),
      contractSize: 1,
      side: position.side === 'buy' ? 'long' : 'short',
      notional: number(notional_value),
      leverage: number(position.leverage),
      unrealizedPnl: number(position.unrealized_pnl),
      realizedPnl: number(position.realized_pnl),
      collateral: undefined,
      entryPrice: number(position.avg_entry_price),
      markPrice: number(position.mark_price),
      lastPrice: undefined,
      liquidationPrice: number(position.liquidation_price),
      marginMode: 'cross',
      marginRatio: undefined,
      hedged: false,
      initialMargin: number(initial_margin),
      initialMarginPercentage: share(initial_margin),
      maintenanceMargin: number(maintenance_margin),
      maintenanceMarginPercentage: share(maintenance_margin),
      stopLossPrice: undefined,
      takeProfitPrice: undefined,
    })
  }

  /** Returns the position that ccxt expects for a market without one. */
  flatPosition(symbol: string): Position {
    const flat = { symbol: this.market(symbol).symbol, contracts: 0, contractSize: 1 }
    const none = { side: undefined, marginMode: 'cross', hedged: false, info: {} }
    return this.safePosition({ ...flat, ...none })
  }

  override async fetchPositionMode(_symbol?: Str, _params: Dict = {}): Promise<PositionModeInfo> {
    return { info: {}, hedged: false }
  }

  override async fetchLeverages(symbols?: Strings, params: Dict = {}): Promise<Leverages> {
    await this.loadMarkets()
    const { leverages } = await this.ask('GET /account', { params })
    const parsed = leverages.map((leverage) => this.parseLeverage(leverage))
    return this.filterByArray(parsed, 'symbol', this.marketSymbols(symbols))
  }

  override async fetchLeverage(symbol: string, params: Dict = {}): Promise<Leverage> {
    return (await this.fetchLeverages([symbol], params))[symbol] as Leverage
  }

  override parseLeverage(leverage: shapes.Leverage): Leverage {
    const value = this.parseNumber(leverage.leverage)
    return {
      info: leverage,
      symbol: this.safeMarket(leverage.instrument_name)?.symbol,
      marginMode: 'cross',
      longLeverage: value,
      shortLeverage: value,
    } as Leverage
  }

  /** Every market has a single tier: its maximum leverage, up to its maximum position. */
  override async fetchLeverageTiers(symbols?: Strings, params: Dict = {}): Promise<LeverageTiers> {
    await this.loadMarkets()
    const query = { instrument_type: 'PERPETUAL' } as const
    const markets = await this.ask('GET /markets', { query, params })
    const tiers = markets.map((market) => this.tierOf(market))
    const bySymbol = this.indexBy(tiers, 'symbol')
    const names = this.marketSymbols(symbols) ?? Object.keys(bySymbol)
    return Object.fromEntries(
      names.filter((symbol) => symbol in bySymbol).map((symbol) => [symbol, [bySymbol[symbol]]]),
    )
  }

  tierOf(market: shapes.Market): LeverageTier {
    const { max_leverage: most, max_notional_value, quote_asset, instrument_name } = market
    return {
      tier: 1,
      symbol: this.safeMarket(instrument_name)?.symbol,
      currency: this.safeCurrencyCode(quote_asset),
      minNotional: 0,
      maxNotional: this.parseNumber(max_notional_value),
      // The maintenance margin is the value divided by twice the maximum leverage.
      maintenanceMarginRate:
        most === undefined
          ? undefined
          : this.parseNumber(Precise.stringDiv('1', Precise.stringMul(most, '2'), 8)),
      maxLeverage: this.parseNumber(most),
      info: market,
    }
  }

  /** Margin is always cross; sub-accounts have margin of their own. */
  override async setMarginMode(mode: string, symbol?: Str, params: Dict = {}): Promise<Dict> {
    this.checkRequiredArgument('setMarginMode', symbol, 'symbol')
    await this.loadMarkets()
    const body = { instrument: String(this.market(symbol).id), margin_type: mode.toUpperCase() }
    return this.ask('POST /account/margin-type', { body, params })
  }
}
