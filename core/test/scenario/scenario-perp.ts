// Mark and funding of a perpetual in a scenario.

import type { VenueEvent } from '../../src/events.ts'
import {
  clamp,
  FUNDING_INTERVAL_SECONDS,
  FUNDING_UPDATE_SECONDS,
  rateFromPremium,
} from '../../src/funding.ts'
import { E18 } from '../../src/integers.ts'
import type { ScenarioMarket } from './scenario-market.ts'

const PREMIUM_MAX = 10n ** 16n
const SMOOTHING_SECONDS = 150n
const WEIGHT_SECONDS_MAX = 120
const BASIS_MAX = 5n * 10n ** 15n
const STEP_MAX = BASIS_MAX / 10n
/** The engine stores a basis in billionths. */
const BILLIONTH = 10n ** 9n
/** Maximum hours settled by one event. Source: `Perps.sol`, section 3. */
const HOURS_MAX = 24

export class ScenarioPerp {
  readonly #market: ScenarioMarket
  readonly #emit: (event: VenueEvent) => void
  /** 0 until there is a price. */
  #settledSeconds = 0
  #rate = 0n
  #perSecond = 0n
  #cumulative = 0n
  #hourMark = 0n
  #premiums: (readonly [premium: bigint, seconds: number])[] = []
  /** In billionths, before and after the last poke. */
  #basis = 0n
  #nextBasis = 0n
  #pokedSeconds: number

  /** Lists the market at an index price of `index` for its asset, 0 for none. */
  constructor(
    market: ScenarioMarket,
    at: Readonly<{ seconds: number; index: bigint }>,
    emit: (event: VenueEvent) => void,
  ) {
    const { seconds, index } = at
    this.#market = market
    this.#emit = emit
    this.#pokedSeconds = seconds - FUNDING_UPDATE_SECONDS
    if (index > 0n) this.takeIndex(market.listing.asset, index, seconds)
  }

  /** Applies a price of an asset: the first one for the market's asset starts the funding clock. */
  takeIndex(asset: string, index: bigint, seconds: number): void {
    if (asset !== this.#market.listing.asset || this.#settledSeconds !== 0) return
    this.#settledSeconds = seconds - (seconds % FUNDING_INTERVAL_SECONDS)
    this.#hourMark = index
  }

  /** Returns whether a poke would be accepted. */
  canPoke(seconds: number): boolean {
    return seconds >= this.#pokedSeconds + FUNDING_UPDATE_SECONDS
  }

  /** Settles the hours that have ended. */
  settle(index: bigint, seconds: number): void {
    for (let hours = 0; hours < HOURS_MAX; hours++) {
      const time = this.#settledSeconds + FUNDING_INTERVAL_SECONDS
      if (time > seconds) return
      this.#closeHour(time, this.#mark(index, seconds))
    }
  }

  /** Samples the premium and moves the basis. */
  poke(index: bigint, seconds: number): void {
    this.settle(index, seconds)
    if (seconds >= this.#settledSeconds + FUNDING_INTERVAL_SECONDS) return
    const bid = this.#market.best(true, seconds)
    const ask = this.#market.best(false, seconds)
    const { priceStep, id } = this.#market.listing
    const hasMid = bid !== undefined && ask !== undefined
    const away = hasMid ? (BigInt(bid + ask) * priceStep) / 2n - index : 0n
    const sample = (away * E18) / index
    const premium = clamp(sample, PREMIUM_MAX)
    const weight = Math.min(seconds - this.#pokedSeconds, WEIGHT_SECONDS_MAX)
    const counted = Math.min(weight, seconds - this.#settledSeconds)
    this.#basis = this.#basisAt(seconds)
    const before = this.#basis * BILLIONTH
    const way = clamp(sample, BASIS_MAX) - before
    const step = clamp((way * BigInt(weight)) / (BigInt(weight) + SMOOTHING_SECONDS), STEP_MAX)
    this.#nextBasis = (before + step) / BILLIONTH
    this.#pokedSeconds = seconds
    this.#premiums.push([premium, counted])
    const mark = this.#mark(index, seconds + 1)
    const basis = this.#nextBasis * BILLIONTH
    this.#emit({ type: 'Marked', market: id, mark, basis, premium, seconds: counted })
  }

  /** Events in a second do not change the mark of that second. */
  #basisAt(seconds: number): bigint {
    return seconds > this.#pokedSeconds ? this.#nextBasis : this.#basis
  }

  #mark(index: bigint, seconds: number): bigint {
    return index + (index * this.#basisAt(seconds)) / BILLIONTH
  }

  #closeHour(time: number, mark: bigint): void {
    const sum = this.#premiums.reduce((all, [premium, of]) => all + premium * BigInt(of), 0n)
    const seconds = this.#premiums.reduce((all, [, of]) => all + of, 0)
    const { id, amountStep } = this.#market.listing
    const nextRate = seconds === 0 ? 0n : rateFromPremium(sum / BigInt(FUNDING_INTERVAL_SECONDS))
    const markPerLot = (mark * amountStep) / E18
    const nextPerSecond = (nextRate * markPerLot) / (BigInt(FUNDING_INTERVAL_SECONDS) * E18)
    this.#cumulative += this.#perSecond * BigInt(FUNDING_INTERVAL_SECONDS)
    this.#emit({
      type: 'FundingSettled',
      market: id,
      time,
      rate: this.#rate,
      mark: this.#hourMark,
      cumulative: this.#cumulative,
      nextRate,
      nextPerSecond,
    })
    this.#premiums = []
    this.#settledSeconds = time
    this.#rate = nextRate
    this.#perSecond = nextPerSecond
    this.#hourMark = mark
  }
}
