// Converts the decimal amounts of venue.json to raw integers with the decimals of each token.
import { parseDecimal } from '@openvenue/core/units'
import { type ConfigFault, nearestWord } from './check-shape.ts'
import type { PerpetualMarket, SpotMarket, VenueFile } from './venue-schema.ts'
import {
  type Cover,
  type DepositCapTerms,
  NO_ADDRESS,
  type OutflowTerms,
  type PerpTerms,
  type SpotTerms,
  type VenueTerms,
} from './venue-terms.ts'

/** Decimals of money, prices and amounts of perpetuals. */
const PERP_DECIMALS = 18
/** Fees are in millionths of the notional. */
const FEE_DECIMALS = 6
/** Shares are ten-thousandths. */
const SHARE_DECIMALS = 4

type Cap = NonNullable<VenueFile['depositCap']>['spot'][string]

/** Parses markets and limits, and collects their faults. */
export class MarketReader {
  readonly #tokens: VenueTerms['tokens']
  readonly #faults: ConfigFault[]

  constructor(tokens: VenueTerms['tokens'], faults: ConfigFault[]) {
    this.#tokens = tokens
    this.#faults = faults
  }

  token(path: string, symbol: string): VenueTerms['tokens'][string] {
    const token = this.#tokens[symbol]
    if (token !== undefined) return token
    const symbols = Object.keys(this.#tokens)
    const nearest = `"${nearestWord(symbol, symbols)}"`
    this.#faults.push({
      path,
      rule: `one of tokens: ${symbols.join(', ')}`,
      got: `"${symbol}"`,
      nearest,
    })
    return { address: NO_ADDRESS, decimals: PERP_DECIMALS }
  }

  spot(market: SpotMarket, path: string): SpotTerms {
    const base = this.token(`${path}.base`, market.base)
    const quote = this.token(`${path}.quote`, market.quote)
    if (market.base === market.quote)
      this.#faults.push({ path: `${path}.quote`, rule: 'a token other than base' })
    const inQuote = (member: 'priceStep' | 'minOrderValue' | 'maxOrderValue') =>
      this.#raw(`${path}.${member}`, market[member], quote.decimals)
    return {
      name: market.name,
      base: base.address,
      quote: quote.address,
      baseDecimals: base.decimals,
      quoteDecimals: quote.decimals,
      priceStep: inQuote('priceStep'),
      amountStep: this.#raw(`${path}.amountStep`, market.amountStep, base.decimals),
      minOrderValue: inQuote('minOrderValue'),
      maxOrderValue: inQuote('maxOrderValue'),
    }
  }

  perp(market: PerpetualMarket, path: string): PerpTerms {
    const raw = (member: keyof PerpetualMarket) =>
      this.#raw(`${path}.${member}`, String(market[member]), PERP_DECIMALS)
    const fee = (member: 'makerFee' | 'takerFee') =>
      Number(this.#raw(`${path}.${member}`, market[member], FEE_DECIMALS))
    const amountStep = raw('amountStep')
    const openInterest = raw('maxOpenInterest')
    if (amountStep > 0n && openInterest % amountStep !== 0n)
      this.#faults.push({
        path: `${path}.maxOpenInterest`,
        rule: `a multiple of amountStep, ${market.amountStep}`,
      })
    return {
      name: market.name,
      asset: market.asset,
      priceStep: raw('priceStep'),
      amountStep,
      impactValue: raw('impactValue'),
      indexAgeMaxSeconds: market.indexAgeMaxSeconds,
      cover: this.#cover(market, path),
      parameters: {
        minOrderValue: raw('minOrderValue'),
        maxOrderValue: raw('maxOrderValue'),
        maxNotionalValue: raw('maxPositionValue'),
        maxOpenInterest: amountStep > 0n ? openInterest / amountStep : 0n,
        maxLeverage: market.maxLeverage,
        makerFee: fee('makerFee'),
        takerFee: fee('takerFee'),
      },
    }
  }

  /** Defaults to the values of a newly listed market. */
  #cover({ insurance, maxPositionValue }: PerpetualMarket, path: string): Cover {
    const at = insurance === undefined ? path : `${path}.insurance`
    const most = insurance?.maxPositionValue ?? maxPositionValue
    return {
      maxNotional: this.#raw(`${at}.maxPositionValue`, most, PERP_DECIMALS),
      lossBps: Number(this.#raw(`${at}.lossShare`, insurance?.lossShare ?? '0.2', SHARE_DECIMALS)),
    }
  }

  outflow(
    engine: OutflowTerms['engine'],
    symbol: string,
    { limit, path }: Readonly<{ limit: VenueFile['outflow']['spot'][string]; path: string }>,
  ): OutflowTerms {
    const { address, decimals } = this.token(path, symbol)
    return {
      engine,
      symbol,
      token: address,
      shareBps: Number(this.#raw(`${path}.share`, limit.share, SHARE_DECIMALS)),
      small: this.#raw(`${path}.small`, limit.small, decimals),
    }
  }

  depositCap(
    engine: DepositCapTerms['engine'],
    symbol: string,
    { cap, path }: Readonly<{ cap: Cap; path: string }>,
  ): DepositCapTerms {
    const { address, decimals } = this.token(path, symbol)
    return {
      engine,
      symbol,
      token: address,
      total: this.#raw(`${path}.total`, cap.total, decimals),
      perAccount: this.#raw(`${path}.perAccount`, cap.perAccount, decimals),
    }
  }

  #raw(path: string, text: string, decimals: number): bigint {
    const raw = parseDecimal(text, decimals)
    if (raw !== undefined) return raw
    const cut = text.slice(0, text.indexOf('.') + 1 + decimals)
    this.#faults.push({ path, rule: `at most ${decimals} decimals`, nearest: `"${cut}"` })
    return 0n
  }
}
