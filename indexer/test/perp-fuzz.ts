// All actions of accounts, keepers and prices at the perpetual engine, at random from a seed, on a
// real anvil with the real contracts. The next actions depend on core's state from the logs.

import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { forcedMargin, isLiquidatable } from '@openvenue/core/distress'
import type { VenueBlock } from '@openvenue/core/events'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import type { Market, Order, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { type AnvilVenue, encodeTx, type Tx } from './anvil-venue.ts'
import { encodeBytes32 } from './encode.ts'
import type { SeededRandom } from './seeded-random.ts'

const HOUR = 3600
const INSURANCE_WALLET = 8
const FEE_WALLET = 9
/** Wallets of the market makers, with more money than they can lose. */
const MAKER_WALLETS = [1, 2, 3]
/** Maximum distance of orders from the index, hundredths of a percent. */
const REACH = 150
/** Maximum distance on the other side of the mark, where orders take. */
const PAST_MARK = 40
const MINTED = 10n ** 15n
/** Raw units of the token: insurance starts with too little for a crash. */
const INSURED = 5_000_000_000n
const LISTINGS = [
  { name: 'ETH-PERP', asset: 'ETH', price: 3000n, priceStep: 10n ** 17n, amountStep: 10n ** 14n },
  { name: 'BTC-PERP', asset: 'BTC', price: 60_000n, priceStep: E18, amountStep: 10n ** 13n },
]
/** Minimum value on each side of a book for a poke. */
const IMPACT_VALUE = 1_000n * E18
const PARAMETERS = {
  minOrderValue: 3n * E18,
  maxOrderValue: 10n ** 24n,
  maxNotionalValue: 10n ** 25n,
  maxOpenInterest: 10n ** 12n,
  maxLeverage: 20,
  makerFee: 100,
  takerFee: 350,
}

/** A price move that is reported twice before the oracle accepts it. */
type Crash = { asset: number; permille: number; reports: number }

export class PerpFuzz {
  readonly #venue: AnvilVenue
  readonly #random: SeededRandom
  readonly #state: VenueState
  readonly #token: string
  /** Prices of the assets of LISTINGS, 18 decimals. */
  readonly #prices: bigint[] = LISTINGS.map(({ price }) => price * E18)
  readonly #accounts = new Map<string, number>()
  readonly #walletByAccount = new Map<number, string>()
  #crash: Crash | undefined

  /** `state` is core's state of the blocks so far, which the caller keeps current. */
  constructor(venue: AnvilVenue, random: SeededRandom, state: VenueState, token: string) {
    this.#venue = venue
    this.#random = random
    this.#state = state
    this.#token = token
  }

  /** Records the accounts that a block opened. */
  learn({ events }: VenueBlock): void {
    for (const event of events) {
      if (event.type !== 'AccountOpened') continue
      this.#accounts.set(event.wallet, event.account)
      this.#walletByAccount.set(event.account, event.wallet)
    }
  }

  get accounts(): readonly number[] {
    return [...this.#walletByAccount.keys()]
  }

  get perps(): string {
    return this.#venue.deployment.perps
  }

  /** Market ids in the order of their numbers. */
  get markets(): readonly string[] {
    return LISTINGS.map((_, index) => marketId(this.perps, index + 1))
  }

  /** Lists the second market and funds all wallets, in two blocks. */
  async begin(): Promise<void> {
    const owner = this.#wallet(0)
    const { name, asset, priceStep, amountStep } = LISTINGS[1] as (typeof LISTINGS)[1]
    const terms = [
      encodeBytes32(name),
      encodeBytes32(asset),
      priceStep,
      amountStep,
      IMPACT_VALUE,
      PARAMETERS,
    ]
    await this.#venue.mine([
      this.#push(1),
      this.#call(owner, 'list', terms),
      this.#call(owner, 'change', [1, PARAMETERS]),
    ])
    await this.#venue.mine(
      this.#venue.wallets.flatMap((wallet, index) => {
        const isMaker = MAKER_WALLETS.includes(index)
        if (isMaker || index === FEE_WALLET) return []
        const amount = index === INSURANCE_WALLET ? INSURED : this.#stake()
        return [
          encodeTx(wallet, this.#token, [devTokenAbi, 'mint', [wallet, MINTED]]),
          encodeTx(wallet, this.#token, [devTokenAbi, 'approve', [this.perps, MINTED]]),
          this.#call(wallet, 'deposit', [this.#token, amount]),
        ]
      }),
    )
  }

  /** Mines a block of random actions, some time after the last. */
  async step(): Promise<readonly unknown[]> {
    const pause = this.#pause()
    // A pause without trades: ended hours wait to be settled.
    if (this.#random.below(12) === 0)
      return this.#venue.mine(this.#report(pause), pause + this.#random.below(2) * HOUR)
    const makers = [...MAKER_WALLETS, ...MAKER_WALLETS]
    const quotes = makers.map((index) => this.#order(this.#wallet(index), 40_000n))
    const others = Array.from({ length: 3 + this.#random.below(6) }, () => this.#action())
    const txs = [
      ...this.#report(pause),
      ...quotes,
      ...this.#drain(),
      ...this.#keepers(),
      ...others.flat(),
    ]
    return this.#venue.mine(txs, pause)
  }

  /** A call that closes a position by force, as a keeper would send it. */
  liquidation(account: number, market: string, from = this.#wallet(0)): Tx {
    const number = this.#market(market).number
    return this.#call(from, 'liquidate', [account, number, this.#resting(account, market)])
  }

  /* TIME AND PRICES */

  #pause(): number {
    const chance = this.#random.below(100)
    if (chance < 2) return 25 * HOUR + this.#random.below(10 * HOUR)
    if (chance < 10) return HOUR + this.#random.below(2 * HOUR)
    if (chance < 40) return 60 + this.#random.below(200)
    return 1 + this.#random.below(40)
  }

  /** Sometimes omits reports, so that indexes become stale. */
  #report(pause: number): Tx[] {
    if (this.#crash === undefined && this.#random.below(12) === 0) return []
    this.#scan()
    return [this.#push(pause)]
  }

  #scan(): void {
    for (const [index, price] of this.#prices.entries()) {
      const part = BigInt(this.#random.below(61) - 30)
      this.#prices[index] = price + (price * part) / 10_000n + BigInt(this.#random.below(1000))
    }
    if (this.#crash === undefined && this.#random.below(8) === 0) this.#beginCrash()
    else if (this.#crash !== undefined && --this.#crash.reports === 0) this.#crash = undefined
  }

  /** Rising and falling prices alike; large moves exceed the oracle's limit. */
  #beginCrash(): void {
    const asset = this.#random.below(LISTINGS.length)
    const price = this.#prices[asset] as bigint
    const start = (LISTINGS[asset]?.price ?? 0n) * E18
    const permille = 20 + this.#random.below(this.#random.below(3) === 0 ? 280 : 60)
    this.#crash = { asset, permille, reports: 2 }
    const moved = (price * BigInt(permille)) / 1000n
    this.#prices[asset] = price > start ? price - moved : price + moved
  }

  #push(pause: number): Tx {
    const assets = LISTINGS.map(({ asset }) => encodeBytes32(asset))
    const oracle = this.#venue.deployment.oracles[0]
    const args = [assets, this.#prices, this.#venue.seconds + pause]
    return encodeTx(this.#wallet(0), oracle, [pushOracleAbi, 'push', args])
  }

  /* KEEPERS */

  /** Pokes, and liquidates accounts that core considers liquidatable or, sometimes, healthy. */
  #keepers(): Tx[] {
    const txs: Tx[] = []
    for (const [index] of LISTINGS.entries())
      if (this.#random.below(3) === 0) txs.push(this.#call(this.#wallet(4), 'poke', [index + 1]))
    if (this.#random.below(3) === 0) txs.push(this.#call(this.#wallet(0), 'clearLoss', []))
    const unwound = 1 + this.#random.below(LISTINGS.length)
    if (this.#random.below(4) === 0) txs.push(this.#call(this.#wallet(4), 'unwind', [unwound]))
    for (const position of this.#state.records.position.values()) {
      if (position.lots === 0n || !this.#isTarget(position)) continue
      const { account, market } = position
      // Wallet 4 has an account and so receives a reward; the owner has none.
      const from = this.#random.below(2) === 0 ? this.#wallet(4) : this.#wallet(0)
      txs.push(this.liquidation(account, market, from))
      if (this.#random.below(2) === 0) txs.push(...this.#deleverages(position))
    }
    return txs.slice(0, 20)
  }

  #isTarget({ account }: Position): boolean {
    const engine = this.perps
    const margin = forcedMargin(this.#state, { engine, account, seconds: this.#venue.seconds })
    return (margin !== undefined && isLiquidatable(margin)) || this.#random.below(60) === 0
  }

  /**
   * Nominates some of the opposite positions, and closes against winners nominated in earlier
   * blocks: most calls are refused.
   */
  #deleverages({ account, market, lots }: Position): Tx[] {
    const winners = [...this.#state.records.position.values()].filter(
      (other) => other.market === market && other.lots !== 0n && other.lots > 0n !== lots > 0n,
    )
    const { number } = this.#market(market)
    const from = this.#wallet(0)
    return [
      this.#call(from, 'deleverage', [account, number, this.#resting(account, market)]),
      ...winners
        .slice(0, 3)
        .map((winner) => this.#call(from, 'nominate', [account, winner.account, number])),
    ]
  }

  /** Insurance gives its gains away, so that it eventually runs out. */
  #drain(): Tx[] {
    if (this.#random.below(4) !== 0) return []
    const wallet = this.#wallet(INSURANCE_WALLET)
    return [this.#call(wallet, 'withdraw', [this.#token, this.#stake(), wallet])]
  }

  /* ACCOUNTS */

  #action(): Tx[] {
    const wallet = this.#someone()
    const chance = this.#random.below(100)
    if (chance < 55) return [this.#order(wallet, this.#wealth(wallet))]
    if (chance < 70) return [this.#cancel(wallet)]
    if (chance < 75) return [this.#call(wallet, 'setLeverage', [this.#number(), this.#leverage()])]
    if (chance < 80) return [this.#call(wallet, 'withdraw', [this.#token, this.#stake(), wallet])]
    if (chance < 84) return [this.#call(wallet, 'deposit', [this.#token, this.#stake()])]
    if (chance < 88) {
      return [this.#call(wallet, 'transfer', [this.#token, this.#someone(), this.#stake()])]
    }
    if (chance < 92) return [this.#call(wallet, 'settleHours', [this.#number()])]
    if (chance < 94) return [this.#change()]
    if (chance < 96) return [this.#reduce()]
    return [this.#order(wallet, this.#wealth(wallet)), this.#cancel(wallet)]
  }

  #change(): Tx {
    const maxLeverage = 10 + this.#random.below(16)
    const makerFee = this.#random.below(3) === 0 ? -50 : 100
    const parameters = { ...PARAMETERS, maxLeverage, makerFee }
    return this.#call(this.#wallet(0), 'change', [this.#number(), parameters])
  }

  #order(wallet: string, value: bigint): Tx {
    const market = this.#market(this.markets[this.#random.below(LISTINGS.length)] ?? '')
    // The price in this block, if the oracle accepts it.
    const mark = this.#prices[market.number - 1] as bigint
    const buy = this.#random.below(2) === 0
    const away = BigInt(this.#random.below(REACH) - PAST_MARK)
    const price = (mark * (10_000n + (buy ? -away : away))) / 10_000n
    const request = {
      market: market.number,
      buy,
      tick: Number(price / market.priceStep),
      lots: (value * E18) / ((mark * market.amountStep) / E18) + 1n,
      timeInForce: [0, 0, 0, 0, 1, 1, 2, 3][this.#random.below(8)],
      reduceOnly: this.#random.below(6) === 0,
      goodTil: this.#random.below(5) === 0 ? this.#venue.seconds + 5 + this.#random.below(600) : 0,
      maxFills: this.#random.below(10) === 0 ? 2 : 0,
    }
    return this.#call(wallet, 'place', [request])
  }

  #cancel(wallet: string): Tx {
    const order = this.#someOrder()
    const market = order === undefined ? 1 : this.#market(order.market).number
    const from = order === undefined ? wallet : this.#ownerOf(order.account)
    return this.#call(from, 'cancel', [market, order?.number ?? 1])
  }

  #reduce(): Tx {
    const order = this.#someOrder()
    if (order === undefined) return this.#cancel(this.#wallet(1))
    const { number } = this.#market(order.market)
    const lots = order.restingLots / 2n + 1n
    return this.#call(this.#ownerOf(order.account), 'reduce', [number, order.number, lots])
  }

  /** CHANCE AND STATE OF CORE */

  #someone(): string {
    const among = this.#venue.wallets.length - 4
    const index = 4 + this.#random.below(among)
    return this.#wallet(index === FEE_WALLET || index === INSURANCE_WALLET ? 4 : index)
  }

  #someOrder(): Order | undefined {
    const orders = [...this.#state.records.order.values()].filter(({ market }) =>
      this.markets.includes(market),
    )
    return orders[this.#random.below(Math.max(orders.length, 1))]
  }

  #resting(account: number, market: string): number[] {
    return [...this.#state.records.order.values()]
      .filter((order) => order.account === account && order.market === market)
      .map(({ number }) => number)
  }

  /** An amount in dollars, up to sixteen times the collateral of the account. */
  #wealth(wallet: string): bigint {
    const account = this.#accounts.get(wallet)
    const collateral = this.#state.records.collateral.get(`${this.perps}|${account}`)?.amount ?? 0n
    const dollars = collateral > 0n ? collateral / E18 : 0n
    return dollars * BigInt(1 + this.#random.below(16)) + 1n
  }

  #stake(): bigint {
    return 1n + BigInt(this.#random.below(10 ** (2 + this.#random.below(4)))) * 1_000_000n
  }

  #number(): number {
    return 1 + this.#random.below(LISTINGS.length)
  }

  #leverage(): number {
    return this.#random.below(26)
  }

  #market(id: string): Market {
    const market = this.#state.records.market.get(id)
    if (market === undefined) throw new Error(`the market ${id} is listed`)
    return market
  }

  #wallet(index: number): string {
    const wallet = this.#venue.wallets[index]
    if (wallet === undefined) throw new Error(`there is a wallet ${index}`)
    return wallet
  }

  #ownerOf(account: number): string {
    return this.#walletByAccount.get(account) ?? this.#wallet(1)
  }

  #call(from: string, name: string, args: unknown[]): Tx {
    return encodeTx(from, this.perps, [perpsAbi, name, args])
  }
}
