// Reads markets and tokens.
import type { Currencies, Dict, Market, MarketInterface, TradingFees } from 'ccxt'
import type { shapes } from 'openvenue'
import { VenueRequests } from './requests.ts'

export class VenueMarkets extends VenueRequests {
  override async fetchMarkets(params: Dict = {}): Promise<Market[]> {
    const markets = await this.ask('GET /markets', { params })
    return markets.map((market) => this.parseMarket(market))
  }

  override parseMarket(market: shapes.Market): MarketInterface {
    const { instrument_name: id, underlying_asset: baseId, quote_asset: quoteId } = market
    const isSwap = market.instrument_type === 'PERPETUAL'
    const [base, quote] = [this.safeCurrencyCode(baseId), this.safeCurrencyCode(quoteId)]
    return this.safeMarketStructure({
      id,
      base,
      quote,
      baseId,
      quoteId,
      symbol: `${base}/${quote}${isSwap ? `:${quote}` : ''}`,
      settle: isSwap ? quote : undefined,
      settleId: isSwap ? quoteId : undefined,
      ...(isSwap ? SWAP : SPOT),
      active: market.is_active && market.trading === 'live',
      // Spot markets have no fees.
      taker: isSwap ? this.safeNumber(market, 'taker_fee') : 0,
      maker: isSwap ? this.safeNumber(market, 'maker_fee') : 0,
      precision: {
        amount: this.parseNumber(market.amount_step),
        price: this.parseNumber(market.price_step),
      },
      limits: {
        leverage: { min: isSwap ? 1 : undefined, max: this.safeNumber(market, 'max_leverage') },
        amount: { min: this.parseNumber(market.amount_step), max: undefined },
        price: { min: this.parseNumber(market.price_step), max: undefined },
        cost: {
          min: this.parseNumber(market.min_order_value),
          max: this.parseNumber(market.max_order_value),
        },
      },
      created: undefined,
      info: market,
    }) as MarketInterface
  }

  /** Tokens of the venue, and underlyings that only have a perpetual and cannot be held. */
  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const [assets, markets] = await Promise.all([
      this.ask('GET /assets', { params }),
      this.ask('GET /markets', { params }),
    ])
    const tokens = assets.map((asset) => this.parseAsset(asset))
    const codes = new Set(tokens.map(({ code }) => code))
    const others = markets
      .map((market) => this.parseUnderlying(market))
      .filter(({ code }) => !codes.has(code))
    return this.indexBy([...tokens, ...others], 'code') as Currencies
  }

  parseAsset(asset: shapes.Asset) {
    return this.safeCurrencyStructure({
      ...CURRENCY,
      id: asset.symbol,
      code: this.safeCurrencyCode(asset.symbol),
      name: asset.asset_name,
      precision: this.parseNumber(this.parsePrecision(String(asset.decimals))),
      info: asset,
    })
  }

  parseUnderlying({ underlying_asset: id, amount_step }: shapes.Market) {
    return this.safeCurrencyStructure({
      ...CURRENCY,
      id,
      code: this.safeCurrencyCode(id),
      name: id,
      deposit: false,
      withdraw: false,
      precision: this.parseNumber(amount_step),
      info: {},
    })
  }

  override async fetchTradingFees(params: Dict = {}): Promise<TradingFees> {
    await this.loadMarkets(true, params)
    const fees = Object.values(this.markets ?? {}).map(({ symbol, maker, taker, info }) => ({
      symbol,
      maker,
      taker,
      info,
      percentage: true,
      tierBased: false,
    }))
    return this.indexBy(fees, 'symbol') as TradingFees
  }

  /** Returns the venue's own object of a market, which has the exact numbers. */
  venueMarket(symbol: string): shapes.Market {
    return this.market(symbol).info
  }
}

const CURRENCY = { type: 'crypto', active: true, limits: {}, networks: {} }
const KIND = { margin: false, future: false, option: false, index: false }
const SPOT = {
  ...KIND,
  type: 'spot',
  spot: true,
  swap: false,
  contract: false,
}
/** An amount of 1 is one base unit; profit and loss are in the quote asset. */
const SWAP = {
  ...KIND,
  type: 'swap',
  spot: false,
  swap: true,
  contract: true,
  linear: true,
  inverse: false,
  subType: 'linear',
  contractSize: 1,
  marginModes: { cross: true, isolated: false },
}
