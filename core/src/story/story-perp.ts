// Mark and funding of one perpetual of a story.
import type { VenueEvent } from '../events.ts'
import { clamp, FUNDING_INTERVAL_SECONDS, FUNDING_UPDATE_SECONDS, rateOf } from '../funding.ts'
import type { StoryMarket } from './story-market.ts'

const E18 = 10n ** 18n
const PREMIUM_MAX = 10n ** 16n
const SMOOTHING_SECONDS = 150n
/** Hours that one touch closes. Source: `Perps.sol`, section 3. */
const HOURS_MAX = 24

export class StoryPerp {
  readonly #market: StoryMarket
  readonly #emit: (event: VenueEvent) => void
  #settledSeconds: number
  #rate = 0n
  #perSecond = 0n
  #cumulative = 0n
  #hourMark: bigint
  #premiums: bigint[] = []
  #basis = 0n
  #pokedSeconds: number

  /** Lists the market when the index price of its asset is `index`, 0 for none. */
  constructor(
    market: StoryMarket,
    at: Readonly<{ seconds: number; index: bigint }>,
    emit: (event: VenueEvent) => void,
  ) {
    const { seconds, index } = at
    this.#market = market
    this.#hourMark = index
    this.#emit = emit
    this.#settledSeconds = seconds - (seconds % FUNDING_INTERVAL_SECONDS)
    this.#pokedSeconds = seconds - FUNDING_UPDATE_SECONDS
  }

  /** Returns whether a poke would be accepted. */
  canPoke(seconds: number): boolean {
    return seconds >= this.#pokedSeconds + FUNDING_UPDATE_SECONDS
  }

  /** Closes the hours that have ended. */
  settle(index: bigint, seconds: number): void {
    for (let hours = 0; hours < HOURS_MAX; hours++) {
      const time = this.#settledSeconds + FUNDING_INTERVAL_SECONDS
      if (time > seconds) return
      this.#closeHour(time, this.#mark(index))
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
    const premium = clamp((away * E18) / index, PREMIUM_MAX)
    const dt = BigInt(seconds - this.#pokedSeconds)
    const moved = this.#basis + ((away - this.#basis) * dt) / (dt + SMOOTHING_SECONDS)
    this.#basis = clamp(moved, index / 200n)
    this.#pokedSeconds = seconds
    this.#premiums.push(premium)
    const mark = this.#mark(index)
    this.#emit({ type: 'Marked', market: id, mark, basis: this.#basis, premium })
  }

  #mark(index: bigint): bigint {
    return index + clamp(this.#basis, index / 200n)
  }

  #closeHour(time: number, mark: bigint): void {
    const sum = this.#premiums.reduce((total, premium) => total + premium, 0n)
    const count = BigInt(this.#premiums.length)
    const { id, amountStep } = this.#market.listing
    const nextRate = count === 0n ? 0n : rateOf(sum / count)
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
