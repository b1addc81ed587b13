// A fake market with plausible contract events: orders rest by price and time, takers match the
// best of the other side, expired orders are skipped and swept later, and perpetual positions are
// closed by force.
import { abs, min } from '@openvenue/core/integers'
import type { SeededRandom } from './seeded-random.ts'

/** Name and field values of an event. */
export type EventValues = Readonly<{ name: string; values: Readonly<Record<string, unknown>> }>

type RestingOrder = {
  readonly order: number
  readonly account: number
  readonly buy: boolean
  readonly tick: number
  readonly goodTil: number
  lots: bigint
}

const GTC = 0
const IOC = 1
const USER = 0
const IOC_REMAINDER = 1
const EXPIRED = 6
const LIQUIDATION = 7
const INSURANCE = 1
const ZERO_WORD = `0x${'0'.repeat(64)}`

const MID_TICK = 30_000
const SPREAD_TICKS = 20
const LOTS_MAX = 50
const RESTING_MAX = 200
const GOOD_TIL_SECONDS = 3
const FEE = 7_000n
/** Quote raw per lot and tick, as listed. */
const UNIT = 10n ** 13n

type MarketOptions = Readonly<{
  market: number
  /** Number of trading accounts, from account 3 on. */
  accounts: number
  hasFees: boolean
}>

/** A market that can be copied, so that a fork takes another course. */
export class FakeMarket {
  readonly #options: MarketOptions
  #resting: RestingOrder[] = []
  #order = 0
  /** Signed lots by account. */
  readonly #lotsByAccount = new Map<number, bigint>()

  constructor(options: MarketOptions) {
    this.#options = options
  }

  clone(): FakeMarket {
    const copy = new FakeMarket(this.#options)
    copy.#resting = this.#resting.map((order) => ({ ...order }))
    copy.#order = this.#order
    for (const [account, lots] of this.#lotsByAccount) copy.#lotsByAccount.set(account, lots)
    return copy
  }

  /** Returns the next events at time `seconds`. */
  next(random: SeededRandom, seconds: number): EventValues[] {
    const roll = random.below(100)
    if (this.#resting.length >= RESTING_MAX || roll < 15) return this.#cancel(random, seconds)
    if (roll < 22) return this.#reduce(random, seconds)
    if (roll < 55) return this.#take(random, seconds)
    if (roll >= 94 && this.#options.hasFees) return this.#force(random, seconds)
    return this.#rest(random, seconds)
  }

  #rest(random: SeededRandom, seconds: number): EventValues[] {
    const buy = random.below(2) === 0
    const away = 1 + random.below(SPREAD_TICKS)
    const order = {
      order: ++this.#order,
      account: this.#account(random),
      buy,
      tick: MID_TICK + (buy ? -away : away),
      lots: BigInt(1 + random.below(LOTS_MAX)),
      goodTil: random.below(8) === 0 ? seconds + random.below(GOOD_TIL_SECONDS) : 0,
    }
    this.#resting.push(order)
    return [this.#placed(order, GTC, random)]
  }

  #take(random: SeededRandom, seconds: number): EventValues[] {
    const buy = random.below(2) === 0
    const account = this.#account(random)
    const tick = MID_TICK + (buy ? SPREAD_TICKS : -SPREAD_TICKS)
    const lots = BigInt(1 + random.below(2 * LOTS_MAX))
    const taker = { order: ++this.#order, account, buy, tick, goodTil: 0, lots }
    return [this.#placed(taker, IOC, random), ...this.#match(taker, seconds)]
  }

  #match(taker: RestingOrder, seconds: number): EventValues[] {
    const { account, buy } = taker
    const events: EventValues[] = []
    let left = taker.lots
    for (const maker of this.#facing(buy, seconds)) {
      if (left === 0n) break
      if (maker.account === account) continue
      const lots = min(left, maker.lots)
      maker.lots -= lots
      left -= lots
      this.#hand(buy ? maker.account : account, buy ? account : maker.account, lots)
      events.push(this.#filled(maker, taker, lots))
    }
    if (left > 0n) events.push(this.#cancelled({ ...taker, lots: left }, IOC_REMAINDER))
    this.#resting = this.#resting.filter((order) => order.lots > 0n)
    return events
  }

  #hand(from: number, to: number, lots: bigint): void {
    this.#lotsByAccount.set(from, (this.#lotsByAccount.get(from) ?? 0n) - lots)
    this.#lotsByAccount.set(to, (this.#lotsByAccount.get(to) ?? 0n) + lots)
  }

  /** Closes a position by force: on the book, by insurance if it is empty, or both ways off it. */
  #force(random: SeededRandom, seconds: number): EventValues[] {
    const holders = [...this.#lotsByAccount].filter(([, lots]) => lots !== 0n)
    const [account, lots] = holders[random.below(holders.length || 1)] ?? [0, 0n]
    if (lots === 0n) return this.#rest(random, seconds)
    const cancelled = this.#resting
      .filter((order) => order.account === account)
      .map((order) => this.#cancelled(order, LIQUIDATION))
    this.#resting = this.#resting.filter((order) => order.account !== account)
    const winner = holders.find(
      ([other, heldLots]) => other !== INSURANCE && heldLots > 0n !== lots > 0n,
    )
    if (winner !== undefined && (account === INSURANCE || random.below(3) === 0))
      return [...cancelled, this.#deleveraged(random, { account, lots }, winner)]
    if (account === INSURANCE) return [...cancelled, ...this.#rest(random, seconds)]
    if (random.below(2) === 0) return [...cancelled, this.#absorbed(random, { account, lots })]
    return [...cancelled, ...this.#liquidated(random, { account, lots }, seconds)]
  }

  #liquidated(random: SeededRandom, { account, lots }: Holder, seconds: number): EventValues[] {
    const { market } = this.#options
    const buy = lots < 0n
    const size = abs(lots)
    const tick = MID_TICK + (buy ? SPREAD_TICKS : -SPREAD_TICKS)
    const order = { order: ++this.#order, account, buy, tick, goodTil: 0, lots: size }
    const placed = this.#placed(order, IOC, random)
    const forced = { ...placed, values: { ...placed.values, ref: ZERO_WORD, reduceOnly: true } }
    const announced = { name: 'Liquidating', values: { market, account, order: order.order } }
    const fills = this.#match(order, seconds)
    const filled = size - abs(this.#lotsByAccount.get(account) ?? 0n)
    const keeper = random.below(2) === 0 ? 0 : this.#account(random)
    const fee = BigInt(random.below(1000)) * UNIT
    const end =
      filled === 0n
        ? this.#absorbed(random, { account, lots })
        : { name: 'Liquidated', values: { market, account, lots: filled, fee, keeper } }
    return [announced, forced, ...fills, end]
  }

  #absorbed(random: SeededRandom, { account, lots }: Holder): EventValues {
    this.#hand(account, INSURANCE, lots)
    const unit = BigInt(MID_TICK) * UNIT + BigInt(random.below(1000))
    const collateral = BigInt(random.below(1000) - 500) * UNIT
    const { market } = this.#options
    return { name: 'Absorbed', values: { market, account, lots, unit, collateral } }
  }

  #deleveraged(
    random: SeededRandom,
    loser: Holder,
    [winner, heldLots]: readonly [number, bigint],
  ): EventValues {
    const size = min(abs(loser.lots), abs(heldLots))
    const lots = loser.lots < 0n ? -size : size
    this.#hand(loser.account, winner, lots)
    const unit = BigInt(MID_TICK - 2 * random.below(MID_TICK)) * UNIT + 1n
    const { market } = this.#options
    return { name: 'Deleveraged', values: { market, loser: loser.account, winner, lots, unit } }
  }

  /** Resting orders on the other side, best first, then oldest. */
  #facing(buy: boolean, seconds: number): RestingOrder[] {
    return this.#resting
      .filter((order) => order.buy !== buy && !isExpired(order, seconds))
      .sort((a, b) => (buy ? a.tick - b.tick : b.tick - a.tick) || a.order - b.order)
  }

  #cancel(random: SeededRandom, seconds: number): EventValues[] {
    const order = this.#any(random)
    if (order === undefined) return this.#rest(random, seconds)
    this.#resting = this.#resting.filter((other) => other !== order)
    return [this.#cancelled(order, isExpired(order, seconds) ? EXPIRED : USER)]
  }

  #reduce(random: SeededRandom, seconds: number): EventValues[] {
    const order = this.#any(random)
    if (order === undefined || order.lots < 2n) return this.#rest(random, seconds)
    order.lots -= 1n
    const { market } = this.#options
    const { account, order: number } = order
    return [{ name: 'Reduced', values: { market, account, order: number, lots: 1n } }]
  }

  #any(random: SeededRandom): RestingOrder | undefined {
    return this.#resting[random.below(this.#resting.length || 1)]
  }

  #account(random: SeededRandom): number {
    return 3 + random.below(this.#options.accounts)
  }

  #placed(order: RestingOrder, timeInForce: number, random: SeededRandom): EventValues {
    const { market } = this.#options
    const ref =
      random.below(4) === 0 ? `0x${random.bits(256).toString(16).padStart(64, '0')}` : ZERO_WORD
    return { name: 'Placed', values: { ...order, market, timeInForce, reduceOnly: false, ref } }
  }

  #filled(maker: RestingOrder, taker: RestingOrder, lots: bigint): EventValues {
    const { market, hasFees } = this.#options
    const fees = hasFees ? { makerFee: -FEE * lots, takerFee: 3n * FEE * lots } : {}
    return {
      name: 'Filled',
      values: {
        market,
        maker: maker.account,
        makerOrder: maker.order,
        taker: taker.account,
        takerOrder: taker.order,
        tick: maker.tick,
        lots,
        ...fees,
      },
    }
  }

  #cancelled({ account, order, lots }: RestingOrder, reason: number): EventValues {
    const { market } = this.#options
    return { name: 'Cancelled', values: { market, account, order, lots, reason } }
  }
}

type Holder = Readonly<{ account: number; lots: bigint }>

const isExpired = (order: RestingOrder, seconds: number) =>
  order.goodTil !== 0 && seconds > order.goodTil
