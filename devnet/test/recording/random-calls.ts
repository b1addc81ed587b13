// Random calls of accounts, keepers and others to a venue. Many are refused.
import type { TimeInForce } from '@openvenue/core/events'
import { marketId } from '@openvenue/core/ids'
import type { Order, Unswept } from '@openvenue/core/records'
import { marketNumber } from '../../src/deployment.ts'
import { ASSETS, type MarketTerms } from '../../src/markets.ts'
import type { Random } from '../../src/random.ts'
import { ROLES } from '../../src/roles.ts'
import { priceToTick } from '../../src/trading.ts'
import { type Call, type MarketCalls, pushCall, type Sum, type Terms } from './market-calls.ts'
import type { Recorder } from './recorder.ts'

const PPM = 1_000_000n
/** Maximum move of an index price, and rarely ten times as much. */
const STEP_PPM = 8_000
/** Distance of orders around the index, on a grid so that they match. */
const SPREAD_PPM = 3_000
const GRID_STEPS = 12
/** Maximum factor of the distance of a far order. */
const FAR = 50
const LEVERAGE_MAX = 22
/** Millionths. A maker's may be as far below zero. */
const FEE_MAX = 600
const GOOD_TIL_SECONDS_MAX = 90
const GOOD_TIL_SECONDS_MIN = 5 // of what may rest
const LOTS_STEPS = 8
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY']

/** Chooses the calls of consecutive blocks of `venue`, which lists one or more markets. */
export class RandomCalls {
  readonly #venue: Recorder
  readonly #random: Random
  readonly #traders: readonly string[]
  readonly #prices = new Map(ASSETS.map(({ asset, startPrice }) => [asset, startPrice]))

  constructor(venue: Recorder, random: Random) {
    this.#venue = venue
    this.#random = random
    this.#traders = ROLES.traders.map((index) => venue.wallets[index] ?? '')
  }

  /** Returns the first deposits of all traders, small enough for tight margins. */
  deposits(): Call[] {
    return this.#venue.markets.flatMap((market) =>
      this.#traders.flatMap((trader) =>
        sums(market).flatMap((sum) => this.#marketCalls(market).deposit(trader, sum)),
      ),
    )
  }

  /** Returns the index prices of `seconds`, most of them moved. */
  prices(seconds: number): Call[] {
    const assets = new Set(this.#venue.markets.map(({ asset }) => asset))
    return [...assets].map((asset) => {
      const range = this.#random.chance(12) ? STEP_PPM * 10 : STEP_PPM
      const moved = PPM + BigInt(this.#random.whole(2 * range) - range)
      const price = (this.#price(asset) * moved) / PPM
      this.#prices.set(asset, price)
      return pushCall(this.#venue.deployment, this.#keeper(), { asset, price, seconds })
    })
  }

  /** Returns one random call in a block of `seconds`. */
  pickCall(seconds: number): Call[] {
    const random = this.#random
    const market = random.pick(this.#venue.markets)
    const calls = this.#marketCalls(market)
    const isPerp = market.type === 'perp'
    if (!random.chance(4)) return [this.#order(market, calls, seconds)]
    if (random.chance(12)) return [this.#govern(market, calls)]
    if (random.chance(4)) return this.#money(market, calls)
    if (isPerp && random.chance(3)) return [calls.poke(this.#keeper())]
    if (isPerp && random.chance(3))
      return [calls.setLeverage(this.#trader(), random.whole(LEVERAGE_MAX))]
    return this.#change(market, calls)
  }

  #order(market: MarketTerms, calls: MarketCalls, seconds: number): Call {
    const random = this.#random
    const fair = priceToTick(this.#price(market.asset), market)
    const step = Math.max(1, Math.floor((fair * SPREAD_PPM) / Number(PPM) / GRID_STEPS))
    // A far order has no effect or lies outside the band of takers.
    const away = random.chance(15) ? GRID_STEPS * FAR : GRID_STEPS
    const tick = (Math.floor(fair / step) + random.whole(2 * away) - away) * step
    const lots = BigInt(market.quoting.lots * (1 + random.whole(LOTS_STEPS))) / 2n
    const place = random.chance(2) ? calls.buy : calls.sell
    return place(this.#trader(), lots, tick, this.#terms(market, seconds))
  }

  #terms(market: MarketTerms, seconds: number): Terms {
    const random = this.#random
    return {
      timeInForce: random.pick(TIMES_IN_FORCE),
      isReduceOnly: market.type === 'perp' && random.chance(5),
      goodTilSeconds: random.chance(5)
        ? seconds + GOOD_TIL_SECONDS_MIN + random.whole(GOOD_TIL_SECONDS_MAX)
        : 0,
      fillsMax: random.chance(8) ? 1 + random.whole(2) : 0,
    }
  }

  /** The owner occasionally halts a market, or changes a perpetual's parameters. */
  #govern(market: MarketTerms, calls: MarketCalls): Call {
    const random = this.#random
    const owner = this.#venue.wallets[ROLES.owner] ?? ''
    if (market.type === 'spot' || random.chance(3)) return calls.halt(owner, random.chance(3))
    const takerFee = random.whole(FEE_MAX)
    return calls.change(owner, {
      ...market.parameters,
      maxLeverage: 5 + random.whole(LEVERAGE_MAX),
      makerFee: random.whole(2 * takerFee + 1) - takerFee,
      takerFee,
    })
  }

  /** Cancels or reduces an order. */
  #change(market: MarketTerms, calls: MarketCalls): Call[] {
    const random = this.#random
    const expired = this.#orders<Unswept>('unswept', market)
    if (expired.length > 0 && random.chance(2))
      return [calls.sweep(this.#trader(), expired.slice(0, 2).map(numberIn))]
    const resting = this.#orders<Order>('order', market)
    if (resting.length === 0) return []
    const order = random.pick(random.chance(4) && expired.length > 0 ? expired : resting)
    const owner = this.#wallet(order.account)
    switch (random.pick(['cancel', 'cancelAll', 'reduce', 'reduce'] as const)) {
      case 'cancel':
        return [calls.cancel(owner, order.number)]
      case 'cancelAll':
        return [calls.cancelAll(owner, resting.slice(0, 3).map(numberIn))]
      case 'reduce':
        return [calls.reduce(owner, order.number, BigInt(1 + random.whole(market.quoting.lots)))]
    }
  }

  #money(market: MarketTerms, calls: MarketCalls): Call[] {
    const random = this.#random
    const { token, amount } = random.pick(sums(market))
    const sum = { token, amount: (amount * BigInt(1 + random.whole(60))) / 100n }
    switch (random.pick(['deposit', 'withdraw', 'transfer'] as const)) {
      case 'deposit':
        return calls.deposit(this.#trader(), sum)
      case 'withdraw':
        return [calls.withdraw(this.#trader(), sum)]
      case 'transfer':
        return [calls.transfer(this.#trader(), this.#trader(), sum)]
    }
  }

  #orders<T extends Order | Unswept>(what: 'order' | 'unswept', market: MarketTerms): T[] {
    const { deployment, markets, state } = this.#venue
    const engine = market.type === 'spot' ? deployment.spot : deployment.perps
    const id = marketId(engine, marketNumber(markets, market))
    return [...state.records[what].values()].filter((order) => order.market === id) as T[]
  }

  /** Accounts are numbered from 3 on in the order of the first deposits. */
  #wallet(account: number): string {
    return this.#traders[account - 3] ?? ''
  }

  #trader(): string {
    return this.#random.pick(this.#traders)
  }

  #keeper(): string {
    return this.#venue.wallets[ROLES.keeper] ?? ''
  }

  #marketCalls(market: MarketTerms): MarketCalls {
    return this.#venue.marketCalls(market)
  }

  #price(asset: string): bigint {
    return this.#prices.get(asset) ?? 0n
  }
}

const numberIn = ({ number }: Order | Unswept) => number

/** The money of one account in one market, in each of its tokens. */
const sums = (market: MarketTerms): Sum[] =>
  market.type === 'perp'
    ? [{ token: 'USDC', amount: 700n * 10n ** 6n }]
    : [
        { token: 'USDC', amount: 20_000n * 10n ** 6n },
        { token: market.base, amount: 50_000n * market.amountStep },
      ]
