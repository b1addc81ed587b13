// A market of a scenario with the simplest possible matching: a list of orders, searched from the
// start each time. It emits the contract's events and is the reference for tests.

import { invariant } from '../../src/assert.ts'
import type { CancelReason, TimeInForce, VenueEvent } from '../../src/events.ts'
import { abs, max, min } from '../../src/integers.ts'
import { INSURANCE_ACCOUNT } from '../../src/positions.ts'
import type { ScenarioListing } from './listing.ts'
import { PERP_PARAMETERS } from './listing.ts'

type ScenarioOrder = {
  readonly number: number
  readonly account: number
  readonly isBuy: boolean
  readonly tick: number
  /** Resting lots. */
  lots: bigint
  readonly isReduceOnly: boolean
  readonly goodTilSeconds: number
  /** Its account would fall below its margin with the next fill. */
  isShort?: boolean
}

export type OrderWish = Readonly<{
  account: number
  isBuy: boolean
  tick: number
  lots: bigint
  timeInForce: TimeInForce
  isReduceOnly: boolean
  goodTilSeconds: number
  ref: string | null
}>

export type Side = 'buy' | 'sell'

export type OrderTerms = Readonly<{
  who: string
  side: Side
  tick: number
  lots: bigint
  timeInForce?: TimeInForce
  isReduceOnly?: boolean
  /** Unix seconds; 0 for none. */
  goodTilSeconds?: number
  ref?: string | null
}>

/**
 * A forced order: its limit and lots, the fee that the contract then charges, and the keeper's
 * account (0: none).
 */
type ForcedWish = Readonly<{
  account: number
  tick: number
  lots: bigint
  fee: bigint
  keeper: number
}>

/** Lots (signed like the position of `from`) transferred off the book. */
export type HandedOver = Readonly<{ from: number; to: number; lots: bigint; unit: bigint }>

type Emit = (event: VenueEvent) => void

/** Source: `IBook.sol`, FillLimit: the steps of one order. */
const STEPS_MAX = 100

/** Rounded up: a rebate towards zero. */
const computeFee = (value: bigint, rate: number) => {
  const millionths = value * BigInt(rate)
  return (millionths > 0n ? millionths + 999_999n : millionths) / 1_000_000n
}

export class ScenarioMarket {
  readonly listing: ScenarioListing
  /** All resting orders, including expired ones until they are swept. */
  readonly orders: ScenarioOrder[] = []
  /** Millionths; perpetuals only. */
  fees: Readonly<{ makerFee: number; takerFee: number }> = PERP_PARAMETERS
  /** Signed lots by account; perpetuals only. */
  readonly #lotsByAccount = new Map<number, bigint>()
  #placed = 0
  readonly #emit: Emit

  constructor(listing: ScenarioListing, emit: Emit) {
    this.listing = listing
    this.#emit = emit
  }

  /** Returns the orders that `wish` would meet, the best first. */
  opposing(wish: Pick<OrderWish, 'isBuy' | 'tick'>): ScenarioOrder[] {
    const crosses = ({ isBuy, tick }: ScenarioOrder) =>
      isBuy !== wish.isBuy && (isBuy ? tick >= wish.tick : tick <= wish.tick)
    const direction = wish.isBuy ? 1 : -1
    return this.orders
      .filter(crosses)
      .sort((a, b) => (a.tick - b.tick) * direction || a.number - b.number)
  }

  /** Returns the reason the contract would reject `wish`, or undefined. */
  refusal(wish: OrderWish, seconds: number): string | undefined {
    if (wish.goodTilSeconds !== 0 && wish.goodTilSeconds < seconds) return 'GoodTilTooEarly'
    const lots = this.#cut(wish)
    if (lots <= 0n) return 'ReduceOnlyWouldGrow'
    const met = this.opposing(wish)
    if (wish.timeInForce === 'POST_ONLY' && met.some((order) => !isOver(order, seconds)))
      return 'PostOnlyWouldCross'
    if (wish.timeInForce !== 'FOK') return undefined
    const fillable = met
      .slice(0, STEPS_MAX)
      .filter((order) => order.account !== wish.account && !isOver(order, seconds))
      .filter((order) => !order.isReduceOnly && order.isShort !== true)
      .reduce((sum, { lots }) => sum + lots, 0n)
    return fillable < lots ? 'FillOrKillUnfillable' : undefined
  }

  /** Places and matches an order and rests the remainder if it may rest. Returns its number. */
  place(wish: OrderWish, seconds: number): number {
    const refusal = this.refusal(wish, seconds)
    invariant(refusal === undefined, 'a scenario says only what the contract allows', { refusal })
    this.#placed += 1
    const taker: ScenarioOrder = {
      number: this.#placed,
      account: wish.account,
      isBuy: wish.isBuy,
      tick: wish.tick,
      lots: this.#cut(wish),
      isReduceOnly: wish.isReduceOnly,
      goodTilSeconds: wish.goodTilSeconds,
    }
    this.#sayPlaced(wish, taker)
    const isLimited = this.#match(taker, seconds)
    if (taker.lots === 0n) return taker.number
    if (isLimited) this.#sayCancelled(taker, 'FILL_LIMIT')
    else if (wish.timeInForce === 'IOC') this.#sayCancelled(taker, 'IOC_REMAINDER')
    else this.orders.push(taker)
    return taker.number
  }

  /** Removes an order from the book. */
  cancel(number: number, reason: CancelReason): void {
    const order = this.find(number)
    this.#remove(order)
    this.#sayCancelled(order, reason)
  }

  /** Returns the signed lots of an account's position. */
  heldBy(account: number): bigint {
    return this.#lotsByAccount.get(account) ?? 0n
  }

  /** Closes lots of a position on the book by force. Returns the filled lots. */
  liquidate(wish: ForcedWish, seconds: number): bigint {
    const { account, tick, fee, keeper } = wish
    const { id: market } = this.listing
    const before = this.heldBy(account)
    const lots = min(wish.lots, abs(before))
    this.#cancelFor(account)
    this.#emit({ type: 'Liquidating', market, account, order: this.#placed + 1 })
    this.place(
      {
        account,
        isBuy: before < 0n,
        tick,
        lots,
        timeInForce: 'IOC',
        isReduceOnly: true,
        goodTilSeconds: 0,
        ref: null,
      },
      seconds,
    )
    const after = this.heldBy(account)
    const filled = before < 0n ? after - before : before - after
    if (filled > 0n) this.#emit({ type: 'Liquidated', market, account, lots: filled, fee, keeper })
    return filled
  }

  /** Transfers a whole position to insurance, with `collateral` (negative: from insurance). */
  absorb(account: number, unit: bigint, collateral: bigint): void {
    const { id: market } = this.listing
    const lots = this.heldBy(account)
    this.#cancelFor(account)
    this.#hand({ from: account, to: INSURANCE_ACCOUNT, lots, unit })
    this.#emit({ type: 'Absorbed', market, account, lots, unit, collateral })
  }

  /** Closes lots of a position against a winning position. */
  deleverage({ from: loser, to: winner, lots, unit }: HandedOver): void {
    this.#cancelFor(loser)
    this.#hand({ from: loser, to: winner, lots, unit })
    this.#emit({ type: 'Deleveraged', market: this.listing.id, loser, winner, lots, unit })
  }

  #cancelFor(account: number): void {
    for (const order of this.orders.filter((resting) => resting.account === account))
      this.cancel(order.number, 'LIQUIDATION')
  }

  #hand({ from, to, lots }: HandedOver): void {
    this.#lotsByAccount.set(from, this.heldBy(from) - lots)
    this.#lotsByAccount.set(to, this.heldBy(to) + lots)
  }

  /** Reduces an order. */
  reduce(number: number, lots: bigint): void {
    const order = this.find(number)
    invariant(lots > 0n && lots < order.lots, 'a reduction leaves a part', { number, lots })
    order.lots -= lots
    const { account } = order
    this.#emit({ type: 'Reduced', market: this.listing.id, account, order: number, lots })
  }

  /** Returns a resting order by its number. */
  find(number: number): ScenarioOrder {
    const order = this.orders.find((order) => order.number === number)
    invariant(order !== undefined, 'an order of a scenario rests', { number })
    return order
  }

  /** Returns the best tick of a side, without expired orders. */
  best(isBuy: boolean, seconds: number): number | undefined {
    const ticks = this.orders
      .filter((order) => order.isBuy === isBuy && !isOver(order, seconds))
      .map(({ tick }) => tick)
    return ticks.length === 0 ? undefined : isBuy ? Math.max(...ticks) : Math.min(...ticks)
  }

  #match(taker: ScenarioOrder, seconds: number): boolean {
    let steps = 0
    for (const maker of this.opposing(taker)) {
      if (taker.lots === 0n) return false
      if (steps === STEPS_MAX) return true
      steps += 1
      if (isOver(maker, seconds)) this.cancel(maker.number, 'EXPIRED')
      else if (maker.account === taker.account) this.cancel(maker.number, 'SELF_TRADE')
      else if (maker.isShort === true) this.cancel(maker.number, 'MARGIN')
      else this.#fill(maker, taker)
    }
    return false
  }

  #fill(maker: ScenarioOrder, taker: ScenarioOrder): void {
    const offered = min(maker.lots, taker.lots)
    const lots = maker.isReduceOnly ? min(offered, this.#closable(maker)) : offered
    if (lots > 0n) this.#exchange(maker, taker, lots)
    if (lots < offered) this.cancel(maker.number, 'REDUCE_ONLY_CAPPED')
  }

  #exchange(maker: ScenarioOrder, taker: ScenarioOrder, lots: bigint): void {
    const { id, isPerp, quotePerLotTick } = this.listing
    const value = BigInt(maker.tick) * lots * quotePerLotTick
    maker.lots -= lots
    taker.lots -= lots
    if (maker.lots === 0n) this.#remove(maker)
    for (const { account, isBuy } of [maker, taker])
      this.#lotsByAccount.set(account, this.heldBy(account) + (isBuy ? lots : -lots))
    this.#emit({
      type: 'Filled',
      market: id,
      maker: maker.account,
      makerOrder: maker.number,
      taker: taker.account,
      takerOrder: taker.number,
      tick: maker.tick,
      lots,
      makerFee: isPerp ? computeFee(value, this.fees.makerFee) : 0n,
      takerFee: isPerp ? computeFee(value, this.fees.takerFee) : 0n,
    })
  }

  /** Returns the lots of an order: a reduce-only one closes at most what others leave. */
  #cut(wish: OrderWish): bigint {
    if (!wish.isReduceOnly) return wish.lots
    const reserved = this.orders
      .filter((order) => order.isReduceOnly && order.account === wish.account)
      .filter((order) => order.isBuy === wish.isBuy)
      .reduce((sum, { lots }) => sum + lots, 0n)
    return min(wish.lots, this.#closable(wish) - reserved)
  }

  #closable({ account, isBuy }: Pick<OrderWish, 'account' | 'isBuy'>): bigint {
    const lots = this.heldBy(account)
    const closable = isBuy ? -lots : lots
    return max(closable, 0n)
  }

  #remove(order: ScenarioOrder): void {
    this.orders.splice(this.orders.indexOf(order), 1)
  }

  #sayPlaced(wish: OrderWish, { number, lots }: ScenarioOrder): void {
    this.#emit({
      type: 'Placed',
      market: this.listing.id,
      account: wish.account,
      order: number,
      buy: wish.isBuy,
      tick: wish.tick,
      lots,
      timeInForce: wish.timeInForce,
      reduceOnly: wish.isReduceOnly,
      goodTil: wish.goodTilSeconds,
      ref: wish.ref,
    })
  }

  #sayCancelled({ account, number, lots }: ScenarioOrder, reason: CancelReason): void {
    this.#emit({
      type: 'Cancelled',
      market: this.listing.id,
      account,
      order: number,
      lots,
      reason,
    })
  }
}

/** Returns whether an order has expired. */
export const isOver = ({ goodTilSeconds }: ScenarioOrder, seconds: number): boolean =>
  goodTilSeconds !== 0 && seconds > goodTilSeconds

/** Returns the terms of an order in the form that the market accepts. */
export const orderWish = (account: number, terms: OrderTerms): OrderWish => ({
  account,
  isBuy: terms.side === 'buy',
  tick: terms.tick,
  lots: terms.lots,
  timeInForce: terms.timeInForce ?? 'GTC',
  isReduceOnly: terms.isReduceOnly ?? false,
  goodTilSeconds: terms.goodTilSeconds ?? 0,
  ref: terms.ref ?? null,
})
